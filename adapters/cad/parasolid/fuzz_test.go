package parasolid_test

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"millwright/adapters/cad/parasolid"
	"millwright/adapters/cad/parasolid/internal/xttest"
	"millwright/core/brep"
	"millwright/core/brep/build"
	"millwright/core/fault"
	"millwright/core/geom"
)

// seeds are small parts that between them use most nodes, in all encodings.
func seeds(t testing.TB) [][]byte {
	forms, err := build.Forms()
	if err != nil {
		t.Fatal(err)
	}
	plate := build.Plate(geom.Vec3{X: 4, Y: 3, Z: 1}, build.Style{},
		build.Hole{Center: geom.Vec2{X: 2, Y: 1}, Profile: build.Through(1, 1)})
	neutral := xttest.Form{Encoding: xttest.Neutral, Schema: 30000, Embedded: true}
	out := [][]byte{[]byte(ball), encoded(plate, xttest.Options{Charts: 6, Tolerant: true}, neutral)}
	for _, f := range encodings {
		out = append(out, encoded(plate, xttest.Options{Rings: true}, f))
	}
	for _, m := range forms {
		if len(m.Faces) < 4 {
			out = append(out, encoded(m, xttest.Options{}, xttest.Form{Encoding: xttest.Neutral}))
		}
	}
	for _, by := range []support{onFaces, onCliff, onOffset, onBounds, onParams} {
		s, _ := rounded(t, 5, by)
		out = append(out, s.Encode(neutral))
	}
	return out
}

// FuzzRead reads any bytes: a model whose references are sound, or a *fault.Error, in bounded time.
func FuzzRead(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m, err := parasolid.Read(ctx, bytes.NewReader(data), int64(len(data)))
		runtime.ReadMemStats(&after)
		const allowed = 1 << 30 // bytes allocated for a file of a few kB, whose instances may multiply
		if grown := after.TotalAlloc - before.TotalAlloc; len(data) < 1<<16 && grown > allowed {
			t.Fatalf("%d bytes allocated for a file of %d", grown, len(data))
		}
		var failure *fault.Error
		if err != nil && !errors.As(err, &failure) {
			t.Fatalf("error %v is no failure", err)
		}
		if err != nil {
			return
		}
		for _, p := range brep.Check(m) {
			if p.Code == brep.BadReference {
				t.Fatalf("%s: %s", p.Code, p.Message)
			}
		}
	})
}
