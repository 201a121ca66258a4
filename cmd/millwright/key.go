package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"millwright.dev/millwright/core/service/account"
)

type keyCmd struct {
	Create keyCreateCmd `cmd:"" help:"Create a key and show its text once."`
	List   keyListCmd   `cmd:"" help:"List the keys of a team."`
	Revoke keyRevokeCmd `cmd:"" help:"Revoke a key."`
	Grant  keyGrantCmd  `cmd:"" help:"Change what a key may do, and from which origins."`
	Edit   keyEditCmd   `cmd:"" help:"Change the name, the expiry and the origins of a key."`
	Roll   keyRollCmd   `cmd:"" help:"Replace a key by one with another text and the same rights."`
}

// keyOutput is the choice between words and JSON.
type keyOutput struct {
	Output string `short:"o" enum:"text,json" default:"text" help:"text or json."`
}

// keyRecord is a key as the command line shows it.
type keyRecord struct {
	Key       string             `json:"key,omitempty"` // the text, only at creation
	ID        string             `json:"id"`
	Prefix    string             `json:"prefix"`
	Name      string             `json:"name"`
	Team      string             `json:"team,omitempty"`
	Kind      account.KeyKind    `json:"kind"`
	Status    string             `json:"status"`
	Access    account.AccessGrid `json:"access"`
	Origins   []string           `json:"allowedOrigins"`
	CreatedAt time.Time          `json:"createdAt"`
	ExpiresAt *time.Time         `json:"expiresAt"`
	RevokedAt *time.Time         `json:"revokedAt"` // of a rolled key: when it ends
	UsedAt    *time.Time         `json:"lastUsedAt"`
	Replaces  string             `json:"replaces,omitempty"`
	Successor string             `json:"replacedBy,omitempty"`
}

// recordOf shows a key as it is at a time.
func recordOf(k account.Key, at time.Time) keyRecord {
	return keyRecord{
		ID: k.ID, Prefix: k.Prefix, Name: k.Name, Status: string(k.StatusAt(at)), Access: k.Access,
		Origins: k.AllowedOrigins, CreatedAt: k.CreatedAt, ExpiresAt: k.ExpiresAt, RevokedAt: k.RevokedAt,
		Kind: k.Kind, UsedAt: k.LastUsedAt, Replaces: k.Replaces, Successor: k.ReplacedBy,
	}
}

type keyCreateCmd struct {
	dataFlags
	keyOutput
	Team    string        `required:"" help:"Team that owns the key; made when there is none."`
	Name    string        `required:"" help:"What the key is for."`
	User    string        `help:"Member of the team who makes the key (default: owner)."`
	Access  *accessFlag   `placeholder:"AREA=LEVEL,…" help:"What it may do: core, dfm, quoting, each none, read or write; areas not named get none (default: write in all)."`
	Origins []string      `name:"origin" placeholder:"URL" help:"Browser origin that may use it, as https://shop.example; repeatable (default: none)."`
	Expires time.Duration `help:"Life of the key, for example 720h (default: no end)."`
}

// Run makes the key.
func (c *keyCreateCmd) Run(ctx context.Context) error {
	b, err := openBackend(ctx, c.dataFlags)
	if err != nil {
		return err
	}
	defer b.close()
	in := account.CreateKeyInput{
		Team: c.Team, User: c.User, Name: c.Name, Access: (*account.AccessGrid)(c.Access), AllowedOrigins: c.Origins,
	}
	if c.Expires != 0 {
		at := b.clock.Now().Add(c.Expires)
		in.ExpiresAt = &at
	}
	created, err := b.use.Accounts.CreateKey(ctx, in)
	if err != nil {
		return err
	}
	record := recordOf(created.Key, b.clock.Now())
	record.Key, record.Team = created.Text, c.Team
	if c.Output == "json" {
		return json.NewEncoder(os.Stdout).Encode(record)
	}
	fmt.Println(created.Text)
	_, err = fmt.Fprintf(os.Stderr, "Key %s (%s) of team %s. Its text is shown only this once.\n", created.Key.ID, c.Name, c.Team)
	return err
}

type keyListCmd struct {
	dataFlags
	keyOutput
	Team string `required:"" help:"Team whose keys are listed."`
}

// Run lists the keys, oldest first.
func (c *keyListCmd) Run(ctx context.Context) error {
	b, err := openExisting(ctx, c.dataFlags)
	if err != nil {
		return err
	}
	defer b.close()
	keys, err := b.use.Accounts.ListKeys(ctx, c.Team)
	if err != nil {
		return err
	}
	if c.Output == "json" {
		records := make([]keyRecord, len(keys))
		for i, k := range keys {
			records[i] = recordOf(k, b.clock.Now())
		}
		return json.NewEncoder(os.Stdout).Encode(records)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "ID\tPREFIX\tNAME\tSTATUS\tMAY\tORIGINS\tCREATED\tLAST USE")
	for _, k := range keys {
		r := recordOf(k, b.clock.Now())
		used := "never"
		if r.UsedAt != nil {
			used = r.UsedAt.Format(time.RFC3339)
		}
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.ID, r.Prefix, r.Name, r.Status, r.Access,
			originWords(r.Origins), r.CreatedAt.Format(time.RFC3339), used)
	}
	return w.Flush()
}

type keyRevokeCmd struct {
	dataFlags
	keyOutput
	ID string `arg:"" help:"Id of the key."`
}

// Run revokes the key; doing so again changes nothing.
func (c *keyRevokeCmd) Run(ctx context.Context) error {
	b, err := openExisting(ctx, c.dataFlags)
	if err != nil {
		return err
	}
	defer b.close()
	key, err := b.use.Accounts.RevokeKey(ctx, c.ID)
	if err != nil {
		return err
	}
	if c.Output == "json" {
		return json.NewEncoder(os.Stdout).Encode(recordOf(key, b.clock.Now()))
	}
	fmt.Printf("Key %s (%s) is revoked.\n", key.ID, key.Name)
	return nil
}
