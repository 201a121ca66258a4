package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// The documented limits for parts whose chord tolerance may become coarser.
const (
	mostTriangles = 1_000_000
	mostMegabytes = 600
)

// TestHugePartsTakeBoundedMemory meshes small files of huge parts, each with something else that takes triangles.
func TestHugePartsTakeBoundedMemory(t *testing.T) {
	whole(t)
	dir := t.TempDir()
	var files []string
	add := func(name, text string) {
		file := filepath.Join(dir, name+".step")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	// Meters or hundreds of meters, for parts made in millimeters.
	for name, unit := range map[string]string{"torus": "$", "freeform_dome": ".HECTO.", "turned_part": ".HECTO."} {
		text, err := os.ReadFile(filepath.Join("..", "..", "adapters", "cad", "step", "testdata", name+".step"))
		if err != nil {
			t.Fatal(err)
		}
		add(name, strings.ReplaceAll(string(text), "(.MILLI.,.METRE.)", "("+unit+",.METRE.)"))
	}
	add("ball", text(build.Sphere(100_000, build.Style{})))
	add("roundings", text(roundings()))
	args := append([]string{"analyze", "-o", "json", "--out", filepath.Join(dir, "out")}, files...)
	stdout, stderr, status := millwright(t, args...)
	if status != 0 {
		t.Fatalf("exit status %d: %s", status, stderr)
	}
	coarser := 0
	for line := range strings.Lines(stdout) {
		var got struct {
			File              string
			Warnings          []fault.Warning
			Watertight        bool
			MeshTriangleCount int64
			PeakRSSBytes      int64 `json:"peakRssBytes"`
		}
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatal(err)
		}
		name, n := filepath.Base(got.File), got.MeshTriangleCount
		t.Logf("%s: %d triangles, %d MB, %v", name, n, got.PeakRSSBytes>>20, got.Warnings)
		if n > mostTriangles || !got.Watertight {
			t.Errorf("%s: %d triangles, watertight %t", name, n, got.Watertight)
		}
		if mb := got.PeakRSSBytes >> 20; mb > mostMegabytes {
			t.Errorf("%s: %d MB", name, mb)
		}
		if slices.ContainsFunc(got.Warnings, func(w fault.Warning) bool { return w.Code == tessellate.WarnBudget }) {
			coarser++
		}
	}
	if coarser != len(files) {
		t.Errorf("%d of %d parts have a coarser mesh and say so", coarser, len(files))
	}
}

func text(m *brep.Model) string {
	w := &steptest.Text{}
	w.Part(w.Model(m)...)
	return w.File()
}

// roundings are 600 blocks along 200 m, with four rounded edges each.
func roundings() *brep.Model {
	block := build.Prism("block", build.Rounded(200, 300, 40), 5000, build.Style{})
	m := &brep.Model{}
	for i := range 600 {
		m.Append(block, geom.Translation(geom.Vec3{X: 333 * float64(i)}))
	}
	return m
}
