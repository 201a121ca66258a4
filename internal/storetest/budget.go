package storetest

import (
	"errors"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
)

var paced = part.RateLimit{Budget: part.BudgetParts, Interval: 2 * time.Second}

// partAt is a part that is created at a time.
func (f *fixture) partAt(team account.Team, at time.Time) part.Part {
	id := uuid.NewString()
	return part.Part{
		ID: id, TeamID: team.ID, FileName: "a.stp", Status: part.Pending, Warnings: []fault.Warning{},
		ProgramIDs: []string{}, CutConfigIDs: []string{},
		Source: object.Ref{Bucket: "b", Key: "k/" + id}, CreatedAt: at, UpdatedAt: at,
	}
}

func testPace(t *testing.T, f *fixture) {
	start, other := f.now, f.newTeam("other")
	programs := part.RateLimit{Budget: part.BudgetPrograms, Interval: paced.Interval}
	at := func(d time.Duration) time.Time { return start.Add(d) }
	for _, c := range []struct {
		name  string
		team  account.Team
		pace  part.RateLimit
		at    time.Time
		opens time.Time // zero: the slot is taken
	}{
		{"first", f.team, paced, at(0), time.Time{}},
		{"at once", f.team, paced, at(0), at(2 * time.Second)},
		{"just before the slot", f.team, paced, at(2*time.Second - time.Microsecond), at(2 * time.Second)},
		{"another budget", f.team, programs, at(time.Second), time.Time{}},
		{"another team", other, paced, at(time.Second), time.Time{}},
		{"unpaced", f.team, part.RateLimit{Budget: part.BudgetParts}, at(time.Second), time.Time{}},
		{"on the slot", f.team, paced, at(2 * time.Second), time.Time{}},
		{"long after", f.team, paced, at(time.Hour), time.Time{}},
		{"idle time banks nothing", f.team, paced, at(time.Hour + time.Second), at(time.Hour + 2*time.Second)},
		{"a clock that is behind", f.team, paced, at(time.Minute), at(time.Hour + 2*time.Second)},
	} {
		p := f.partAt(c.team, c.at)
		err := f.store.CreatePart(f.ctx, p, part.CreateTerms{RateLimit: c.pace})
		got, read := f.store.Part(f.ctx, c.team.ID, p.ID)
		if c.opens.IsZero() {
			if err != nil || read != nil || !reflect.DeepEqual(got, p) {
				t.Errorf("%s: CreatePart = %v, then the part is %+v, %v", c.name, err, got, read)
			}
			continue
		}
		var early *part.RateLimitedError
		if !errors.As(err, &early) || !early.Opens.Equal(c.opens) {
			t.Errorf("%s: CreatePart = %v, want too soon until %v", c.name, err, c.opens)
		}
		if !errors.Is(read, record.ErrNotFound) {
			t.Errorf("%s: a refused part exists: %+v, %v", c.name, got, read)
		}
	}
}

// testPaceOfKnownPart repeats an executed creation: it returns record.ErrExists and takes no slot.
func testPaceOfKnownPart(t *testing.T, f *fixture) {
	p, terms := f.partAt(f.team, f.now), part.CreateTerms{RateLimit: paced}
	f.must(f.store.CreatePart(f.ctx, p, terms))
	for _, d := range []time.Duration{0, time.Second, 2 * time.Second} {
		again := p
		again.CreatedAt = p.CreatedAt.Add(d)
		if err := f.store.CreatePart(f.ctx, again, terms); !errors.Is(err, record.ErrExists) {
			t.Errorf("again after %v: %v, want ErrExists", d, err)
		}
	}
	if err := f.store.CreatePart(f.ctx, f.partAt(f.team, f.after(2*time.Second)), terms); err != nil {
		t.Errorf("the slot after a repetition: %v, want it free", err)
	}
}

func testPaceAtOnce(t *testing.T, f *fixture) {
	const callers, slots = 8, 4
	for range slots {
		var taken atomic.Int64
		now := f.after(paced.Interval)
		f.atOnce(callers, func(i int) error {
			p := f.partAt(f.team, now.Add(time.Duration(i)*time.Millisecond))
			err := f.store.CreatePart(f.ctx, p, part.CreateTerms{RateLimit: paced})
			var early *part.RateLimitedError
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
	keys := []account.Key{f.newKey(f.team, user), f.newKey(f.team, user)}
	if keys[0].ID > keys[1].ID {
		keys[0], keys[1] = keys[1], keys[0]
	}
	other := f.newTeam("other")
	otherKey := f.newKey(other, f.newUser(other, "bob"))
	pt, otherPart := f.pendingPart(f.team), f.pendingPart(other)
	start := f.tick()
	use := func(p part.Part, product job.Product, keyID string) job.Job {
		t.Helper()
		job := f.job(p, product)
		_, err := f.store.Enqueue(f.ctx, job, part.EnqueueOptions{SourceSize: 1, MeterTo: keyID})
		f.must(err)
		return job
	}
	use(pt, job.PartProcessing, "")
	use(pt, job.PartAnalysis, keys[1].ID)
	use(pt, job.PartAnalysis, keys[0].ID)
	use(otherPart, job.PartAnalysis, otherKey.ID)
	later := f.tick()
	use(pt, job.FeatureDetails, keys[0].ID)
	j := use(pt, job.PartAnalysis, keys[0].ID)
	if _, err := f.store.Enqueue(f.ctx, j, part.EnqueueOptions{MeterTo: keys[0].ID}); !errors.Is(
		err, record.ErrExists) {
		t.Errorf("the same job again: %v, want ErrExists", err)
	}
	for _, c := range []struct {
		name  string
		team  account.Team
		since time.Time
		want  []account.UsageTotal
	}{
		{"all", f.team, start, []account.UsageTotal{
			{Operation: string(job.FeatureDetails), KeyID: keys[0].ID, Count: 1},
			{Operation: string(job.PartAnalysis), KeyID: keys[0].ID, Count: 2},
			{Operation: string(job.PartAnalysis), KeyID: keys[1].ID, Count: 1},
		}},
		{"later ones", f.team, later, []account.UsageTotal{
			{Operation: string(job.FeatureDetails), KeyID: keys[0].ID, Count: 1},
			{Operation: string(job.PartAnalysis), KeyID: keys[0].ID, Count: 1},
		}},
		{"none", f.team, later.Add(time.Microsecond), []account.UsageTotal{}},
		{"another team", other, start, []account.UsageTotal{
			{Operation: string(job.PartAnalysis), KeyID: otherKey.ID, Count: 1},
		}},
	} {
		got, err := f.store.Usage(f.ctx, c.team.ID, c.since)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: Usage = %+v, %v\nwant %+v", c.name, got, err, c.want)
		}
	}
}

func testUsageByDay(t *testing.T, f *fixture) {
	key := f.newKey(f.team, f.newUser(f.team, "ann"))
	other := f.newTeam("other")
	pt, otherPart := f.pendingPart(f.team), f.pendingPart(other)
	otherKey := f.newKey(other, f.newUser(other, "bob"))
	today := f.now.Truncate(account.Day)
	for _, at := range []time.Time{
		today.Add(account.Day - time.Microsecond), today.Add(account.Day), today.Add(account.Day + time.Hour),
		today.Add(3 * account.Day),
	} {
		f.now = at
		_, err := f.store.Enqueue(f.ctx, f.job(pt, job.PartAnalysis), part.EnqueueOptions{MeterTo: key.ID})
		f.must(err)
	}
	_, err := f.store.Enqueue(f.ctx, f.job(otherPart, job.PartAnalysis), part.EnqueueOptions{MeterTo: otherKey.ID})
	f.must(err)
	uses := func(day, count int) account.DayUsage {
		return account.DayUsage{Day: today.Add(time.Duration(day) * account.Day),
			Operation: string(job.PartAnalysis), KeyID: key.ID, Count: count}
	}
	for _, c := range []struct {
		name         string
		since, until int // days
		want         []account.DayUsage
	}{
		{"all", 0, 4, []account.DayUsage{uses(0, 1), uses(1, 2), uses(3, 1)}},
		{"up to the third day", 1, 3, []account.DayUsage{uses(1, 2)}},
		{"none", 2, 3, []account.DayUsage{}},
	} {
		got, err := f.store.UsageByDay(f.ctx, f.team.ID, today.Add(time.Duration(c.since)*account.Day),
			today.Add(time.Duration(c.until)*account.Day))
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: UsageByDay = %+v, %v\nwant %+v", c.name, got, err, c.want)
		}
	}
}
