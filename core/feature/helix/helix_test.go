package helix_test

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/helix"
	"millwright.dev/millwright/core/kernel/geom"
)

// Threads that another kernel modeled have the sizes that they were made with, and no other part has one.
func TestThreadsOfParts(t *testing.T) {
	type size struct {
		lead, pitch, major, minor, flank, low, high float64 // mm, flank in degrees
		starts                                      int
		isLeft, isInner                             bool
	}
	want := map[string]size{
		"threaded_pin": {lead: 1.25, pitch: 1.25, major: 8, minor: 6.6, flank: 60, low: 4.516, high: 9.234, starts: 1},
		"threaded_bush": {lead: 1.5, pitch: 1.5, major: 12, minor: 10.4, flank: 60, low: 2.943, high: 8.557, starts: 1,
			isInner: true},
		"lead_screw": {lead: 6, pitch: 3, major: 12, minor: 9, flank: 30, low: 4.198, high: 14.802, starts: 2,
			isLeft: true},
	}
	for _, name := range featuretest.Names {
		g := featuretest.Graph(t, name)
		threads, err := helix.Find(t.Context(), g)
		if err != nil {
			t.Fatal(err)
		}
		w, ok := want[name]
		if !ok && len(threads) > 0 || ok && len(threads) != 1 {
			t.Errorf("%s has %d threads", name, len(threads))
			continue
		}
		if !ok {
			continue
		}
		th := &threads[0]
		for what, pair := range map[string][2]float64{
			"lead": {th.Lead, w.lead}, "pitch": {th.Pitch(), w.pitch}, "major diameter": {th.Major, w.major},
			"minor diameter": {th.Minor, w.minor}, "low end": {th.Along.Lo, w.low}, "high end": {th.Along.Hi, w.high},
			"angle": {geom.Degrees(th.Flank) / 100, w.flank / 100},
		} {
			if math.Abs(pair[0]-pair[1]) > 2e-3 {
				t.Errorf("%s: %s %v, want %v", name, what, pair[0], pair[1])
			}
		}
		if th.Starts != w.starts || th.Left != w.isLeft || th.Inner != w.isInner || th.Axis.Axis != (geom.Vec3{Z: 1}) {
			t.Errorf("%s: starts %d, left %v, inner %v, axis %v", name, th.Starts, th.Left, th.Inner, th.Axis.Axis)
		}
		// All faces between the diameters belong to the thread.
		for p := range g.Patches {
			r := g.Reach(int32(p), &th.Axis)
			isIn := r.Lo >= th.Minor/2-1e-3 && r.Hi <= th.Major/2+1e-3 && r.Lo > 0.1
			if is := slices.Contains(th.Patches, int32(p)) || slices.Contains(th.Lands, int32(p)); is != isIn {
				t.Errorf("%s: patch %d, from %v to %v, is of the thread: %v", name, p, r.Lo, r.Hi, is)
			}
		}
	}
}

// A mirrored screw has the opposite hand and is otherwise equal.
func TestMirroredThreads(t *testing.T) {
	g := featuretest.Graph(t, "threaded_pin")
	before, err := helix.Find(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	m := *g
	mirrored := *g.Mesh
	mirrored.Points = slices.Clone(g.Mesh.Points)
	for i := range mirrored.Points {
		mirrored.Points[i].X *= -1
	}
	mirrored.Triangles = slices.Clone(g.Mesh.Triangles)
	for i := range mirrored.Triangles {
		mirrored.Triangles[i][1], mirrored.Triangles[i][2] = mirrored.Triangles[i][2], mirrored.Triangles[i][1]
	}
	mirrored.Regions = slices.Clone(g.Mesh.Regions)
	for i := range mirrored.Regions {
		mirrored.Regions[i].Normals = slices.Clone(mirrored.Regions[i].Normals)
		for k := range mirrored.Regions[i].Normals {
			mirrored.Regions[i].Normals[k].X *= -1
		}
	}
	m.Mesh, m.Patches = &mirrored, slices.Clone(g.Patches) // round about the z axis, which stays where it is
	after, err := helix.Find(t.Context(), (*graph.Graph)(&m))
	if err != nil || len(after) != 1 {
		t.Fatalf("%d threads, error %v", len(after), err)
	}
	a, b := before[0], after[0]
	if a.Left == b.Left || math.Abs(a.Lead-b.Lead) > 1e-9 || math.Abs(a.Major-b.Major) > 1e-9 || a.Starts != b.Starts {
		t.Errorf("%+v mirrored is %+v", a, b)
	}
}
