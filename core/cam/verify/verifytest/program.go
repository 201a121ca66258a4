package verifytest

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Program is a plan with its motion and its part.
type Program struct {
	Plan   *planning.Plan
	Set    *toolpath.Set
	Part   *mesh.Mesh
	Travel machining.Extent
}

// distinct sorts numbers and removes nearly equal ones.
func distinct(list []float64) []float64 {
	slices.Sort(list)
	return slices.CompactFunc(list, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 })
}

// The tools of the program.
const (
	wide = iota
	narrow
	drill
)

func tools() []planning.Tool {
	angle := 118.0
	cone := machining.Cone{DiameterBottom: 32, DiameterTop: 40, Height: 60}
	holder := &machining.Holder{Name: "ER", GaugeLength: 60, Cones: []machining.Cone{cone}}
	mill := func(id string, d, flutes, body float64) machining.Tool {
		return machining.Tool{
			ID: id, Kind: machining.FlatEndMill, Diameter: d, FluteLength: flutes, OverallLength: body + 30,
			ShankDiameter: d, BodyLength: body, FluteCount: 4, Holder: holder,
		}
	}
	point := mill("drill", 2*holeRadius, 20, 32)
	point.Kind, point.TipAngleDeg, point.FluteCount = machining.Drill, &angle, 2
	list := []planning.Tool{{Tool: mill("wide", 16, 18, 30)}, {Tool: mill("narrow", 8, 8, 18)}, {Tool: point}}
	for i := range list {
		list[i].Number, list[i].Stickout = i+1, list[i].Tool.BodyLength
	}
	return list
}

// Made returns a program that makes the part of Block in two setups, as tightly as it can, so that little has to be
// wrong with it. The origins of the setups are in the middle of the finished top and underside.
func Made(chord float64) *Program {
	const side, above, below = 0.5, 1, 8
	first := geom.Frame{Origin: geom.Vec3{Z: height}, X: geom.Vec3{X: 1}, Y: geom.Vec3{Y: 1}, Z: geom.Vec3{Z: 1}}
	second := geom.Frame{X: geom.Vec3{X: 1}, Y: geom.Vec3{Y: -1}, Z: geom.Vec3{Z: -1}}
	p := &Program{
		Part: Block(chord), Travel: machining.Extent{X: 500, Y: 400, Z: 400}, Set: &toolpath.Set{},
		Plan: &planning.Plan{
			Workpiece: geom.World, Tools: tools(),
			Stock: geom.Box{
				Min: geom.Vec3{X: -halfX - side, Y: -halfY - side, Z: -below},
				Max: geom.Vec3{X: halfX + side, Y: halfY + side, Z: height + above},
			},
			Setups: []planning.Setup{
				{Frame: first, Safe: 10, Clamping: vise(halfY+side, -height-below, -height-3.5)},
				{Frame: second, Safe: 18, Clamping: vise(halfY, -height, -9)},
			},
		},
	}
	p.add(0, "face", wide, facing(above/2.0, 0))
	p.add(0, "outside", wide, outside(-7, -14, -height-0.5))
	p.add(0, "pocket", narrow, pocket(0.2, -2.4, -4.8, -7.2, -9.8))
	p.add(0, "floor", narrow, pocket(0.2, -(height-floor)))
	p.add(0, "wall", narrow, wall(-5, -(height-floor)))
	p.add(0, "hole", drill, drilling(-(height-floor), -height-4))
	p.add(1, "underside", wide, facing(6, 4, 2, 0))
	return p
}

// vise returns two jaws at a part of the given width, between two heights.
func vise(half, low, high float64) planning.Clamping {
	const long, thick = 25, 15
	return planning.Clamping{Kind: machining.WorkholdingVise, Solid: []geom.Box{
		{Min: geom.Vec3{X: -long, Y: half, Z: low}, Max: geom.Vec3{X: long, Y: half + thick, Z: high}},
		{Min: geom.Vec3{X: -long, Y: -half - thick, Z: low}, Max: geom.Vec3{X: long, Y: -half, Z: high}},
	}}
}

// add appends an operation whose moves the path makes.
func (p *Program) add(setup int, id string, tool int, path *path) {
	for len(p.Set.Setups) <= setup {
		p.Set.Setups = append(p.Set.Setups, motion.Setup{Frame: p.Plan.Setups[len(p.Set.Setups)].Frame})
		p.Set.Paths = append(p.Set.Paths, nil)
	}
	op := motion.Operation{
		ID: id, Tool: int32(tool), SpindleRPM: 6000, Start: path.start, Moves: path.moves, Cycles: path.cycles,
	}
	plan, set := &p.Plan.Setups[setup], &p.Set.Setups[setup]
	plan.Operations = append(plan.Operations, planning.Operation{ID: id, Tool: tool, Regions: []int{Top}})
	set.Operations = append(set.Operations, op.Round())
	p.Set.Paths[setup] = append(p.Set.Paths[setup], toolpath.Path{})
}

// path is motion in the making.
type path struct {
	start, at geom.Vec3
	moves     []motion.Move
	cycles    []motion.Cycle
}

func (p *path) to(kind motion.Kind, x, y, z float64) {
	m := motion.Move{Kind: kind, To: geom.Vec3{X: x, Y: y, Z: z}, Feed: 1200}
	if kind == motion.Rapid {
		m.Feed = 0
	}
	p.moves, p.at = append(p.moves, m), m.To
}

// arc turns by a quarter counter-clockwise about a center.
func (p *path) arc(x, y float64) {
	dx, dy := p.at.X-x, p.at.Y-y
	to := geom.Vec3{X: x - dy, Y: y + dx, Z: p.at.Z}
	p.moves = append(p.moves, motion.Move{
		Kind: motion.Cut, To: to, Center: geom.Vec2{X: x, Y: y}, Turn: math.Pi / 2, Feed: 1200, Flags: motion.Finishing,
	})
	p.at = to
}

// begin moves to the position of the tip after a change.
func begin(x, y, z float64) *path {
	p := &path{start: geom.Vec3{X: x, Y: y, Z: z}}
	p.at = p.start
	return p
}

// facing covers the whole stock at each of several heights.
func facing(levels ...float64) *path {
	const across, out = 12, 43
	p := begin(-out, -24, levels[0]+3)
	for _, z := range levels {
		for k := range 5 {
			y := -24 + across*float64(k)
			p.to(motion.Rapid, -out, y, p.at.Z)
			p.to(motion.Rapid, -out, y, z+1)
			p.to(motion.Plunge, -out, y, z)
			p.to(motion.Cut, out, y, z)
			p.to(motion.Rapid, out, y, levels[0]+3)
			p.to(motion.Rapid, -out, y, levels[0]+3)
		}
	}
	p.to(motion.Rapid, p.at.X, p.at.Y, 10)
	return p
}

// outside mills around the block at each of some heights. It begins on the opposite side of the part each time.
func outside(levels ...float64) *path {
	const r, away = 8, 12
	p := begin(halfX+r+away, -halfY, 10)
	for i, z := range levels {
		turn := 1 - 2*float64(i%2)
		p.to(motion.Rapid, turn*(halfX+r+away), -turn*halfY, 10)
		p.to(motion.Rapid, p.at.X, p.at.Y, z+1)
		p.to(motion.Plunge, p.at.X, p.at.Y, z)
		p.to(motion.LeadIn, turn*(halfX+r), p.at.Y, z)
		for range 2 {
			p.to(motion.Cut, turn*(halfX+r), turn*halfY, z)
			p.arc(turn*halfX, turn*halfY)
			p.to(motion.Cut, -turn*halfX, turn*(halfY+r), z)
			p.arc(-turn*halfX, turn*halfY)
			turn = -turn
		}
		p.to(motion.LeadOut, turn*(halfX+r+away), p.at.Y, z)
		p.to(motion.Rapid, p.at.X, p.at.Y, 10)
	}
	return p
}

// ring mills around the pocket, in from its wall.
func (p *path) ring(in float64) {
	a, b, r := pocketX-in, pocketY-in, max(corner-in, 0)
	z := p.at.Z
	turn := func(x, y float64) {
		if r > 0 {
			p.arc(x, y)
		}
	}
	p.to(motion.Cut, a, 0, z)
	p.to(motion.Cut, a, b-r, z)
	turn(a-r, b-r)
	p.to(motion.Cut, -a+r, b, z)
	turn(-a+r, b-r)
	p.to(motion.Cut, -a, -b+r, z)
	turn(-a+r, -b+r)
	p.to(motion.Cut, a-r, -b, z)
	turn(a-r, -b+r)
	p.to(motion.Cut, a, 0, z)
}

// pocket clears the pocket at each of some heights except for leave at its wall.
func pocket(leave float64, levels ...float64) *path {
	const r = 4
	p := begin(0, 0, 10)
	for _, z := range levels {
		p.to(motion.Rapid, 0, 0, min(z+3.5, 2))
		p.to(motion.Plunge, 0, 0, z)
		p.to(motion.Cut, 8.5, 0, z)
		p.to(motion.Cut, -8.5, 0, z)
		p.ring(pocketY - 3)
		p.ring(r + leave)
		p.to(motion.Rapid, p.at.X, p.at.Y, 10)
		p.to(motion.Rapid, 0, 0, 10)
	}
	return p
}

// wall finishes the wall of the pocket at each of some heights.
func wall(levels ...float64) *path {
	const r = 4
	p := begin(0, 0, 10)
	for _, z := range levels {
		p.to(motion.Rapid, 0, 0, z+1)
		p.to(motion.Link, 0, 0, z)
		p.ring(r)
		p.to(motion.LeadOut, 0, 0, z)
		p.to(motion.Rapid, 0, 0, 10)
	}
	return p
}

// drilling pecks the hole from one height to another.
func drilling(top, bottom float64) *path {
	p := begin(0, 0, 10)
	p.cycles = []motion.Cycle{{Kind: motion.Peck, Retract: top + 1, Bottom: bottom, Peck: 4}}
	p.moves = append(p.moves, motion.Move{Kind: motion.CannedCycle, To: geom.Vec3{Z: 10}, Feed: 300})
	p.at = geom.Vec3{Z: 10}
	return p
}
