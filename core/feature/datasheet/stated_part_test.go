package datasheet_test

import (
	"context"
	"errors"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/datasheet"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/gdt"
	"millwright.dev/millwright/core/kernel/gdt/limit"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// drilled is a plate with a blind hole, and the faces of its wall.
func drilled(diameter, depth float64) (*brep.Model, []gdt.Face) {
	m := build.Plate(geom.Vec3{X: 60, Y: 40, Z: 20}, build.Style{},
		build.Hole{Center: pt(25, 20), Profile: build.Blind(diameter, depth, geom.Radians(118))})
	var wall []gdt.Face
	for f := range m.Faces {
		if m.Faces[f].Surface.Kind() == surface.KindCylinder {
			wall = append(wall, gdt.Face(f))
		}
	}
	return m, wall
}

func TestBandsAndThreadsAsStated(t *testing.T) {
	general := object{"radialLower": -0.1, "radialUpper": 0.1, "axialLower": -0.2, "axialUpper": 0.2,
		"source": "general"}
	for _, c := range []struct {
		name      string
		dimension *gdt.Dimension
		note      *gdt.Note
		want      object
	}{
		{"nothing", nil, nil, object{"toleranceBand": general, "facts": object{"thread": nil}}},
		{"diameter", &gdt.Dimension{Kind: "diameter", Nominal: 9, HasNominal: true, Lower: -0.02, Upper: 0.06,
			HasLower: true, HasUpper: true}, nil,
			object{"toleranceBand": object{"radialLower": -0.01, "radialUpper": 0.03, "axialLower": -0.2,
				"axialUpper": 0.2, "source": "pmi"}}},
		{"radius", &gdt.Dimension{Kind: "radius", Lower: -0.02, Upper: 0.06, HasLower: true, HasUpper: true}, nil,
			object{"toleranceBand": object{"radialLower": -0.02, "radialUpper": 0.06, "source": "pmi"}}},
		{"depth", &gdt.Dimension{Kind: "depth", Lower: -0.3, Upper: 0.5, HasLower: true, HasUpper: true}, nil,
			object{"toleranceBand": object{"radialUpper": 0.1, "axialLower": -0.3, "axialUpper": 0.5,
				"source": "pmi"}}},
		{"one limit only", &gdt.Dimension{Kind: "diameter", Upper: 0.06, HasUpper: true}, nil,
			object{"toleranceBand": general}},
		{"for reference", &gdt.Dimension{Kind: "diameter", Lower: -1, Upper: 1, HasLower: true, HasUpper: true,
			Reference: true}, nil, object{"toleranceBand": general}},
		{"basic", &gdt.Dimension{Kind: "diameter", Lower: -1, Upper: 1, HasLower: true, HasUpper: true, Basic: true},
			nil, object{"toleranceBand": general}},
		{"thread in a note", nil, &gdt.Note{Kind: gdt.NoteThread, Thread: &gdt.Thread{Series: "M", Diameter: 10,
			Pitch: 1, Depth: 7}}, object{"facts": object{"thread": object{"designation": "M10x1", "pitch": 1.0,
			"depth": 7.0, "source": "pmi"}}}},
		{"thread without a depth", nil, &gdt.Note{Text: "1/2-13  UNC", Thread: &gdt.Thread{Series: "UNC",
			Diameter: 12.7, Pitch: 25.4 / 13, Inch: true}}, object{"facts": object{"thread": object{
			"designation": "1/2-13 UNC", "depth": 12.0, "source": "pmi"}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, wall := drilled(9, 12)
			if c.dimension != nil {
				c.dimension.Faces = wall
				m.PMI.Dimensions = append(m.PMI.Dimensions, *c.dimension)
			}
			if c.note != nil {
				c.note.Faces = wall
				m.PMI.Notes = append(m.PMI.Notes, *c.note)
			}
			expect(t, measured(t, m), feature.Hole, c.want)
		})
	}
}

func TestThreadsByDrill(t *testing.T) {
	m, _ := drilled(4.2, 13)
	expect(t, measured(t, m), feature.Hole, object{"facts": object{"diameter": 4.2, "tipAngleDeg": 118.0,
		"thread": object{"designation": "M5x0.8", "pitch": 0.8, "depth": 13.0, "source": "inferred"}}})
}

// Nobody limits the diameter of a hole that is to be tapped, so one that is limited is plain.
func TestNoThreadAgainstTheFile(t *testing.T) {
	inferred := object{"designation": "M5x0.8", "source": "inferred"}
	for _, c := range []struct {
		name string
		d    gdt.Dimension
		want any
	}{
		{"limits", gdt.Dimension{Kind: "diameter", Nominal: 4.2, Lower: -0.02, Upper: 0.1, HasLower: true, HasUpper: true}, nil},
		{"limits of a radius", gdt.Dimension{Kind: "radius", Nominal: 2.1, HasLower: true, HasUpper: true, Upper: 0.1}, nil},
		{"within its limits", gdt.Dimension{Kind: "diameter", Nominal: 4.25, Lower: -0.1, HasLower: true, HasUpper: true}, nil},
		{"a fit", gdt.Dimension{Kind: "diameter", Nominal: 4.2, Fit: "H7"}, nil},
		{"basic", gdt.Dimension{Kind: "diameter", Nominal: 4.2, Basic: true}, nil},
		{"no limits", gdt.Dimension{Kind: "diameter", Nominal: 4.2}, inferred},
		{"for reference", gdt.Dimension{Kind: "diameter", Nominal: 4.2, HasLower: true, HasUpper: true, Reference: true},
			inferred},
		{"of something wider", gdt.Dimension{Kind: "counterbore diameter", Nominal: 8, HasLower: true, HasUpper: true},
			inferred},
		{"a depth", gdt.Dimension{Kind: "depth", Nominal: 4.2, HasLower: true, HasUpper: true}, inferred},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, wall := drilled(4.2, 13)
			c.d.Faces, c.d.HasNominal = wall, true
			m.PMI.Dimensions = append(m.PMI.Dimensions, c.d)
			expect(t, measured(t, m), feature.Hole, object{"facts": object{"thread": c.want}})
		})
	}
}

// A hole in the floor of a pocket is reached through the pocket.
func TestExtendedRange(t *testing.T) {
	m := build.Milled("nest", build.Rectangle(90, 70), 30, build.Style{}, []build.Cut{{
		Profile: build.Moved(build.Rounded(50, 40, 6), pt(15, 15)), Depth: 12,
		Holes: []build.Hole{{Center: pt(40, 35), Profile: build.Blind(7, 8, geom.Radians(180))}},
	}})
	s := measured(t, m)
	expect(t, s, feature.Hole, object{"zMin": 10.0, "zMax": 18.0, "extendedZMin": 10.0, "extendedZMax": 30.0,
		"facts": object{"depth": 8.0, "bottom": "flat"}})
	expect(t, s, feature.Pocket, object{"zMin": 18.0, "extendedZMin": 18.0, "extendedZMax": 30.0,
		"facts": object{"volume": (2000 - (4-3.14159265359)*36) * 12, "islandCount": 0.0}})
}

func TestClassOfGeneralTolerances(t *testing.T) {
	m, _ := drilled(9, 12)
	run := measured(t, m).run
	for _, c := range []struct {
		class limit.Class
		want  float64
	}{{"", 0.1}, {limit.Fine, 0.05}, {limit.Medium, 0.1}, {limit.Coarse, 0.25}, {limit.VeryCoarse, 0.5}} {
		all, err := datasheet.Measure(context.Background(), run, datasheet.Options{Class: c.class})
		if err != nil {
			t.Fatal(err)
		}
		for i := range all {
			if b := all[i].ToleranceBand; all[i].FeatureType == feature.Hole && !near(b.RadialUpper, c.want) {
				t.Errorf("class %q: ±%v, want ±%v", c.class, b.RadialUpper, c.want)
			}
		}
	}
}

func TestMeasureStops(t *testing.T) {
	m, _ := drilled(9, 12)
	run := measured(t, m).run
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := datasheet.Measure(ctx, run, datasheet.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context gave %v", err)
	}
	only := make([]bool, len(run.Features))
	only[0] = true
	all, err := datasheet.Measure(context.Background(), run, datasheet.Options{Only: only})
	if err != nil || all[0].Facts == nil || all[1].Facts != nil {
		t.Errorf("only the first was wanted: %v, %+v", err, all)
	}
	odd := *run
	odd.Features = append(odd.Features[:0:0], run.Features...)
	odd.Features[0].Type = "Thing"
	if _, err := datasheet.Measure(context.Background(), &odd, datasheet.Options{}); err == nil {
		t.Error("a kind without facts gave no error")
	}
}
