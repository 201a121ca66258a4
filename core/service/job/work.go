package job

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"time"
)

// Selection of the next job for a free worker.
//
// Waiting jobs are grouped in lanes, one for each team, product type and class, oldest first. A free worker takes the
// first job of the first lane in WorkFilter.Order:
//
//  1. Ripe lanes come first. A lane is ripe once its first job has waited for the priority delay of its class (aging).
//     So small parts do not wait behind huge ones, and later small jobs delay a huge one by at most its delay;
//  2. then the team with fewer running jobs;
//  3. then the team with the older turn: the time it was last served or its first job became due, the later of the two.
//     Teams with many waiting jobs alternate, and a new team ranks behind the teams that came before it;
//  4. then the job that became ripe first.
//
// Consequences for jobs that run at most D: while a team always has ripe jobs, a single worker takes at most one job of
// each other team between two jobs of that team. Among teams with ripe jobs, the counts of running jobs differ by at
// most one through jobs taken while both waited. No job starves: after its priority delay and D its team runs no job,
// and then only finitely many older turns come first.
//
// Cost: a store reads one row per lane, independent of the number of jobs in it. A store that keeps lanes by turn reads
// only the first lanes (WorkFilter.First).

// SizeClass is the size of a job, from the size of its source and its product type.
type SizeClass int

// The classes, in the order of their work.
const (
	Small SizeClass = iota
	Medium
	Large
)

// Classes are all classes, smallest first.
var Classes = []SizeClass{Small, Medium, Large}

var classNames = [...]string{"small", "medium", "large"}

func (c SizeClass) String() string {
	if c < Small || c > Large {
		return fmt.Sprintf("class(%d)", int(c))
	}
	return classNames[c]
}

// ParseClass reads small, medium or large.
func ParseClass(name string) (SizeClass, error) {
	i := slices.Index(classNames[:], name)
	if i < 0 {
		return 0, fmt.Errorf("class %q is none of %v", name, classNames)
	}
	return SizeClass(i), nil
}

// Largest sources of the classes, bytes. A processor takes about a second for a STEP file of 2 MB, and ten seconds or
// more for one of 20 MB.
const (
	smallSource  = 2_000_000
	mediumSource = 20_000_000
)

// SizeClassOf returns the class of a job on a source of the given size in bytes. Programs and toolpaths are never
// small: they start where the analysis of the part ends, and take longer than a plan.
func SizeClassOf(p Product, sourceSize int64) SizeClass {
	class := Large
	switch {
	case sourceSize <= smallSource:
		class = Small
	case sourceSize <= mediumSource:
		class = Medium
	}
	if p == Program || p == Toolpaths {
		class = max(class, Medium)
	}
	return class
}

// priorityDelays is the time that a job of each size class waits before it ranks with smaller ones (aging).
var priorityDelays = [...]time.Duration{0, time.Minute, 5 * time.Minute}

// PriorityDelay returns the time for which smaller jobs that became due later still precede a job of the class.
func (c SizeClass) PriorityDelay() time.Duration { return priorityDelays[min(max(c, Small), Large)] }

// WorkFilter selects the jobs that a worker takes; an empty list selects all.
type WorkFilter struct {
	Products []Product
	Classes  []SizeClass
}

// Validate reports an unknown product type or class.
func (f WorkFilter) Validate() error {
	for _, p := range f.Products {
		if !slices.Contains(products, p) {
			return fmt.Errorf("product type %q is none of %v", p, products)
		}
	}
	for _, c := range f.Classes {
		if !slices.Contains(Classes, c) {
			return fmt.Errorf("%v is none of %v", c, Classes)
		}
	}
	return nil
}

// Takes reports whether jobs of a product type and class pass.
func (f WorkFilter) Takes(p Product, c SizeClass) bool {
	return (len(f.Products) == 0 || slices.Contains(f.Products, p)) &&
		(len(f.Classes) == 0 || slices.Contains(f.Classes, c))
}

// Without returns the filter without a class; some is false if the new filter selects no jobs.
func (f WorkFilter) Without(class SizeClass) (rest WorkFilter, some bool) {
	classes := f.Classes
	if len(classes) == 0 {
		classes = Classes
	}
	rest = WorkFilter{Products: f.Products}
	for _, c := range classes {
		if c != class {
			rest.Classes = append(rest.Classes, c)
		}
	}
	return rest, len(rest.Classes) > 0
}

// Lane is the waiting jobs of one team, product type and class, with the state of the team.
type Lane struct {
	TeamID   string
	Product  Product
	Class    SizeClass
	DueAt    time.Time // of the job that is due first
	Running  int       // jobs of the team that run
	ServedAt time.Time // when a job of the team was last leased; zero: never
}

func (l Lane) ripeAt() time.Time { return l.DueAt.Add(l.Class.PriorityDelay()) }

func (l Lane) ripe(now time.Time) bool { return !l.ripeAt().After(now) }

// turn is the time when the team was last served, or its job became due, whichever is later.
func (l Lane) turn() time.Time {
	if l.ServedAt.After(l.DueAt) {
		return l.ServedAt
	}
	return l.DueAt
}

// Order returns the lanes from which a worker may take a job now, the best first.
func (f WorkFilter) Order(lanes []Lane, now time.Time) []Lane {
	var open []Lane
	for _, l := range lanes {
		if f.open(l, now) {
			open = append(open, l)
		}
	}
	slices.SortFunc(open, func(a, b Lane) int { return compareLanes(a, b, now) })
	return open
}

// First returns the first lane of Order; found is false when no lane is due and accepted. The lanes must be sorted by
// Running, then by the later of ServedAt and DueAt, then by ServedAt. First reads no further than the first ripe lane
// and its equals.
func (f WorkFilter) First(lanes iter.Seq[Lane], now time.Time) (first Lane, found bool) {
	for l := range lanes {
		if found && first.ripe(now) && compareTurns(first, l) != 0 {
			break
		}
		if f.open(l, now) && (!found || compareLanes(l, first, now) < 0) {
			first, found = l, true
		}
	}
	return first, found
}

// open reports whether a worker may take a job from a lane.
func (f WorkFilter) open(l Lane, now time.Time) bool {
	return !l.DueAt.After(now) && f.Takes(l.Product, l.Class)
}

func compareLanes(a, b Lane, now time.Time) int {
	if ripe := a.ripe(now); ripe != b.ripe(now) {
		if ripe {
			return -1
		}
		return 1
	}
	return cmp.Or(
		compareTurns(a, b),
		a.ripeAt().Compare(b.ripeAt()),
		cmp.Compare(a.TeamID, b.TeamID), cmp.Compare(a.Product, b.Product), cmp.Compare(a.Class, b.Class),
	)
}

// compareTurns is the part of the order that time does not change.
func compareTurns(a, b Lane) int {
	return cmp.Or(
		cmp.Compare(a.Running, b.Running),
		a.turn().Compare(b.turn()),
		a.ServedAt.Compare(b.ServedAt), // at the same instant, a new team precedes a team just served
	)
}
