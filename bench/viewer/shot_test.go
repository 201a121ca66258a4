//go:build gpu

package viewer

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/sweep"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/shaders"
)

// The colors that distinguish pictures under any light.
const (
	nothing = iota // of the part
	gray
	red
	yellow
	green
	blue
)

func classOf(c color.NRGBA) int {
	r, g, b := int(c.R), int(c.G), int(c.B)
	most, least := max(r, g, b), min(r, g, b)
	switch {
	case most < 40:
		return nothing
	case 6*(most-least) < most:
		return gray
	case b == most:
		return blue
	case r == most && 2*g > r && g > 2*b:
		return yellow
	case r == most:
		return red
	}
	return green
}

// classes counts pixels and connected regions, but for specks, by their color.
func classes(p *image.NRGBA) (pixels, regions [blue + 1]int) {
	const speck = 60 // pixels
	b := p.Bounds()
	seen := make([]bool, b.Dx()*b.Dy())
	for start := range seen {
		if seen[start] {
			continue
		}
		seen[start] = true
		class, n := classOf(p.NRGBAAt(start%b.Dx(), start/b.Dx())), 0
		for open := []int{start}; len(open) > 0; n++ {
			x, y := open[len(open)-1]%b.Dx(), open[len(open)-1]/b.Dx()
			open = open[:len(open)-1]
			for _, q := range []image.Point{{X: x + 1, Y: y}, {X: x - 1, Y: y}, {X: x, Y: y + 1}, {X: x, Y: y - 1}} {
				if at := q.Y*b.Dx() + q.X; q.In(b) && !seen[at] && classOf(p.NRGBAAt(q.X, q.Y)) == class {
					seen[at] = true
					open = append(open, at)
				}
			}
		}
		if pixels[class] += n; n >= speck {
			regions[class]++
		}
	}
	return pixels, regions
}

// at returns the color at a place of the part.
func (v *viewer) at(p *image.NRGBA, place geom.Vec3) int {
	f, s := v.Camera.frame(), v.Camera.scale(v.part.diagonal, v.Width, v.Height)
	q := f.LocalDir(place.Sub(v.part.box.Center()))
	x, y := (1+q.X*float64(s[0]))/2*float64(v.Width), (1-q.Y*float64(s[1]))/2*float64(v.Height)
	return classOf(p.NRGBAAt(int(x), int(y)))
}

// seeTable opens a viewer on the machine's graphics device or a software renderer.
func seeTable(t *testing.T) *viewer {
	t.Helper()
	v, err := newViewer(Options{Mesh: table(), Camera: Front, Width: 480, Height: 400}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.gpu.Close)
	return v
}

func take(t *testing.T, v *viewer, k Kernel, step int) *image.NRGBA {
	t.Helper()
	v.Kernel, v.Step = k, step
	title, p, err := v.shot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Log(title)
	return p
}

func TestPicturesShowWhatKernelsMade(t *testing.T) {
	v := seeTable(t)
	under, beside, roof := geom.Vec3{X: 20, Y: 17, Z: 10}, geom.Vec3{X: 20, Y: 5, Z: 10}, geom.Vec3{X: 20, Y: 20, Z: 28}
	type spot struct {
		place geom.Vec3
		want  int
	}
	for _, c := range []struct {
		name    string
		kernel  Kernel
		step    int
		regions [blue + 1]int
		spots   []spot
	}{
		{"from above", Visibility, 0, [...]int{nothing: 1, gray: 1, green: 1, red: 1, blue: 0},
			[]spot{{under, red}, {beside, green}, {roof, green}, {geom.Vec3{X: 20, Z: 5}, green}}},
		{"from below", Visibility, 1, [...]int{nothing: 1, gray: 1, green: 1, red: 1, blue: 0},
			[]spot{{under, red}, {beside, red}, {roof, red}, {geom.Vec3{X: 20, Z: 5}, green}}},
		{"heights", HeightMap, 0, [...]int{nothing: 1, gray: 1, yellow: 1, green: 1, blue: 1},
			[]spot{{beside, blue}, {roof, yellow}, {geom.Vec3{X: 20, Y: 20, Z: -5}, nothing}}},
		{"tips", TipMap, 0, [...]int{nothing: 1, gray: 1, red: 1, blue: 2},
			[]spot{{beside, blue}, {roof, blue}, {geom.Vec3{X: 20, Y: 8.4, Z: 26}, red}}},
	} {
		p := take(t, v, c.kernel, c.step)
		pixels, regions := classes(p)
		if regions != c.regions {
			t.Errorf("%s: regions %v of %v pixels, want %v", c.name, regions, pixels, c.regions)
		}
		for _, s := range c.spots {
			if got := v.at(p, s.place); got != s.want {
				t.Errorf("%s: at %v the colour is %d, want %d", c.name, s.place, got, s.want)
			}
		}
	}
}

func TestDexelsAreCutRowByRow(t *testing.T) {
	v := seeTable(t)
	v.Camera.Pitch = 1.2 // rad: into the block
	before := [blue + 1]int{gray: v.Width * v.Height}
	for _, step := range []int{0, pathRows / 2, pathRows - 1} {
		pixels, _ := classes(take(t, v, Dexels, step))
		cut := pixels[red] + pixels[green] + pixels[blue]
		if pixels[gray] >= before[gray] || cut <= before[red]+before[green]+before[blue] {
			t.Errorf("after row %d: pixels %v, before %v", step, pixels, before)
		}
		before = pixels
	}
	// The last row has gone over all of the block: the cutter's marks are seen, and the roof's top among them.
	if before[blue] < before[gray] {
		t.Errorf("after the last row: pixels %v", before)
	}
}

// TestDexelsLookTheSameFromTheProcessor: those of a sweep that outgrows the device come from there. Between the discs
// of the second tool thin layers stay, for which the device has to make more room on a ray.
func TestDexelsLookTheSameFromTheProcessor(t *testing.T) {
	v := seeTable(t)
	same := func(step int) {
		t.Helper()
		want, _ := classes(take(t, v, Dexels, step))
		s := v.scenes[[2]int{int(Dexels), step}]
		if want[blue] == 0 || strings.HasPrefix(s.backend, "cpu") {
			t.Errorf("%s; pixels %v", s.title, want)
		}
		out, err := sweep.Primitive.Run(t.Context(), primitive.OnCPU(0), *s.stock)
		if err != nil {
			t.Fatal(err)
		}
		if err := v.upload(t.Context(), s, out.Stock); err != nil {
			t.Fatal(err)
		}
		s.results = v.keeper.results
		got, _ := classes(take(t, v, Dexels, step))
		for class := range got {
			if d := got[class] - want[class]; max(d, -d) > v.Width*v.Height/1000 {
				t.Errorf("pixels %v, want %v", got, want)
				break
			}
		}
	}
	same(3)
	var discs toolprofile.Profile
	r, high := 0.08*v.part.diagonal, 0.03*v.part.diagonal
	for i := range 12 {
		z, neck := float64(i)*high, 0.5*r
		if i == 0 {
			neck = 0
		}
		discs = append(discs, toolprofile.Segment{From: geom.Vec2{X: neck, Y: z}, To: geom.Vec2{X: r, Y: z}},
			toolprofile.Segment{From: geom.Vec2{X: r, Y: z}, To: geom.Vec2{X: r, Y: z + high/2}},
			toolprofile.Segment{From: geom.Vec2{X: r, Y: z + high/2}, To: geom.Vec2{X: r / 2, Y: z + high/2}},
			toolprofile.Segment{From: geom.Vec2{X: r / 2, Y: z + high/2}, To: geom.Vec2{X: r / 2, Y: z + high}})
	}
	v.part.tools[5].profile = discs
	same(4)
}

// TestCameraTurnsWhatIsOnTheDevice: another view of a scene moves no byte between processor and device.
func TestCameraTurnsWhatIsOnTheDevice(t *testing.T) {
	v := seeTable(t)
	for k := range Names {
		v.Camera = Front
		first := take(t, v, Kernel(k), 3)
		before := v.gpu.Stats()
		v.Camera.Orbit(60, -20)
		turned := take(t, v, Kernel(k), 3)
		v.Camera = Front
		back := take(t, v, Kernel(k), 3+v.part.steps(Kernel(k))) // steps count round
		after := v.gpu.Stats()
		if after.BytesUp != before.BytesUp || after.BytesDown != before.BytesDown {
			t.Errorf("%v: to turn it took %d bytes up and %d down", Kernel(k),
				after.BytesUp-before.BytesUp, after.BytesDown-before.BytesDown)
		}
		differ := 0
		for i := range first.Pix {
			if first.Pix[i] != turned.Pix[i] {
				differ++
			}
		}
		if differ < len(first.Pix)/50 {
			t.Errorf("%v: turned, %d of %d bytes differ", Kernel(k), differ, len(first.Pix))
		}
		if !bytes.Equal(first.Pix, back.Pix) {
			t.Errorf("%v: turned back, the picture is another", Kernel(k))
		}
	}
}

func TestShotWritesAPicture(t *testing.T) {
	seeTable(t).gpu.Close()
	var file bytes.Buffer
	o := Options{Mesh: table(), Kernel: HeightMap, Camera: Front, Width: 200, Height: 100}
	title, err := Shot(t.Context(), o, &file)
	if err != nil || title == "" {
		t.Fatalf("%q, %v", title, err)
	}
	p, err := png.Decode(&file)
	if err != nil || p.Bounds() != image.Rect(0, 0, 200, 100) {
		t.Errorf("%v, %v", p, err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := Shot(ended, o, &file); err == nil {
		t.Error("after the end of the context: no error")
	}
}

// TestASecondCompilerReadsTheShaders compiles the shaders with a second compiler, because one driver accepts code that
// another rejects.
func TestASecondCompilerReadsTheShaders(t *testing.T) {
	validator, err := exec.LookPath("glslangValidator")
	if err != nil {
		t.Skip("no glslangValidator (package glslang-tools)")
	}
	p := newPainter()
	for name, defines := range map[string][]string{
		"visibility.vert": nil, "heights.vert": {"TIP"}, "dexels.vert": {"ROOM 8u", "SIDE 32u"}, "arrow.vert": nil,
		"lit.frag": nil,
	} {
		source, err := shaders.Expand(p.sources, name, defines)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(validator, path).CombinedOutput(); err != nil {
			t.Errorf("%s", device.Explain(name, source, string(out)))
		}
	}
}
