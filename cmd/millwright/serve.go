package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"millwright.dev/millwright/adapters/httpapi"
	"millwright.dev/millwright/adapters/httpapi/baseurl"
	"millwright.dev/millwright/adapters/httpapi/slowclient"
	"millwright.dev/millwright/core/service/account"
)

// Roles of a process.
const (
	roleAll    = "all"
	roleAPI    = "api"
	roleWorker = "worker"
)

// serveCmd runs the API, workers, or both.
type serveCmd struct {
	dataFlags
	workerFlags
	processFlags
	Role           string        `default:"all" enum:"all,api,worker" help:"What this process does: the REST API, the work, or both (api, worker, all)."`
	Listen         string        `default:"127.0.0.1:8080" help:"Address to listen on."`
	TrustedProxies []networkFlag `placeholder:"CIDR" help:"Networks of the proxies that are believed about the host and scheme that clients use, in Forwarded, X-Forwarded-Host and X-Forwarded-Proto (default: none)."`
	CreateInterval time.Duration `default:"2s" help:"Time between two creations of a team (0: no limit)."`
	MaxQueued      int           `default:"200000" help:"Jobs that may wait before new ones are refused."`
	MaxQueuedTeam  int           `default:"10000" help:"Jobs of one team that may wait, about, before new ones of it are refused for a moment; --quota-queued bounds them exactly."`
	Quota          quotaFlags    `embed:""`
	Portal         bool          `default:"true" negatable:"" help:"Serve the pages for parts, keys and usage at /portal/."`
	Example        bool          `help:"Push the bundled part through the service and print its result."`
}

// networkFlag is a network as 10.0.0.0/8 or fd00::/8.
type networkFlag struct{ netip.Prefix }

// UnmarshalText reads it (kong calls it).
func (f *networkFlag) UnmarshalText(text []byte) (err error) {
	if f.Prefix, err = netip.ParsePrefix(string(text)); err != nil || f.Addr().Is4In6() {
		return fmt.Errorf("%q is not a network: write 10.0.0.0/8, fd00::/8, or 10.1.2.3/32 for one address", text)
	}
	return nil
}

// Validate reports all errors in the flags at once (kong calls it).
func (c *serveCmd) Validate() error {
	err := errors.Join(c.workerFlags.Validate(), c.Quota.quota().Validate())
	if c.PublicURL != "" && len(c.TrustedProxies) > 0 {
		err = errors.Join(err, errors.New("--trusted-proxies says nothing beside --public-url, which all clients get"))
	}
	if c.Portal {
		err = errors.Join(err, portalAlone(c.PublicURL))
	}
	if c.CreateInterval < 0 || c.CreateInterval%time.Microsecond != 0 {
		err = errors.Join(err, fmt.Errorf("--create-interval must be whole microseconds and not negative, got %s",
			c.CreateInterval))
	}
	if c.MaxQueued < 1 || c.MaxQueuedTeam < 1 {
		err = errors.Join(err, fmt.Errorf("--max-queued and --max-queued-team must be at least 1, got %d and %d",
			c.MaxQueued, c.MaxQueuedTeam))
	}
	return err
}

// Bounds of the HTTP server.
const (
	readHeaderTime = 10 * time.Second
	headerBytes    = 128 << 10 // of a request line with its headers; a list of features may be long
	// until slowclient takes over with the first byte of a body, or of a response, which may wait 30 s
	fixedTime     = time.Minute
	keepAliveTime = 2 * time.Minute
)

// slowest is the minimum speed of a client: the largest upload gets 17 hours.
var slowest = slowclient.Limits{Idle: time.Minute, Rate: 8 << 10}

// Run serves until the process receives a stop signal.
func (c *serveCmd) Run(ctx context.Context) error {
	if c.Workers == 0 && c.Role == roleWorker {
		return errors.New("--workers must be at least 1")
	}
	if c.Workers == 0 {
		c.Role = roleAPI
	}
	n, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer n.close()
	return n.run(ctx)
}

// listenError adds advice to the error of a failed listen.
func listenError(flag, address string, err error) error {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("another program listens on %s already; choose another address with %s", address, flag)
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("no right to listen on %s; choose a port above 1023 with %s", address, flag)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return fmt.Errorf("%s %s: this machine has no such address", flag, address)
	}
	return fmt.Errorf("%s %s: %w", flag, address, err)
}

// listen opens the address of the API.
func (c *serveCmd) listen() (net.Listener, error) {
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return nil, listenError("--listen", c.Listen, err)
	}
	return listener, nil
}

// address returns the address of the API: the public one, or if it is not set one on this machine. "" for a worker.
func (n *node) address() string {
	if n.flags.PublicURL != "" || n.listener == nil {
		return strings.TrimSuffix(n.flags.PublicURL, "/")
	}
	at := n.listener.Addr().(*net.TCPAddr)
	if at.IP.IsUnspecified() {
		return "http://localhost:" + strconv.Itoa(at.Port)
	}
	return "http://" + at.String()
}

// server is the HTTP server of the API.
func (c *serveCmd) server(b *backend) (*http.Server, error) {
	stopping, stop := context.WithCancel(context.Background())
	handler, err := c.handler(stopping, b, b.watch.log)
	if err != nil {
		stop()
		return nil, err
	}
	observed := httpapi.Observe(httpapi.Compressed(handler), b.watch.observers()...)
	server := &http.Server{
		Handler:           slowclient.Handler(observed, slowest),
		ReadHeaderTimeout: readHeaderTime,
		MaxHeaderBytes:    headerBytes,
		ReadTimeout:       fixedTime,
		WriteTimeout:      fixedTime,
		IdleTimeout:       keepAliveTime,
	}
	server.RegisterOnShutdown(stop)
	return server, nil
}

// handler returns the handler of the API. Without one address for all, each response uses the address of its request.
func (c *serveCmd) handler(stopping context.Context, b *backend, log *slog.Logger) (http.Handler, error) {
	all, err := c.routes(stopping, b, log)
	if err != nil || c.PublicURL != "" {
		return all, err
	}
	var rule baseurl.Rule
	for _, network := range c.TrustedProxies {
		rule.Trusted = append(rule.Trusted, network.Prefix)
	}
	return baseurl.Handler(all, rule), nil
}

// routes joins the API, the portal and, if the service stores the objects, their signed addresses. It is not an
// http.ServeMux, which would answer a path like //parts with a redirect and a page of HTML.
func (c *serveCmd) routes(stopping context.Context, b *backend, log *slog.Logger) (http.Handler, error) {
	api := httpapi.New(httpapi.UseCases(*b.use), httpapi.Config{
		BaseURL: c.base(), Logger: log, Stopping: stopping,
	})
	if b.objects.handler == nil {
		return c.withPortal(b, api, api, log)
	}
	objects := httpapi.At(objectsPath, httpapi.CrossOriginObjects(b.use.Accounts, log, b.objects.handler))
	all := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, objectsPath+"/") {
			objects.ServeHTTP(w, r)
			return
		}
		api.ServeHTTP(w, r)
	})
	return c.withPortal(b, api, all, log)
}

// exampleKeyFile is the file in the data folder that contains the key of the example.
const exampleKeyFile = "example.key"

// exampleTeam is the team of the example.
const exampleTeam = "example"

// exampleKeyLife is the lifetime of that key; each run creates a new one.
const exampleKeyLife = 30 * 24 * time.Hour

// runExample pushes the bundled part through the public REST flow and prints the result, and a link to the portal if
// there is one. The key that it makes is written to a file that only its owner reads.
func runExample(ctx context.Context, b *backend, base, data string, withPortal bool, out io.Writer) error {
	expires := time.Now().Add(exampleKeyLife)
	created, err := b.use.Accounts.CreateKey(ctx, account.CreateKeyInput{
		Team: exampleTeam, Name: "make run", ExpiresAt: &expires,
	})
	if err != nil {
		return err
	}
	keyFile := filepath.Join(data, exampleKeyFile)
	if err := os.Remove(keyFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.WriteFile(keyFile, []byte(created.Text+"\n"), 0o600); err != nil {
		return err
	}
	client := &exampleClient{base: base, key: created.Text, http: http.DefaultClient}
	result, err := client.push(ctx, exampleName, examplePart)
	if err != nil {
		return err
	}
	features, err := client.details(ctx, result.PartID)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(out, result.summary(features)); err != nil {
		return err
	}
	program, err := client.program(ctx, result.PartID)
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, program.summary()+nextSteps(base, keyFile, result, program))
	if err == nil && withPortal {
		err = printLink(ctx, b, base, exampleTeam, out)
	}
	if err == nil {
		_, err = fmt.Fprintf(out, "\nServing at %s, described at %s/docs; press Ctrl-C to stop.\n", base, base)
	}
	return err
}
