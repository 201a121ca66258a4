package thumbnail

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"math"
	"runtime"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/export/internal/testmesh"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

var (
	boxLo = geom.Vec3{X: -30, Y: -20, Z: -10}
	boxHi = geom.Vec3{X: 30, Y: 20, Z: 10}
)

func render(t testing.TB, m *mesh.Mesh, edges [][]geom.Vec3, opts Options) *image.NRGBA {
	t.Helper()
	img, err := Render(m, edges, opts)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// isBackground reports whether a pixel shows only the background.
func isBackground(img *image.NRGBA, x, y int) bool {
	b := background(y, img.Rect.Dx())
	e := encoded()
	return img.NRGBAAt(x, y) == color.NRGBA{e.of(b[0]), e.of(b[1]), e.of(b[2]), 255}
}

func luminance(c color.NRGBA) int { return int(c.R) + int(c.G) + int(c.B) }

func TestSilhouetteOfASphere(t *testing.T) {
	for _, size := range []int{512, 300, 64} {
		img := render(t, testmesh.Sphere(geom.Vec3{X: 7, Y: -4, Z: 1}, 25, 60), nil, Options{Size: size})
		radius := float64(size) * (1 - 2*margin) / 2
		center := float64(size) / 2
		for y := range size {
			for x := range size {
				d := math.Hypot(float64(x)+0.5-center, float64(y)+0.5-center)
				switch {
				case d < radius-2 && isBackground(img, x, y):
					t.Fatalf("size %d: background at (%d, %d), inside the sphere", size, x, y)
				case d > radius+2 && !isBackground(img, x, y):
					t.Fatalf("size %d: (%d, %d) is painted, outside the sphere", size, x, y)
				}
			}
		}
	}
}

// samplesOf counts the samples that show a surface.
func samplesOf(t *testing.T, m *mesh.Mesh, direction geom.Vec3, size int) (n int, cam *camera) {
	t.Helper()
	cam, err := fit(m, direction, size)
	if err != nil {
		t.Fatal(err)
	}
	s, err := newScene(m, cam, nil)
	if err != nil {
		t.Fatal(err)
	}
	tl := &tile{scene: s}
	for py := 0; py < size; py += tilePixels {
		for px := 0; px < size; px += tilePixels {
			tl.clear(px, py)
			for k := range s.triangles {
				if s.area2(int32(k)) != 0 {
					tl.draw(int32(k))
				}
			}
			for y := apron; y < tileSide-apron; y++ {
				for _, k := range tl.triangle[y*tileSide+apron : (y+1)*tileSide-apron] {
					if k != noSurface {
						n++
					}
				}
			}
		}
	}
	return n, cam
}

func TestCoveredAreaIsTheProjectedArea(t *testing.T) {
	size := boxHi.Sub(boxLo)
	sides := geom.Vec3{X: size.Y * size.Z, Y: size.Z * size.X, Z: size.X * size.Y}
	directions := []geom.Vec3{defaultDirection, {X: -1, Y: 2, Z: 0.3}, {Z: 1}, {Z: -1}, {X: 1}, {Y: -1, Z: 1e-7}}
	for _, d := range directions {
		n, cam := samplesOf(t, testmesh.Box(boxLo, boxHi), d, 256)
		f := d.Unit()
		area := math.Abs(f.X)*sides.X + math.Abs(f.Y)*sides.Y + math.Abs(f.Z)*sides.Z
		if got := float64(n) / (cam.scale * cam.scale); math.Abs(got/area-1) > 0.005 {
			t.Errorf("box from %v: the picture covers %.1f mm², want %.1f", d, got, area)
		}
		n, cam = samplesOf(t, testmesh.Sphere(boxLo, 3, 80), d, 256)
		if got, want := float64(n)/(cam.scale*cam.scale), math.Pi*9; math.Abs(got/want-1) > 0.003 {
			t.Errorf("sphere from %v: the picture covers %.3f mm², want %.3f", d, got, want)
		}
	}
}

func TestPictureHasEmptyMargin(t *testing.T) {
	for _, d := range []geom.Vec3{{}, {X: 1}, {Z: 1}, {X: -1, Y: -1, Z: -2}} {
		img := render(t, testmesh.Box(boxLo, boxHi), testmesh.BoxEdges(boxLo, boxHi), Options{Direction: d})
		used := image.Rectangle{}
		for y := range defaultSize {
			for x := range defaultSize {
				if !isBackground(img, x, y) {
					used = used.Union(image.Rect(x, y, x+1, y+1))
				}
			}
		}
		free := int(math.Floor(defaultSize*margin)) - 2 // strokes reach beyond the outline
		larger := max(used.Dx(), used.Dy())
		want := defaultSize * (1 - 2*margin)
		if !used.In(image.Rect(free, free, defaultSize-free, defaultSize-free)) {
			t.Errorf("from %v: the part uses %v, want %d free pixels around it", d, used, free)
		}
		if math.Abs(float64(larger)-want) > 4 {
			t.Errorf("from %v: the part is %d pixels wide or high, want about %.0f", d, larger, want)
		}
	}
}

func TestAxesAreNotMirrored(t *testing.T) {
	red := brep.Color{R: 0.9, G: 0.05, B: 0.05}
	// A red cube at the right, back and upper corner of a gray one.
	m := testmesh.Join(testmesh.Box(geom.Vec3{}, geom.Vec3{X: 9, Y: 9, Z: 9}),
		testmesh.Box(geom.Vec3{X: 9, Y: 9, Z: 9}, geom.Vec3{X: 12, Y: 12, Z: 12}))
	colors := []*brep.Color{nil, nil, nil, nil, nil, nil, &red, &red, &red, &red, &red, &red}
	for _, c := range []struct {
		name        string
		direction   geom.Vec3
		right, down bool // where the red cube is seen
	}{
		{"front", geom.Vec3{Y: -1}, true, false},
		{"back", geom.Vec3{Y: 1}, false, false},
		{"right", geom.Vec3{X: 1}, true, false},
		{"left", geom.Vec3{X: -1}, false, false},
		{"top", geom.Vec3{Z: 1}, true, false},
		{"bottom", geom.Vec3{Z: -1}, false, false},
		{"default", geom.Vec3{}, true, false},
	} {
		img := render(t, m, nil, Options{Direction: c.direction, Colors: colors})
		var x, y, n float64
		for j := range defaultSize {
			for i := range defaultSize {
				if p := img.NRGBAAt(i, j); int(p.R) > 2*int(p.G)+20 {
					x, y, n = x+float64(i), y+float64(j), n+1
				}
			}
		}
		if n == 0 {
			t.Errorf("%s: nothing is red", c.name)
			continue
		}
		if right, down := x/n > defaultSize/2, y/n > defaultSize/2; right != c.right || down != c.down {
			t.Errorf("%s: red cube right %v, down %v, want %v, %v", c.name, right, down, c.right, c.down)
		}
	}
}

func TestFlatFacesHaveOneColor(t *testing.T) {
	img := render(t, testmesh.Box(boxLo, boxHi), nil, Options{})
	cam, err := fit(testmesh.Box(boxLo, boxHi), defaultDirection, defaultSize)
	if err != nil {
		t.Fatal(err)
	}
	at := func(p geom.Vec3) color.NRGBA {
		q := cam.point(p).Scale(1.0 / perPixel)
		return img.NRGBAAt(int(q.X), int(q.Y))
	}
	want := at(geom.Vec3{Z: boxHi.Z})
	for i := -9; i <= 9; i++ {
		for j := -9; j <= 9; j++ {
			p := geom.Vec3{X: boxHi.X * float64(i) / 10, Y: boxHi.Y * float64(j) / 10, Z: boxHi.Z}
			if got := at(p); got != want {
				t.Fatalf("top face at %v: color %v, elsewhere %v", p, got, want)
			}
		}
	}
	front, side := at(geom.Vec3{Y: boxLo.Y}), at(geom.Vec3{X: boxHi.X})
	if luminance(want) < luminance(front)+60 || luminance(front) < luminance(side)+15 {
		t.Errorf("top %v, front %v, side %v: want them to differ in this order", want, front, side)
	}
}

func TestSmoothSurfacesHaveNoSpecks(t *testing.T) {
	img := render(t, testmesh.Sphere(geom.Vec3{}, 10, 90), nil, Options{})
	for y := 1; y < defaultSize-1; y++ {
		for x := 1; x < defaultSize-1; x++ {
			if math.Hypot(float64(x)-255.5, float64(y)-255.5) > 0.44*defaultSize-4 {
				continue
			}
			c := luminance(img.NRGBAAt(x, y))
			around := luminance(img.NRGBAAt(x-1, y)) + luminance(img.NRGBAAt(x+1, y)) +
				luminance(img.NRGBAAt(x, y-1)) + luminance(img.NRGBAAt(x, y+1))
			if d := c - around/4; d > 6 || d < -6 {
				t.Fatalf("(%d, %d) differs by %d from its neighbours", x, y, d)
			}
		}
	}
}

func TestConeShadingIsConstantAlongGenerator(t *testing.T) {
	// Seen along the axis, the light falls from the upper left: along a generator nothing may change.
	img := render(t, testmesh.Cone(10, 8, 72), nil, Options{Direction: geom.Vec3{Z: 1}})
	for i := range 72 {
		s, c := math.Sincos(2 * math.Pi * (float64(i) + 0.5) / 72)
		at := func(r float64) int {
			return luminance(img.NRGBAAt(int(defaultSize/2+r*c), int(defaultSize/2+r*s)))
		}
		if near, far := at(25), at(200); near-far > 12 || far-near > 12 {
			t.Errorf("generator %d: %d near the apex, %d near the base", i, near, far)
		}
	}
}

func TestVisibleEdgesAreDrawnHiddenOnesNot(t *testing.T) {
	m := testmesh.Box(boxLo, boxHi)
	edges := testmesh.BoxEdges(boxLo, boxHi)
	cam, err := fit(m, defaultDirection, defaultSize)
	if err != nil {
		t.Fatal(err)
	}
	plain, drawn := render(t, m, nil, Options{}), render(t, m, edges, Options{})
	// The corner (-x, +y, -z) is hidden from the front, right and above, and its three edges with it.
	hidden := geom.Vec3{X: boxLo.X, Y: boxHi.Y, Z: boxLo.Z}
	for _, e := range edges {
		for _, f := range []float64{0.2, 0.35, 0.5, 0.65, 0.8} {
			p := e[0].Lerp(e[1], f)
			q := cam.point(p).Scale(1.0 / perPixel)
			x, y := int(q.X), int(q.Y)
			if e[0] == hidden || e[1] == hidden {
				if drawn.NRGBAAt(x, y) != plain.NRGBAAt(x, y) {
					t.Errorf("hidden edge %v is drawn at (%d, %d)", e, x, y)
				}
				continue
			}
			darkest := math.MaxInt
			for i := range 9 {
				darkest = min(darkest, luminance(drawn.NRGBAAt(x-1+i%3, y-1+i/3)))
			}
			if darkest > 220 {
				t.Errorf("edge %v is not drawn at (%d, %d): %d", e, x, y, darkest)
			}
		}
	}
}

func TestEdgesAreVisibleOnAnyColor(t *testing.T) {
	m := testmesh.Box(boxLo, boxHi)
	cam, err := fit(m, defaultDirection, defaultSize)
	if err != nil {
		t.Fatal(err)
	}
	corner := geom.Vec3{X: boxHi.X, Y: boxLo.Y, Z: boxHi.Z} // all three edges at it are in front
	for _, c := range []brep.Color{{}, {R: 0.3}, {R: 0.3, G: 0.3, B: 0.3}, {R: 0.5, G: 0.5, B: 0.5},
		{R: 1, G: 1, B: 1}} {
		colors := []*brep.Color{&c, &c, &c, &c, &c, &c}
		plain := render(t, m, nil, Options{Colors: colors})
		drawn := render(t, m, testmesh.BoxEdges(boxLo, boxHi), Options{Colors: colors})
		for _, end := range []geom.Vec3{{X: -1}, {Y: 1}, {Z: -1}} {
			q := cam.point(corner.AddScaled(7, end)).Scale(1.0 / perPixel)
			contrast := 0
			for i := range 9 {
				x, y := int(q.X)-1+i%3, int(q.Y)-1+i/3
				d := luminance(drawn.NRGBAAt(x, y)) - luminance(plain.NRGBAAt(x, y))
				contrast = max(contrast, d, -d)
			}
			if contrast < 60 {
				t.Errorf("color %v: the edge along %v changes its pixels by %d only", c, end, contrast)
			}
		}
	}
}

func TestOpenMeshShowsItsInside(t *testing.T) {
	m := testmesh.Box(boxLo, boxHi)
	m.Regions[5].End = m.Regions[5].Start // no lid
	m.Triangles = m.Triangles[:m.Regions[5].Start]
	img := render(t, m, nil, Options{Direction: geom.Vec3{Z: 1}})
	floor := img.NRGBAAt(defaultSize/2, defaultSize/2)
	if lid := render(t, testmesh.Box(boxLo, boxHi), nil, Options{Direction: geom.Vec3{Z: 1}}).
		NRGBAAt(defaultSize/2, defaultSize/2); floor != lid {
		t.Errorf("floor seen from inside is %v, a face seen from outside %v", floor, lid)
	}
}

func TestSameBytesOnAnyNumberOfCores(t *testing.T) {
	m := testmesh.Join(testmesh.Sphere(geom.Vec3{}, 20, 40), testmesh.Box(boxLo, boxHi))
	want := render(t, m, testmesh.BoxEdges(boxLo, boxHi), Options{Size: 333})
	for _, cores := range []int{1, 2, 7} {
		before := runtime.GOMAXPROCS(cores)
		got := render(t, m, testmesh.BoxEdges(boxLo, boxHi), Options{Size: 333})
		runtime.GOMAXPROCS(before)
		if !bytes.Equal(got.Pix, want.Pix) {
			t.Errorf("the picture made on %d cores differs", cores)
		}
	}
}

func TestScaleAndPlaceDoNotMatter(t *testing.T) {
	want := render(t, testmesh.Box(boxLo, boxHi), testmesh.BoxEdges(boxLo, boxHi), Options{})
	for _, c := range []struct {
		name  string
		scale float64
		shift geom.Vec3
	}{
		{"tiny", 1e-6, geom.Vec3{}},
		{"huge", 1e9, geom.Vec3{}},
		{"far away", 1, geom.Vec3{X: 3e6, Y: -2e6, Z: 5e5}},
	} {
		lo, hi := boxLo.Scale(c.scale).Add(c.shift), boxHi.Scale(c.scale).Add(c.shift)
		img := render(t, testmesh.Box(lo, hi), testmesh.BoxEdges(lo, hi), Options{})
		different := 0
		for i := range img.Pix {
			if d := int(img.Pix[i]) - int(want.Pix[i]); d > 3 || d < -3 {
				different++
			}
		}
		if different > len(img.Pix)/1000 {
			t.Errorf("%s: %d of %d bytes differ", c.name, different, len(img.Pix))
		}
	}
}

func TestInvisibleLinesDoNotChangePicture(t *testing.T) {
	m := testmesh.Box(boxLo, boxHi)
	want := render(t, m, nil, Options{})
	far := [][]geom.Vec3{
		{{X: 1e6}, {X: 1e6, Y: 1e300}}, {{Z: math.NaN()}, {}}, {boxHi.Scale(3), boxHi.Scale(4)}, {{}}, nil,
	}
	got := render(t, testmesh.WithSheet(m), far, Options{})
	if !bytes.Equal(got.Pix, want.Pix) {
		t.Error("a region without triangles and lines outside the picture change it")
	}
}

func TestRenderRefuses(t *testing.T) {
	box := func(change func(m *mesh.Mesh)) *mesh.Mesh {
		m := testmesh.Box(boxLo, boxHi)
		change(m)
		return m
	}
	for _, c := range []struct {
		name string
		mesh *mesh.Mesh
		opts Options
		want string
	}{
		{"empty", &mesh.Mesh{}, Options{}, ErrEmpty.Error()},
		{"sheet only", testmesh.WithSheet(&mesh.Mesh{}), Options{}, ErrEmpty.Error()},
		{"one point", testmesh.Box(boxLo, boxLo), Options{}, ErrEmpty.Error()},
		{"not a number", box(func(m *mesh.Mesh) { m.Points[3].X = math.NaN() }), Options{}, "not finite"},
		{"infinite", box(func(m *mesh.Mesh) { m.Points[3].X = math.Inf(1) }), Options{}, "not finite"},
		{"no normals", box(func(m *mesh.Mesh) { m.Regions[2].Normals = nil }), Options{}, "region 2"},
		{"foreign corner", box(func(m *mesh.Mesh) { m.Triangles[11][0] = 0 }), Options{}, "triangle 11 uses"},
		{"negative size", box(func(*mesh.Mesh) {}), Options{Size: -1}, "size -1"},
		{"huge size", box(func(*mesh.Mesh) {}), Options{Size: 100000}, "size 100000"},
	} {
		img, err := Render(c.mesh, nil, c.opts)
		if err == nil || !strings.Contains(err.Error(), c.want) || img != nil {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
	if _, err := Render(&mesh.Mesh{}, nil, Options{}); !errors.Is(err, ErrEmpty) {
		t.Errorf("empty mesh: error %v, want ErrEmpty", err)
	}
}

func TestWritePNG(t *testing.T) {
	img := render(t, testmesh.Sphere(geom.Vec3{}, 1, 12), nil, Options{Size: 50})
	var file bytes.Buffer
	if err := WritePNG(&file, img); err != nil {
		t.Fatal(err)
	}
	back, err := png.Decode(&file)
	if err != nil {
		t.Fatal(err)
	}
	if back.Bounds() != image.Rect(0, 0, 50, 50) {
		t.Errorf("picture of %v, want 50 × 50", back.Bounds())
	}
	for y := range 50 {
		for x := range 50 {
			if got := color.NRGBAModel.Convert(back.At(x, y)); got != img.NRGBAAt(x, y) {
				t.Fatalf("(%d, %d) is %v, want %v", x, y, got, img.NRGBAAt(x, y))
			}
		}
	}
}
