package job

import "context"

// WakeUp announces that a job may be waiting. It is only a hint: the job's row decides.
type WakeUp struct {
	JobID   string  `json:"JobID"`
	Product Product `json:"Product"`
}

// Delivery is a WakeUp delivered to one worker.
type Delivery struct {
	WakeUp WakeUp
	// Ack confirms that the worker has read the job's row. A queue that outlives its process delivers a WakeUp again if
	// its worker died before Ack.
	Ack func(context.Context) error
}

// Queue wakes workers. It may deliver a WakeUp several times, to several workers and in any order, and may lose
// everything when its process ends: idle workers also poll the store, which compensates for lost wake-ups.
type Queue interface {
	// Publish adds a wake-up. It does not wait for a worker.
	Publish(ctx context.Context, w WakeUp) error
	// Receive waits for a wake-up; it returns ctx.Err() when ctx ends first.
	Receive(ctx context.Context) (Delivery, error)
}
