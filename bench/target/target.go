// Package target computes the minutes in which a good programmer would make a part on a machine.
//
// The target does not depend on plans or toolpaths. Its inputs are the mesh of the part, the cut config with its tools,
// and the directions of the setups, which count as given.
//
// # Formula
//
//	target = rough + finish + drill + chamfer + change
//	rough   = removable volume / (½ · rate of the roughing mill)
//	finish  = 1.4 · Σ area of a wall or floor / (feed · stepover of its finishing mill)
//	drill   = Σ (depth + tip) / feed of the drill, and twice the thread depth / feed of the tap
//	chamfer = Σ length / feed of the chamfer mill
//	change  = tool changes · (change + spindle ramp of the machine)
//
// The stock is the bounding box of the part along the axes of the workpiece, grown by the allowance of the config. The
// removable volume is the volume of the stock minus the volume of the part, holes included.
//
// The roughing mill is the largest flat or bull nose end mill that reaches mostReach of the removable volume. Its rate
// is axial · radial · feed as package cutting resolves them for roughing. The axial depth is the diameter, at most half
// the thinnest side of the stock; flutes, power and deflection may limit it further. Of equal mills the fastest counts.
// Where no mill reaches so much, the share refers to the largest volume that one mill reaches.
//
// A wall is a face along a setup's axis, a floor a face across it. The finishing mill of a face is the largest end mill
// that reaches mostReach of its area from one setup. Feed and stepover are those of the tool's preset, without limits
// by load; the stepover is the preset's radial depth, on walls as on floors. A face that no mill reaches so far counts
// with the area that is reached.
//
// Reach is judged on height maps of the part (access.go): neither tool nor holder may meet the part. Stock and jaws are
// not in the way.
package target

import (
	"context"
	"errors"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/cutting"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

const (
	mostReach   = 0.8 // share of a volume or area that a mill must reach
	rateShare   = 0.5 // of the preset's rate that roughing has on average
	finishExtra = 1.4 // for entries, links and passes that overlap
	newVolume   = 0.01
	tipShare    = 0.3 // of a drill's diameter is its tip
	drillBelow  = 0.2 // mm that a drill may be thinner than its hole
	drillAbove  = 0.05
	mm3         = 1000 // in a cm³
	minute      = 60   // s
)

// Input is the input of a target. Lengths are mm.
type Input struct {
	Mesh       *mesh.Mesh
	Volume     float64      // mm³ of the part
	Workpiece  geom.Frame   // its axes are those of the stock
	Bar        *int         // axis of the workpiece along a round bar; nil: a box
	Directions []geom.Frame // of the setups: maps to the part frame, Z toward the spindle
	Tools      []machining.Tool
	Config     *machining.CutConfig
	Holes      []Hole
}

// Hole is a round hole of the part.
type Hole struct {
	Center, Axis    geom.Vec3 // of the opening; outward
	Diameter, Depth float64   // mm, without the tip
	Through         bool
	Pitch           float64 // mm, of its thread; 0: none
	ThreadDepth     float64 // mm
}

// Target is the target of a part. Its parts are minutes.
type Target struct {
	Mill    string  `json:"mill"`    // for roughing
	Reach   float64 `json:"reach"`   // share of the removable volume
	Rate    float64 `json:"rate"`    // cm³/min of the mill's preset
	Volume  float64 `json:"volume"`  // cm³ to remove
	Rough   float64 `json:"rough"`   // min
	Walls   float64 `json:"walls"`   // min, in finish
	Floors  float64 `json:"floors"`  // min, in finish
	Drill   float64 `json:"drill"`   // min
	Chamfer float64 `json:"chamfer"` // min
	Change  float64 `json:"change"`  // min
	Changes int     `json:"changes"`
}

// Minutes returns the sum.
func (t *Target) Minutes() float64 {
	return t.Rough + t.Walls + t.Floors + t.Drill + t.Chamfer + t.Change
}

// ErrNoMill reports that no end mill of the config cuts the material.
var ErrNoMill = errors.New("target: no end mill of the config cuts its material")

// Compute returns the target of a part.
func Compute(ctx context.Context, in *Input) (*Target, error) {
	j := newJob(in)
	if len(j.mills) == 0 {
		return nil, ErrNoMill
	}
	if err := j.rough(ctx); err != nil {
		return nil, err
	}
	if err := j.finish(ctx); err != nil {
		return nil, err
	}
	j.drill()
	for _, tools := range j.used {
		j.out.Changes += len(tools)
	}
	m := &in.Config.Machine
	j.out.Change = float64(j.out.Changes) * (m.ToolChangeSeconds + m.SpindleRampSeconds) / minute
	return &j.out, nil
}

// job is a target in the making.
type job struct {
	*Input
	stock   geom.Box // in the workpiece frame
	mills   []mill   // the largest first, of those the fastest
	maps    map[place]*access
	grounds map[site]*ground
	used    []map[*machining.Tool]bool // by setup
	out     Target
}

// place is a mill in a setup.
type place struct{ mill, setup int }

// mill is an end mill with its preset.
type mill struct {
	tool     *machining.Tool
	rate     float64 // mm³/min
	feed     float64 // mm/min, of finishing
	stepover float64 // mm
}

func newJob(in *Input) *job {
	j := &job{Input: in, stock: geom.EmptyBox(), maps: map[place]*access{}, grounds: map[site]*ground{}}
	for _, p := range in.Mesh.Points {
		j.stock = j.stock.Add(in.Workpiece.Local(p))
	}
	a := geom.Vec3(in.Config.Stock.Allowance)
	j.stock.Min, j.stock.Max = j.stock.Min.Sub(a), j.stock.Max.Add(a)
	for range in.Directions {
		j.used = append(j.used, map[*machining.Tool]bool{})
	}
	size := j.stock.Size()
	half := min(size.X, size.Y, size.Z) / 2
	for i := range in.Tools {
		t := &in.Tools[i]
		if t.Kind != machining.FlatEndMill && t.Kind != machining.BullNoseEndMill || len(t.Guessed) > 0 {
			continue
		}
		rough, ok := j.resolve(t, cutting.Rough, min(t.Diameter, half))
		if !ok {
			continue
		}
		const light = 0.1 // mm deep, so that no load limits the feed
		finish, _ := j.resolve(t, cutting.Finish, light)
		j.mills = append(j.mills, mill{
			tool: t, rate: rough.Axial.Value * rough.Radial.Value * rough.Feed.Value,
			feed: finish.Feed.Value, stepover: finish.Radial.Value,
		})
	}
	slices.SortStableFunc(j.mills, func(a, b mill) int {
		switch d, e := b.tool.Diameter-a.tool.Diameter, b.rate-a.rate; {
		case d < 0 || d == 0 && e < 0:
			return -1
		case d > 0 || e > 0:
			return 1
		}
		return 0
	})
	return j
}

// resolve returns the cutting data of a tool; false: it does not cut the material.
func (j *job) resolve(t *machining.Tool, p cutting.Purpose, axial float64) (cutting.CuttingData, bool) {
	d, err := cutting.Resolve(cutting.Request{
		Tool: t, Material: j.Config.Material, Machine: &j.Config.Machine, Purpose: p, Axial: axial,
	})
	return d, err == nil && d.Feed.Value > 0
}

// rough chooses the roughing mill, and charges the removable volume.
func (j *job) rough(ctx context.Context) error {
	points := j.removable()
	all, best := 0.0, 0
	for _, p := range points {
		all += p.weight
	}
	reached := make([]float64, len(j.mills))
	for i := range j.mills {
		if err := ctx.Err(); err != nil {
			return err
		}
		reached[i] = j.reached(i, points, nil)
		if reached[i] >= mostReach*all {
			break
		}
	}
	most := min(slices.Max(reached), all)
	for reached[best] < mostReach*most {
		best++
	}
	m := &j.mills[best]
	j.reached(best, points, func(setup int, volume float64) {
		if volume > newVolume*all {
			j.used[setup][m.tool] = true
		}
	})
	size := j.stock.Size()
	volume := size.X * size.Y * size.Z
	if j.Bar != nil {
		volume *= math.Pi / 4
	}
	volume -= j.Volume
	j.out.Mill, j.out.Rate, j.out.Volume = m.tool.Label(), m.rate/mm3, volume/mm3
	if all > 0 {
		j.out.Reach = reached[best] / all
	}
	j.out.Rough = volume / (rateShare * m.rate)
	return nil
}

// reached returns the volume that a mill reaches. Visit gets the volume of each setup that no earlier setup reaches.
func (j *job) reached(mill int, points []sample, visit func(setup int, volume float64)) (sum float64) {
	done := make([]bool, len(points))
	for s := range j.Directions {
		a, volume := j.access(mill, s), 0.0
		for i, p := range points {
			if !done[i] && a.covers(p.at) {
				done[i] = true
				volume += p.weight
			}
		}
		sum += volume
		if visit != nil {
			visit(s, volume)
		}
	}
	return sum
}

// drill charges holes that a drill makes, and threads.
func (j *job) drill() {
	for i := range j.Holes {
		h := &j.Holes[i]
		setup, drill := j.setupOf(h), j.drillFor(h)
		if setup < 0 {
			continue
		}
		down := func(t *machining.Tool, p cutting.Purpose, depth float64) {
			if d, ok := j.resolve(t, p, 0); ok {
				j.out.Drill += depth / d.Feed.Value
				j.used[setup][t] = true
			}
		}
		if drill != nil {
			down(drill, cutting.Drilling, h.Depth+tipShare*drill.Diameter)
		}
		if tap := j.tapFor(h); tap != nil {
			down(tap, cutting.Tapping, 2*h.ThreadDepth)
			j.out.Drill += 2 * j.Config.Machine.SpindleRampSeconds / minute
		}
	}
}

// setupOf returns the first setup along a hole's axis; −1 without one. A through hole is made from either end.
func (j *job) setupOf(h *Hole) int {
	return slices.IndexFunc(j.Directions, func(f geom.Frame) bool {
		c := f.Z.Dot(h.Axis)
		return c >= along || h.Through && c <= -along
	})
}

// drillFor returns the drill that makes a hole; nil: none does, and it is milled.
func (j *job) drillFor(h *Hole) (best *machining.Tool) {
	for i := range j.Tools {
		t := &j.Tools[i]
		if t.Kind == machining.Drill && t.Diameter <= h.Diameter+drillAbove && t.Diameter >= h.Diameter-drillBelow &&
			(best == nil || t.Diameter > best.Diameter) {
			best = t
		}
	}
	return best
}

// tapFor returns the tap of a hole's thread, by its pitch and the nearest diameter; nil: none.
func (j *job) tapFor(h *Hole) (best *machining.Tool) {
	if h.Pitch == 0 {
		return nil
	}
	const samePitch = 0.01 // mm
	off := func(t *machining.Tool) float64 { return math.Abs(t.Diameter - h.Diameter - h.Pitch) }
	for i := range j.Tools {
		t := &j.Tools[i]
		if t.Kind != machining.TapRightHand || math.Abs(*t.Pitch-h.Pitch) > samePitch {
			continue
		}
		if best == nil || off(t) < off(best) {
			best = t
		}
	}
	return best
}
