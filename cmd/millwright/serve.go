package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"time"

	"millwright/adapters/httpapi"
	"millwright/adapters/pace"
	"millwright/core/service"
)

// serveCmd runs the API, and workers unless there are to be none.
type serveCmd struct {
	dataFlags
	workerFlags
	Listen         string        `default:"127.0.0.1:8080" help:"Address to listen on."`
	CreateInterval time.Duration `default:"2s" help:"Time between two creations of a team (0: no limit)."`
	Example        bool          `help:"Push the bundled part through the service and print its result."`
}

// Validate reports everything wrong with the flags at once (kong calls it).
func (c *serveCmd) Validate() error {
	err := c.workerFlags.Validate()
	if c.CreateInterval < 0 || c.CreateInterval%time.Microsecond != 0 {
		err = errors.Join(err, fmt.Errorf("--create-interval must be whole microseconds and not negative, got %s",
			c.CreateInterval))
	}
	return err
}

// Bounds of the HTTP server.
const (
	readHeaderTime = 10 * time.Second
	headerBytes    = 128 << 10        // of a request line with its headers; a list of features may be long
	fixedTime      = 30 * time.Second // until pace takes over with the first byte of a body or an answer
	keepAliveTime  = 2 * time.Minute
	shutdownTime   = 10 * time.Second // what requests get to end once the service is told to stop
)

// slowest is what a client must keep up with: the largest upload gets 17 hours.
var slowest = pace.Limits{Idle: time.Minute, Rate: 8 << 10}

// Run serves until the process is told to stop.
func (c *serveCmd) Run(ctx context.Context) error {
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return listenError(c.Listen, err)
	}
	defer func() { _ = listener.Close() }()
	if c.PublicURL == "" {
		c.PublicURL = "http://" + listener.Addr().String()
	}
	c.PublicURL = strings.TrimSuffix(c.PublicURL, "/")
	c.createInterval = c.CreateInterval
	b, err := openBackend(ctx, c.dataFlags)
	if err != nil {
		return err
	}
	defer b.close()
	if err := b.objects.check(ctx); err != nil {
		return err
	}

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stopped := make(chan error, 1)
	if err := c.startWorkers(ctx, b, log, stopped); err != nil {
		return err
	}
	server := &http.Server{
		Handler:           pace.Handler(c.handler(b, log), slowest),
		ReadHeaderTimeout: readHeaderTime,
		MaxHeaderBytes:    headerBytes,
		ReadTimeout:       fixedTime,
		WriteTimeout:      fixedTime,
		IdleTimeout:       keepAliveTime,
	}
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			cancel(err)
		}
	}()
	log.Info("serving", "address", c.PublicURL, "data", c.Data, "workers", c.Workers)
	if c.Example {
		if err := runExample(ctx, b, c.PublicURL, os.Stdout); err != nil {
			cancel(fmt.Errorf("the example part: %w", err))
		}
	}
	<-ctx.Done()
	log.Info("stopping")
	grace, done := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer done()
	err = errors.Join(server.Shutdown(grace), <-stopped)
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
		err = errors.Join(cause, err)
	}
	return err
}

// listenError says what to do when the address cannot be listened on.
func listenError(address string, err error) error {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("another program listens on %s already; choose another address with --listen", address)
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("no right to listen on %s; choose a port above 1023 with --listen", address)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return fmt.Errorf("--listen %s: this machine has no such address", address)
	}
	return fmt.Errorf("--listen %s: %w", address, err)
}

// startWorkers runs the pool in the background; stopped gets its error when it has ended.
func (c *serveCmd) startWorkers(
	ctx context.Context, b *backend, log *slog.Logger, stopped chan<- error,
) error {
	if c.Workers == 0 {
		stopped <- nil
		return nil
	}
	pool, err := b.workers(ctx, c.workerFlags, log)
	if err != nil {
		return err
	}
	b.nudge = pool.Nudge
	go func() { stopped <- ignoreCancel(pool.Run(ctx)) }()
	return nil
}

// handler joins the API and, where the service keeps the objects itself, their signed addresses. It is no
// http.ServeMux, which would answer a path like //parts with a redirect and a page of HTML.
func (c *serveCmd) handler(b *backend, log *slog.Logger) http.Handler {
	api := httpapi.New(b.service, httpapi.Config{BaseURL: c.PublicURL, Logger: log})
	if b.objects.handler == nil {
		return api
	}
	objects := httpapi.CrossOriginObjects(b.service, log, b.objects.handler)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, objectsPath+"/") {
			objects.ServeHTTP(w, r)
			return
		}
		api.ServeHTTP(w, r)
	})
}

func ignoreCancel(err error) error {
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// workerCmd runs workers beside a service on the same data folder.
type workerCmd struct {
	dataFlags
	workerFlags
}

// Run works until the process is told to stop; a running job is given back.
func (c *workerCmd) Run(ctx context.Context) error {
	if c.Workers == 0 {
		return errors.New("--workers must be at least 1")
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	b, err := openBackend(ctx, c.dataFlags)
	if err != nil {
		return err
	}
	defer b.close()
	if err := b.objects.check(ctx); err != nil {
		return err
	}
	pool, err := b.workers(ctx, c.workerFlags, log)
	if err != nil {
		return err
	}
	log.Info("working", "data", c.Data, "workers", c.Workers)
	return ignoreCancel(pool.Run(ctx))
}

// runExample pushes the bundled part through the public REST flow and prints what came of it.
func runExample(ctx context.Context, b *backend, base string, out *os.File) error {
	created, err := b.service.CreateKey(ctx, service.CreateKeyInput{Team: "example", Name: "make run"})
	if err != nil {
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
	_, err = fmt.Fprint(out, result.summary(features, base, created.Text))
	return err
}
