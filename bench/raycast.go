package main

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"millwright/compute/bvh"
	"millwright/compute/primitive"
	"millwright/compute/raycast"
	"millwright/core/mesh"
)

// raycastCmd compares the casting of arbitrary rays with Embree's: same mesh, and from the centroids of its triangles,
// a little off them along the ray, the same rays in the same directions, which ask for any hit.
type raycastCmd struct{ embree }

// Run prints one row per mesh.
func (c *raycastCmd) Run() error {
	c.settle()
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(w, "mesh\ttriangles\trays\tembree 1 M/s\tembree 16 M/s\tany M/s\tratio 1\tratio 16\tnearest M/s\t"+
		"differ\tagreement %\t")
	for _, path := range c.Meshes {
		if err := c.compare(w, path); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Printf("%d threads each, runs in turn; M/s = 10^6 rays per second of the fastest run; embree 1 casts single rays, "+
		"embree 16 packets of parallel ones.\n", c.Threads)
	return nil
}

func (c *raycastCmd) compare(w *tabwriter.Writer, path string) error {
	m, err := readSTL(path)
	if err != nil {
		return err
	}
	tree, err := bvh.New(m.Points, m.Triangles, c.Threads)
	if err != nil {
		return err
	}
	in := raycast.Input{Tree: tree, Rays: c.rays(m)}
	seconds := [4]float64{math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1)} // embree 1, embree 16, any, nearest
	var theirs, ours []uint64
	for range c.Repeat {
		for i, packets := range []int{1, embreePackets} {
			r, err := c.run(path, len(m.Triangles), 1, packets)
			if err != nil {
				return err
			}
			seconds[i] = min(seconds[i], r.seconds)
			theirs = r.masks
		}
		for i, any := range []bool{true, false} {
			in.Any = any
			start := time.Now()
			out, err := raycast.Primitive.Run(context.Background(), primitive.OnCPU(c.Threads), in)
			if err != nil {
				return err
			}
			seconds[2+i] = min(seconds[2+i], time.Since(start).Seconds())
			ours = free(&out, len(m.Triangles))
		}
	}
	differ := 0
	for i := range ours {
		differ += bits.OnesCount64(ours[i] ^ theirs[i])
	}
	n := float64(len(in.Rays))
	rate := func(i int) float64 { return n / seconds[i] / 1e6 }
	_, _ = fmt.Fprintf(w, "%s\t%d\t%d\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%d\t%.5f\t\n", filepath.Base(path),
		len(m.Triangles), len(in.Rays), rate(0), rate(1), rate(2), rate(2)/rate(0), rate(2)/rate(1), rate(3),
		differ, 100-100*float64(differ)/n)
	return nil
}

// rays are those of the comparison program, direction by direction.
func (c *raycastCmd) rays(m *mesh.Mesh) []raycast.Ray {
	s := newCentroids(m, c.Dirs)
	rays := make([]raycast.Ray, 0, c.Dirs*len(m.Triangles))
	for _, d := range s.in.Directions {
		for _, t := range m.Triangles {
			p := m.Points[t[0]].Add(m.Points[t[1]]).Add(m.Points[t[2]]).Scale(1.0 / 3)
			rays = append(rays, raycast.Ray{
				Origin: p.AddScaled(offSurface*s.diagonal, d), Direction: d, TMax: math.Inf(1),
			})
		}
	}
	return rays
}

// free returns for each triangle the bits of the directions in which its ray meets nothing.
func free(out *raycast.Output, triangles int) []uint64 {
	masks := make([]uint64, triangles)
	for i, met := range out.Triangle {
		if met < 0 {
			masks[i%triangles] |= 1 << (i / triangles)
		}
	}
	return masks
}
