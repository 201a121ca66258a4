package main

import (
	"fmt"
	"io"
	"math"
	"slices"

	"millwright.dev/millwright/bench/corpus"
)

// The limits within which two kernels must agree.
const (
	sameShare      = 1e-3 // of volume and area
	sameBounds     = 1e-3 // mm, or
	sameBoundShare = 1e-5 // of the part's diagonal, whichever is larger
	meshShare      = 5e-3 // of the exact volume, by which the mesh's may differ
)

// row is one file of a corpus: what millwright finds, what the reference says and how they compare.
type row struct {
	File  string `json:"file"`
	Bytes int64  `json:"bytes"`
	measured
	Truth *corpus.Truth `json:"truth,omitempty"`
	Same  *same         `json:"same,omitempty"` // only where the reference found a solid
	// OCCT's own figures in the same run, with --oracle.
	OCCTMs    float64 `json:"occtMs,omitempty"`
	OCCTBytes int64   `json:"occtPeakBytes,omitempty"`
	// OCCTTriangles is the number of triangles of its mesh at the same tolerances.
	OCCTTriangles int `json:"occtTriangles,omitempty"`
}

// same says how the figures of a file compare with the reference's: the first two must be equal,
// the others are differences that must stay within the limits.
type same struct {
	Solids, Faces bool
	Volume, Area  float64 // relative
	Bounds        float64 // mm
	BoundsLimit   float64 // mm
}

func (r *row) ok() bool { return r.Code == "" && r.Reason == "" }

// compare fills Same. The reference counts where it found a solid.
func (r *row) compare() {
	t := r.Truth
	if t == nil || t.Solids == 0 || !r.ok() {
		return
	}
	s := &same{Solids: r.Solids == t.Solids, Faces: r.Faces == t.Faces,
		Volume: relative(r.Volume, t.Volume), Area: relative(r.Area, t.Area)}
	s.Bounds, s.BoundsLimit = compareBounds(r.Bounds, t)
	r.Same = s
}

func relative(got, want float64) float64 {
	if got == want {
		return 0
	}
	return math.Abs(got-want) / math.Max(math.Abs(got), math.Abs(want))
}

// compareBounds returns the difference of the box from the reference's, in mm, and its limit. The exact box of the
// reference also contains curves that bound no face, and its mesh lies inside the shape by up to its chord tolerance.
// The better of both comparisons counts. If there is only the mesh, its box may be smaller by that much.
func compareBounds(got [6]float64, t *corpus.Truth) (difference, limit float64) {
	diagonal := math.Hypot(math.Hypot(got[3]-got[0], got[4]-got[1]), got[5]-got[2])
	limit = max(sameBounds, sameBoundShare*diagonal)
	var mesh, exact, outside float64
	for i := range got {
		mesh = max(mesh, math.Abs(got[i]-t.MeshBox[i]))
		exact = max(exact, math.Abs(got[i]-t.Box[i]))
		inward := got[i] - t.MeshBox[i] // of ours, behind the reference's mesh
		if i >= 3 {
			inward = -inward
		}
		outside = max(outside, inward)
	}
	switch {
	case t.Box != [6]float64{}:
		return min(mesh, exact), limit
	case mesh <= t.Chord:
		return max(0, outside), limit
	}
	return mesh, limit
}

func (s *same) all() bool {
	return s.Solids && s.Faces && s.Volume <= sameShare && s.Area <= sameShare && s.Bounds <= s.BoundsLimit
}

// summary counts over a corpus.
type summary struct {
	Files, Read                       int
	Reference                         int // files in which the reference finds a solid
	Counts, Volume, Area, Bounds, All int // of these: how many agree
	Meshes, Watertight, MeshVolume    int // files with solids, and those whose mesh is right
	Deviating                         int // of the meshes: a face or edge beyond the chord tolerance, or a flip
	Ms                                float64
	// With --oracle: geometric means of OCCT / millwright over the files both read.
	Ratios       int     `json:",omitempty"`
	Speed        float64 `json:",omitempty"`
	SlowestRatio float64 `json:",omitempty"`
	Slowest      string  `json:",omitempty"`
	Memory       float64 `json:",omitempty"`
	Triangles    float64 `json:",omitempty"` // millwright / OCCT, a geometric mean
	Meshed       int     `json:",omitempty"` // files with both meshes
	Exceptions   []string
}

func summarize(rows []row) summary {
	var s summary
	var logSpeed, logMemory, logTriangles float64
	for i := range rows {
		r := &rows[i]
		s.Files++
		s.reference(r)
		if !r.ok() {
			continue
		}
		s.Read++
		s.Ms += r.ReadMs + r.MeshMs
		s.mesh(r)
		s.size(r)
		if r.OCCTTriangles > 0 && r.Triangles > 0 {
			s.Meshed++
			logTriangles += math.Log(float64(r.Triangles) / float64(r.OCCTTriangles))
		}
		if r.OCCTMs > 0 {
			speed := r.OCCTMs / (r.ReadMs + r.MeshMs)
			logSpeed += math.Log(speed)
			logMemory += math.Log(float64(r.OCCTBytes) / float64(r.PeakBytes))
			if s.Ratios++; s.Ratios == 1 || speed < s.SlowestRatio {
				s.SlowestRatio, s.Slowest = speed, r.File
			}
		}
	}
	if s.Ratios > 0 {
		s.Speed, s.Memory = math.Exp(logSpeed/float64(s.Ratios)), math.Exp(logMemory/float64(s.Ratios))
	}
	if s.Meshed > 0 {
		s.Triangles = math.Exp(logTriangles / float64(s.Meshed))
	}
	return s
}

const (
	manyTriangles = 3         // times those of OCCT
	largePeak     = 300 << 20 // bytes, below
	largeMesh     = 1_000_000 // triangles
)

// size names files that take more triangles or memory than they should.
func (s *summary) size(r *row) {
	if n := r.OCCTTriangles; n > 0 && r.Triangles > manyTriangles*n {
		s.Exceptions = append(s.Exceptions, fmt.Sprintf("%s: %d triangles, OCCT takes %d", r.File, r.Triangles, n))
	}
	if r.PeakBytes > largePeak && r.Triangles < largeMesh {
		s.Exceptions = append(s.Exceptions,
			fmt.Sprintf("%s: %.0f MB for %d triangles", r.File, megabytes(r.PeakBytes), r.Triangles))
	}
}

func (s *summary) reference(r *row) {
	if r.Truth == nil || r.Truth.Solids == 0 {
		return
	}
	s.Reference++
	if !r.ok() {
		s.Exceptions = append(s.Exceptions, fmt.Sprintf("%s: not read: %s", r.File, r.Reason))
		return
	}
	c := r.Same
	add(&s.Counts, c.Solids && c.Faces)
	add(&s.Volume, c.Volume <= sameShare)
	add(&s.Area, c.Area <= sameShare)
	add(&s.Bounds, c.Bounds <= c.BoundsLimit)
	add(&s.All, c.all())
	if !c.all() {
		s.Exceptions = append(s.Exceptions, fmt.Sprintf(
			"%s: %d solids, %d faces (reference %d, %d), volume %.3g, area %.3g, bounds %.3g mm apart",
			r.File, r.Solids, r.Faces, r.Truth.Solids, r.Truth.Faces, c.Volume, c.Area, c.Bounds))
	}
}

func (s *summary) mesh(r *row) {
	if r.Solids == 0 {
		return
	}
	s.Meshes++
	add(&s.Watertight, r.Watertight)
	add(&s.Deviating, r.Deviation != nil && r.Deviation.over())
	add(&s.MeshVolume, relative(r.MeshVolume, r.Volume) <= meshShare)
	if !r.Watertight || relative(r.MeshVolume, r.Volume) > meshShare {
		s.Exceptions = append(s.Exceptions, fmt.Sprintf("%s: watertight %v, mesh volume off by %.3g",
			r.File, r.Watertight, relative(r.MeshVolume, r.Volume)))
	}
}

func add(n *int, yes bool) {
	if yes {
		*n++
	}
}

func (s *summary) print(w io.Writer) {
	share := func(n, of int) string {
		if of == 0 {
			return "none"
		}
		return fmt.Sprintf("%d of %d (%.2f %%)", n, of, 100*float64(n)/float64(of))
	}
	p := func(format string, args ...any) { _, _ = fmt.Fprintf(w, format+"\n", args...) }
	p("read: %s files, read + mesh %.0f ms in all", share(s.Read, s.Files), s.Ms)
	p("beside the reference, where it finds a solid: same solids and faces %s, volume %s, area %s, bounds %s, "+
		"all %s",
		share(s.Counts, s.Reference), share(s.Volume, s.Reference), share(s.Area, s.Reference),
		share(s.Bounds, s.Reference), share(s.All, s.Reference))
	p("meshes: watertight %s, volume within %g %% of exact %s, "+
		"beyond the chord tolerance or flipped somewhere %d",
		share(s.Watertight, s.Meshes), 100*meshShare, share(s.MeshVolume, s.Meshes), s.Deviating)
	if s.Ratios > 0 {
		p("OCCT / millwright, geometric means over %d files: read + mesh %.2f (lowest %.2f, %s), peak memory %.2f",
			s.Ratios, s.Speed, s.SlowestRatio, s.Slowest, s.Memory)
	}
	if s.Meshed > 0 {
		p("triangles, millwright / OCCT at the same tolerances: %.2f in geometric mean over %d files", s.Triangles, s.Meshed)
	}
	for _, e := range slices.Sorted(slices.Values(s.Exceptions)) {
		p("exception: %s", e)
	}
}
