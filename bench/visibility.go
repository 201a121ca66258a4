package main

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"runtime"
	"text/tabwriter"
	"time"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/visibility"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// visibilityCmd compares the visibility of triangle centroids with Embree's occlusion rays: same mesh, same
// directions, the same origins a little off the surface along the direction. Every triangle counts as a
// sample in every direction on both sides; one that faces away is blocked by the material under it.
type visibilityCmd struct {
	Program string   `name:"embree" required:"" help:"Path of the Embree comparison program."`
	Dirs    int      `default:"64" help:"Directions, spread over the sphere; at most 64."`
	Threads int      `default:"0" help:"Threads of both, 0 for all processors."`
	Repeat  int      `default:"5" help:"Runs of each, in turn."`
	Meshes  []string `arg:"" type:"existingfile" help:"Binary STL files of closed meshes."`
}

const (
	// offSurface is the distance of a ray's start from the surface, as a share of the diagonal; the comparison program
	// uses the same.
	offSurface = 1e-5

	// grazingShare is the sideways shift of a ray that tests whether it grazes a surface, as a share of the diagonal:
	// some ten times the rounding of float32 over the part.
	grazingShare = 1e-5

	// grazingCosine is the cosine between the normal and the direction below which a ray counts as grazing. The ray
	// starts less than 2·10^-7 of the diagonal above its facet there, which float32 does not resolve.
	grazingCosine = 0.02
)

// Run prints one row per mesh.
func (c *visibilityCmd) Run() error {
	c.Dirs, c.Repeat = min(max(c.Dirs, 1), 64), max(c.Repeat, 1)
	if c.Threads <= 0 {
		c.Threads = runtime.GOMAXPROCS(0)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(w, "mesh\ttriangles\tdirections\tembree M/s\tours M/s\tratio\t"+
		"embree cpu ns\tours cpu ns\tratio\t"+
		"facing\tgrazing\tclear\tdiffer\tagreement %\t")
	for _, path := range c.Meshes {
		if err := c.compare(w, path); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Printf("%d threads each, runs in turn; M/s = 10^6 samples per second of the fastest run, one sample per "+
		"triangle and direction; cpu ns = processor time of all runs per sample.\n", c.Threads)
	fmt.Printf("grazing: |normal · direction| < %g, or an answer that changes when the ray is shifted by %g of the "+
		"diagonal to any of four sides.\n", grazingCosine, grazingShare)
	return nil
}

func (c *visibilityCmd) compare(w *tabwriter.Writer, path string) error {
	m, err := readSTL(path)
	if err != nil {
		return err
	}
	scene := newCentroids(m, c.Dirs)
	t, err := c.race(path, scene)
	if err != nil {
		return err
	}
	a, err := scene.agree(c.Threads, t.ours.masks, t.embree.masks)
	if err != nil {
		return err
	}
	samples := len(m.Triangles) * c.Dirs
	rate := func(r *runs) float64 { return float64(samples) / r.seconds / 1e6 }
	spent := func(r *runs) float64 { return r.cpuMs * 1e6 / float64(samples*c.Repeat) }
	_, _ = fmt.Fprintf(w, "%s\t%d\t%d\t%.1f\t%.1f\t%.2f\t%.1f\t%.1f\t%.2f\t%d\t%d\t%d\t%d\t%.5f\t\n",
		filepath.Base(path), len(m.Triangles), c.Dirs,
		rate(&t.embree), rate(&t.ours), rate(&t.ours)/rate(&t.embree),
		spent(&t.embree), spent(&t.ours), spent(&t.embree)/spent(&t.ours),
		a.facing, a.grazing, samples-a.grazing, a.differ, 100-100*float64(a.differ)/float64(samples-a.grazing))
	return nil
}

// runs sums up the runs of one program.
type runs struct {
	masks   []uint64 // per triangle, the bits of the directions it is visible along
	seconds float64  // of the fastest run
	cpuMs   float64  // of all runs, without reading and building
}

// race runs both in turn, so that both meet the same load of the machine.
func (c *visibilityCmd) race(path string, scene *centroids) (t struct{ embree, ours runs }, err error) {
	t.embree.seconds, t.ours.seconds = math.Inf(1), math.Inf(1)
	for range c.Repeat {
		// What reading and building cost is the difference between one and two times all directions.
		once, err := c.embree(path, len(scene.center), 1)
		if err != nil {
			return t, err
		}
		twice, err := c.embree(path, len(scene.center), 2)
		if err != nil {
			return t, err
		}
		t.embree.masks = once.masks
		t.embree.seconds = min(t.embree.seconds, once.seconds, twice.seconds)
		t.embree.cpuMs += twice.cpuMs - once.cpuMs
		ours, err := scene.measure(c.Threads)
		if err != nil {
			return t, err
		}
		t.ours.masks = ours.masks
		t.ours.seconds = min(t.ours.seconds, ours.seconds)
		t.ours.cpuMs += ours.cpuMs
	}
	return t, nil
}

// centroids is a mesh with a sample at the centroid of every triangle.
type centroids struct {
	in       visibility.Input
	diagonal float64 // mm
	center   [][3]float32
}

func newCentroids(m *mesh.Mesh, dirs int) *centroids {
	box := m.Bounds()
	s := &centroids{diagonal: box.Diagonal()}
	s.in = visibility.Input{Points: m.Points, Triangles: m.Triangles, Origin: box.Center()}
	for i, t := range m.Triangles {
		p := m.Points[t[0]].Add(m.Points[t[1]]).Add(m.Points[t[2]]).Scale(1.0 / 3).Sub(s.in.Origin)
		n := m.Normal(i)
		s.center = append(s.center, [3]float32{float32(p.X), float32(p.Y), float32(p.Z)})
		s.in.Normals = append(s.in.Normals, [3]float32{float32(n.X), float32(n.Y), float32(n.Z)})
	}
	for i := range dirs { // the spiral of the comparison program
		z := 1 - 2*(float64(i)+0.5)/float64(dirs)
		sin, cos := math.Sincos(float64(i) * 2.399963229728653)
		r := math.Sqrt(1 - z*z)
		s.in.Directions = append(s.in.Directions, geom.Vec3{X: r * cos, Y: r * sin, Z: z}.Unit())
	}
	return s
}

// see returns the bits of the directions per triangle. The rays start off the surface along their direction
// and are shifted sideways by so many mm along the axes x and y of the view.
func (s *centroids) see(e primitive.CPU, x, y float64) ([]uint64, error) {
	masks := make([]uint64, len(s.center))
	in := s.in
	in.Samples = make([][3]float32, len(s.center))
	for d, dir := range s.in.Directions {
		f := geom.NewFrame(geom.Vec3{}, dir, geom.Vec3{})
		shift := f.X.Scale(x).AddScaled(y, f.Y).AddScaled(offSurface*s.diagonal, dir)
		for i, p := range s.center {
			in.Samples[i] = [3]float32{p[0] + float32(shift.X), p[1] + float32(shift.Y), p[2] + float32(shift.Z)}
		}
		in.Directions = []geom.Vec3{dir}
		out, err := visibility.Primitive.Run(context.Background(), e, in)
		if err != nil {
			return nil, err
		}
		for i := range masks {
			if out.Visible(0, i) {
				masks[i] |= 1 << d
			}
		}
	}
	return masks, nil
}

// measure times all directions in one call. Its rays start at the centroids themselves: as only triangles
// facing against the rays can stop them, they need not be off the surface.
func (s *centroids) measure(threads int) (runs, error) {
	in := s.in
	in.Samples = s.center
	start, before := time.Now(), processorMs()
	out, err := visibility.Primitive.Run(context.Background(), primitive.OnCPU(threads), in)
	if err != nil {
		return runs{}, err
	}
	r := runs{make([]uint64, len(s.center)), time.Since(start).Seconds(), processorMs() - before}
	for d := range s.in.Directions {
		for i := range r.masks {
			if out.Visible(d, i) {
				r.masks[i] |= 1 << d
			}
		}
	}
	return r, nil
}

// agreement counts samples: one per triangle and direction.
type agreement struct{ facing, grazing, differ int }

// agree compares the answers of all samples that do not graze.
func (s *centroids) agree(threads int, ours, theirs []uint64) (agreement, error) {
	var a agreement
	e := primitive.OnCPU(threads)
	grazing := make([]uint64, len(ours))
	side := grazingShare * s.diagonal
	for _, shift := range [][2]float64{{side, 0}, {-side, 0}, {0, side}, {0, -side}} {
		other, err := s.see(e, shift[0], shift[1])
		if err != nil {
			return a, err
		}
		for i := range grazing {
			grazing[i] |= other[i] ^ ours[i]
		}
	}
	for i, n := range s.in.Normals {
		for d, dir := range s.in.Directions {
			c := float64(n[0])*dir.X + float64(n[1])*dir.Y + float64(n[2])*dir.Z
			if c > 0 {
				a.facing++
			}
			if math.Abs(c) < grazingCosine {
				grazing[i] |= 1 << d
			}
		}
		a.grazing += bits.OnesCount64(grazing[i])
		a.differ += bits.OnesCount64((ours[i] ^ theirs[i]) &^ grazing[i])
	}
	return a, nil
}
