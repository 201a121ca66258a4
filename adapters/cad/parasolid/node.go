package parasolid

import (
	"cmp"
	"fmt"
	"iter"

	"millwright.dev/millwright/adapters/cad/parasolid/internal/xt"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// The node types that mean something here.
const (
	nodeAssembly = 10
	nodeInstance = 11
	nodeBody     = 12
	nodeWorld    = 101

	nodeLine         = 30
	nodeCircle       = 31
	nodeEllipse      = 32
	nodeIntersection = 38
	nodeTrimmedCurve = 133
	nodeBCurve       = 134
	nodeSPCurve      = 137

	nodePlane       = 50
	nodeCylinder    = 51
	nodeCone        = 52
	nodeSphere      = 53
	nodeTorus       = 54
	nodeBlendedEdge = 56
	nodeBlendBound  = 59
	nodeOffset      = 60
	nodeSwept       = 67
	nodeSpun        = 68
	nodeBSurface    = 124
)

// metre is the unit of the format in mm.
const metre = 1000

// marks is a set of nodes of a stream, by their positions.
type marks struct{ bits []uint64 }

// add marks a node, and reports whether it was not marked.
func (m *marks) add(n xt.Node) bool {
	word, bit := n.Place()>>6, uint64(1)<<(n.Place()&63)
	if word >= len(m.bits) {
		m.bits = append(m.bits, make([]uint64, n.Stream().Len()>>6+1-len(m.bits))...)
	}
	is := m.bits[word]&bit == 0
	m.bits[word] |= bit
	return is
}

// chain yields the nodes of a list. It ends at a node that was seen before. So cyclic or merging lists cost no more
// than the number of their nodes.
func chain(first xt.Node, next string, seen *marks) iter.Seq[xt.Node] {
	return func(yield func(xt.Node) bool) {
		for n := first; n.OK() && seen.add(n); n = n.To(next) {
			if !yield(n) {
				return
			}
		}
	}
}

// round yields the nodes of a short list, which may be a ring. It ends when the first node recurs. A cycle that starts
// at a later node ends too, after some nodes have been repeated (Brent, 1980).
func round(first xt.Node, next string) iter.Seq[xt.Node] {
	return func(yield func(xt.Node) bool) {
		last, steps, turn := first, 0, 1
		for n := first; n.OK() && yield(n); steps++ {
			if steps == turn {
				last, steps, turn = n, 0, 2*turn
			}
			if n = n.To(next); n == first || n == last {
				return
			}
		}
	}
}

// fail is the error that a node cannot be used.
func fail(n xt.Node, format string, args ...any) error {
	what := "A node that is missing"
	if n.OK() {
		what = fmt.Sprintf("%s %d", n.Type(), n.Index())
	}
	return &fault.Error{Code: fault.UnreadableFile, Reason: what + " " + fmt.Sprintf(format, args...) + ".",
		Entity: fmt.Sprint("#", n.Index())}
}

// farthest (mm) limits coordinates: the format allows no part larger than a kilometer.
const farthest = 1e9

// pointOf returns a position in mm.
func pointOf(n xt.Node, field string) (geom.Vec3, bool) {
	v, ok := vectorOf(n, field)
	v = v.Scale(metre)
	return v, ok && v.Norm() < farthest
}

// vectorOf returns a vector as it stands.
func vectorOf(n xt.Node, field string) (geom.Vec3, bool) {
	r, ok := n.Three(field)
	v := geom.Vec3{X: r[0], Y: r[1], Z: r[2]}
	return v, ok && v.IsFinite()
}

// frameOf returns the frame of a curve or surface from its origin (mm), axis and reference direction.
func frameOf(n xt.Node, origin, axis, x string) (geom.Frame, error) {
	o, ok := pointOf(n, origin)
	z, okZ := vectorOf(n, axis)
	ref, okX := vectorOf(n, x)
	if !ok || !okZ || !okX || z.Norm() < 0.5 || ref.Norm() < 0.5 {
		return geom.Frame{}, fail(n, "lacks its origin or axes")
	}
	return geom.NewFrame(o, z, ref), nil
}

// lengthOf returns a length in mm that must be positive.
func lengthOf(n xt.Node, field string) (float64, error) {
	if r := n.Real(field) * metre; r > 0 && r < farthest {
		return r, nil
	}
	return 0, fail(n, "has the %s %g m", field, n.Real(field))
}

// labels returns the name and the color that attributes give to an entity, "" and nil without.
func labels(n xt.Node) (name string, color *brep.Color) {
	eachAttribute(n, func(kind string, value xt.Node) {
		switch kind {
		case "SDL/TYSA_UNAME", "SDL/TYSA_NAME", "SWIMPLICITBODYNAME_ID_U", "SW_INTERNAL_BODY_NAME":
			name = cmp.Or(name, value.Text("values"))
		case "SDL/TYSA_COLOUR", "SDL/TYSA_COLOUR_2":
			if v := value.Reals("values"); len(v) == 3 && color == nil {
				color = &brep.Color{R: v[0], G: v[1], B: v[2]}
			}
		}
	})
	return name, color
}

// eachAttribute visits the first value of every attribute of an entity.
func eachAttribute(n xt.Node, visit func(kind string, value xt.Node)) {
	for a := range round(n.To("attributes"), "next") {
		if a.To("owner") != n {
			return // the list of another entity
		}
		if first := a.To("fields"); first.OK() {
			visit(a.To("definition").To("identifier").Text("string"), first)
		}
	}
}
