package trim

import (
	"fmt"
	"math"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// From a face to a Domain
//
// The loops of a face are closed in space but not in the parameter plane: on a closed surface they may run around it,
// cross its seam, pass its poles, or leave out the seam altogether.
//
//  1. walk.go unwraps every loop into a chain. The first sample is inverted from scratch, each further
//     one next to its predecessor, so that the chain unwraps over periods by continuity; a seam edge
//     used twice falls on both sides of the period by itself. Where a chain passes a pole (pole.go) it
//     follows the collapsed line from the direction of arrival to the direction of departure, with the
//     face on its left.
//  2. A chain that returns to its start is a polygon; one that returns some periods further on
//     is a ring. ring.go sorts the rings across their direction, pairs each with the next one above
//     or with a pole, and joins the pair by a cut that the polygon uses up and down, one period apart.
//     cut.go finds cuts that cross nothing, through holes if need be.
//  3. region.go separates outer polygons from holes by signed area, reverses loops in the wrong
//     direction, and moves holes by whole periods into their outer polygon. A closed surface without
//     an outer polygon is covered whole (natural.go).
//  4. tidy.go separates vertices whose samples inversion put at the same parameters.
//
// The method is the usual one of B-rep kernels (see e.g. Rockwood, Heaton and Davis, Real-time rendering of trimmed
// surfaces, SIGGRAPH 1989, for trimming in the parameter plane). It uses neither the file's flags for outer bounds nor
// its parameter curves. Cost: one inversion per sample, O(n) for the rest, O(n·candidates) for a cut; planes need no
// inversion.
//
// Not handled: loops that truly cross themselves or each other (they stay unchanged), and surfaces whose collapsed
// lines are neither u = const nor v = const.

// Options steer the sampling of lines that are not edges of the model.
type Options struct {
	ChordTolerance float64 // mm: largest distance of a cut from the surface between two of its points
	AngleTolerance float64 // rad: largest turn of a cut between two of its points; 0 = no limit
	CutLength      float64 // mm: largest distance between two points of a cut; 0 = no limit
}

// Error is a face whose loops bound no region.
type Error struct {
	Face   brep.FaceID
	Name   string // of the face, as brep.Model.FaceName has it
	Reason string // the error, a clause without the face
}

func (e *Error) Error() string { return e.Name + ": " + e.Reason }

// Builder builds Domains and keeps their memory: a Domain is valid until the next Build. The zero value is ready; a
// Builder is not safe for concurrent use.
type Builder struct {
	model   *brep.Model
	face    brep.FaceID
	sampler Sampler
	opts    Options

	surf   surface.Surface
	period [2]float64 // 0 where the surface is not periodic
	ranges [2]geom.Interval
	poles  []pole
	off    float64 // mm: a sample farther from the surface is inverted again from scratch

	steps  []step
	chains []chain
	verts  []Vertex // of the chains, and of the rings made for whole surfaces
	rings  []int    // chains that run around the surface
	discs  []int    // chains that close in the parameter plane
	flat   int      // loops of fewer than three samples, which enclose nothing
	spans  []span   // the polygons in out
	out    []Vertex
	doubts []doubt
	legs   []leg
	cuts   []cutPoint
	tries  []candidate
	// nearest reports that legs end at the nearest vertex rather than straight ahead.
	nearest bool
	used    []bool // discs that a cut has made part of an outer polygon, by chain
	domain  Domain
}

// span is a polygon under construction: out[lo:hi].
type span struct{ lo, hi int }

// chain is a loop unwrapped into the parameter plane: verts[lo:hi]. The piece of the last vertex leads back to the
// first one moved by turns whole periods.
type chain struct {
	lo, hi   int
	turns    [2]int
	area     float64 // signed, of a disc
	min, max geom.Vec2
}

func (c *chain) isRing() bool { return c.turns != [2]int{} }

// Build returns the domain of a face. Errors are *Error.
func (b *Builder) Build(m *brep.Model, f brep.FaceID, s Sampler, o Options) (*Domain, error) {
	b.begin(m, f, s, o)
	if b.surf.Kind() == surface.KindFacets {
		return nil, b.fail("it is made of triangles, which have no common parameter plane")
	}
	for _, l := range m.Faces[f].Loops {
		if err := b.layOut(l); err != nil {
			return nil, err
		}
	}
	if b.flat > 0 && len(b.chains) == 0 {
		return &b.domain, nil
	}
	if err := b.assemble(); err != nil {
		return nil, err
	}
	b.tidy()
	d := &b.domain
	for _, p := range b.spans {
		d.Polygons = append(d.Polygons, b.out[p.lo:p.hi:p.hi])
	}
	return d, nil
}

func (b *Builder) begin(m *brep.Model, f brep.FaceID, s Sampler, o Options) {
	b.model, b.face, b.sampler, b.opts = m, f, s, o
	b.surf = m.Faces[f].Surface
	b.period[0], b.period[1] = b.surf.Periods()
	b.ranges[0], b.ranges[1] = b.surf.Domain()
	b.poles = b.poles[:0]
	if b.surf.Kind() != surface.KindPlane {
		for _, g := range b.surf.Singularities() {
			b.poles = append(b.poles, newPole(g))
		}
	}
	b.off = math.Max(m.Tolerance.Length, geom.Resolution)
	b.chains, b.verts = b.chains[:0], b.verts[:0]
	b.rings, b.discs, b.flat = b.rings[:0], b.discs[:0], 0
	b.spans, b.out = b.spans[:0], b.out[:0]
	b.domain = Domain{Polygons: b.domain.Polygons[:0], Extra: b.domain.Extra[:0]}
}

func (b *Builder) fail(format string, args ...any) error {
	return &Error{b.face, b.model.FaceName(b.face).Text, fmt.Sprintf(format, args...)}
}

// shifted returns uv moved by whole periods.
func (b *Builder) shifted(uv geom.Vec2, turns [2]int) geom.Vec2 {
	return geom.Vec2{
		X: uv.X + float64(turns[0])*b.period[0],
		Y: uv.Y + float64(turns[1])*b.period[1],
	}
}

// addExtra adds a point of the surface and returns its Vertex.Index.
func (b *Builder) addExtra(p geom.Vec3) int32 {
	b.domain.Extra = append(b.domain.Extra, p)
	return ^int32(len(b.domain.Extra) - 1)
}
