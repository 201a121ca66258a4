package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/worker"
)

// node is a process that serves, works, or both.
type node struct {
	flags    *serveCmd
	backend  *backend
	queue    job.Queue
	listener net.Listener // nil for a worker
	server   *http.Server
	pool     *worker.Pool // nil for an API alone
	stopping atomic.Bool
	closers  []func() error
}

// open opens the resources of the role.
func (c *serveCmd) open(ctx context.Context) (_ *node, err error) {
	n := &node{flags: c}
	defer func() {
		if err != nil {
			n.close()
		}
	}()
	if c.Role != roleWorker {
		if n.listener, err = c.listen(); err != nil {
			return nil, err
		}
		n.closers = append(n.closers, func() error { return ignoreClosed(n.listener.Close()) })
	}
	observed, err := c.newWatch(ctx)
	if err != nil {
		return nil, err
	}
	c.createInterval, c.maxQueued, c.maxQueuedTeam = c.CreateInterval, c.MaxQueued, c.MaxQueuedTeam
	c.quota = c.Quota.quota()
	if n.backend, err = openWatched(ctx, c.dataFlags, observed); err != nil {
		return nil, err
	}
	n.closers = append(n.closers, func() error { n.backend.close(); return nil })
	if err = n.backend.objects.check(ctx); err != nil {
		return nil, err
	}
	queue, closeQueue, err := n.backend.wakes.open(ctx, n.backend.watch.log)
	if err != nil {
		return nil, err
	}
	n.queue, n.closers = queue, append(n.closers, closeQueue)
	switch {
	case c.Role != roleAPI:
		pool, closeKernel, err := n.backend.pool(c.workerFlags, n.queue)
		if err != nil {
			return nil, err
		}
		n.pool, n.closers = pool, append(n.closers, closeKernel)
		n.backend.ring = n.pool.Notify
	case n.backend.wakes.shared():
		n.backend.ring = worker.NewNotifier(worker.Ports{
			Queue: n.backend.watch.metrics.Queue(n.queue), OnEvent: n.backend.watch.onEvent, Clock: n.backend.clock,
		}).Notify
	}
	if n.backend.onDisk {
		warnOfOthers(n.backend.watch.log, n.backend.dir)
	}
	return n, nil
}

// close closes in the opposite order.
func (n *node) close() {
	for i := len(n.closers) - 1; i >= 0; i-- {
		if err := n.closers[i](); err != nil {
			fmt.Fprintln(os.Stderr, "millwright: close:", err)
		}
	}
	n.closers = nil
}

// run serves and works until ctx ends, and then stops in good order.
func (n *node) run(ctx context.Context) error {
	log := n.backend.watch.log
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	work, giveBack := context.WithCancel(context.WithoutCancel(ctx))
	defer giveBack()
	worked := make(chan error, 1)
	n.startWork(work, worked, cancel)
	go watchClock(ctx, n.backend.clock, log)
	if n.listener != nil {
		var err error
		if n.server, err = n.flags.server(n.backend); err != nil {
			return err
		}
		go keepUses(ctx, n.backend, log)
		go func() {
			if err := n.server.Serve(n.listener); !errors.Is(err, http.ErrServerClosed) {
				cancel(err)
			}
		}()
	}
	admin, closeAdmin, err := n.flags.serveAdmin(n.backend.watch, n.ready)
	if err != nil {
		cancel(err)
		closeAdmin = func() {}
	}
	defer closeAdmin()
	log.Info("serving", "role", n.flags.Role, "address", n.address(), "admin", admin, "data", n.flags.Data,
		"workers", n.flags.Workers)
	if n.listener != nil {
		if err := n.welcome(ctx); err != nil {
			cancel(err)
		}
	}
	<-ctx.Done()
	err = n.stop(giveBack, worked)
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
		err = errors.Join(cause, err)
	}
	return err
}

// welcome runs the example, and shows the way into the portal.
func (n *node) welcome(ctx context.Context) error {
	c := n.flags
	switch {
	case c.Example:
		if err := runExample(ctx, n.backend, n.address(), c.Data, c.Portal, os.Stdout); err != nil {
			return fmt.Errorf("the example part: %w", err)
		}
		return nil
	case c.Portal:
		return offerLink(ctx, n.backend, n.address(), os.Stdout, n.backend.watch.log)
	}
	return nil
}

// startWork works until ctx ends. A process that cannot work ends, instead of looking as if it could.
func (n *node) startWork(ctx context.Context, worked chan<- error, end context.CancelCauseFunc) {
	if n.pool == nil {
		worked <- nil
		return
	}
	go func() {
		err := ignoreCancel(n.pool.Run(ctx))
		if err != nil {
			end(err)
		}
		worked <- nil
	}()
}

// stop announces the stop, lets requests and jobs end, and releases the jobs that do not end in time.
func (n *node) stop(giveBack func(), worked <-chan error) error {
	log := n.backend.watch.log
	n.stopping.Store(true)
	log.Info("stopping", "notice", n.flags.Notice, "drain", n.flags.Drain)
	if n.pool != nil {
		n.pool.Drain()
	}
	time.Sleep(n.flags.Notice)
	grace, done := context.WithTimeout(context.Background(), n.flags.Drain)
	defer done()
	served := make(chan error, 1)
	go func() {
		if n.server == nil {
			served <- nil
			return
		}
		served <- n.server.Shutdown(grace)
	}()
	var err error
	if n.pool != nil {
		select {
		case err = <-worked:
		case <-grace.Done():
			log.Info("giving jobs back")
			giveBack()
			err = <-worked
		}
	}
	if cut := <-served; cut != nil {
		log.Warn("requests are cut off", "error", cut)
		_ = n.server.Close() // nothing is left to be said to them
	}
	storeUses(context.Background(), n.backend, log)
	ctx, cancel := context.WithTimeout(context.Background(), readyTime)
	defer cancel()
	if lost := n.backend.watch.traces.Close(ctx); lost != nil {
		log.Warn("traces are lost", "error", lost)
	}
	return err
}

// ready reports why requests and jobs should go elsewhere.
func (n *node) ready(ctx context.Context) error {
	if n.stopping.Load() {
		return errors.New("stopping")
	}
	if err := n.backend.Ping(ctx); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if err := n.backend.objects.check(ctx); err != nil {
		return fmt.Errorf("objects: %w", err)
	}
	if q, remote := n.queue.(interface{ Ping(context.Context) error }); remote {
		if err := q.Ping(ctx); err != nil {
			return fmt.Errorf("queue: %w", err)
		}
	}
	return nil
}

func ignoreCancel(err error) error {
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

func ignoreClosed(err error) error {
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
