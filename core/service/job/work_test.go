package job_test

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"millwright.dev/millwright/cmd/millwright/app/apptest"
	"millwright.dev/millwright/core/service/job"
)

func TestClassOf(t *testing.T) {
	for _, c := range []struct {
		product job.Product
		size    int64
		want    job.SizeClass
	}{
		{job.PartProcessing, 0, job.Small},
		{job.PartProcessing, 2_000_000, job.Small},
		{job.PartAnalysis, 2_000_001, job.Medium},
		{job.FeatureDetails, 20_000_000, job.Medium},
		{job.FeatureDetails, 20_000_001, job.Large},
		{job.Program, 10, job.Medium},
		{job.Toolpaths, 30_000_000, job.Large},
	} {
		if got := job.SizeClassOf(c.product, c.size); got != c.want {
			t.Errorf("ClassOf(%s, %d) = %v, want %v", c.product, c.size, got, c.want)
		}
	}
	for _, c := range job.Classes {
		if got, err := job.ParseClass(c.String()); err != nil || got != c {
			t.Errorf("ParseWorkClass(%q) = %v, %v", c.String(), got, err)
		}
	}
	if _, err := job.ParseClass("huge"); err == nil {
		t.Error(`ParseWorkClass("huge") succeeds`)
	}
}

func TestWorkFilter(t *testing.T) {
	type filter = job.WorkFilter
	only := func(c ...job.SizeClass) filter { return filter{Classes: c} }
	for _, c := range []struct {
		name string
		from filter
		want []job.SizeClass
		some bool
	}{
		{"of all", filter{}, []job.SizeClass{job.Small, job.Medium}, true},
		{"of some", only(job.Large, job.Small), []job.SizeClass{job.Small}, true},
		{"of others", only(job.Small), []job.SizeClass{job.Small}, true},
		{"of it alone", only(job.Large), nil, false},
	} {
		got, some := c.from.Without(job.Large)
		if some != c.some || !slices.Equal(got.Classes, c.want) {
			t.Errorf("without large %s: %v, %v; want %v, %v", c.name, got.Classes, some, c.want, c.some)
		}
	}
	if (filter{Products: []job.Product{"meshing"}}).Validate() == nil {
		t.Error("an unknown product type is valid")
	}
	if only(7).Validate() == nil || only(job.Large).Validate() != nil {
		t.Error("Validate takes an unknown class, or refuses a known one")
	}
}

// depot is a model of a store with workers, to check the guarantees of the order of work.
type depot struct {
	now     time.Time
	waiting []*simJob
	running []*simJob
	served  map[string]time.Time
}

type simJob struct {
	team  string
	class job.SizeClass
	due   time.Time
	work  time.Duration // running time
	ends  time.Time
	began time.Time
}

func (d *depot) lanes() []job.Lane {
	heads := map[job.Lane]time.Time{} // by team and class
	for _, j := range d.waiting {
		key := job.Lane{TeamID: j.team, Class: j.class}
		if due, ok := heads[key]; !ok || j.due.Before(due) {
			heads[key] = j.due
		}
	}
	var out []job.Lane
	for l, due := range heads {
		l.DueAt, l.ServedAt = due, d.served[l.TeamID]
		for _, r := range d.running {
			if r.team == l.TeamID {
				l.Running++
			}
		}
		out = append(out, l)
	}
	return out
}

// take returns the next job for a free worker, nil when no job is due.
func (d *depot) take() *simJob {
	best := job.WorkFilter{}.Order(d.lanes(), d.now)
	if len(best) == 0 {
		return nil
	}
	i := slices.IndexFunc(d.waiting, func(j *simJob) bool {
		return j.team == best[0].TeamID && j.class == best[0].Class && j.due.Equal(best[0].DueAt)
	})
	j := d.waiting[i]
	d.waiting = slices.Delete(d.waiting, i, i+1)
	j.began, j.ends = d.now, d.now.Add(j.work)
	d.running = append(d.running, j)
	d.served[j.team] = d.now
	return j
}

func (d *depot) endJobs() {
	d.running = slices.DeleteFunc(d.running, func(j *simJob) bool { return !j.ends.After(d.now) })
}

// ripe counts the ripe jobs of each team.
func (d *depot) ripe() map[string]int {
	n := map[string]int{}
	for _, j := range d.waiting {
		if !j.due.Add(j.class.PriorityDelay()).After(d.now) {
			n[j.team]++
		}
	}
	return n
}

func (d *depot) runningOf(team string) int {
	n := 0
	for _, j := range d.running {
		if j.team == team {
			n++
		}
	}
	return n
}

// TestNoJobStarves floods the workers with small jobs of several teams while one large job waits. Only three groups may
// precede it: jobs that come within its priority delay, jobs of its team that are ripe by then, and one job of each
// other team between two jobs of its team.
func TestNoJobStarves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := &depot{now: apptest.Start, served: map[string]time.Time{}}
		const others, crowd, longest = 5, 10, 20 * time.Second
		teams := rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f"})
		workers := rapid.IntRange(1, 4).Draw(t, "workers")
		victim := &simJob{team: teams.Draw(t, "victim's team"), class: job.Large, due: apptest.Start, work: time.Second}
		d.waiting = append(d.waiting, victim)
		deadline := job.Large.PriorityDelay() + longest + crowd*(1+others)*longest
		for d.now.Before(apptest.Start.Add(deadline)) && victim.began.IsZero() {
			for len(d.waiting) < crowd { // more than the workers can do, at any time
				d.waiting = append(d.waiting, &simJob{
					team: teams.Draw(t, "team"), due: d.now,
					work: time.Duration(rapid.Int64Range(int64(time.Second), int64(longest)).Draw(t, "work")),
				})
			}
			for len(d.running) < workers {
				d.take()
				d.now = d.now.Add(time.Millisecond)
			}
			d.now = d.now.Add(5 * time.Second)
			d.endJobs()
		}
		if victim.began.IsZero() {
			t.Fatalf("with %d workers the large job was not taken in %v", workers, deadline)
		}
	})
}

// TestUnfairnessIsBounded runs teams with very different loads and checks every lease. While the team that was passed
// over had ripe jobs, no other team ran over one job more than it after the lease. With a single worker, no other team
// gets two jobs between two of its jobs.
func TestUnfairnessIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := &depot{now: apptest.Start, served: map[string]time.Time{}}
		names := []string{"greedy", "steady", "modest"}
		workers := rapid.IntRange(1, 5).Draw(t, "workers")
		passed := map[[2]string]int{} // team that waits, other team → jobs of the other since
		for step := range 150 {
			if step%5 == 0 {
				for i, team := range names {
					for range rapid.IntRange(0, 12/(1+3*i)).Draw(t, "arrivals") {
						d.waiting = append(d.waiting, &simJob{
							team: team, class: job.Classes[rapid.IntRange(0, 2).Draw(t, "class")], due: d.now,
							work: time.Duration(rapid.IntRange(1, 60).Draw(t, "seconds")) * time.Second,
						})
					}
				}
			}
			for len(d.running) < workers {
				before := d.ripe()
				j := d.take()
				if j == nil {
					break
				}
				d.now = d.now.Add(time.Millisecond)
				for _, other := range names {
					if other == j.team || before[other] == 0 {
						delete(passed, [2]string{other, j.team})
						continue
					}
					if mine, theirs := d.runningOf(j.team), d.runningOf(other); mine > theirs+1 {
						t.Fatalf("%s runs %d jobs and %s, which has %d ripe ones waiting, %d",
							j.team, mine, other, before[other], theirs)
					}
					passed[[2]string{other, j.team}]++
					if n := passed[[2]string{other, j.team}]; workers == 1 && n > 1 {
						t.Fatalf("%s got %d jobs in a row while %s had %d ripe ones", j.team, n, other, before[other])
					}
				}
				for _, other := range names {
					delete(passed, [2]string{j.team, other})
				}
			}
			d.now = d.now.Add(time.Second)
			d.endJobs()
		}
	})
}

// TestFirstLane compares First with Order on lanes in the required order, and counts the lanes that it reads.
func TestFirstLane(t *testing.T) {
	now := apptest.Start.Add(time.Hour)
	moment := rapid.Custom(func(rt *rapid.T) time.Time {
		return now.Add(-time.Duration(rapid.SampledFrom([]int{-1, 0, 1, 30, 61, 299, 301}).Draw(rt,
			"ago")) * time.Second)
	})
	lane := rapid.Custom(func(rt *rapid.T) job.Lane {
		l := job.Lane{
			TeamID:  rapid.SampledFrom([]string{"a", "b", "c"}).Draw(rt, "team"),
			Product: rapid.SampledFrom([]job.Product{"part_analysis", "part_processing"}).Draw(rt, "product"),
			Class:   rapid.SampledFrom(job.Classes).Draw(rt, "class"),
			DueAt:   moment.Draw(rt, "due"), Running: rapid.IntRange(0, 2).Draw(rt, "running"),
		}
		if rapid.Bool().Draw(rt, "served") {
			l.ServedAt = moment.Draw(rt, "last")
		}
		return l
	})
	turn := func(l job.Lane) time.Time {
		if l.ServedAt.After(l.DueAt) {
			return l.ServedAt
		}
		return l.DueAt
	}
	rapid.Check(t, func(rt *rapid.T) {
		lanes := rapid.SliceOfN(lane, 0, 12).Draw(rt, "lanes")
		filter := rapid.SampledFrom([]job.WorkFilter{
			{}, {Classes: []job.SizeClass{job.Large}}, {Products: []job.Product{"part_analysis"}},
		}).Draw(rt, "filter")
		slices.SortFunc(lanes, func(a, b job.Lane) int {
			return cmp.Or(cmp.Compare(a.Running, b.Running), turn(a).Compare(turn(b)), a.ServedAt.Compare(b.ServedAt))
		})
		got, found := filter.First(slices.Values(lanes), now)
		want := filter.Order(lanes, now)
		if found != (len(want) > 0) || found && got != want[0] {
			rt.Fatalf("First = %+v, %v; Order puts first %+v", got, found, want)
		}
	})
	var many []job.Lane
	for i := range 1000 {
		many = append(many, job.Lane{TeamID: "a", DueAt: apptest.Start.Add(time.Duration(i) * time.Second)})
	}
	read := 0
	job.WorkFilter{}.First(func(yield func(job.Lane) bool) {
		for _, l := range many {
			if read++; !yield(l) {
				return
			}
		}
	}, now)
	if read != 2 {
		t.Errorf("%d lanes are read of which the first is ripe, want it and the next", read)
	}
}
