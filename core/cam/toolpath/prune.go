package toolpath

import (
	"fmt"
	"slices"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
)

// Idle is an operation of a plan that has no moves.
type Idle struct {
	Attempt   planning.Attempt
	Operation planning.Operation
	Path      Path
}

// Leaves reports whether material stays that the operation was planned to make.
func (i *Idle) Leaves() bool {
	e := completeness.Entry{}
	for _, r := range i.Path.RestMaterial {
		e.Volume, e.Height = e.Volume+r.Volume, max(e.Height, r.Height)
	}
	return len(i.Operation.Regions) > 0 && e.IsListed()
}

// Detail returns the tool of the operation, and the known obstacle.
func (i *Idle) Detail() string {
	detail := fmt.Sprintf("No move of %s gets there", i.Attempt.Tool.Label())
	if len(i.Path.RestMaterial) > 0 {
		return detail + ": " + i.Path.RestMaterial[0].Detail
	}
	return detail + "."
}

// Prune returns a plan and its motion without the operations that have no moves, the setups without operations, and the
// unused tools. The features of an operation without rest material move to the operation before it, which has made
// them.
func Prune(p *planning.Plan, set *Set) (*planning.Plan, *Set, []Idle) {
	var idle []Idle
	out, made := *p, &Set{}
	out.Setups = []planning.Setup{}
	for i := range p.Setups {
		setup, moves, paths := p.Setups[i], motion.Setup{Frame: set.Setups[i].Frame}, []Path(nil)
		setup.Operations = []planning.Operation{}
		var features []int
		for k, o := range p.Setups[i].Operations {
			m := set.Setups[i].Operations[k]
			if len(m.Moves) == 0 {
				a := planning.Attempt{Direction: setup.Frame.Z, Tool: &p.Tools[o.Tool].Tool, Regions: o.Regions}
				if rest := set.Paths[i][k].RestMaterial; len(rest) > 0 {
					a.Reason = rest[0].Reason
				}
				n := Idle{Attempt: a, Operation: o, Path: set.Paths[i][k]}
				if idle = append(idle, n); !n.Leaves() {
					features = append(features, o.Features...)
				}
				continue
			}
			o.ID = fmt.Sprintf("%d.%d", len(out.Setups)+1, len(setup.Operations)+1)
			m.ID = o.ID
			setup.Operations, moves.Operations = append(setup.Operations, o), append(moves.Operations, m)
			paths = append(paths, set.Paths[i][k])
		}
		if len(setup.Operations) == 0 {
			continue
		}
		credit(&setup.Operations[0], features)
		out.Setups = append(out.Setups, setup)
		made.Setups, made.Paths = append(made.Setups, moves), append(made.Paths, paths)
	}
	if len(idle) > 0 {
		dropTools(&out, made)
	}
	return &out, made, idle
}

// credit adds features to those that an operation makes.
func credit(o *planning.Operation, features []int) {
	if len(features) > 0 {
		o.Features = slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(o.Features), features...))))
	}
}

// dropTools removes the tools that no operation uses.
func dropTools(p *planning.Plan, set *Set) {
	used := make([]bool, len(p.Tools))
	for i := range p.Setups {
		for _, o := range p.Setups[i].Operations {
			used[o.Tool] = true
		}
	}
	at, tools := make([]int, len(p.Tools)), []planning.Tool{}
	for i, is := range used {
		if at[i] = len(tools); is {
			tools = append(tools, p.Tools[i])
		}
	}
	p.Tools = tools
	for i := range p.Setups {
		for k := range p.Setups[i].Operations {
			o := &p.Setups[i].Operations[k]
			o.Tool = at[o.Tool]
			set.Setups[i].Operations[k].Tool = int32(o.Tool)
		}
	}
}
