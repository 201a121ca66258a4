package inprocess_test

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/cam/stock/inprocess"
	"millwright.dev/millwright/core/cam/stock/inprocess/inprocesstest"
	"millwright.dev/millwright/core/kernel/geom"
)

// written returns the records of a recorder.
func written(t *testing.T, r *inprocess.Recorder, cells int) (inprocesstest.Head, []inprocesstest.State) {
	t.Helper()
	var file bytes.Buffer
	if err := inprocess.Write(&file, "m", []*inprocess.Recorder{nil, r}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := inprocess.Find(file.Bytes(), 0, cells); !errors.Is(err, inprocess.ErrNone) {
		t.Errorf("a setup without a record: %v", err)
	}
	index, record, err := inprocess.Find(file.Bytes(), 1, cells)
	if err != nil || index.Motion != "m" {
		t.Fatalf("%+v, %v", index, err)
	}
	h, states, err := inprocesstest.Read(record)
	if err != nil {
		t.Fatal(err)
	}
	return h, states
}

// block is a box of material in a lattice.
func block(t *testing.T, l dexel.Lattice, from, to geom.Vec3) *dexel.Stock {
	t.Helper()
	d, err := dexel.NewBlock(l, geom.BoxOf(from, to))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestRaysLieInTheFrameOfTheSetup compares every ray with the box that the lattice holds, from all sides of it.
func TestRaysLieInTheFrameOfTheSetup(t *testing.T) {
	l := dexel.Lattice{Origin: geom.Vec3{X: -1, Y: 2, Z: 3}, Step: 0.5, Count: [3]int{40, 30, 20}}
	first := geom.BoxOf(geom.Vec3{X: 1, Y: 4, Z: 4}, geom.Vec3{X: 17, Y: 14, Z: 11})
	second := geom.BoxOf(geom.Vec3{X: 1, Y: 4, Z: 4}, geom.Vec3{X: 9, Y: 14, Z: 7.25})
	axes := []geom.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}}
	views := 0
	for _, z := range axes {
		for _, x := range axes {
			if math.Abs(x.Dot(z)) > 0 {
				continue
			}
			views++
			f := geom.Frame{Origin: geom.Vec3{X: 7, Y: 8, Z: 9}, X: x, Y: z.Cross(x), Z: z}
			r := inprocess.NewRecorder(l, f)
			r.Add("start", block(t, l, first.Min, first.Max))
			r.Add("op", block(t, l, second.Min, second.Max))
			h, states := written(t, r, 256)
			for k, box := range []geom.Box{first, second} {
				local := geom.BoxOf(f.Local(box.Min), f.Local(box.Max))
				for n, spans := range states[k] {
					x, y := h.X+float64(n%h.Width)*h.Step, h.Y+float64(n/h.Width)*h.Step
					inside := local.Min.X <= x && x <= local.Max.X && local.Min.Y <= y && y <= local.Max.Y
					if inside != (len(spans) == 1) {
						t.Fatalf("frame %v: the ray at (%g, %g) has %v, the box is %v", f, x, y, spans, local)
					}
					if inside && math.Hypot(spans[0][0]-local.Min.Z, spans[0][1]-local.Max.Z) > 2*h.Unit {
						t.Fatalf("frame %v: the ray at (%g, %g) is %v, the box is %v", f, x, y, spans, local)
					}
				}
			}
		}
	}
	if views != 24 {
		t.Errorf("%d views", views)
	}
	tilted := geom.NewFrame(geom.Vec3{}, geom.Vec3{X: 0.1, Z: 1}.Unit(), geom.Vec3{Y: 1})
	if r := inprocess.NewRecorder(l, tilted); r != nil {
		t.Error("a tilted setup has a record")
	}
	var none *inprocess.Recorder
	none.Add("start", nil)
}

// TestThinnedRecordHasFewRays: a large lattice has two records, whose rays are rays of the lattice.
func TestThinnedRecordHasFewRays(t *testing.T) {
	l := dexel.Lattice{Step: 0.25, Count: [3]int{601, 500, 8}}
	r := inprocess.NewRecorder(l, geom.World)
	d := block(t, l, geom.Vec3{}, l.Box().Max)
	r.Add("start", d)
	r.Add("again", d) // changes nothing
	for i, cells := range inprocess.Resolutions {
		h, states := written(t, r, cells)
		if n := h.Width * h.Height; n > 3*cells*cells/2 || float64(n) < float64(cells*cells)/2 {
			t.Errorf("%d cells: %d × %d rays", cells, h.Width, h.Height)
		}
		if c := (h.X/l.Step - 0.5); math.Abs(c-math.Round(c)) > 1e-9 || h.Step != l.Step*float64(2-i) {
			t.Errorf("%d cells: the first ray is at %g, the step %g mm", cells, h.X, h.Step)
		}
		for n, spans := range states[1] {
			if len(spans) != 1 && n%h.Width < h.Width-1 {
				t.Fatalf("%d cells: ray %d has %v", cells, n, spans)
			}
		}
	}
}

// TestFindRefusesOtherFiles: damaged files give errors.
func TestFindRefusesOtherFiles(t *testing.T) {
	for _, file := range []string{"", "{", "x\n", `{"setups":[[{"from":0,"size":9}]]}` + "\n", `{"setups":[[{"from":-1,"size":1}]]}` + "\nab"} {
		if _, _, err := inprocess.Find([]byte(file), 0, 256); err == nil {
			t.Errorf("%q is read", file)
		}
	}
}
