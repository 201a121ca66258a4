// Package redis wakes workers across machines by a Redis stream.
//
// Publishing appends a wake-up to the stream, receiving reads it in a consumer group, and Ack removes it from both. If
// a worker dies before Ack, the wake-up stays pending and is delivered again after ClaimAfter of silence. The stream is
// cut to about MaxWaiting wake-ups. The reaper recovers the lost ones, and all other data that Redis loses, since the
// store has the complete state.
//
// A hash contains the waiting entry of each job. A job with a waiting entry is not added again, so that repeated
// wake-ups of the reaper do not lengthen a long backlog. The entry is removed from the hash before the wake-up is
// delivered; from then on the job can be added again.
//
// During an outage of Redis, Publish fails, so that workers find the job only by polling, and Receive waits. An outage
// is logged once at its start and once at its end.
package redis

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"

	"millwright.dev/millwright/core/service/job"
)

var _ job.Queue = (*Queue)(nil)

// Options are the settings of Open; zero values mean the defaults.
type Options struct {
	// URL is redis://[user:password@]host[:port][/db], rediss:// for TLS, or unix:///path/to/socket. Its query accepts
	// the settings of redis.ParseURL. URL is never logged and never part of an error.
	URL    string
	Prefix string       // of the keys; default millwright
	Log    *slog.Logger // default slog.Default()

	MaxWaiting int64         // approximate maximum of stored wake-ups; default 100,000
	ClaimAfter time.Duration // silence after which a delivered wake-up is delivered again; default 30 s
	Block      time.Duration // maximum wait of one read for a wake-up; default 1 s
}

func (o Options) withDefaults() Options {
	if o.Prefix == "" {
		o.Prefix = "millwright"
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.MaxWaiting == 0 {
		o.MaxWaiting = 100_000
	}
	if o.ClaimAfter == 0 {
		o.ClaimAfter = 30 * time.Second
	}
	if o.Block == 0 {
		o.Block = time.Second
	}
	return o
}

const (
	group = "workers"
	// consumer is shared by all processes: only the time of a delivery matters, not its receiver, and names of ended
	// processes would accumulate in the group.
	consumer = "worker"
	field    = "wake" // of an entry: the wake-up as JSON

	firstTry = 2 * time.Second // maximum wait of Open for an answer
	retries  = 2               // of one command, after connections that a restart closed
)

// Queue is job.Queue on a Redis stream.
type Queue struct {
	client  *redis.Client
	options Options
	stream  string
	waiting string    // hash: job id → entry that waits
	outage  outage    // of the reader, like claimed
	claimed time.Time // time of the last search for unacknowledged wake-ups

	ctx  context.Context // ends with Close
	stop context.CancelFunc
	all  sync.WaitGroup

	mu        sync.Mutex
	receivers []chan received // waiting, longest first
	fetching  bool
}

// Open connects to Redis. A silent server is not an error, since it may recover. A server that refuses the credentials,
// or has other data under the keys, is an error.
func Open(ctx context.Context, o Options) (*Queue, error) {
	o = o.withDefaults()
	settings, err := parse(o.URL)
	if err != nil {
		return nil, err
	}
	logging.Disable() // it logs each failed dial; outage logs once
	q := &Queue{
		client: redis.NewClient(settings), options: o,
		stream: "{" + o.Prefix + "}:wakes", waiting: "{" + o.Prefix + "}:waiting",
		outage: outage{log: o.Log.With("server", settings.Addr)},
	}
	q.ctx, q.stop = context.WithCancel(context.WithoutCancel(ctx))
	ctx, cancel := context.WithTimeout(ctx, firstTry)
	defer cancel()
	switch err := q.makeGroup(ctx); {
	case permanent(err):
		return nil, errors.Join(fmt.Errorf("queue: redis at %s: %w", settings.Addr, err), q.Close())
	case err != nil:
		q.outage.began(err)
	}
	return q, nil
}

// parse reads the address. Errors of url.Parse and redis.ParseURL quote it, password and all, so they are
// not passed on.
func parse(text string) (*redis.Options, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" && u.Scheme != "unix" {
		return nil, errors.New("queue: the address is not of the form redis://[user:password@]host:port/db")
	}
	settings, err := redis.ParseURL(text)
	if err != nil {
		return nil, fmt.Errorf("queue: the address of host %q is not valid: its scheme is redis, rediss or unix, "+
			"its path a number of a database, its query settings of a connection", u.Host)
	}
	if settings.TLSConfig != nil {
		settings.TLSConfig.MinVersion = tls.VersionTLS12
	}
	settings.MaxRetries = retries
	settings.DialerRetries = 1 // outage has its own pauses
	settings.ContextTimeoutEnabled = true
	settings.DisableIdentity = true
	settings.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return settings, nil
}

// Close ends waiting receivers and closes the connections.
func (q *Queue) Close() error {
	q.mu.Lock() // no receiver starts to read from here on
	q.stop()
	q.mu.Unlock()
	q.all.Wait()
	return q.client.Close()
}

// Ping reports whether Redis answers.
func (q *Queue) Ping(ctx context.Context) error { return q.client.Ping(ctx).Err() }

// add appends a wake-up unless the job has a waiting one. An entry that was cut off or flushed no longer counts as
// waiting. An empty stream clears the hash of such entries.
var add = redis.NewScript(`
local id = redis.call('HGET', KEYS[2], ARGV[1])
if id and #redis.call('XRANGE', KEYS[1], id, id) > 0 then return id end
if redis.call('XLEN', KEYS[1]) == 0 then redis.call('DEL', KEYS[2]) end
id = redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[3], '*', '` + field + `', ARGV[2])
redis.call('HSET', KEYS[2], ARGV[1], id)
return id`)

// Publish implements job.Queue.
func (q *Queue) Publish(ctx context.Context, w job.WakeUp) error {
	text, err := json.Marshal(w)
	if err != nil {
		return err
	}
	keys := []string{q.stream, q.waiting}
	if err := add.Run(ctx, q.client, keys, w.JobID, text, q.options.MaxWaiting).Err(); err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	return nil
}

// makeGroup creates the stream and its group if they are missing. The group starts at the first entry, so earlier
// wake-ups are delivered to the first worker.
func (q *Queue) makeGroup(ctx context.Context) error {
	err := q.client.XGroupCreateMkStream(ctx, q.stream, group, "0").Err()
	if redis.HasErrorPrefix(err, "BUSYGROUP") {
		return nil
	}
	return err
}

// permanent reports whether another try is useless: the server answers and refuses the request.
func permanent(err error) bool {
	if err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		return false
	}
	if redis.IsAuthError(err) || redis.IsPermissionError(err) {
		return true
	}
	for _, p := range []string{"WRONGTYPE", "ERR AUTH", "ERR invalid password", "ERR unknown command", "ERR DB index"} {
		if redis.HasErrorPrefix(err, p) || strings.HasPrefix(err.Error(), p) {
			return true
		}
	}
	return false
}
