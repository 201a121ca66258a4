package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"millwright.dev/millwright/bench/primitives"
	"millwright.dev/millwright/compute/device"
)

func TestClaims(t *testing.T) {
	row := func(primitive, device string, size int, seconds float64) primitives.Row {
		return primitives.Row{Primitive: primitive, Device: device, Size: size, Seconds: seconds, FirstSeconds: 2 * seconds,
			ItemsPerSecond: float64(size) / seconds}
	}
	rows := []primitives.Row{
		row("visibility-part", "cpu", 1e8, 2), row("visibility-part", "gpu", 1e8, 0.6),
		row("height-map", "cpu", 100, 1), row("height-map", "gpu", 100, 1), // a smaller size counts for nothing
		row("height-map", "cpu", 1e6, 60), row("height-map", "gpu", 1e6, 0.9),
		row("offset-height", "cpu", 1e6, 40), row("offset-height", "gpu", 1e6, 0.1),
		row("sweep", "cpu", 1e7, 1), row("sweep", "gpu", 1e7, 0.25),
	}
	want := []claim{
		{"visibility of 100000000 samples, first call, s", "< 1", 1.2, false},
		{"visibility of 100000000 samples, s", "< 1", 0.6, true},
		{"height map and offset of 1000000 cells, speed over the processor", "≥ 50", 100, true},
		{"sweep, dexel updates/s", "≥ 1e8", 4e7, false},
	}
	got := claims(rows, "cpu", "gpu")
	if len(got) != len(want) {
		t.Fatalf("%v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
	if got := claims(rows[4:5], "cpu", "gpu"); len(got) != 0 {
		t.Errorf("without the device: %v", got)
	}
}

func TestVisitIsWritten(t *testing.T) {
	v := &visit{
		Processor: "some", Threads: 16, Device: device.Info{Renderer: "card", Version: "4.6"},
		Ceilings:    []primitives.Backend{{Name: "cpu"}, {Name: "card"}},
		Claims:      []claim{{"speed", "≥ 2", 3, true}},
		Conformance: []primitives.Verdict{{Primitive: "sweep", Failures: []string{"a|b"}}},
		Rows:        []primitives.Row{{Primitive: "sweep", Device: "cpu", Size: 10, Seconds: 1}},
		LeftOut:     []string{"the rest"},
	}
	c := deviceCmd{Out: t.TempDir()}
	if err := c.write(v); err != nil {
		t.Fatal(err)
	}
	if files, _ := filepath.Glob(filepath.Join(c.Out, "device.*")); len(files) != 2 {
		t.Errorf("written: %v", files)
	}
	var b bytes.Buffer
	if err := v.markdown(&b); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"## card", "| speed | ≥ 2 | 3 | true |", `a\|b`, "| sweep | 10 | cpu |", "Left out: the rest."} {
		if !strings.Contains(b.String(), part) {
			t.Errorf("no %q in\n%s", part, b.String())
		}
	}
}
