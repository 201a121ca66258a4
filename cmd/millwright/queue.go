package main

import (
	"context"
	"log/slog"

	queue "millwright.dev/millwright/adapters/queue/local"
	"millwright.dev/millwright/adapters/queue/redis"
	"millwright.dev/millwright/core/service/job"
)

// queueFlags select the notification of workers about new jobs. The address may contain a password, see addressFrom.
type queueFlags struct {
	Queue     string `placeholder:"URL" help:"Redis that wakes workers, redis://[USER:PASSWORD@]HOST:PORT/NUMBER, rediss:// for TLS (default: each process on its own)."`
	QueueFile string `type:"secretfile" placeholder:"FILE" help:"File that holds the address of Redis."`
}

// open connects to Redis, or creates a queue within this process if no address is given.
func (f queueFlags) open(ctx context.Context, log *slog.Logger) (q job.Queue, closeIt func() error, err error) {
	address, err := addressFrom("queue", f.Queue, f.QueueFile)
	if err != nil {
		return nil, nil, err
	}
	if address == "" {
		return queue.New(), func() error { return nil }, nil
	}
	shared, err := redis.Open(ctx, redis.Options{URL: address, Log: log})
	if err != nil {
		return nil, nil, err
	}
	return shared, shared.Close, nil
}

// shared reports whether workers of other processes can be woken.
func (f queueFlags) shared() bool { return f.Queue != "" || f.QueueFile != "" }
