package parasolid

import (
	"math"

	"millwright.dev/millwright/adapters/cad/parasolid/internal/xt"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/geom"
)

// Limits for nested instances, whose number of bodies can grow exponentially.
const (
	maxInstances = 1 << 18
	maxDepth     = 64 // nesting levels of assemblies
)

// placer resolves the instances of a part.
type placer struct {
	*Part
	bodies map[xt.Node]*Body
	seen   marks // regions, shells and faces
	err    error
}

// place finds the bodies of the part: the bodies placed by the assembly at the root, or else all bodies. The root is an
// assembly, a body, a world of bodies (a partition), or a list of several of these.
func (p *Part) place() error {
	w := &placer{Part: p, bodies: map[xt.Node]*Body{}}
	if root := p.stream.Root(); root.Kind() == nodeAssembly {
		w.assembly(root, geom.Identity, 0)
	}
	if len(p.instances) == 0 {
		for b := range p.stream.Of(nodeBody) {
			w.add(b, geom.Identity)
		}
	}
	return w.err
}

func (w *placer) add(n xt.Node, at geom.Transform) {
	if len(w.instances) >= maxInstances {
		w.err = fault.Errorf(fault.TooComplex, "The Parasolid assembly has more than %d bodies.", maxInstances)
		return
	}
	b, ok := w.bodies[n]
	if !ok {
		b = newBody(n, &w.seen)
		w.bodies[n] = b
	}
	w.instances = append(w.instances, Instance{b, at})
}

// assembly adds the bodies and assemblies that the instances of an assembly place.
func (w *placer) assembly(n xt.Node, at geom.Transform, depth int) {
	if depth > maxDepth {
		w.err = fail(n, "contains itself")
	}
	for in := range round(n.To("sub_instance"), "next_in_part") {
		if w.err != nil {
			return
		}
		own, err := transformOf(in.To("transform"))
		if err != nil {
			w.err = err
			return
		}
		switch part := in.To("part"); part.Kind() {
		case nodeBody:
			w.add(part, at.Mul(own))
		case nodeAssembly:
			w.assembly(part, at.Mul(own), depth+1)
		}
	}
}

// transformOf reads a transform; a missing node is the identity. The columns of the matrix are the images of the axes.
// It is stored row by row.
func transformOf(n xt.Node) (geom.Transform, error) {
	if !n.OK() {
		return geom.Identity, nil
	}
	r := n.Reals("rotation_matrix")
	t, ok := pointOf(n, "translation_vector")
	if len(r) < 9 || !ok {
		return geom.Identity, fail(n, "lacks its matrix")
	}
	scale := n.Real("scale")
	if !(scale > 0) {
		scale = 1
	}
	column := func(i int) geom.Vec3 { return geom.Vec3{X: r[i], Y: r[i+3], Z: r[i+6]}.Scale(scale) }
	m := geom.Transform{X: column(0), Y: column(1), Z: column(2), T: t}
	const square = 1e-6 // of the scale
	l := m.X.Norm()
	for _, off := range []float64{m.X.Dot(m.Y) / l, m.Y.Dot(m.Z) / l, m.Z.Dot(m.X) / l, m.Y.Norm() - l,
		m.Z.Norm() - l} {
		if !(math.Abs(off) <= square*l) {
			return geom.Identity, fail(n, "is not a rotation, reflection or scaling")
		}
	}
	return m, nil
}
