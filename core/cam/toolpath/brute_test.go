package toolpath_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/cutting"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/outline"
	"millwright.dev/millwright/core/kernel/geom"
)

// A brute force replay that shares no code with the tested package. The stock and the part are heights of cells; the
// tool is tested at every point of a fine row of points along each move.

const (
	cell   = 0.5  // mm, of the replay
	pace   = 0.4  // mm, between places along a move
	swing  = 0.4  // rad, between places along an arc
	rarely = 20   // one in so many points tests shank and holder
	chord  = 0.1  // mm, of the meshes of the parts
	breath = 0.02 // mm, of rounding, and of arcs in cells
)

// shop is a part and its stock as heights over cells, in the frame of a setup.
type shop struct {
	lo            geom.Vec2
	width, height int
	part, stock   []float64
	box           geom.Box // of the part
}

func newShop(g *graph.Graph, f geom.Frame, allowance float64) *shop {
	var local []geom.Vec3
	for _, p := range g.Mesh.Points {
		local = append(local, f.Local(p))
	}
	s := &shop{box: geom.BoxOf(local...)}
	b := s.box.Grow(allowance)
	s.lo = geom.Vec2{X: b.Min.X, Y: b.Min.Y}
	size := b.Size()
	s.width, s.height = int(size.X/cell+cell), int(size.Y/cell+cell)
	s.part, s.stock = make([]float64, s.width*s.height), make([]float64, s.width*s.height)
	for i := range s.part {
		s.part[i], s.stock[i] = math.Inf(-1), b.Max.Z
	}
	for _, t := range g.Mesh.Triangles {
		s.drop(local[t[0]], local[t[1]], local[t[2]])
	}
	return s
}

func (s *shop) at(i, j int) geom.Vec2 {
	return geom.Vec2{X: s.lo.X + (float64(i)+0.5)*cell, Y: s.lo.Y + (float64(j)+0.5)*cell}
}

// drop raises the part's cells to a triangle that looks up.
func (s *shop) drop(a, b, c geom.Vec3) {
	box := geom.BoxOf(a, b, c)
	s.within(geom.Vec2{X: box.Min.X, Y: box.Min.Y}, geom.Vec2{X: box.Max.X, Y: box.Max.Y}, func(k int, p geom.Vec2) {
		flat := func(q geom.Vec3) geom.Vec2 { return geom.Vec2{X: q.X - p.X, Y: q.Y - p.Y} }
		u, v, w := flat(b).Cross(flat(c)), flat(c).Cross(flat(a)), flat(a).Cross(flat(b))
		if sum := u + v + w; sum > 0 && u >= 0 && v >= 0 && w >= 0 {
			s.part[k] = max(s.part[k], (u*a.Z+v*b.Z+w*c.Z)/sum)
		}
	})
}

func (s *shop) within(lo, hi geom.Vec2, visit func(k int, p geom.Vec2)) {
	i0, i1 := max(int((lo.X-s.lo.X)/cell-1), 0), min(int((hi.X-s.lo.X)/cell+1), s.width-1)
	j0, j1 := max(int((lo.Y-s.lo.Y)/cell-1), 0), min(int((hi.Y-s.lo.Y)/cell+1), s.height-1)
	for j := j0; j <= j1; j++ {
		for i := i0; i <= i1; i++ {
			visit(j*s.width+i, s.at(i, j))
		}
	}
}

// zones returns the undersides of the flutes, and of the body with the heights that the flutes are below.
func zones(a *toolprofile.Assembly) (flutes, body toolprofile.Underside) {
	var f, b toolprofile.Profile
	for i, k := range a.Outline {
		if a.Zones[i] == toolprofile.Cutting {
			f = append(f, k)
		} else {
			if len(b) == 0 && k.From.X > 0 {
				b = append(b, toolprofile.Segment{From: geom.Vec2{Y: k.From.Y}, To: k.From})
			}
			b = append(b, k)
		}
	}
	return f.Underside(), b.Underside()
}

// table is an underside at places a fine step apart.
type table []float64

const fineness = 100 // places in a mm

func tabled(u toolprofile.Underside) table {
	t := make(table, int(u.Radius()*fineness)+1)
	for i := range t {
		t[i] = u.At(float64(i) / fineness)
	}
	return t
}

func (t table) at(r float64) float64 {
	if i := int(math.Ceil(r * fineness)); i < len(t) {
		return t[i]
	}
	return math.Inf(1)
}

// faults are the findings of a replay.
type faults struct {
	gouge, rapid, body float64 // mm, the deepest
	text               string
}

// replay runs an operation; tolerance (mm) is for the part.
func (s *shop) replay(o *motion.Operation, a *toolprofile.Assembly) (f faults) {
	f1, b1 := zones(a)
	flutes, body := tabled(f1), tabled(b1)
	samples := 0
	o.Steps(func(step motion.Step) bool {
		n := 1 + int(max(step.Length()/pace, math.Abs(step.Turn)/swing))
		for i := range n + 1 {
			at := step.At(float64(i) / float64(n))
			around := func(reach float64, visit func(k int, p geom.Vec2, r float64)) {
				lo, hi := geom.Vec2{X: at.X - reach, Y: at.Y - reach}, geom.Vec2{X: at.X + reach, Y: at.Y + reach}
				s.within(lo, hi, func(k int, p geom.Vec2) {
					if max(s.stock[k], s.part[k]) > at.Z { // else all of the tool is above it
						visit(k, p, p.Dist(geom.Vec2{X: at.X, Y: at.Y}))
					}
				})
			}
			note := func(worst *float64, what string, depth float64, p geom.Vec2) {
				if depth > *worst+breath {
					*worst = depth
					f.text += "\n" + describe(what, depth, step, at, p)
				}
			}
			around(f1.Radius(), func(k int, p geom.Vec2, r float64) {
				z := at.Z + flutes.at(r)
				if step.Kind == motion.Rapid {
					note(&f.rapid, "rapid in stock", s.stock[k]-z, p)
					return
				}
				note(&f.gouge, "gouge", s.part[k]-at.Z-flutes.at(r+chord), p) // the mesh may be off so much sideways
				s.stock[k] = min(s.stock[k], z)
			})
			if samples++; samples%rarely == 0 {
				around(b1.Radius(), func(k int, p geom.Vec2, r float64) {
					note(&f.body, "body in stock", s.stock[k]-at.Z-body.at(r), p)
				})
			}
		}
		return true
	})
	return f
}

func input(t testing.TB, g *graph.Graph, tool machining.Tool, allowance float64) (toolpath.Input, *planning.Setup) {
	t.Helper()
	box := geom.BoxOf(g.Mesh.Points...)
	stock := box.Grow(allowance)
	plan := &planning.Plan{
		Workpiece: geom.World, Stock: stock,
		Tools: []planning.Tool{{Number: 1, Stickout: tool.Assembly().Stickout, Tool: tool}},
		Setups: []planning.Setup{{
			Frame: geom.World, Before: stock, Safe: stock.Max.Z + 20,
			Clamping: planning.Clamping{Kind: machining.WorkholdingNone},
		}},
	}
	return toolpath.Input{Plan: plan, Graph: g, Samples: outline.Sample(g), Chord: chord}, &plan.Setups[0]
}

// data is the cutting data of all tools here, independent of a material.
func data(tool *machining.Tool) cutting.CuttingData {
	v := func(x float64) cutting.SourcedValue { return cutting.SourcedValue{Value: x} }
	d := cutting.CuttingData{
		SpindleRPM: v(6000), Feed: v(1000), RampFeed: v(500), Axial: v(tool.Diameter / 2),
		Radial: v(tool.Diameter * 0.4),
	}
	if tool.CutsCenter() {
		d.PlungeFeed = v(300)
	}
	return d
}

func builtin(t testing.TB, kind machining.ToolKind, diameter float64) machining.Tool {
	t.Helper()
	for _, tool := range machining.BuiltInTools() {
		if tool.Kind == kind && tool.Diameter == diameter {
			return tool
		}
	}
	t.Fatalf("there is no %s of %g mm", kind, diameter)
	return machining.Tool{}
}

func part(t testing.TB, name string) *graph.Graph { return featuretest.Graph(t, name) }
