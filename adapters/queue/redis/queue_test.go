package redis

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"

	"millwright.dev/millwright/adapters/queue/redis/redistest"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/internal/queuetest"
)

// soon returns options with short times for tests.
func soon(url string) Options {
	return Options{
		URL: url, Block: 50 * time.Millisecond, ClaimAfter: 400 * time.Millisecond,
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	}
}

func open(t *testing.T, o Options) *Queue {
	t.Helper()
	q, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = q.Close() }) // tests of closing close it before
	return q
}

func wake(n int) job.WakeUp {
	return job.WakeUp{JobID: fmt.Sprint("job-", n), Product: job.PartProcessing}
}

func publish(t *testing.T, q *Queue, n int) {
	t.Helper()
	if err := q.Publish(t.Context(), wake(n)); err != nil {
		t.Fatal(err)
	}
}

const patience = 20 * time.Second

// next receives and acknowledges.
func next(t *testing.T, q *Queue) job.WakeUp {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	d, err := q.Receive(ctx)
	if err != nil {
		t.Fatalf("Receive = %v", err)
	}
	if err := d.Ack(ctx); err != nil {
		t.Fatalf("Ack = %v", err)
	}
	return d.WakeUp
}

func TestQueueOnMiniredis(t *testing.T) {
	queuetest.Run(t, func(t *testing.T) job.Queue {
		return open(t, soon("redis://"+miniredis.RunT(t).Addr()))
	})
}

func TestQueueOnRedis(t *testing.T) {
	server := redistest.New(t)
	number := 0
	fresh := func() Options {
		o := soon(server.URL)
		number++
		o.Prefix = fmt.Sprint("test-", number)
		return o
	}
	queuetest.Run(t, func(t *testing.T) job.Queue { return open(t, fresh()) })
	queuetest.RunShared(t, func(t *testing.T) func() job.Queue {
		o := fresh()
		return func() job.Queue { return open(t, o) }
	})
}

func TestWaitingJobIsKeptOnce(t *testing.T) {
	server := miniredis.RunT(t)
	q := open(t, soon("redis://"+server.Addr()))
	for range 3 {
		publish(t, q, 1)
		publish(t, q, 2)
	}
	if entries, err := server.Stream(q.stream); err != nil || len(entries) != 2 {
		t.Errorf("%d entries after publishing two jobs three times, %v; want 2", len(entries), err)
	}
	next(t, q)
	next(t, q)
	if entries, err := server.Stream(q.stream); err != nil || len(entries) != 0 {
		t.Errorf("%d entries are left after Ack, %v", len(entries), err)
	}
	if names, err := server.HKeys(q.waiting); err == nil && len(names) > 0 {
		t.Errorf("names of waiting jobs are left: %v", names)
	}
}

// TestCutOffJobsAreAddedAgain publishes more than the stream keeps, and then once more.
func TestCutOffJobsAreAddedAgain(t *testing.T) {
	server := redistest.New(t)
	o := soon(server.URL)
	o.MaxWaiting = 100
	q := open(t, o)
	const many = 1000
	for i := range many {
		publish(t, q, i)
	}
	kept := q.client.XLen(t.Context(), q.stream).Val()
	if kept < 100 || kept > 300 { // Redis cuts whole nodes of about 100
		t.Fatalf("the stream keeps %d wake-ups, want about 100", kept)
	}
	publish(t, q, 0) // was cut off
	if last := q.client.XRevRangeN(t.Context(), q.stream, "+", "-", 1).Val(); len(last) != 1 ||
		!strings.Contains(fmt.Sprint(last[0].Values), `"job-0"`) {
		t.Errorf("the last entry is %v, want job-0", last)
	}
	for range kept - 110 {
		next(t, q)
	}
	for q.client.XLen(t.Context(), q.stream).Val() > 0 {
		next(t, q)
	}
	publish(t, q, 1)
	if names := q.client.HLen(t.Context(), q.waiting).Val(); names != 1 {
		t.Errorf("%d names of waiting jobs, want only the one that waits", names)
	}
}

func TestFlushedDatabase(t *testing.T) {
	server := redistest.New(t)
	q := open(t, soon(server.URL))
	publish(t, q, 1)
	next(t, q)
	got := make(chan job.WakeUp)
	go func() { got <- next(t, q) }() // waits while the group vanishes
	for range 3 {
		publish(t, q, 2)
		if w := <-got; w != wake(2) {
			t.Fatalf("Receive = %v, want job 2", w)
		}
		go func() { got <- next(t, q) }()
		if err := server.Do(t.Context(), "FLUSHALL"); err != nil {
			t.Fatal(err)
		}
	}
	publish(t, q, 3)
	if w := <-got; w != wake(3) {
		t.Errorf("Receive = %v, want job 3", w)
	}
}

// lines counts log lines.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func TestServerOutageAndRecovery(t *testing.T) {
	server := redistest.New(t)
	o, log := soon(server.URL), &lines{}
	o.Log = slog.New(slog.NewTextHandler(log, nil))
	q := open(t, o)
	publish(t, q, 1)
	server.Stop()
	if err := q.Publish(t.Context(), wake(2)); err == nil {
		t.Error("Publish succeeds without a server")
	}
	short, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	if _, err := q.Receive(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Receive without a server = %v, want it to wait", err)
	}
	got := make(chan job.WakeUp)
	go func() { got <- next(t, q) }()
	if err := server.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if w := <-got; w != wake(1) {
		t.Errorf("after the restart Receive = %v, want job 1, which was published before", w)
	}
	publish(t, q, 3)
	next(t, q)
	if n := strings.Count(log.String(), "does not answer"); n != 1 {
		t.Errorf("%d lines say that the server is gone, want 1:\n%s", n, log)
	}
	if n := strings.Count(log.String(), "answers again"); n != 1 {
		t.Errorf("%d lines say that the server is back, want 1:\n%s", n, log)
	}
}

func TestOpenWithoutAServer(t *testing.T) {
	port := unused(t)
	log := &lines{}
	q, err := Open(t.Context(), Options{
		URL: "redis://:hidden@" + port + "/0", Log: slog.New(slog.NewTextHandler(log, nil)),
	})
	if err != nil {
		t.Fatalf("Open = %v; the server may come later", err)
	}
	defer func() { _ = q.Close() }()
	if !strings.Contains(log.String(), "does not answer") || strings.Contains(log.String(), "hidden") {
		t.Errorf("log %q", log)
	}
	if err := q.Publish(t.Context(), wake(1)); err == nil || strings.Contains(err.Error(), "hidden") {
		t.Errorf("Publish = %v", err)
	}
}

func unused(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// TestNoBusyLoop counts the connections that an outage costs.
func TestNoBusyLoop(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	var dials atomic.Int32
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			dials.Add(1)
			_ = c.Close() // as a dying server does
		}
	}()
	q := open(t, soon("redis://"+l.Addr().String()))
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := q.Receive(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Receive = %v", err)
	}
	if n := dials.Load(); n > 60 { // about five rounds of a few tries each
		t.Errorf("%d connections in a second of an outage", n)
	}
}

func TestMisconfiguration(t *testing.T) {
	server := miniredis.RunT(t)
	server.RequireAuth("right")
	for _, c := range []struct{ name, url, want string }{
		{"no address", "", "not of the form"},
		{"control character", "redis://u:hidden@h\x00st", "not of the form"},
		{"other scheme", "http://u:hidden@host:1", "scheme is redis"},
		{"bad database", "redis://u:hidden@host:1/x", "database"},
		{"unknown setting", "redis://u:hidden@host:1/0?colour=red", "query"},
		{"wrong password", "redis://:hidden@" + server.Addr(), "WRONGPASS"},
		{"no password", "redis://" + server.Addr(), "NOAUTH"},
	} {
		q, err := Open(t.Context(), soon(c.url))
		if err == nil {
			_ = q.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%s: Open = %v, want an error with %q and without the password", c.name, err, c.want)
		}
	}
	q := open(t, soon("redis://:right@"+server.Addr()))
	publish(t, q, 1)
	next(t, q)
}

func TestEncryptedConnection(t *testing.T) {
	certificate := httptest.NewUnstartedServer(nil)
	certificate.StartTLS()
	defer certificate.Close()
	server, err := miniredis.RunTLS(&tls.Config{Certificates: certificate.TLS.Certificates})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	q := open(t, soon("rediss://"+server.Addr()+"?skip_verify=true"))
	publish(t, q, 1)
	next(t, q)
	strict := open(t, soon("rediss://"+server.Addr()))
	if err := strict.Publish(t.Context(), wake(2)); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("Publish to a server whose certificate nobody knows = %v", err)
	}
}

// TestRefusedReceivers has the key taken by something else: waiting would not help.
func TestRefusedReceivers(t *testing.T) {
	server := miniredis.RunT(t)
	q := open(t, soon("redis://"+server.Addr()))
	server.FlushAll()
	if err := server.Set(q.stream, "text"); err != nil {
		t.Fatal(err)
	}
	if _, err := q.Receive(t.Context()); err == nil || !strings.Contains(err.Error(), "WRONGTYPE") {
		t.Errorf("Receive = %v, want WRONGTYPE", err)
	}
}

func TestForeignEntriesAreRemoved(t *testing.T) {
	server := miniredis.RunT(t)
	o, log := soon("redis://"+server.Addr()), &lines{}
	o.Log = slog.New(slog.NewTextHandler(log, nil))
	q := open(t, o)
	for _, values := range [][]string{{field, "{"}, {field, `{"JobID":""}`}, {"other", "x"}} {
		if _, err := server.XAdd(q.stream, "*", values); err != nil {
			t.Fatal(err)
		}
	}
	publish(t, q, 1)
	if w := next(t, q); w != wake(1) {
		t.Errorf("Receive = %v", w)
	}
	if n := strings.Count(log.String(), "an invalid entry was removed"); n != 3 {
		t.Errorf("%d lines name foreign entries, want 3:\n%s", n, log)
	}
}

func TestClose(t *testing.T) {
	q := open(t, soon("redis://"+miniredis.RunT(t).Addr()))
	ended := make(chan error)
	go func() {
		_, err := q.Receive(t.Context())
		ended <- err
	}()
	for { // until it waits
		q.mu.Lock()
		n := len(q.receivers)
		q.mu.Unlock()
		if n > 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if err := q.Close(); err != nil {
		t.Errorf("Close = %v", err)
	}
	if err := <-ended; !errors.Is(err, errClosed) {
		t.Errorf("Receive = %v, want it to end with the queue", err)
	}
	if _, err := q.Receive(t.Context()); !errors.Is(err, errClosed) {
		t.Errorf("Receive of a closed queue = %v", err)
	}
}
