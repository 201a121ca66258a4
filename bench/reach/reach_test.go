package reach_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/bench/reach"
	"millwright.dev/millwright/bench/replay"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

func meshOf(t *testing.T, m *brep.Model) *mesh.Mesh {
	t.Helper()
	r, err := tessellate.Mesh(t.Context(), m, tessellate.Options{ChordTolerance: 0.003, Runner: compute.OnCPU(0)})
	if err != nil {
		t.Fatal(err)
	}
	return r.Mesh
}

var world = geom.NewFrame(geom.Vec3{}, geom.Vec3{Z: 1}, geom.Vec3{X: 1})

// mill is an end mill in a holder of 28 mm.
func mill(diameter, corner, flute, stickout float64) reach.Tool {
	return reach.NewTool("mill", replay.Shape{
		Kind: "flatEndMill", Diameter: diameter, CornerRadius: corner, FluteLength: flute, ShankDiameter: diameter,
		Stickout: stickout, Holder: [][3]float64{{28, 28, 70}},
	}, false)
}

// pocketed is a block of 60 × 60 × 40 with a pocket from above.
func pocketed(t *testing.T, from, to geom.Vec3) *reach.Part {
	t.Helper()
	m := build.Blocks("pocket", build.Add(geom.Vec3{}, geom.Vec3{X: 60, Y: 60, Z: 40}), build.Subtract(from, to))
	return reach.NewPart(meshOf(t, m), world, nil)
}

func query(p *reach.Part, tools ...reach.Tool) *reach.Query {
	return &reach.Query{Part: p, Tools: tools, Gap: 0.5}
}

// The mill of radius r leaves (1 − π/4)·r² of a sharp corner.
func TestCornerOfAPocket(t *testing.T) {
	part := pocketed(t, geom.Vec3{X: 20, Y: 20, Z: 30}, geom.Vec3{X: 40, Y: 40, Z: 40})
	for _, c := range []struct {
		name                     string
		diameter, corner, height float64 // height above the floor
		leaves                   float64 // mm² in a corner
	}{
		{"flat 6", 6, 0, 1, (1 - math.Pi/4) * 9},
		{"flat 10", 10, 0, 5, (1 - math.Pi/4) * 25},
		{"ball 6 over its radius", 6, 3, 4, (1 - math.Pi/4) * 9},
		{"bull nose 8 over its corner", 8, 1, 2, (1 - math.Pi/4) * 16},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := query(part, mill(c.diameter, c.corner, 20, 40))
			lower, upper := 0.0, 0.0
			const step = 0.1
			for i := range 50 {
				for j := range 50 {
					a := q.Ask(geom.Vec3{X: 20 + (float64(i)+0.5)*step, Y: 20 + (float64(j)+0.5)*step, Z: 30 + c.height})
					if !a.Upper {
						lower += step * step
					}
					if !a.Lower {
						upper += step * step
					}
				}
			}
			if slack := 0.15 * c.diameter * exactly; lower > c.leaves+slack || upper < c.leaves-slack || upper-lower > 2*slack {
				t.Errorf("leaves %.3f to %.3f mm², want %.3f", lower, upper, c.leaves)
			}
		})
	}
}

// exactly is the share that cells and tolerance of the search may move a border, mm over a border of some diameters.
const exactly = 0.5

// TestFloor checks that the middle of a floor is reached, though only from above; next to a wall, the corner of the
// tool limits it.
func TestFloor(t *testing.T) {
	part := pocketed(t, geom.Vec3{X: 20, Y: 20, Z: 30}, geom.Vec3{X: 40, Y: 40, Z: 40})
	for _, c := range []struct {
		name string
		tool reach.Tool
		at   geom.Vec3
		want bool
	}{
		{"flat on the floor", mill(6, 0, 20, 40), geom.Vec3{X: 30, Y: 30, Z: 30.05}, true},
		{"flat along the foot of a wall", mill(6, 0, 20, 40), geom.Vec3{X: 20.05, Y: 30, Z: 30.05}, true},
		{"ball at the foot of a wall", mill(6, 3, 20, 40), geom.Vec3{X: 20.5, Y: 30, Z: 30.5}, false},
		{"ball where its sphere is", mill(6, 3, 20, 40), geom.Vec3{X: 21, Y: 30, Z: 31}, true},
		{"ball just outside its sphere", mill(6, 3, 20, 40), geom.Vec3{X: 20.85, Y: 30, Z: 30.85}, false},
		{"bull nose at the foot", mill(8, 1, 20, 40), geom.Vec3{X: 20.2, Y: 30, Z: 30.2}, false},
		{"bull nose in its corner", mill(8, 1, 20, 40), geom.Vec3{X: 20.4, Y: 30, Z: 30.4}, true},
		{"within the part", mill(6, 0, 20, 40), geom.Vec3{X: 30, Y: 30, Z: 20}, false},
		{"no flutes that long", mill(1, 0, 3, 5), geom.Vec3{X: 30, Y: 30, Z: 30.05}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if a := query(part, c.tool).Ask(c.at); a.Lower != c.want || a.Upper != c.want {
				t.Errorf("reached %v to %v, want %v", a.Lower, a.Upper, c.want)
			}
		})
	}
}

// A slot narrower than every mill is reached by none, and one as wide by the mill that fits.
func TestSlot(t *testing.T) {
	for _, c := range []struct {
		width float64
		want  bool
	}{{2.9, false}, {3.1, true}} {
		part := pocketed(t, geom.Vec3{X: -1, Y: 30 - c.width/2, Z: 34}, geom.Vec3{X: 61, Y: 30 + c.width/2, Z: 40})
		q := query(part, mill(3, 0, 8, 30), mill(6, 0, 13, 30))
		a := q.Ask(geom.Vec3{X: 30, Y: 30.5, Z: 34.1})
		if a.Lower != c.want || a.Upper != c.want {
			t.Errorf("width %g: reached %v to %v, want %v", c.width, a.Lower, a.Upper, c.want)
		}
		if q.Ask(geom.Vec3{X: 0.2, Y: 30.5, Z: 34.1}).Lower != true {
			t.Errorf("width %g: the end of the slot is not reached from its side", c.width)
		}
	}
}

// A deep wall is reached as far as the tool sticks out where its holder does not fit beside the wall, and the gap
// of the holder counts.
func TestDeepWall(t *testing.T) {
	part := pocketed(t, geom.Vec3{X: 5, Y: 5, Z: 10}, geom.Vec3{X: 25, Y: 55, Z: 40}) // 20 wide: no holder enters
	for _, c := range []struct {
		name                string
		stickout, z         float64
		upper, lower, clear bool
	}{
		{"flutes and stickout suffice", 32, 10.1, true, true, true},
		{"the holder stands on the rim", 25, 10.1, false, false, false},
		{"higher on the wall", 25, 16, true, true, true},
		{"the outermost height", 25, 15.005, true, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := query(part, mill(10, 0, 22, c.stickout)).Ask(geom.Vec3{X: 5.1, Y: 30, Z: c.z})
			if a.Upper != c.upper || a.Lower != c.lower || a.Clear != c.clear {
				t.Errorf("got %+v, want upper %v, lower %v, clear %v", a, c.upper, c.lower, c.clear)
			}
		})
	}
	// Next to a step 14.2 mm from the point, the holder of 28 mm passes, but not with its gap.
	step := reach.NewPart(meshOf(t, build.Blocks("step", build.Add(geom.Vec3{}, geom.Vec3{X: 60, Y: 60, Z: 10}),
		build.Add(geom.Vec3{Z: 10}, geom.Vec3{X: 10, Y: 60, Z: 60}))), world, nil)
	a := query(step, mill(10, 0, 22, 30)).Ask(geom.Vec3{X: 19.2, Y: 30, Z: 10.1})
	if !a.Lower || a.Clear {
		t.Errorf("beside a step: got %+v, want lower and not clear", a)
	}
}

// TestUnderARoof checks that a point under a roof is reached from the side, and a point in a closed cavity not at all.
func TestUnderARoof(t *testing.T) {
	for _, c := range []struct {
		name string
		to   float64
		want bool
	}{{"open", 61, true}, {"closed", 55, false}} {
		part := pocketed(t, geom.Vec3{X: 50, Y: 20, Z: 15}, geom.Vec3{X: c.to, Y: 40, Z: 25})
		q := query(part, mill(6, 0, 13, 30))
		a := q.Ask(geom.Vec3{X: 51, Y: 30, Z: 20})
		if a.Lower != c.want || a.Upper != c.want {
			t.Errorf("%s: reached %v to %v, want %v", c.name, a.Lower, a.Upper, c.want)
		}
		if c.want && (len(a.By) != 1 || a.By[0].Direction != 0) {
			t.Errorf("%s: by %v, want only from +x", c.name, a.By)
		}
	}
}

// TestDrill checks that drills enter only along the axes of holes, to the length of their flutes, and leave the cone of
// their point.
func TestDrill(t *testing.T) {
	part := pocketed(t, geom.Vec3{X: 20, Y: 20, Z: 10}, geom.Vec3{X: 30, Y: 30, Z: 40})
	drill := reach.NewTool("drill", replay.Shape{
		Kind: "drill", Diameter: 8, TipAngle: 90, FluteLength: 40, ShankDiameter: 8, Stickout: 50,
	}, true)
	at := func(x, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: 25, Z: z} }
	if query(part, drill).Ask(at(25, 11)).Upper {
		t.Error("a drill reaches where there is no axis")
	}
	frame := geom.NewFrame(geom.Vec3{}, geom.Vec3{Z: 1}, geom.Vec3{X: 1})
	m := build.Blocks("pocket", build.Add(geom.Vec3{}, geom.Vec3{X: 60, Y: 60, Z: 40}),
		build.Subtract(geom.Vec3{X: 20, Y: 20, Z: 10}, geom.Vec3{X: 30, Y: 30, Z: 40}))
	drilled := reach.NewPart(meshOf(t, m), frame, []reach.Axis{{At: at(25, 0), Direction: geom.Vec3{Z: -1}}})
	short := reach.NewTool("short drill", replay.Shape{
		Kind: "drill", Diameter: 9.9, TipAngle: 90, FluteLength: 20, ShankDiameter: 9.9, Stickout: 50,
	}, true)
	for z, want := range map[float64]bool{19.5: false, 20.5: true} {
		if a := query(drilled, short).Ask(at(25, z)); a.Upper != want || a.Lower != want {
			t.Errorf("flutes of 20 at %g of 40: %+v, want %v", z, a, want)
		}
	}
	for _, c := range []struct {
		at   geom.Vec3
		want bool
	}{{at(25, 10.1), true}, {at(28, 12.8), false}, {at(28, 13.1), true}, {at(29.5, 20), false}} {
		if a := query(drilled, drill).Ask(c.at); a.Upper != c.want || a.Lower != c.want {
			t.Errorf("%v: %+v, want %v", c.at, a, c.want)
		}
	}
}
