package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"millwright.dev/millwright/adapters/sql"
	"millwright.dev/millwright/adapters/sql/postgres/pgtest"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/idempotency"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/worker"
)

// cutter is a proxy between a store and its server. It breaks one connection at the commit of a change: before the
// server receives it, or after the server has executed it and before the store receives the answer.
type cutter struct {
	server string // address
	plan   atomic.Pointer[plan]
	cuts   atomic.Int32
}

// plan is the pattern to wait for and the kind of break; it is executed once.
type plan struct {
	mark []byte // in messages of the store
	late bool
}

// Patterns in the protocol: a transaction ends with a separate query message; a single statement starts with a Bind
// message.
var (
	endOfTx   = []byte("Q\x00\x00\x00\x0bcommit\x00")
	statement = []byte("B\x00\x00")
)

// cut returns a cutter before the server and the URL through it.
func cut(t *testing.T, s *pgtest.Server) (*cutter, string) {
	t.Helper()
	u, err := url.Parse(s.TCP("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	c := &cutter{server: u.Host}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return // the test is over
			}
			go c.serve(conn)
		}
	}()
	u.Host, u.RawQuery = l.Addr().String(), "sslmode=disable"
	return c, u.String()
}

func (c *cutter) serve(client net.Conn) {
	server, err := net.Dial("tcp", c.server)
	if err != nil {
		_ = client.Close()
		return
	}
	deaf := new(atomic.Bool) // the answer is kept back
	answered := make(chan struct{})
	go func() {
		defer func() { _, _ = client.Close(), server.Close() }()
		buffer := make([]byte, 1<<16)
		for {
			n, err := server.Read(buffer)
			if err != nil {
				return
			}
			if deaf.Load() {
				close(answered)
				return
			}
			if _, err := client.Write(buffer[:n]); err != nil {
				return
			}
		}
	}()
	defer func() { _, _ = client.Close(), server.Close() }()
	buffer := make([]byte, 1<<16)
	for {
		n, err := client.Read(buffer)
		if err != nil {
			return
		}
		p := c.plan.Load()
		hit := p != nil && bytes.Contains(buffer[:n], p.mark) && c.plan.CompareAndSwap(p, nil)
		if hit {
			c.cuts.Add(1)
			if !p.late {
				return
			}
			deaf.Store(true)
		}
		if _, err := server.Write(buffer[:n]); err != nil {
			return
		}
		if hit {
			<-answered
			return
		}
	}
}

// scene is a store behind a cutter with records to change, and the same records seen past the cutter.
type scene struct {
	*cutter
	*Store
	t   *testing.T
	now time.Time
}

func (s *scene) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *scene) part() part.Part {
	s.t.Helper()
	p := part.Part{ID: uuid.NewString(), TeamID: "t", FileName: "a.step", Status: part.Pending, CreatedAt: s.now}
	s.must(s.CreatePart(s.t.Context(), p, part.CreateTerms{}))
	return p
}

func (s *scene) job(p part.Part) job.Job {
	return job.Job{
		ID: uuid.NewString(), TeamID: "t", PartID: p.ID, Product: job.Product(uuid.NewString()),
		Status: job.Queued, Warnings: []fault.Warning{}, DueAt: s.now, CreatedAt: s.now, UpdatedAt: s.now,
	}
}

func (s *scene) queued() job.Job {
	s.t.Helper()
	j := s.job(s.part())
	_, err := s.Enqueue(s.t.Context(), j, part.EnqueueOptions{})
	s.must(err)
	return j
}

// alone is a filter that takes one job only.
func alone(j job.Job) job.WorkFilter {
	return job.WorkFilter{Products: []job.Product{j.Product}}
}

func (s *scene) leased() (job.Job, job.FencingToken) {
	s.t.Helper()
	j, _, err := s.LeaseNext(s.t.Context(), alone(s.queued()), job.Lease{Worker: "w", Now: s.now, Until: s.now})
	s.must(err)
	return j, job.FencingToken{JobID: j.ID, Token: j.Token}
}

func (s *scene) report(j job.Job) part.AnalysisReport {
	id := uuid.NewString()
	return part.AnalysisReport{ID: id, TeamID: "t", PartID: j.PartID, JobID: j.ID,
		Analysis: pipeline.Analysis{Recognition: pipeline.Recognition{
			Features: []pipeline.PartFeature{{FeatureID: "f of " + id, FeatureTag: "a", FeatureType: "Face"}},
		}}}
}

// count reads a number by SQL.
func (s *scene) count(query string, args ...any) int {
	s.t.Helper()
	n, err := sql.ReadRow(s.t.Context(), s.Store, sql.Value[int], query, args...)
	s.must(err)
	return n
}

// cutCase prepares a change and returns it with the condition that is true after it took place exactly once.
type cutCase struct {
	name    string
	mark    []byte
	prepare func(s *scene) (change func(context.Context) error, once func() bool)
	unsure  bool // not repeated when its outcome is not known
}

var cutCases = []cutCase{
	{"CreateTeam", statement, func(s *scene) (func(context.Context) error, func() bool) {
		id := uuid.NewString()
		return func(ctx context.Context) error { return s.CreateTeam(ctx, account.Team{ID: id, Name: id}) },
			func() bool { return s.count(`SELECT count(*) FROM teams WHERE id = $1`, id) == 1 }
	}, false},
	{"CreatePart", endOfTx, func(s *scene) (func(context.Context) error, func() bool) {
		p := part.Part{ID: uuid.NewString(), TeamID: "t", Status: part.Pending, CreatedAt: s.now}
		pace := part.RateLimit{Budget: part.RateLimitName(p.ID), Interval: time.Second}
		return func(ctx context.Context) error { return s.CreatePart(ctx, p, part.CreateTerms{RateLimit: pace}) },
			func() bool { return s.count(`SELECT count(*) FROM parts WHERE id = $1`, p.ID) == 1 }
	}, false},
	{"Enqueue", endOfTx, func(s *scene) (func(context.Context) error, func() bool) {
		j := s.job(s.part())
		return func(ctx context.Context) error {
				p, err := s.Enqueue(ctx, j, part.EnqueueOptions{SourceSize: 3})
				if err == nil && (p.JobID != j.ID || p.Status != part.Processing || *p.SizeBytes != 3) {
					s.t.Errorf("Enqueue = %+v, want the part with job %s", p, j.ID)
				}
				return err
			}, func() bool {
				return s.count(`SELECT count(*) FROM jobs WHERE id = $1`, j.ID) == 1
			}
	}, false},
	{"LeaseNext", endOfTx, func(s *scene) (func(context.Context) error, func() bool) {
		j := s.queued()
		return func(ctx context.Context) error {
				job, part, err := s.LeaseNext(ctx, alone(j), job.Lease{Worker: j.ID, Now: s.now, Until: s.now})
				if err == nil && (job.ID != j.ID || job.Token != 1 || part.ID != j.PartID) {
					err = fmt.Errorf("leased %+v on %+v, want job %s", job, part, j.ID)
				}
				return err
			}, func() bool {
				return s.count(`SELECT token FROM jobs WHERE id = $1 AND status = 'running'`, j.ID) == 1
			}
	}, false},
	{"Heartbeat", statement, func(s *scene) (func(context.Context) error, func() bool) {
		_, f := s.leased()
		at := s.now.Add(time.Hour)
		return func(ctx context.Context) error { return s.Heartbeat(ctx, f, at, nil, s.now) },
			func() bool {
				return s.count(`SELECT count(*) FROM jobs WHERE id = $1 AND lease_until = $2`, f.JobID,
					sql.Micros(at)) == 1
			}
	}, false},
	{"Commit", endOfTx, func(s *scene) (func(context.Context) error, func() bool) {
		j, f := s.leased()
		r := s.report(j)
		return func(ctx context.Context) error { return s.Commit(ctx, f, worker.Outcome{Report: &r}, s.now) },
			func() bool {
				return s.count(`SELECT count(*) FROM jobs j JOIN reports r ON r.id = j.report_id JOIN features f
				ON f.report_id = r.id JOIN parts p ON p.report_id = r.id WHERE j.id = $1 AND r.id = $2`, j.ID, r.ID) == 1
			}
	}, false},
	{"CommitDetails", endOfTx, func(s *scene) (func(context.Context) error, func() bool) {
		j, f := s.leased()
		r := s.report(j)
		s.must(s.Commit(s.t.Context(), f, worker.Outcome{Report: &r}, s.now))
		j, f = s.leased()
		sheets := []part.FeatureDetail{{FeatureID: r.Analysis.Features[0].FeatureID}}
		return func(ctx context.Context) error {
				return s.Commit(ctx, f, worker.Outcome{ReportID: r.ID, Details: sheets}, s.now)
			}, func() bool {
				return s.count(`SELECT count(*) FROM jobs j JOIN features f ON f.report_id = j.report_id
				WHERE j.id = $1 AND j.status = 'succeeded' AND f.datasheet IS NOT NULL`, j.ID) == 1
			}
	}, false},
	{"Fail", endOfTx, func(s *scene) (func(context.Context) error, func() bool) {
		j, f := s.leased()
		return func(ctx context.Context) error { return s.Fail(ctx, f, fault.Error{Code: "c"}, s.now) }, func() bool {
			return s.count(`SELECT count(*) FROM jobs j JOIN parts p ON p.id = j.part_id
				WHERE j.id = $1 AND j.status = 'failed' AND p.status = 'failed'`, j.ID) == 1
		}
	}, false},
	{"Retry", endOfTx, func(s *scene) (func(context.Context) error, func() bool) {
		_, f := s.leased()
		return func(ctx context.Context) error { return s.Retry(ctx, f, s.now, s.now) }, s.requeued(f, 1)
	}, false},
	{"GiveBack", endOfTx, func(s *scene) (func(context.Context) error, func() bool) {
		_, f := s.leased()
		return func(ctx context.Context) error { return s.GiveBack(ctx, f, s.now) }, s.requeued(f, 0)
	}, false},
	{"TakeBack", endOfTx, func(s *scene) (func(context.Context) error, func() bool) {
		_, f := s.leased()
		return func(ctx context.Context) error {
			_, err := s.TakeBack(ctx, s.now, 5, fault.Error{}, 100)
			return err
		}, s.requeued(f, 1)
	}, true},
	{"ClaimRequest", endOfTx, func(s *scene) (func(context.Context) error, func() bool) {
		claim := idempotency.Reservation{
			Scope: [32]byte([]byte(uuid.NewString())), RecordID: uuid.NewString(), Now: s.now,
			Until: s.now.Add(time.Minute), KeepUntil: s.now.Add(time.Hour),
		}
		return func(ctx context.Context) error {
				known, err := s.ClaimRequest(ctx, claim)
				if err == nil && !known.Claimed {
					err = errors.New("it does not know its own claim")
				}
				return err
			},
			func() bool { return s.count(`SELECT token FROM requests WHERE scope = $1`, claim.Scope[:]) == 1 }
	}, false},
	{"AnswerRequest", statement, func(s *scene) (func(context.Context) error, func() bool) {
		claim := idempotency.Reservation{
			Scope: [32]byte([]byte(uuid.NewString())), RecordID: "r", Now: s.now, KeepUntil: s.now.Add(time.Hour),
		}
		known, err := s.ClaimRequest(s.t.Context(), claim)
		s.must(err)
		return func(ctx context.Context) error {
				return s.AnswerRequest(ctx, known.FencingToken, idempotency.StoredResponse{Status: 201, Body: []byte{}})
			},
			func() bool { return s.count(`SELECT status FROM requests WHERE scope = $1`, claim.Scope[:]) == 201 }
	}, false},
}

// requeued: the job waits again.
func (s *scene) requeued(f job.FencingToken, attempts int) func() bool {
	return func() bool {
		return s.count(`SELECT count(*) FROM jobs
			WHERE id = $1 AND status = 'queued' AND attempt = $2`, f.JobID, attempts) == 1
	}
}

// TestConnectionBrokenAtCommit checks that each change takes place exactly once, or that its caller learns that the
// outcome is unknown.
func TestConnectionBrokenAtCommit(t *testing.T) {
	server := pgtest.Start(t, pgtest.Options{TCP: true})
	c, through := cut(t, server)
	s := &scene{cutter: c, Store: openTest(t, through), t: t, now: time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC)}
	s.must(s.CreateTeam(t.Context(), account.Team{ID: "t", Name: "t"}))
	for _, k := range cutCases {
		for _, late := range []bool{false, true} {
			change, once := k.prepare(s)
			cuts := c.cuts.Load()
			c.plan.Store(&plan{mark: k.mark, late: late})
			err := change(t.Context())
			c.plan.Store(nil)
			if n := c.cuts.Load() - cuts; n != 1 {
				t.Errorf("%s, late %v: %d connections were cut, want 1", k.name, late, n)
			}
			if k.unsure {
				if !errors.Is(err, errDoubt) {
					t.Errorf("%s, late %v: %v, want to be told that the outcome is not known", k.name, late, err)
				}
			} else if err != nil {
				t.Errorf("%s, late %v: %v, want success", k.name, late, err)
			}
			if k.unsure && !late {
				continue // the server did not receive it
			}
			if !once() {
				t.Errorf("%s, late %v: it did not take place exactly once", k.name, late)
			}
		}
	}
}
