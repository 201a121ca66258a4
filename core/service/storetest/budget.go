package storetest

import (
	"errors"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"millwright/core/service"
)

var paced = service.Pace{Budget: service.BudgetParts, Interval: 2 * time.Second}

// partAt is a part that is created at a time.
func (f *fixture) partAt(team service.Team, at time.Time) service.Part {
	id := uuid.NewString()
	return service.Part{
		ID: id, TeamID: team.ID, FileName: "a.stp", Status: service.PartPending, ProgramIDs: []string{}, CutConfigIDs: []string{},
		Source: service.ObjectRef{Bucket: "b", Key: "k/" + id}, CreatedAt: at, UpdatedAt: at,
	}
}

func testPace(t *testing.T, f *fixture) {
	start, other := f.now, f.newTeam("other")
	programs := service.Pace{Budget: service.BudgetPrograms, Interval: paced.Interval}
	at := func(d time.Duration) time.Time { return start.Add(d) }
	for _, c := range []struct {
		name  string
		team  service.Team
		pace  service.Pace
		at    time.Time
		opens time.Time // zero: the slot is taken
	}{
		{"first", f.team, paced, at(0), time.Time{}},
		{"at once", f.team, paced, at(0), at(2 * time.Second)},
		{"just before the slot", f.team, paced, at(2*time.Second - time.Microsecond), at(2 * time.Second)},
		{"another budget", f.team, programs, at(time.Second), time.Time{}},
		{"another team", other, paced, at(time.Second), time.Time{}},
		{"unpaced", f.team, service.Pace{Budget: service.BudgetParts}, at(time.Second), time.Time{}},
		{"on the slot", f.team, paced, at(2 * time.Second), time.Time{}},
		{"long after", f.team, paced, at(time.Hour), time.Time{}},
		{"idle time banks nothing", f.team, paced, at(time.Hour + time.Second), at(time.Hour + 2*time.Second)},
		{"a clock that is behind", f.team, paced, at(time.Minute), at(time.Hour + 2*time.Second)},
	} {
		part := f.partAt(c.team, c.at)
		err := f.store.CreatePart(f.ctx, part, c.pace)
		got, read := f.store.Part(f.ctx, c.team.ID, part.ID)
		if c.opens.IsZero() {
			if err != nil || read != nil || !reflect.DeepEqual(got, part) {
				t.Errorf("%s: CreatePart = %v, then the part is %+v, %v", c.name, err, got, read)
			}
			continue
		}
		var early *service.TooSoonError
		if !errors.As(err, &early) || !early.Opens.Equal(c.opens) {
			t.Errorf("%s: CreatePart = %v, want too soon until %v", c.name, err, c.opens)
		}
		if !errors.Is(read, service.ErrNotFound) {
			t.Errorf("%s: a refused part exists: %+v, %v", c.name, got, read)
		}
	}
}

// testPaceOfKnownPart repeats a creation that was carried out: it is told so and takes no slot.
func testPaceOfKnownPart(t *testing.T, f *fixture) {
	part := f.partAt(f.team, f.now)
	f.must(f.store.CreatePart(f.ctx, part, paced))
	for _, d := range []time.Duration{0, time.Second, 2 * time.Second} {
		again := part
		again.CreatedAt = part.CreatedAt.Add(d)
		if err := f.store.CreatePart(f.ctx, again, paced); !errors.Is(err, service.ErrExists) {
			t.Errorf("again after %v: %v, want ErrExists", d, err)
		}
	}
	if err := f.store.CreatePart(f.ctx, f.partAt(f.team, f.after(2*time.Second)), paced); err != nil {
		t.Errorf("the slot after a repetition: %v, want it free", err)
	}
}

func testPaceAtOnce(t *testing.T, f *fixture) {
	const callers, slots = 8, 4
	for range slots {
		var taken atomic.Int64
		now := f.after(paced.Interval)
		f.atOnce(callers, func(i int) error {
			err := f.store.CreatePart(f.ctx, f.partAt(f.team, now.Add(time.Duration(i)*time.Millisecond)), paced)
			var early *service.TooSoonError
			if errors.As(err, &early) {
				return nil
			}
			taken.Add(1)
			return err
		})
		if n := taken.Load(); n != 1 {
			t.Errorf("%d of %d callers took one slot", n, callers)
		}
		f.after(callers * time.Millisecond)
	}
}

func testUsage(t *testing.T, f *fixture) {
	user := f.newUser(f.team, "ann")
	keys := []service.Key{f.newKey(f.team, user), f.newKey(f.team, user)}
	if keys[0].ID > keys[1].ID {
		keys[0], keys[1] = keys[1], keys[0]
	}
	other := f.newTeam("other")
	otherKey := f.newKey(other, f.newUser(other, "bob"))
	part, otherPart := f.pendingPart(f.team), f.pendingPart(other)
	start := f.tick()
	use := func(p service.Part, product service.ProductType, keyID string) service.Job {
		t.Helper()
		job := f.job(p, product)
		_, err := f.store.Enqueue(f.ctx, job, service.EnqueueTerms{SourceSize: 1, MeterTo: keyID})
		f.must(err)
		return job
	}
	use(part, service.ProductPartProcessing, "")
	use(part, service.ProductPartAnalysis, keys[1].ID)
	use(part, service.ProductPartAnalysis, keys[0].ID)
	use(otherPart, service.ProductPartAnalysis, otherKey.ID)
	later := f.tick()
	use(part, service.ProductFeatureDetails, keys[0].ID)
	job := use(part, service.ProductPartAnalysis, keys[0].ID)
	if _, err := f.store.Enqueue(f.ctx, job, service.EnqueueTerms{MeterTo: keys[0].ID}); !errors.Is(
		err, service.ErrExists) {
		t.Errorf("the same job again: %v, want ErrExists", err)
	}
	for _, c := range []struct {
		name  string
		team  service.Team
		since time.Time
		want  []service.UsageTotal
	}{
		{"all", f.team, start, []service.UsageTotal{
			{Operation: service.ProductFeatureDetails, KeyID: keys[0].ID, Count: 1},
			{Operation: service.ProductPartAnalysis, KeyID: keys[0].ID, Count: 2},
			{Operation: service.ProductPartAnalysis, KeyID: keys[1].ID, Count: 1},
		}},
		{"later ones", f.team, later, []service.UsageTotal{
			{Operation: service.ProductFeatureDetails, KeyID: keys[0].ID, Count: 1},
			{Operation: service.ProductPartAnalysis, KeyID: keys[0].ID, Count: 1},
		}},
		{"none", f.team, later.Add(time.Microsecond), []service.UsageTotal{}},
		{"another team", other, start, []service.UsageTotal{
			{Operation: service.ProductPartAnalysis, KeyID: otherKey.ID, Count: 1},
		}},
	} {
		got, err := f.store.Usage(f.ctx, c.team.ID, c.since)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: Usage = %+v, %v\nwant %+v", c.name, got, err, c.want)
		}
	}
}
