package step

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"millwright/core/brep"
	"millwright/core/geom"
	"millwright/core/service"
)

// seeds are small files that between them use most of the entities.
func seeds() []string {
	var out []string
	add := func(build func(w *text)) {
		w := &text{}
		build(w)
		out = append(out, w.file())
	}
	add(func(w *text) { w.part(w.box(geom.Vec3{}, geom.Vec3{X: 1, Y: 2, Z: 3})) })
	add(func(w *text) { w.part(facets(w)) })
	add(func(w *text) {
		context := w.context()
		child, rep, origin := w.component("box", context)
		at := w.placement(geom.Vec3{X: 10}, unitZ, unitY)
		top := w.add("SHAPE_REPRESENTATION('',(%s),%s)", at, context)
		w.use(w.product("whole", top), child, rep, top, origin, at)
	})
	add(func(w *text) {
		at := w.placement(geom.Vec3{}, unitZ, unitX)
		v := w.vertex(geom.Vec3{X: 2})
		var faces []string
		for _, s := range []string{"SPHERICAL_SURFACE('',%s,2.)", "TOROIDAL_SURFACE('',%s,5.,1.)",
			"DEGENERATE_TOROIDAL_SURFACE('',%s,1.,2.,.F.)", "CONICAL_SURFACE('',%s,1.,0.5)"} {
			edge := w.add("EDGE_CURVE('',%s,%s,%s,.F.)", v, v, circle(w))
			bound := w.add("FACE_BOUND('',%s,.F.)",
				w.add("EDGE_LOOP('',(%s))", w.add("ORIENTED_EDGE('',*,*,%s,.F.)", edge)))
			faces = append(faces, w.add("ADVANCED_FACE('',(%s),%s,.T.)", bound, w.add(s, at)))
		}
		w.part(w.add("MANIFOLD_SOLID_BREP('',%s)", w.add("CLOSED_SHELL('',%s)", list(faces...))))
	})
	for _, s := range surfaceSamples {
		add(func(w *text) {
			a, b := w.vertex(geom.Vec3{X: 2}), w.vertex(geom.Vec3{Y: 2})
			edge := w.add("EDGE_CURVE('',%s,%s,%s,.T.)", a, b, spline(w))
			bound := w.add("FACE_BOUND('',%s,.F.)",
				w.add("EDGE_LOOP('',(%s))", w.add("ORIENTED_EDGE('',*,*,%s,.F.)", edge)))
			face := w.add("ADVANCED_FACE('',(%s),%s,.T.)", bound, s.write(w))
			w.part(w.add("SHELL_BASED_SURFACE_MODEL('',(%s))", w.add("OPEN_SHELL('',(%s))", face)))
		})
	}
	return out
}

// FuzzRead reads any bytes: a model whose references are sound, or a *service.Failure, in bounded time.
func FuzzRead(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data string) {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m, err := Read(ctx, strings.NewReader(data), int64(len(data)), Options{MaxInstances: 1000, MaxFaces: 10000})
		runtime.ReadMemStats(&after)
		const allowed = 256 << 20 // bytes allocated for a file of a few kB
		if grown := after.TotalAlloc - before.TotalAlloc; len(data) < 1<<16 && grown > allowed {
			t.Fatalf("%d bytes allocated for a file of %d", grown, len(data))
		}
		var failure *service.Failure
		if err != nil && !errors.As(err, &failure) {
			t.Fatalf("error %v is no failure", err)
		}
		if err != nil {
			return
		}
		for _, p := range brep.Check(m) {
			if p.Code == brep.BadReference {
				t.Fatalf("%s: %s", p.Code, p.Detail)
			}
		}
	})
}
