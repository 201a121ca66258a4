// Package service holds the use cases of the machining service, its records, and the ports through
// which it reaches everything outside: store, queue, objects and the geometry kernel.
package service

import (
	"context"

	"millwright/core/feature"
	"millwright/core/geom"
)

// KernelOptions are the settings of one geometry run.
type KernelOptions struct {
	ChordTolerance float64 `json:"chordTolerance"` // mm; 0 = the smaller of 0.1 mm and 1/2000 of the diagonal
	AngleTolerance float64 `json:"angleTolerance"` // degrees; 0 = 20
	// Details asks for datasheets: of the features with these tags, or of all when there are none.
	Details     bool     `json:"details,omitempty"`
	FeatureTags []string `json:"featureTags,omitempty"`
	// Pictures asks for a GLB and an image with the features coloured by kind, besides the other files.
	Pictures bool `json:"pictures,omitempty"`
}

// KernelRequest names a CAD file on the local disk and the folder for what is made from it.
type KernelRequest struct {
	Source   string        `json:"source"`   // path of the CAD file
	FileName string        `json:"fileName"` // name given by the client, for its extension
	OutDir   string        `json:"outDir"`   // existing folder; "" writes no files
	Options  KernelOptions `json:"options"`
}

// Kernel reads, tessellates and recognises one CAD file. An error is a *fault.Error when the file is to
// blame (its code is a part failure code); any other error is the kernel's own and may be retried.
type Kernel interface {
	Analyze(ctx context.Context, req KernelRequest, progress func(percent int, stage string)) (*Analysis, error)
}

// Bounds is an axis-aligned box, mm.
type Bounds struct {
	Min geom.Vec3 `json:"min"`
	Max geom.Vec3 `json:"max"`
}

// Region is one face of the part in the result's mesh.
type Region struct {
	Idx           int     `json:"idx"`
	SplitOrigin   int     `json:"splitOrigin"`
	ShapeKind     string  `json:"shapeKind"` // Plane, Cylinder, Cone, Sphere, Torus, Freeform
	Area          float64 `json:"area"`      // mm², exact
	TriangleStart int     `json:"triangleStart"`
	TriangleEnd   int     `json:"triangleEnd"`
}

// PartFeature is a recognised feature as the API shows it. FeatureID is set by the service.
type PartFeature struct {
	FeatureID          string     `json:"featureId"`
	FeatureTag         string     `json:"featureTag"`
	RegionIdxs         []int      `json:"regionIdxs"`
	FeatureType        string     `json:"featureType"`
	MachiningDirection geom.Vec3  `json:"machiningDirection"`
	Axis               *geom.Vec3 `json:"axis"`

	Rule    string   `json:"rule,omitempty"`    // name of the rule that fired
	Reasons []string `json:"reasons,omitempty"` // what the rule saw, one sentence each
}

// FeatureSheet is the datasheet of the feature that has its tag.
type FeatureSheet struct {
	FeatureTag string            `json:"featureTag"`
	Datasheet  feature.Datasheet `json:"datasheet"`
}

// DirectionZBounds is how far the part reaches along one candidate direction, mm.
type DirectionZBounds struct {
	Direction geom.Vec3 `json:"direction"`
	ZMin      float64   `json:"zMin"`
	ZMax      float64   `json:"zMax"`
}

// UnmachinedRegion is a face that no feature holds, and why.
type UnmachinedRegion struct {
	RegionIdx int    `json:"regionIdx"`
	Reason    string `json:"reason"` // one of the Reason constants of package feature
	Detail    string `json:"detail"` // one sentence for a machinist
}

// HoleSummary is what recognition measured on a hole; FeatureTag joins it to its feature.
type HoleSummary struct {
	FeatureTag  string              `json:"featureTag"`
	Kind        string              `json:"kind"`
	Diameter    float64             `json:"diameter"`
	Depth       float64             `json:"depth"`
	IsThrough   bool                `json:"isThrough"`
	Bottom      string              `json:"bottom"`
	Center      geom.Vec3           `json:"center"` // middle of the top opening
	Axis        geom.Vec3           `json:"axis"`   // outwards
	Counterbore *CounterboreSummary `json:"counterbore,omitempty"`
	Countersink *CountersinkSummary `json:"countersink,omitempty"`
}

// CounterboreSummary is the wider flat-bottomed top of a hole, mm.
type CounterboreSummary struct {
	Diameter float64 `json:"diameter"`
	Depth    float64 `json:"depth"`
}

// CountersinkSummary is the conical top of a hole: mm, and the included angle in degrees.
type CountersinkSummary struct {
	Diameter float64 `json:"diameter"`
	AngleDeg float64 `json:"angleDeg"`
	Depth    float64 `json:"depth"`
}

// Analysis is everything one kernel run found. Files are paths inside KernelRequest.OutDir, empty
// when not written.
type Analysis struct {
	KernelVersion string `json:"kernelVersion"`
	Format        string `json:"format"` // step

	Solids     int       `json:"solids"`
	Shells     int       `json:"shells"`
	Faces      int       `json:"faces"` // sheet faces included
	Edges      int       `json:"edges"`
	Vertices   int       `json:"vertices"`
	Volume     float64   `json:"volume"` // mm³ of the solids, exact
	Area       float64   `json:"area"`   // mm² of all faces, exact
	Centroid   geom.Vec3 `json:"centroid"`
	Bounds     Bounds    `json:"bounds"`
	Watertight bool      `json:"watertight"`
	MeshVolume float64   `json:"meshVolume"`
	MeshArea   float64   `json:"meshArea"`
	Warnings   []string  `json:"warnings"`

	Regions             []Region           `json:"regions"`
	Features            []PartFeature      `json:"features"`
	Holes               []HoleSummary      `json:"holes"`
	Unmachined          []UnmachinedRegion `json:"unmachined"`
	CandidateDirections []geom.Vec3        `json:"candidateDirections"`
	// Setups index the fewest candidate directions that reach every machinable face.
	Setups            []int `json:"setups"`
	PMI               *PMI  `json:"pmi,omitempty"` // nil: the file states none
	MeshPointCount    int   `json:"meshPointCount"`
	MeshTriangleCount int   `json:"meshTriangleCount"`

	// Datasheets and the bounds of the candidate directions, in their order; nil when no details were asked for.
	Datasheets       []FeatureSheet     `json:"datasheets,omitempty"`
	DirectionZBounds []DirectionZBounds `json:"directionZBounds"`

	ReadMs        int64 `json:"readMs"`
	MeshMs        int64 `json:"meshMs"`
	RecognitionMs int64 `json:"recognitionMs"` // directions and features
	EnrichmentMs  int64 `json:"enrichmentMs"`  // datasheets and bounds of the directions
	PeakRSSBytes  int64 `json:"peakRssBytes"`

	Compute *ComputeUse `json:"compute,omitempty"` // what this run was computed on; nil: not said

	STLFile            string `json:"stlFile,omitempty"`
	GLBFile            string `json:"glbFile,omitempty"`
	ThumbnailFile      string `json:"thumbnailFile,omitempty"`
	FeatureGLBFile     string `json:"featureGlbFile,omitempty"`
	FeaturePictureFile string `json:"featurePictureFile,omitempty"`
}

// ComputeUse is what the large computations of one run were carried out on.
type ComputeUse struct {
	Device    string `json:"device"`    // gpu or cpu
	GPUCalls  int    `json:"gpuCalls"`  // computations carried out by the graphics device
	Fallbacks int    `json:"fallbacks"` // computations that it failed, carried out by the processor
}
