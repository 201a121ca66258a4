package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"millwright.dev/millwright/adapters/portal"
	"millwright.dev/millwright/core/service/session"
)

// linkCommand is the command that makes a link, for the log.
const linkCommand = "millwright portal link --team TEAM"

type portalCmd struct {
	Link portalLinkCmd `cmd:"" help:"Print a link that signs one browser in to the portal, once, within 15 minutes."`
}

type portalLinkCmd struct {
	dataFlags
	keyOutput
	Team string `required:"" help:"Team of the user; made when there is none."`
	User string `help:"User who signs in; made when there is none (default: owner)."`
	URL  string `placeholder:"URL" help:"Address of the service (default: --public-url, else http://127.0.0.1:8080)."`
}

// Validate refuses an address that no portal has (kong calls it).
func (c *portalLinkCmd) Validate() error {
	return errors.Join(portalAlone(c.PublicURL), portalAlone(c.URL))
}

// portalAlone returns an error for a public address below another one. The cookie of a session is for a whole host, and
// pages of other programs of the host could act as the person.
func portalAlone(address string) error {
	u, err := url.Parse(address)
	if err != nil || strings.Trim(u.Path, "/") == "" {
		return nil
	}
	return fmt.Errorf("the portal needs a host of its own, and %s is an address below another one: give the service a "+
		"host name, or leave the portal out by --portal=false", address)
}

// Run prints the link.
func (c *portalLinkCmd) Run(ctx context.Context) error {
	b, err := openBackend(ctx, c.dataFlags)
	if err != nil {
		return err
	}
	defer b.close()
	base := "http://127.0.0.1:8080"
	for _, given := range []string{c.PublicURL, c.URL} {
		if given != "" {
			base = strings.TrimSuffix(given, "/")
		}
	}
	token, expires, err := b.sessions.CreateLink(ctx, c.Team, c.User)
	if err != nil {
		return err
	}
	if c.Output == "json" {
		return json.NewEncoder(os.Stdout).Encode(map[string]any{"url": portalLink(base, token), "expiresAt": expires})
	}
	fmt.Println(portalLink(base, token))
	_, err = fmt.Fprintf(os.Stderr, "The link works once, until %s.\n", expires.Format(time.RFC3339))
	return err
}

// portalLink is the address of a one-time link. The token is in the fragment, which browsers do not send.
func portalLink(base, token string) string { return base + portal.Root + "/welcome#token=" + token }

// firstTeam is the team of the first link of a service without teams.
const firstTeam = "default"

// offerLink prints a link to a terminal if nobody ever signed in and at most one team exists. Otherwise, and where the
// output is kept, only the command for a link is named.
func offerLink(ctx context.Context, b *backend, base string, out *os.File, log *slog.Logger) error {
	once, err := b.sessions.SignedInOnce(ctx)
	if err != nil || once {
		return err
	}
	teams, err := b.use.Accounts.Teams(ctx, 2)
	if err != nil {
		return err
	}
	if !term.IsTerminal(int(out.Fd())) || len(teams) > 1 {
		log.Info("nobody has signed in to the portal yet", "command", linkCommand)
		return nil
	}
	team := firstTeam
	if len(teams) == 1 {
		team = teams[0].Name
	}
	return printLink(ctx, b, base, team, out)
}

// printLink prints a link for the owner of a team.
func printLink(ctx context.Context, b *backend, base, team string, out io.Writer) error {
	token, _, err := b.sessions.CreateLink(ctx, team, "")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "\nOpen the portal, once, within %.0f minutes:\n  %s\n",
		session.LinkLife.Minutes(), portalLink(base, token))
	return err
}

// withPortal adds the portal to a handler of the API and of all else.
func (c *serveCmd) withPortal(b *backend, api, all http.Handler, log *slog.Logger) (http.Handler, error) {
	if !c.Portal {
		return all, nil
	}
	use := portal.UseCases{
		Health: b.use.Health, Accounts: b.use.Accounts, Sessions: b.sessions, Parts: b.use.Parts, Programs: b.use.Programs,
	}
	pages, err := portal.New(use, portal.Config{
		Example: portal.Example{Name: exampleName, Data: examplePart},
		API:     api, BaseURL: c.base(), Uploads: b.objects.origin, Clock: b.clock, Logger: log,
		Static: portal.Static{Index: portal.Index(), Hash: portal.Hash(), Files: portal.Assets()},
	})
	if err != nil {
		return nil, fmt.Errorf("the portal: %w", err)
	}
	return portal.Mount(pages, all), nil
}

// originOf returns scheme and host of the first address that is given, "" without one.
func originOf(addresses ...string) string {
	for _, address := range addresses {
		if u, err := url.Parse(address); err == nil && u.Host != "" {
			return u.Scheme + "://" + u.Host
		}
	}
	return ""
}
