package pipeline

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"slices"

	"millwright.dev/millwright/core/cam/estimate"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/stock/inprocess"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/brep/mass"
)

// Name is the name of a stage and of its artifact.
type Name string

// The stages.
const (
	Source     Name = "source"     // the CAD file; no stage makes it
	Model      Name = "model"      // healed boundary representation, with the PMI and the warnings of the file
	Properties Name = "properties" // exact volume, area, centroid and bounds, and the area of each face
	Mesh       Name = "mesh"       // triangles and edge polylines for recognition and planning
	// DisplayMesh is the mesh with the client's tolerances; for default tolerances it is Mesh. It is not stored: the
	// files made from it are stored and larger, and the same tolerances are seldom requested again.
	DisplayMesh      Name = "display-mesh"
	Features         Name = "features"        // features, with the graph and the visibility of the part
	FeatureList      Name = "feature-list"    // features only, for files that show them
	PartSummaryStage Name = "overview"        // process, setups, directions and groups, as JSON
	Datasheets       Name = "datasheets"      // measured facts of all features, or of some
	Summary          Name = "summary"         // the Analysis that results show, as JSON
	STL              Name = "stl"             // the display mesh
	GLB              Name = "glb"             // the display mesh with a primitive for each face, and the edges
	ThreeMF          Name = "3mf"             // the display mesh with a material for each kind of feature
	Thumbnail        Name = "thumbnail"       // a PNG of the part
	FeatureGLB       Name = "feature-glb"     // a GLB with a node for each feature
	FeaturePicture   Name = "feature-picture" // a PNG with the features colored by kind

	// The stages from here on need PlanParams.

	Plan        Name = "plan"         // planning.Plan with the predicted account, as JSON
	MadePlan    Name = "made-plan"    // the plan of the delivered motion with its account, as JSON
	Paths       Name = "paths"        // toolpath.Set
	PathsJSON   Name = "paths-json"   // the moves as compact JSON
	PathsGLB    Name = "paths-glb"    // the moves as line strips, a node for each setup
	Proof       Name = "proof"        // verify.Report, as JSON
	StockGLB    Name = "stock-glb"    // remaining stock after each setup
	ResidueGLB  Name = "residue-glb"  // excess material at the end
	ProgramTime Name = "program-time" // machining times, as JSON
	SetupSheet  Name = "setup-sheet"  // HTML to print
	ToolTable   Name = "tool-table"   // the tools in the form of the control
	ProgramJSON Name = "program-json" // input of other software that replays the program
	TimedMoves  Name = "timed-moves"  // the moves with their times, as compressed JSON
	// InProcessStock is the stock at the beginning of each setup and after each operation; see package inprocess.
	InProcessStock Name = "in-process-stock"
	// Devices is a zip of a STEP and an STL file of each piece of the devices. It is empty without such a piece.
	Devices Name = "devices"
	// Bundle is a zip of the g-code of each setup, the sheet, the table and the JSON above, the pictures of the sheet,
	// the devices, and the account. It is empty for a program that may not run.
	Bundle Name = "bundle"
)

// Params are the inputs of all artifacts of a part.
type Params struct {
	Source string `json:"source"` // hex SHA-256 of the CAD file
	// FileName is the name given by the client. Its extension helps to read the file; the rest names the part in files.
	FileName string `json:"fileName"`
	// The tolerances apply to the display mesh and to files made from it, not to recognition. The chord tolerance is
	// coarser, with a warning, if the mesh would have too many triangles.
	ChordTolerance float64 `json:"chordTolerance"` // mm; 0 = the smaller of 0.1 mm and 1/2000 of the diagonal
	AngleTolerance float64 `json:"angleTolerance"` // degrees; 0 = 20
	// FeatureTags are the features of the datasheets; empty: all.
	FeatureTags []string `json:"featureTags,omitempty"`
	// Cutting is the parameters of plans; nil: no plan.
	Cutting *PlanParams `json:"cutting,omitempty"`
}

// PlanParams are the inputs of plans other than the part, as at the time of the request.
type PlanParams struct {
	Config machining.CutConfig `json:"config"`
	Tools  []machining.Tool    `json:"tools"` // in order of preference
	// FeatureTags are the features to plan; empty: all.
	FeatureTags []string `json:"featureTags,omitempty"`
	// ExcludedTags are features that are not made, ascending.
	ExcludedTags []string `json:"excludedTags,omitempty"`
	// Replaced are the members of the cut config that the request replaced.
	Replaced []string `json:"replaced,omitempty"`
	planning.Terms
}

// stage is one row of the table.
type stage struct {
	name Name
	// version rises when the same inputs can give a different artifact, or the meaning of its bytes changes. Its lower
	// 16 bits are the version of the byte format, if there is one. The number is a constant next to the code that it
	// versions. Only files that adapters write have their numbers in this table.
	version int
	from    []Name // inputs; see Params.inputs
	depends bool   // its codec needs the inputs too
	params  func(Params) any
	weight  int    // share in the total time, for progress
	title   string // activity, for progress

	make   func(context.Context, *run) (any, error)
	encode func(*run, io.Writer, any) error                            // nil: the artifact is not stored
	decode func(ctx context.Context, r *run, data []byte) (any, error) // nil: no stage uses the artifact
}

// stages are all stages, each after its inputs.
var stages = []stage{
	{name: Model, version: modelVersion, from: []Name{Source}, params: extension, weight: 25, title: "reading",
		make: readModel, encode: encodeModel, decode: decodeModel},
	{name: Properties, version: mass.Version, from: []Name{Model}, weight: 10, title: "measuring",
		make: measure, encode: encodeJSON, decode: decodeJSON[MassProperties]},
	{name: Mesh, version: tessellationVersion, from: []Name{Model}, weight: 25, title: "tessellating",
		make: tessellate, encode: encodeMesh, decode: decodeMesh},
	{name: DisplayMesh, version: tessellationVersion, from: []Name{Model}, params: tolerances, weight: 25,
		title: "tessellating", make: tessellateToShow},
	{name: Features, version: recognize.RulesVersion<<16 | recognize.Version, from: []Name{Model, Mesh},
		depends: true, weight: 15, title: "recognising features", make: recognizeFeatures, encode: encodeFeatures,
		decode: decodeFeatures},
	{name: FeatureList, version: listVersion, from: []Name{Features}, weight: 1,
		title: "recognising features", make: listFeatures, encode: encodeList, decode: decodeList},
	{name: PartSummaryStage, version: partSummaryVersion, from: []Name{Features}, weight: 1,
		title: "recognising features", make: summarizePart, encode: encodeJSON, decode: decodeJSON[partSummary]},
	{name: Datasheets, version: datasheetsVersion, from: []Name{Features, PartSummaryStage}, params: tags, weight: 10,
		title: "measuring features", make: measureFeatures, encode: encodeJSON},
	{name: Summary, version: analysisVersion,
		from:   []Name{Model, Properties, DisplayMesh, FeatureList, PartSummaryStage},
		params: kernelVersion, weight: 1, title: "summing up", make: makeAnalysis, encode: encodeJSON},
	writer(STL, 1, nil, DisplayMesh),
	writer(GLB, 2, title, Model, DisplayMesh),
	writer(ThreeMF, 1, title, DisplayMesh, FeatureList),
	writer(Thumbnail, 1, nil, Model, Mesh),
	writer(FeatureGLB, 2, title, Model, DisplayMesh, FeatureList),
	writer(FeaturePicture, 1, nil, Model, Mesh, FeatureList),
	{name: Plan, version: planning.Version, from: []Name{Properties, Mesh, Features}, params: planParams, weight: 10,
		title: "planning", make: makePlan, encode: encodeJSON, decode: decodeJSON[*planning.Plan]},
	{name: proofMesh, version: proofMeshVersion, from: []Name{Model}, weight: 10, title: "tessellating",
		make: tessellateToProve},
	{name: Drafting, version: toolpath.Version, from: []Name{Mesh, Features, proofMesh, Plan}, weight: 30,
		title: "making toolpaths", make: makePaths},
	{name: replay, version: verify.Version, from: []Name{proofMesh, Plan, Drafting}, weight: 40, title: "proving",
		make: replayMotion},
	{name: program, version: settleVersion,
		from: []Name{Properties, Mesh, Features, proofMesh, Plan, Drafting, replay}, weight: 5,
		title: "accounting for what is left", make: settleProgram},
	{name: MadePlan, version: madePlanVersion, from: []Name{program}, weight: 1, title: "proving", make: madePlan,
		encode: encodeJSON, decode: decodeJSON[*planning.Plan]},
	{name: Paths, version: pathsVersion, from: []Name{program}, weight: 1, title: "proving", make: madeSet,
		encode: encodePaths, decode: decodePaths},
	{name: Proof, version: proofVersion, from: []Name{program}, weight: 1, title: "proving", make: proved,
		encode: encodeJSON},
	{name: ProgramTime, version: estimate.Version, from: []Name{MadePlan, Paths}, weight: 1, title: "timing",
		make: timed, encode: encodeJSON, decode: decodeJSON[*estimate.Times]},
	jobWriter(PathsJSON, 1, MadePlan, Paths),
	jobWriter(PathsGLB, 1, MadePlan, Paths),
	jobWriter(StockGLB, 2, MadePlan, program),
	jobWriter(ResidueGLB, 2, MadePlan, program),
	jobWriter(TimedMoves, estimate.Version, MadePlan, Paths),
	jobWriter(InProcessStock, inprocess.Version, program),
	jobWriter(SetupSheet, 4, Mesh, MadePlan, Paths, program, ProgramTime),
	// These versions rise with the output of posts. The version of the bundle also rises with its setup sheet.
	jobWriter(ToolTable, 1, MadePlan),
	jobWriter(ProgramJSON, 1, MadePlan, program),
	jobWriter(Devices, 1, MadePlan),
	jobWriter(Bundle, 2, Mesh, MadePlan, Paths, program, ProgramTime),
}

func extension(r Params) any   { return r.extension() }
func tolerances(r Params) any  { return []float64{r.ChordTolerance, r.angle()} }
func title(r Params) any       { return r.Title() }
func kernelVersion(Params) any { return KernelVersion }
func tags(r Params) any        { return slices.Compact(slices.Sorted(slices.Values(r.FeatureTags))) }

// KernelVersion is recorded in every result.
const KernelVersion = "0.4.0"

// names are the stored artifacts, those without PlanParams first.
var names = func() (out []Name) {
	for i := range stages {
		if stages[i].encode != nil {
			out = append(out, stages[i].name)
		}
	}
	return out
}()

// Names returns the stored artifacts of a part without PlanParams, each after its inputs.
func Names() []Name { return Params{}.Names() }

// Names returns the stored artifacts for these parameters, each after its inputs.
func (r Params) Names() []Name {
	if r.Cutting == nil {
		return slices.Clone(names[:slices.Index(names, Plan)])
	}
	return slices.Clone(names)
}

// find returns the row of a stage, or nil for the source and for unknown names.
func find(n Name) *stage {
	if i := slices.IndexFunc(stages, func(s stage) bool { return s.name == n }); i >= 0 {
		return &stages[i]
	}
	return nil
}

// inputs returns the inputs of a stage. Mesh replaces an equal display mesh, so that it is not made or stored twice.
func (r Params) inputs(s *stage) []Name {
	i := slices.Index(s.from, DisplayMesh)
	if i < 0 || r.displayed() == DisplayMesh {
		return s.from
	}
	from := slices.Clone(s.from)
	from[i] = Mesh
	return from
}

// displayed returns the name of the display mesh's artifact.
func (r Params) displayed() Name {
	if r.ChordTolerance == 0 && r.angle() == 0 {
		return Mesh
	}
	return DisplayMesh
}

// defaultAngle is the default angle tolerance of a mesh, degrees.
const defaultAngle = 20

// angle returns the angle tolerance, degrees; 0 is the default.
func (r Params) angle() float64 {
	if r.AngleTolerance == defaultAngle {
		return 0
	}
	return r.AngleTolerance
}

// Key returns the key of an artifact, 64 hexadecimal digits.
func (r Params) Key(n Name) string {
	s := find(n)
	if s == nil {
		return r.Source
	}
	identity := struct {
		Stage   Name
		Version int
		Params  any
		From    []string
	}{Stage: n, Version: s.version}
	if s.params != nil {
		identity.Params = s.params(r)
	}
	for _, in := range r.inputs(s) {
		identity.From = append(identity.From, r.Key(in))
	}
	text, err := json.Marshal(identity)
	if err != nil {
		panic("stage: " + err.Error()) // cannot fail: strings and finite numbers only
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Judge returns a name of a stage that depends on its version, the versions of the stages before it, and the
// parameters, but not on the content of the file. Stages with the same name find the same faults in the same file.
func (r Params) Judge(n Name) string {
	r.Source = ""
	return r.Key(n)
}

// Judges returns the Judge names of all stages for the wanted artifacts.
func (r Params) Judges(want []Name) (judges []string) {
	_, run := r.plan(want, func(Name) bool { return false })
	for _, n := range run {
		judges = append(judges, r.Judge(n))
	}
	return judges
}

// Plan returns the artifacts to fetch, and the artifacts to make and store, for the wanted artifacts. Both are in the
// order of the stages. stored reports whether an artifact is stored; the source counts as stored.
func (r Params) Plan(want []Name, stored func(Name) bool) (fetch, run []Name) {
	fetch, run = r.plan(want, stored)
	return fetch, slices.DeleteFunc(run, func(n Name) bool { return find(n).encode == nil })
}

// plan is Plan including the artifacts that are never stored.
func (r Params) plan(want []Name, stored func(Name) bool) (fetch, run []Name) {
	seen := map[Name]bool{} // true: its value is needed, not only its existence
	var visit func(n Name, load bool)
	visit = func(n Name, load bool) {
		loaded, before := seen[n]
		if loaded || before && !load {
			return
		}
		seen[n] = load
		s := find(n)
		switch {
		case s == nil:
			fetch = append(fetch, n)
		case !stored(n):
			for _, in := range r.inputs(s) {
				visit(in, true)
			}
			if !before {
				run = append(run, n)
			}
		case load:
			fetch = append(fetch, n)
			for _, in := range r.inputs(s) {
				if s.depends {
					visit(in, true)
				}
			}
		}
	}
	for _, n := range want {
		visit(n, false)
	}
	return fetch, run
}
