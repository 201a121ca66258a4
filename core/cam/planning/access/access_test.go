package access_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/planning/access"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/outline"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// chord (mm) is the deviation of the parts' meshes.
const chord = 0.1

// points are dense samples of the mesh of a part, in a frame: no further from one another than step along a triangle.
func points(g *graph.Graph, f geom.Frame, step float64) (list []geom.Vec3) {
	for _, t := range g.Mesh.Triangles {
		a, b, c := f.Local(g.Mesh.Points[t[0]]), f.Local(g.Mesh.Points[t[1]]), f.Local(g.Mesh.Points[t[2]])
		n := 1 + int(max(a.Dist(b), b.Dist(c), c.Dist(a))/step)
		for i := range n + 1 {
			for j := range n + 1 - i {
				u, v := float64(i)/float64(n), float64(j)/float64(n)
				list = append(list, a.Scale(1-u-v).Add(b.Scale(u)).Add(c.Scale(v)))
			}
		}
	}
	return list
}

// room is the distance (mm) of a tool whose tip is at a position above all points of a part, negative within them.
func room(part []geom.Vec3, under toolprofile.Underside, at geom.Vec3) float64 {
	least := math.Inf(1)
	for _, p := range part {
		if h := under.At(math.Hypot(p.X-at.X, p.Y-at.Y)); h < math.Inf(1) {
			least = min(least, at.Z+h-p.Z)
		}
	}
	return least
}

func tools() map[string]machining.Tool {
	list := map[string]machining.Tool{}
	for _, t := range machining.BuiltInTools() {
		switch t.Kind {
		case machining.Drill, machining.FlatEndMill, machining.BallEndMill, machining.BullNoseEndMill:
		default:
			continue
		}
		if t.Diameter == 6 {
			list[string(t.Kind)] = t
		}
	}
	return list
}

// No place that is free lets the flutes into the part, and none that is not is far from it.
func TestGougingAgainstTheMesh(t *testing.T) {
	for _, name := range []string{"pockets", "fillets", "bosses", "torus"} {
		t.Run(name, func(t *testing.T) {
			g := featuretest.Graph(t, name)
			samples := outline.Sample(g)
			random := rand.New(rand.NewPCG(3, 4))
			for _, dir := range []geom.Vec3{{Z: 1}, {Y: -1}} {
				frame := geom.NewFrame(geom.Vec3{X: 5, Y: 6, Z: 7}, dir, geom.Vec3{X: 1})
				part := points(g, frame, 1)
				box := geom.BoxOf(part...)
				for kind, tool := range tools() {
					assembly := tool.Assembly()
					cutter := flutes(&assembly).Underside()
					site, err := access.New(g, samples, frame, access.NewStock(box.Grow(1)), nil, chord)
					if err != nil {
						t.Fatal(err)
					}
					for range 2 {
						z := box.Min.Z + random.Float64()*(box.Max.Z-box.Min.Z)
						bad, err := site.Gouging(&assembly, z, access.StockToLeave{}, access.Window{})
						if err != nil {
							t.Fatal(err)
						}
						for range 20 {
							at := geom.Vec3{
								X: box.Min.X + random.Float64()*(box.Max.X-box.Min.X),
								Y: box.Min.Y + random.Float64()*(box.Max.Y-box.Min.Y), Z: z,
							}
							inside := bad.Distance(geom.Vec2{X: at.X, Y: at.Y})
							got := room(part, cutter, at)
							if inside < 0 && got < -chord {
								t.Errorf("%s along %v: at %v the tool is free, but %g mm within the part", kind,
									dir, at, -got)
							}
							if inside > 6*chord && got > 6*chord {
								t.Errorf("%s along %v: at %v the tool is forbidden by %g mm, but %g mm above the part",
									kind, dir, at, inside, got)
							}
						}
					}
				}
			}
		})
	}
}

// A way holds the pieces that run where the tip is free, and no others.
func TestWayHoldsWhatIsFree(t *testing.T) {
	list := tools()
	for _, t := range machining.BuiltInTools() {
		if t.Kind == machining.ChamferMill {
			list["chamfer"] = t
			break
		}
	}
	held, stopped := 0, 0
	for _, name := range []string{"chamfers", "fillets", "bosses"} {
		g := featuretest.Graph(t, name)
		frame := geom.NewFrame(geom.Vec3{}, geom.Vec3{Z: 1}, geom.Vec3{X: 1})
		box := geom.BoxOf(points(g, frame, 5)...)
		site, err := access.New(g, outline.Sample(g), frame, access.NewStock(box.Grow(1)), nil, chord)
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(5, 6))
		for kind, tool := range list {
			assembly := tool.Assembly()
			z, leave := box.Max.Z-1-2*random.Float64(), access.StockToLeave{Radial: -0.05}
			free, err := site.Free(&assembly, z, leave, 20, access.Window{})
			if err != nil {
				t.Fatal(err)
			}
			way, err := site.PathCheck(&assembly, z, leave, 20)
			if err != nil {
				t.Fatal(err)
			}
			place := func() geom.Vec2 {
				return geom.Vec2{
					X: box.Min.X - 25 + random.Float64()*(box.Size().X+50),
					Y: box.Min.Y - 25 + random.Float64()*(box.Size().Y+50),
				}
			}
			for range 50 {
				at := place()
				p := planar.NewLine(at, at.Lerp(place(), 0.2))
				if random.IntN(2) == 0 {
					p = planar.NewArc(at.Lerp(place(), 0.1), at, 6*random.Float64()-3)
				}
				const n = 500
				room := math.Inf(1)
				for i := range n + 1 {
					room = min(room, free.Distance(p.At(float64(i)/n)))
				}
				switch holds := way.Holds(&p, 1e-3); {
				case holds && room < -2e-3:
					t.Errorf("%s, %s at %g: holds %+v, which leaves what is free by %g mm", name, kind, z, p, -room)
				case !holds && room > p.Length()/n:
					t.Errorf("%s, %s at %g: does not hold %+v, which stays %g mm within what is free", name,
						kind, z, p, room)
				case holds:
					held++
				default:
					stopped++
				}
			}
		}
	}
	if min(held, stopped) < 50 {
		t.Errorf("%d pieces were held and %d not", held, stopped)
	}
}

// flutes is the cutting zone of an assembly.
func flutes(a *toolprofile.Assembly) (p toolprofile.Profile) {
	for i, s := range a.Outline {
		if a.Zones[i] == toolprofile.Cutting {
			p = append(p, s)
		}
	}
	return p
}

func disc(t *testing.T, x, y, r float64) *arcpoly.Area {
	t.Helper()
	a, err := arcpoly.New(planar.Circle(geom.Vec2{X: x, Y: y}, r, false))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestStock(t *testing.T) {
	s := access.NewStock(geom.Box{Max: geom.Vec3{X: 100, Y: 60, Z: 20}})
	size := func(z float64) float64 {
		t.Helper()
		a, err := s.Above(z)
		if err != nil {
			t.Fatal(err)
		}
		return a.Size()
	}
	top := func(x, y, r float64) float64 {
		t.Helper()
		z, err := s.Top(geom.Vec2{X: x, Y: y}, r)
		if err != nil {
			t.Fatal(err)
		}
		return z
	}
	check := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-2 {
			t.Errorf("%s: %g, want %g", what, got, want)
		}
	}
	check("whole", size(10), 6000)
	check("above the top", size(20), 0)
	s.Cut(access.RemovedArea{Z: 15, Area: disc(t, 30, 30, 10)})
	s.Cut(access.RemovedArea{Z: 5, Area: disc(t, 30, 30, 5)})
	check("below both cuts", size(4), 6000)
	check("between them", size(10), 6000-25*math.Pi)
	check("above both", size(15), 6000-100*math.Pi)
	check("top in the deeper", top(30, 30, 3), 5)
	check("top over both", top(30, 30, 8), 15)
	check("top over the wall", top(38, 30, 8), 20)
	check("top outside", top(-20, 30, 8), 0)
	s.Cut(access.RemovedArea{Z: 0, Area: disc(t, 30, 30, 12)})
	check("after a deeper and wider cut", size(15), 6000-144*math.Pi)
	check("top then", top(30, 30, 8), 0)
}

// How high stock is that nothing was cut from is seen from any setup, and never lower than it is.
func TestRemainingStock(t *testing.T) {
	d, err := dexel.NewBlock(dexel.Lattice{Step: 1, Count: [3]int{40, 30, 20}}, geom.Box{
		Min: geom.Vec3{X: 10, Y: 5}, Max: geom.Vec3{X: 30, Y: 20, Z: 8},
	})
	if err != nil {
		t.Fatal(err)
	}
	workpiece := geom.NewFrame(geom.Vec3{X: 100, Y: 50, Z: 7}, geom.Vec3{X: 1}, geom.Vec3{Y: 1})
	for _, dir := range []geom.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
		setup := geom.NewFrame(geom.Vec3{X: 1, Y: 2, Z: 3}, dir, geom.Vec3{X: dir.Y, Y: dir.Z, Z: dir.X})
		s := access.Remaining(d, access.NewCeiling(d, workpiece, setup), setup)
		box := geom.EmptyBox()
		for _, p := range []geom.Vec3{{X: 10, Y: 5}, {X: 30, Y: 20, Z: 8}} {
			box = box.Add(setup.Local(workpiece.Point(p)))
		}
		a, err := s.Above((box.Min.Z + box.Max.Z) / 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []geom.Vec2{{X: box.Min.X, Y: box.Min.Y}, {X: box.Max.X, Y: box.Max.Y}} {
			if d := a.Distance(p); d < -1e-6 || d > 2 {
				t.Errorf("along %v the corner %v is %g mm within the stock", dir, p, d)
			}
		}
		sure, err := s.Sure(a, (box.Min.Z+box.Max.Z)/2)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []geom.Vec2{{X: box.Min.X, Y: box.Min.Y}, {X: box.Max.X, Y: box.Max.Y}} {
			if d := sure.Distance(p); d > 1e-6 || d < -2 {
				t.Errorf("along %v the corner %v is %g mm within what is stock for sure", dir, p, d)
			}
		}
		middle := box.Center()
		if top, err := s.Top(geom.Vec2{X: middle.X, Y: middle.Y}, 1); err != nil || math.Abs(top-box.Max.Z) > 1e-5 {
			t.Errorf("along %v the top is %g (%v), want %g", dir, top, err, box.Max.Z)
		}
		if above, err := s.Above(box.Max.Z + 1e-3); err != nil || !above.IsEmpty() {
			t.Errorf("along %v there is stock above the top (%v)", dir, err)
		}
	}
}

// Shank and holder keep off stock, and come down where it is gone.
func TestBlockedByTheHolder(t *testing.T) {
	g := featuretest.Graph(t, "pockets")
	frame := geom.World
	box := geom.BoxOf(points(g, frame, 5)...).Grow(1)
	stock := access.NewStock(box)
	site, err := access.New(g, outline.Sample(g), frame, stock, nil, chord)
	if err != nil {
		t.Fatal(err)
	}
	tool := tools()[string(machining.FlatEndMill)]
	a := tool.Assembly()
	z := box.Max.Z - a.Stickout - 3
	middle := box.Center()
	at := geom.Vec2{X: middle.X, Y: middle.Y}
	blocked, err := site.Blocked(&a, z, access.Window{})
	if err != nil {
		t.Fatal(err)
	}
	if !blocked.Contains(at) {
		t.Errorf("the holder is 3 mm within the stock at %v, and not blocked", at)
	}
	stock.Cut(access.RemovedArea{Z: z, Area: disc(t, at.X, at.Y, 60)})
	if blocked, err = site.Blocked(&a, z, access.Window{}); err != nil || blocked.Contains(at) {
		t.Errorf("where the stock is gone it is still blocked (%v)", err)
	}
}

// The part is stock also where the rays of dexels have seen nothing of it.
func TestPartBetweenRays(t *testing.T) {
	g := featuretest.Graph(t, "pockets")
	part := points(g, geom.World, 5)
	box := geom.BoxOf(part...)
	lattice := dexel.Lattice{Origin: box.Min, Step: 1}
	for axis, side := range [3]float64{box.Size().X, box.Size().Y, box.Size().Z} {
		lattice.Count[axis] = int(math.Ceil(side))
	}
	ground := box
	ground.Max.Z = box.Min.Z + 1
	d, err := dexel.NewBlock(lattice, ground)
	if err != nil {
		t.Fatal(err)
	}
	left := access.Remaining(d, access.NewCeiling(d, geom.World, geom.World), geom.World)
	site, err := access.New(g, outline.Sample(g), geom.World, left, nil, chord)
	if err != nil {
		t.Fatal(err)
	}
	tool := tools()[string(machining.FlatEndMill)]
	a := tool.Assembly()
	for z := box.Min.Z + 1.5; z < box.Max.Z; z += 3 {
		open, err := site.Open(&a, z, 20, access.Window{})
		if err != nil {
			t.Fatal(err)
		}
		blocked, err := site.Blocked(&a, z-a.Stickout, access.Window{})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range blocked.Loops() {
			for i := range l {
				if l[i].Tag != graph.None {
					t.Fatalf("what stops the holder at %g is tagged as face %d that the flutes meet", z, l[i].Tag)
				}
			}
		}
		for _, p := range part {
			at := geom.Vec2{X: p.X, Y: p.Y}
			if p.Z > z+1e-3 && (open.Contains(at) || !blocked.Contains(at)) {
				const text = "at the height %g the tool may be over %v: %v; its holder: %v"
				t.Fatalf(text, z, p, open.Contains(at), !blocked.Contains(at))
			}
		}
	}
}

// Flutes that are wider than the neck above them do not get under stock, through which they would have to go up again.
func TestFlutesUnderStock(t *testing.T) {
	g := featuretest.Graph(t, "pockets")
	box := geom.BoxOf(points(g, geom.World, 5)...)
	stock := access.NewStock(box.Grow(20))
	site, err := access.New(g, outline.Sample(g), geom.World, stock, nil, chord)
	if err != nil {
		t.Fatal(err)
	}
	tool := tools()[string(machining.FlatEndMill)]
	tool.FluteLength, tool.OverallLength, tool.BodyLength, tool.ShankDiameter = 4, 120, 80, 4
	a := tool.Assembly()
	at := geom.Vec2{X: box.Min.X - 10, Y: box.Min.Y - 10}
	z := box.Min.Z
	stock.Cut(access.RemovedArea{Z: z, Area: disc(t, at.X, at.Y, 6)})
	for beside, want := range map[float64]bool{2.9: false, 3.1: true} {
		blocked, err := site.Blocked(&a, z, access.Window{})
		if err != nil {
			t.Fatal(err)
		}
		if got := blocked.Contains(geom.Vec2{X: at.X + beside, Y: at.Y}); got != want {
			t.Errorf("%g mm from stock the flutes are blocked: %v, want %v", 6-beside, got, want)
		}
	}
}

// Along walls that its flutes have cut, it is the part that stops a tool, and not what its shank would meet of stock
// that is as far away.
func TestShankBesideItsWalls(t *testing.T) {
	g := featuretest.Graph(t, "pockets")
	sin, cos := math.Sincos(0.3) // so that nothing lies on whole numbers
	frame := geom.NewFrame(geom.Vec3{}, geom.Vec3{Z: 1}, geom.Vec3{X: cos, Y: sin})
	box := geom.BoxOf(points(g, frame, 5)...)
	stock := access.NewStock(box.Grow(1))
	site, err := access.New(g, outline.Sample(g), frame, stock, nil, chord)
	if err != nil {
		t.Fatal(err)
	}
	tool := tools()[string(machining.FlatEndMill)]
	tool.FluteLength, tool.OverallLength, tool.BodyLength = 4, box.Size().Z+60, box.Size().Z+30
	a := tool.Assembly()
	for z := box.Max.Z; z > box.Min.Z; z -= tool.FluteLength - 1 {
		free, err := site.Free(&a, z, access.StockToLeave{}, 20, access.Window{})
		if err != nil {
			t.Fatal(err)
		}
		gouging, err := site.Gouging(&a, z, access.StockToLeave{}, access.Window{})
		if err != nil {
			t.Fatal(err)
		}
		walls := 0.0 // length
		for _, l := range gouging.Loops() {
			for i := range l {
				walls += l[i].Length()
			}
		}
		var bare []planar.Loop
		for _, l := range free.Loops() {
			l = slices.Clone(l)
			for i := range l {
				if l[i].Tag != graph.None {
					walls -= l[i].Length()
				}
				l[i].Tag = graph.None
			}
			bare = append(bare, l)
		}
		if math.Abs(walls) > 0.1 {
			t.Errorf("%g mm over the foot of the part %g mm of the walls seem to be stock", z-box.Min.Z, walls)
		}
		swept, err := arcpoly.New(bare...)
		if err != nil {
			t.Fatal(err)
		}
		const rounding = 2e-6 // mm, of areas
		if swept, err = swept.Offset(tool.Diameter/2 - rounding); err != nil {
			t.Fatal(err)
		}
		stock.Cut(access.RemovedArea{Z: z, Area: swept})
	}
}

// The free area of a body with the width of its flutes stays the same on every level, though the cut area is never
// quite as large as intended. Otherwise the stock would end in slips between different areas.
func TestFreeStaysThePlaceThatItWas(t *testing.T) {
	g := featuretest.Graph(t, "pockets")
	frame := geom.NewFrame(geom.Vec3{}, geom.Vec3{Z: 1}, geom.Vec3{X: math.Cos(0.3), Y: math.Sin(0.3)})
	box := geom.BoxOf(points(g, frame, 5)...)
	stock := access.NewStock(box.Grow(30))
	site, err := access.New(g, outline.Sample(g), frame, stock, nil, chord)
	if err != nil {
		t.Fatal(err)
	}
	tool := tools()[string(machining.FlatEndMill)]
	tool.FluteLength, tool.OverallLength, tool.BodyLength = 4, box.Size().Z+90, box.Size().Z+60
	a := tool.Assembly()
	random := rand.New(rand.NewPCG(7, 8))
	cut := func(z float64, way *arcpoly.Area) {
		swept, err := way.Offset(tool.Diameter/2 - 2e-6*random.Float64())
		if err != nil {
			t.Fatal(err)
		}
		stock.Cut(access.RemovedArea{Z: z, Area: swept})
	}
	// Two discs that lie across one another beside the part are open first.
	z := box.Min.Z - 5
	open, err := arcpoly.Union(disc(t, box.Min.X-18, box.Min.Y, 7), disc(t, box.Min.X-16, box.Min.Y+9, 6))
	if err != nil {
		t.Fatal(err)
	}
	cut(z, open)
	var first *arcpoly.Area
	for range 6 {
		z -= tool.FluteLength - 1
		free, err := site.Free(&a, z, access.StockToLeave{}, 20, access.Window{})
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case first == nil:
			first = free
		case free != first:
			t.Fatalf("at %g the tip may be in an area of %d pieces, which is another one", z, len(free.Loops()[0]))
		}
		cut(z, free)
	}
}

// The area above a height contains exactly the points that no cut has removed, independent of earlier queries.
func TestStockAgainstPlaces(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	box := geom.Box{Max: geom.Vec3{X: 100, Y: 60, Z: 20}}
	for range 20 {
		s := access.NewStock(box)
		type hole struct {
			z    float64
			area *arcpoly.Area
		}
		var cuts []hole
		for range 60 {
			z := math.Floor(random.Float64()*12) * 2
			if random.IntN(3) > 0 {
				var turn []access.RemovedArea // as of a round tool
				x, y, radius := random.Float64()*100, random.Float64()*60, 3+random.Float64()*20
				for up := range 1 + random.IntN(4) {
					high, a := z+float64(up*up), disc(t, x, y, radius+3*float64(up))
					turn = append(turn, access.RemovedArea{Z: high, Area: a})
					cuts = append(cuts, hole{high, a})
				}
				s.Cut(turn...)
				continue
			}
			a, err := s.Above(z)
			if err != nil {
				t.Fatal(err)
			}
			const far = 1e-3
			for range 50 {
				p := geom.Vec2{X: random.Float64()*110 - 5, Y: random.Float64()*70 - 5}
				want, isNear := z < 20 && p.X > 0 && p.X < 100 && p.Y > 0 && p.Y < 60, math.Abs(a.Distance(p)) < far
				for _, c := range cuts {
					if d := c.area.Distance(p); c.z <= z && d > 0 {
						want = false
					} else if math.Abs(d) < far {
						isNear = true
					}
				}
				if got := a.Contains(p); got != want && !isNear {
					t.Fatalf("above %g at %v there is stock: %v, want %v (%d cuts)", z, p, got, want, len(cuts))
				}
			}
			at := geom.Vec2{X: random.Float64() * 100, Y: random.Float64() * 60}
			top, err := s.Top(at, 4)
			if err != nil {
				t.Fatal(err)
			}
			if a, err = s.Above(top); err != nil || a.Distance(at) > -4+1e-3 {
				t.Fatalf("the top at %v is %g, but stock is %g mm away there (%v)", at, top, -a.Distance(at), err)
			}
			if a, err = s.Above(top - 1e-3); err != nil || top > 0 && a.Distance(at) < -4-1e-3 {
				t.Fatalf("the top at %v is %g, but below it stock is %g mm away (%v)", at, top, -a.Distance(at), err)
			}
		}
	}
}
