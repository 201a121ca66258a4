package storematrix

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"millwright.dev/millwright/adapters/sql/postgres"
	"millwright.dev/millwright/adapters/sql/postgres/pgtest"
	"millwright.dev/millwright/adapters/sql/sqlite"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/worker"
)

// BenchmarkLeaseAndCommit measures the cost of the store for a job: a worker takes a lease and commits a result of
// typical size. Every reported commit is on the disk.
func BenchmarkLeaseAndCommit(b *testing.B) {
	server, err := pgtest.New(b.Context(), pgtest.Options{Durable: true})
	if err != nil {
		b.Skip(err)
	}
	b.Cleanup(func() { _ = server.Close() })
	for _, workers := range []int{1, 4, 16} {
		b.Run(fmt.Sprintf("sqlite/workers=%d", workers), func(b *testing.B) {
			s, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "bench.db"))
			leaseAndCommit(b, s, err, workers)
		})
		b.Run(fmt.Sprintf("postgres/workers=%d", workers), func(b *testing.B) {
			name, err := server.Database(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			s, err := postgres.Open(b.Context(), postgres.Options{URL: server.URL(name)})
			leaseAndCommit(b, s, err, workers)
		})
	}
}

func leaseAndCommit(b *testing.B, s Store, err error, workers int) {
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	now := time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC)
	enqueued(b, s, b.N, now)
	jobs := make(chan struct{}, b.N)
	for range b.N {
		jobs <- struct{}{}
	}
	close(jobs)
	b.ResetTimer()
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for range jobs {
				j, _, err := s.LeaseNext(b.Context(), job.WorkFilter{}, job.Lease{Worker: "w", Now: now, Until: now})
				if err == nil {
					f := job.FencingToken{JobID: j.ID, Token: j.Token}
					err = s.Commit(b.Context(), f, worker.Outcome{Report: new(usual(j))}, now)
				}
				if err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
}

// enqueued adds n jobs of 20 teams, each on its own part.
func enqueued(b *testing.B, s Store, n int, now time.Time) {
	b.Helper()
	must := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	const teams = 20
	for i := range teams {
		must(s.CreateTeam(b.Context(), account.Team{ID: fmt.Sprint(i), Name: fmt.Sprint(i)}))
	}
	for i := range n {
		p := part.Part{ID: uuid.NewString(), TeamID: fmt.Sprint(i % teams), Status: part.Pending, CreatedAt: now}
		must(s.CreatePart(b.Context(), p, part.CreateTerms{}))
		_, err := s.Enqueue(b.Context(), job.Job{
			ID: uuid.NewString(), TeamID: p.TeamID, PartID: p.ID, Product: job.PartProcessing,
			DueAt: now, CreatedAt: now, UpdatedAt: now,
		}, part.EnqueueOptions{SourceSize: 1})
		must(err)
	}
}

// usual is a result with 100 faces and 20 features.
func usual(j job.Job) part.AnalysisReport {
	r := part.AnalysisReport{ID: uuid.NewString(), TeamID: j.TeamID, PartID: j.PartID, JobID: j.ID}
	r.Analysis.Regions = make([]pipeline.Region, 100)
	for range 20 {
		r.Analysis.Features = append(r.Analysis.Features, pipeline.PartFeature{
			FeatureID: uuid.NewString(), FeatureTag: "ab12cd34", FeatureType: "Hole", RegionIdxs: []int{1, 2, 3},
		})
	}
	return r
}
