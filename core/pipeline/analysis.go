package pipeline

import (
	"context"
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Analysis is the artifact Summary, the result of a part. Lists are never nil.
type Analysis struct {
	KernelVersion string          `json:"kernelVersion"`
	Warnings      []fault.Warning `json:"warnings"` // of reading, healing, meshing and recognition
	Shape
	MeshFacts
	Regions []Region `json:"regions"`
	Recognition
}

// Shape is the properties of a part without a mesh.
type Shape struct {
	Format   string    `json:"format"` // format of the content
	Solids   int       `json:"solids"`
	Shells   int       `json:"shells"`
	Faces    int       `json:"faces"` // sheet faces included
	Edges    int       `json:"edges"`
	Vertices int       `json:"vertices"`
	Volume   float64   `json:"volume"` // mm³ of the solids, computed from their faces, not from the mesh
	Area     float64   `json:"area"`   // mm² of all faces, computed likewise
	Centroid geom.Vec3 `json:"centroid"`
	Bounds   Bounds    `json:"bounds"`
	PMI      *PMI      `json:"pmi,omitempty"` // nil: no PMI in the file
	// Exact reports whether the faces are exact, and not approximations as in display files; nil: not recorded by early
	// versions.
	Exact *bool    `json:"exact,omitempty"`
	Sag   *float64 `json:"sag,omitempty"` // mm, deviation of the faces; nil: exact, or unknown
}

// IsExact reports whether the shape is exact. Results of early versions have a warning about triangles instead of the
// field.
func (a *Analysis) IsExact() bool {
	if a.Exact != nil {
		return *a.Exact
	}
	return !slices.ContainsFunc(a.Warnings, func(w fault.Warning) bool { return w.Code == "tessellated_shape" })
}

// MeshFacts are the figures of the display mesh.
type MeshFacts struct {
	Watertight        bool    `json:"watertight"`
	MeshVolume        float64 `json:"meshVolume"`
	MeshArea          float64 `json:"meshArea"`
	MeshPointCount    int     `json:"meshPointCount"`
	MeshTriangleCount int     `json:"meshTriangleCount"`
	// MeshChordTolerance is the chord tolerance (mm) of the mesh; it can be finer than requested, or coarser with a
	// warning.
	MeshChordTolerance float64 `json:"meshChordTolerance"`
}

// Region is one face of the part in the display mesh.
type Region struct {
	Idx           int     `json:"idx"`
	SplitOrigin   int     `json:"splitOrigin"`
	ShapeKind     string  `json:"shapeKind"` // Plane, Cylinder, Cone, Sphere, Torus, Freeform
	Area          float64 `json:"area"`      // mm², exact
	TriangleStart int     `json:"triangleStart"`
	TriangleEnd   int     `json:"triangleEnd"`
}

// Recognition is the features of a part.
type Recognition struct {
	Features []PartFeature `json:"features"`
	Holes    []HoleSummary `json:"holes"`
	PartSummary
}

// PartFeature is a recognized feature. FeatureID is given by the service.
type PartFeature struct {
	FeatureID          string     `json:"featureId"`
	FeatureTag         string     `json:"featureTag"`
	RegionIdxs         []int      `json:"regionIdxs"`
	FeatureType        string     `json:"featureType"`
	MachiningDirection geom.Vec3  `json:"machiningDirection"`
	Axis               *geom.Vec3 `json:"axis"`
	// AlternativeOf are the tags of features that share faces with this one; machining one of them is enough.
	AlternativeOf []string `json:"alternativeOf,omitempty"`

	Rule    string   `json:"rule,omitempty"`    // name of the rule that fired
	Reasons []string `json:"reasons,omitempty"` // evidence of the rule, one sentence each
}

// HoleSummary is the measurements of a hole; FeatureTag is the tag of its feature.
type HoleSummary struct {
	FeatureTag  string             `json:"featureTag"`
	Kind        string             `json:"kind"`
	Diameter    float64            `json:"diameter"`
	Depth       float64            `json:"depth"`
	IsThrough   bool               `json:"isThrough"`
	Bottom      string             `json:"bottom"`
	Center      geom.Vec3          `json:"center"` // middle of the top opening
	Axis        geom.Vec3          `json:"axis"`   // outward
	Counterbore *feature.BoreFacts `json:"counterbore,omitempty"`
	Countersink *feature.SinkFacts `json:"countersink,omitempty"`
}

// analysisVersion rises when equal artifacts give a different analysis. Its low 16 bits are the version of the JSON.
const analysisVersion = 6<<16 | 3

// makeAnalysis makes the result of a part that passes the checks.
func makeAnalysis(ctx context.Context, r *run) (any, error) {
	part, exact, tess := value[Part](r, Model), value[MassProperties](r, Properties), r.displayed()
	if len(exact.FaceAreas) != len(part.Faces) || len(tess.Mesh.Regions) != len(part.Faces) {
		return nil, fmt.Errorf("the model has %d faces, its properties %d and its mesh %d",
			len(part.Faces), len(exact.FaceAreas), len(tess.Mesh.Regions))
	}
	doubts, err := r.check(ctx)
	if err != nil {
		return nil, err
	}
	found, err := r.listed(len(part.Faces))
	if err != nil {
		return nil, err
	}
	overall := value[partSummary](r, PartSummaryStage)
	a := Analysis{
		KernelVersion: KernelVersion,
		Warnings:      shown(part.Warnings, doubts, tess.Warnings, overall.Warnings),
		Shape: Shape{
			Format: part.Format, Solids: len(part.Solids), Shells: len(part.Shells), Faces: len(part.Faces),
			Edges: len(part.Edges), Vertices: len(part.Vertices), Volume: exact.Volume, Area: exact.Area,
			Centroid: exact.Centroid, Bounds: exact.Bounds, PMI: statements(&part.PMI),
			Exact: new(part.Sag == 0),
		},
		MeshFacts: MeshFacts{
			Watertight: tess.Watertight, MeshVolume: tess.Mesh.Volume(), MeshArea: tess.Mesh.Area(),
			MeshPointCount: len(tess.Mesh.Points), MeshTriangleCount: len(tess.Mesh.Triangles),
			MeshChordTolerance: tess.ChordTolerance,
		},
		Regions:     make([]Region, len(part.Faces)),
		Recognition: recognition(found),
	}
	a.PartSummary = overall.PartSummary
	if part.Sag > 0 && !math.IsInf(part.Sag, 1) {
		a.Sag = new(part.Sag)
	}
	for i := range part.Faces {
		in := &tess.Mesh.Regions[i]
		a.Regions[i] = Region{
			Idx: i, SplitOrigin: int(part.Faces[i].Origin), ShapeKind: surface.ShapeKind(part.Faces[i].Surface),
			Area: exact.FaceAreas[i], TriangleStart: int(in.Start), TriangleEnd: int(in.End),
		}
	}
	return a, nil
}

// recognition returns the features in the form of a result.
func recognition(found *feature.Result) Recognition {
	out := Recognition{
		Features: make([]PartFeature, len(found.Features)),
		Holes:    []HoleSummary{},
	}
	alternatives := feature.Alternatives(found.Features)
	for i := range found.Features {
		f := &found.Features[i]
		out.Features[i] = PartFeature{
			AlternativeOf: tagsOf(found.Features, alternatives[i]),
			FeatureTag:    f.Tag, RegionIdxs: append([]int{}, f.Regions...), FeatureType: string(f.Type),
			MachiningDirection: f.Direction, Rule: f.Rule, Reasons: f.Reasons,
		}
		if f.Axis != nil {
			axis := *f.Axis
			out.Features[i].Axis = &axis
		}
		if f.Hole != nil {
			out.Holes = append(out.Holes, hole(f))
		}
	}
	return out
}

func hole(f *feature.Feature) HoleSummary {
	h := f.Hole
	s := HoleSummary{
		FeatureTag: f.Tag, Kind: string(h.Kind), Diameter: h.Diameter, Depth: h.Depth, IsThrough: h.Through,
		Bottom: h.Bottom, Center: h.TopCenter, Axis: f.Direction,
	}
	if b := h.Counterbore; b != nil {
		s.Counterbore = &feature.BoreFacts{Diameter: b.Diameter, Depth: b.Depth}
	}
	if b := h.Countersink; b != nil {
		s.Countersink = &feature.SinkFacts{Diameter: b.Diameter, AngleDeg: geom.Degrees(b.Angle), Depth: b.Depth}
	}
	return s
}
