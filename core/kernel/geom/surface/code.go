package surface

import (
	"encoding/binary"
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/bspline"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/pack"
)

// The stored form of curves and surfaces.
//
// Stored are the arguments from which a curve or surface was built, and the few figures that depend on its history or
// need evaluations (a closed seam, a collapsed side). Everything else is derived again, so that the restored one
// evaluates to the same bits. Those behind a pointer are written at their first use and by their number afterward, so
// that sharing is restored. Knot vectors are shared whenever they are equal. Reading evaluates nothing.
//
// Restored geometry satisfies the invariants that its constructors check; whether it makes sense is not checked.

// Archive serializes curves and surfaces.
type Archive struct {
	*pack.Archive
	facets func(g *Archive, s *Surface)
	depth  int

	// The numbers of the written curves and surfaces, in the order of their completion.
	curveNumber   map[curve.Curve]uint64
	surfaceNumber map[Surface]uint64
	knotsNumber   map[string]uint64 // by degree and bits
	// The curves and surfaces read, by number.
	curves   []curve.Curve
	surfaces []Surface
	knots    []*bspline.Knots
}

// NewCoder returns an archive of geometry that reads or writes c. facets serializes the surfaces of KindFacets, whose
// package imports this one.
func NewCoder(c *pack.Archive, facets func(g *Archive, s *Surface)) *Archive {
	return &Archive{
		Archive: c, facets: facets, curveNumber: make(map[curve.Curve]uint64),
		surfaceNumber: make(map[Surface]uint64), knotsNumber: make(map[string]uint64),
	}
}

// Each curve or surface begins with a number: absent if it is nil, its kind plus firstKind, or, if it was written
// before, its index plus firstNumber.
const (
	absent      = 0
	firstKind   = 1
	firstNumber = 32
)

// deepest is the largest depth of curves and surfaces built on each other. Valid files stay far below it; in damaged
// bytes the recursion would be unbounded.
const deepest = 64

// Curve serializes a curve, which may be nil.
func (g *Archive) Curve(v *curve.Curve) {
	head := uint64(absent)
	if c := *v; !g.Reading() && c != nil {
		head = firstKind + uint64(c.Kind())
		if c.Kind() > curve.KindParabola {
			if n, ok := g.curveNumber[c]; ok {
				head = firstNumber + n
			}
		}
	}
	g.Uint(&head)
	if head == absent || head >= firstNumber {
		if g.Reading() {
			*v = known(g, g.curves, head)
		}
		return
	}
	g.enter()
	kind := curve.Kind(head - firstKind)
	if kind <= curve.KindParabola {
		g.conic(kind, v)
	} else {
		g.builtCurve(kind, v)
		if g.curves = append(g.curves, *v); !g.Reading() {
			g.curveNumber[*v] = uint64(len(g.curves) - 1)
		}
	}
	g.depth--
}

// Surface serializes a surface, which may be nil.
func (g *Archive) Surface(v *Surface) {
	head := uint64(absent)
	if s := *v; !g.Reading() && s != nil {
		head = firstKind + uint64(s.Kind())
		if s.Kind() > KindTorus {
			if n, ok := g.surfaceNumber[s]; ok {
				head = firstNumber + n
			}
		}
	}
	g.Uint(&head)
	if head == absent || head >= firstNumber {
		if g.Reading() {
			*v = known(g, g.surfaces, head)
		}
		return
	}
	g.enter()
	kind := Kind(head - firstKind)
	if kind <= KindTorus {
		g.analytic(kind, v)
	} else {
		g.builtSurface(kind, v)
		if g.surfaces = append(g.surfaces, *v); !g.Reading() {
			g.surfaceNumber[*v] = uint64(len(g.surfaces) - 1)
		}
	}
	g.depth--
}

// known returns the curve, surface or knot vector that the number head refers to.
func known[V any](g *Archive, list []V, head uint64) (v V) {
	if head == absent {
		return v
	}
	if n := head - firstNumber; n < uint64(len(list)) {
		return list[n]
	}
	g.Fail("geometry %d is used before its definition", head-firstNumber)
	return v
}

func (g *Archive) enter() {
	if g.depth++; g.depth > deepest {
		g.Fail("curves and surfaces are built on each other more than %d deep", deepest)
	}
}

// hand stores the read value, unless there is an error.
func hand[I, V any](g *Archive, to *I, v V, err error) {
	if !g.Reading() || g.Err() != nil {
		return
	}
	if err != nil {
		g.Fail("%v", err)
		return
	}
	*to = any(v).(I)
}

// base serializes the curve on which another is built, and returns false after an error, also if the curve is missing.
func (g *Archive) base(c *curve.Curve) bool {
	if g.Curve(c); *c == nil {
		g.Fail("the curve that another is built on is missing")
	}
	return g.Err() == nil
}

// support is the same as base for a surface.
func (g *Archive) support(s *Surface) bool {
	if g.Surface(s); *s == nil {
		g.Fail("the surface that another is built on is missing")
	}
	return g.Err() == nil
}

func (g *Archive) interval(iv *geom.Interval) { g.Floats(&iv.Lo, &iv.Hi) }

// Knots serializes a knot vector.
func (g *Archive) Knots(v **bspline.Knots) {
	var flat []float64
	var degree, head uint64
	if !g.Reading() {
		degree, flat = uint64((*v).Degree()), (*v).Flat()
		key := binary.AppendUvarint(make([]byte, 0, 8*len(flat)+1), degree)
		for _, t := range flat {
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(t))
		}
		if n, ok := g.knotsNumber[string(key)]; ok {
			head = n + 1
		} else {
			g.knotsNumber[string(key)] = uint64(len(g.knotsNumber))
		}
	}
	g.Uint(&head)
	if head > 0 {
		if g.Reading() {
			*v = known(g, g.knots, firstNumber+head-1)
		}
		return
	}
	g.Uint(&degree)
	g.Row(&flat)
	if !g.Reading() || g.Err() != nil {
		return
	}
	p := int(min(degree, bspline.MaxDegree+1))
	k, err := bspline.NewKnots(p, len(flat)-p-1, flat)
	if err != nil {
		g.Fail("%v", err)
		return
	}
	*v = k
	g.knots = append(g.knots, k)
}
