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
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/brep/codec"
)

// Name names a stage and what it makes.
type Name string

// The stages.
const (
	Source     Name = "source"     // the CAD file; nothing makes it
	Model      Name = "model"      // the healed boundary representation, with what was read beside it
	Properties Name = "properties" // exact volume, area, centroid and bounds, and the area of each face
	Mesh       Name = "mesh"       // what the engine reasons on: triangles, and the polylines of the edges
	// DisplayMesh is the same to the client's tolerances; Mesh where they are the default. It is not stored: what shows
	// it is, and is larger, and the same tolerances are seldom asked for again.
	DisplayMesh      Name = "display-mesh"
	Features         Name = "features"        // features, with what recognition saw of the part
	FeatureList      Name = "feature-list"    // the features alone, for what shows them
	PartSummaryStage Name = "overview"        // process, setups, directions and groups, as JSON
	Datasheets       Name = "datasheets"      // the facts of all features, or of some
	Summary          Name = "summary"         // the Analysis that results show, as JSON
	STL              Name = "stl"             // the display mesh
	GLB              Name = "glb"             // the display mesh with a primitive for each face, and the edges
	ThreeMF          Name = "3mf"             // the display mesh with a material for each kind of feature
	Thumbnail        Name = "thumbnail"       // a PNG of the part
	FeatureGLB       Name = "feature-glb"     // a GLB with a node for each feature
	FeaturePicture   Name = "feature-picture" // a PNG with the features colored by kind

	// What follows is there for recipes that say how the part is cut.

	Plan        Name = "plan"         // planning.Plan with the predicted account, as JSON
	MadePlan    Name = "made-plan"    // the plan that the motion makes, with the found account, as JSON
	Paths       Name = "paths"        // toolpath.Set
	PathsJSON   Name = "paths-json"   // the moves as compact JSON
	PathsGLB    Name = "paths-glb"    // the moves as line strips, a node for each setup
	Proof       Name = "proof"        // verify.Proof, as JSON
	StockGLB    Name = "stock-glb"    // what is left after each setup
	ResidueGLB  Name = "residue-glb"  // what is left too much in the end
	ProgramTime Name = "program-time" // how long the machine takes, as JSON
	SetupSheet  Name = "setup-sheet"  // HTML to print
	ToolTable   Name = "tool-table"   // the tools in the form of the control
	ProgramJSON Name = "program-json" // what other software needs to replay the program
	// Bundle is a zip of the g-code of each setup, the three above, the pictures of the sheet and the account; nothing where
	// the program may not be run.
	Bundle Name = "bundle"
)

// Params is what the artifacts of a part depend on.
type Params struct {
	Source string `json:"source"` // hex SHA-256 of the CAD file
	// FileName is the name given by the client: its extension helps to read the file, the rest names the part in
	// the files that are made.
	FileName string `json:"fileName"`
	// The tolerances are those of the display mesh and of what shows it. What is found on a part does not follow them. A
	// mesh that would have too many triangles has a coarser chord tolerance, and a warning.
	ChordTolerance float64 `json:"chordTolerance"` // mm; 0 = the smaller of 0.1 mm and 1/2000 of the diagonal
	AngleTolerance float64 `json:"angleTolerance"` // degrees; 0 = 20
	// FeatureTags choose the features of the datasheets; none chooses all.
	FeatureTags []string `json:"featureTags,omitempty"`
	// PlanParams says how the part is machined; nil: that is not asked for.
	Cutting *PlanParams `json:"cutting,omitempty"`
}

// PlanParams is what plans depend on besides the part, as it was when the plan was asked for.
type PlanParams struct {
	Config machining.CutConfig `json:"config"`
	Tools  []machining.Tool    `json:"tools"` // in the order in which they are looked for
	// FeatureTags choose the features that are planned; none chooses all.
	FeatureTags []string `json:"featureTags,omitempty"`
}

// stage is one row of the table.
type stage struct {
	name Name
	// version grows whenever the same inputs could give another artifact, or its bytes mean something else, which is
	// said by the lower 16 bits where the bytes have a version of their own.
	version int
	from    []Name // the artifacts that it takes; see Recipe.inputs
	depends bool   // its codec takes them too
	params  func(Params) any
	weight  int    // its share of the time of a part, by which progress is told
	title   string // what is being done, for progress

	make   func(context.Context, *run) (any, error)
	encode func(*run, io.Writer, any) error                            // nil: it is not stored
	decode func(ctx context.Context, r *run, data []byte) (any, error) // nil: no stage takes it
}

// meshVersion is in the stored bytes too.
const meshVersion = 3

// stages is the tree, each stage behind those that it takes from.
var stages = []stage{
	{name: Model, version: 28<<16 | codec.Version, from: []Name{Source}, params: extension, weight: 25, title: "reading",
		make: readModel, encode: encodeModel, decode: decodeModel},
	{name: Properties, version: 11, from: []Name{Model}, weight: 10, title: "measuring",
		make: measure, encode: encodeJSON, decode: decodeJSON[MassProperties]},
	{name: Mesh, version: 9<<16 | meshVersion, from: []Name{Model}, weight: 25, title: "tessellating",
		make: tessellate, encode: encodeMesh, decode: decodeMesh},
	{name: DisplayMesh, version: 9<<16 | meshVersion, from: []Name{Model}, params: tolerances, weight: 25,
		title: "tessellating", make: tessellateToShow},
	{name: Features, version: 49<<16 | recognize.Version, from: []Name{Model, Mesh}, depends: true, weight: 15,
		title: "recognising features", make: recognizeFeatures, encode: encodeFeatures, decode: decodeFeatures},
	{name: FeatureList, version: 28<<16 | recognize.Version, from: []Name{Features}, weight: 1,
		title: "recognising features", make: listFeatures, encode: encodeList, decode: decodeList},
	{name: PartSummaryStage, version: 12 << 16, from: []Name{Features}, weight: 1, title: "recognising features",
		make: overlook, encode: encodeJSON, decode: decodeJSON[partSummary]},
	{name: Datasheets, version: 32<<16 | 1, from: []Name{Features, PartSummaryStage}, params: tags, weight: 10, title: "measuring features",
		make: measureFeatures, encode: encodeJSON},
	{name: Summary, version: 6<<16 | 3, from: []Name{Model, Properties, DisplayMesh, FeatureList, PartSummaryStage},
		params: kernelVersion, weight: 1, title: "summing up", make: summarize, encode: encodeJSON},
	writer(STL, 1, nil, DisplayMesh),
	writer(GLB, 2, title, Model, DisplayMesh),
	writer(ThreeMF, 1, title, DisplayMesh, FeatureList),
	writer(Thumbnail, 1, nil, Model, Mesh),
	writer(FeatureGLB, 2, title, Model, DisplayMesh, FeatureList),
	writer(FeaturePicture, 1, nil, Model, Mesh, FeatureList),
	{name: Plan, version: 18, from: []Name{Properties, Mesh, Features}, params: cutting, weight: 10, title: "planning",
		make: makePlan, encode: encodeJSON, decode: decodeJSON[*planning.Plan]},
	{name: Drafting, version: 30, from: []Name{Mesh, Features, Plan}, weight: 30, title: "making toolpaths", make: makePaths},
	{name: proofMesh, version: 3, from: []Name{Model}, weight: 10, title: "tessellating", make: tessellateToProve},
	{name: replay, version: 14, from: []Name{proofMesh, Plan, Drafting}, weight: 40, title: "proving", make: replayMotion},
	{name: program, version: 4, from: []Name{Properties, Mesh, Features, proofMesh, Plan, Drafting, replay}, weight: 5,
		title: "accounting for what is left", make: settleProgram},
	{name: MadePlan, version: 1, from: []Name{program}, weight: 1, title: "proving", make: madePlan, encode: encodeJSON,
		decode: decodeJSON[*planning.Plan]},
	{name: Paths, version: 29, from: []Name{program}, weight: 1, title: "proving", make: madeSet, encode: encodePaths,
		decode: decodePaths},
	{name: Proof, version: 2, from: []Name{program}, weight: 1, title: "proving", make: proved, encode: encodeJSON},
	{name: ProgramTime, version: 3, from: []Name{MadePlan, Paths}, weight: 1, title: "timing", make: timed, encode: encodeJSON,
		decode: decodeJSON[*estimate.Times]},
	jobWriter(PathsJSON, 1, MadePlan, Paths),
	jobWriter(PathsGLB, 1, MadePlan, Paths),
	jobWriter(StockGLB, 2, MadePlan, program),
	jobWriter(ResidueGLB, 2, MadePlan, program),
	jobWriter(SetupSheet, 3, Mesh, MadePlan, Paths, program, ProgramTime),
	// The versions of these rise with what a post writes, that of the bundle also with the setup sheet in it.
	jobWriter(ToolTable, 1, MadePlan),
	jobWriter(ProgramJSON, 1, MadePlan, program),
	jobWriter(Bundle, 1, Mesh, MadePlan, Paths, program, ProgramTime),
}

func extension(r Params) any   { return r.extension() }
func tolerances(r Params) any  { return []float64{r.ChordTolerance, r.angle()} }
func title(r Params) any       { return r.Title() }
func kernelVersion(Params) any { return KernelVersion }
func tags(r Params) any        { return slices.Compact(slices.Sorted(slices.Values(r.FeatureTags))) }

// KernelVersion is recorded in every result.
const KernelVersion = "0.4.0"

// names are those of the artifacts that are stored, first those that every part can have.
var names = func() (out []Name) {
	for i := range stages {
		if stages[i].encode != nil {
			out = append(out, stages[i].name)
		}
	}
	return out
}()

// Names are the artifacts of a part that are stored, each behind what it is made from, but for those that depend on how
// the part is cut.
func Names() []Name { return Params{}.Names() }

// Names are the artifacts that a part can have by this recipe and that are stored, each behind what it is made from.
func (r Params) Names() []Name {
	if r.Cutting == nil {
		return slices.Clone(names[:slices.Index(names, Plan)])
	}
	return slices.Clone(names)
}

// find returns the row of a stage, nil for the source and for names that there are not.
func find(n Name) *stage {
	if i := slices.IndexFunc(stages, func(s stage) bool { return s.name == n }); i >= 0 {
		return &stages[i]
	}
	return nil
}

// inputs are the artifacts that a stage takes: Mesh stands for a display mesh that would be the same, so that it is
// neither made nor stored twice.
func (r Params) inputs(s *stage) []Name {
	i := slices.Index(s.from, DisplayMesh)
	if i < 0 || r.displayed() == DisplayMesh {
		return s.from
	}
	from := slices.Clone(s.from)
	from[i] = Mesh
	return from
}

// displayed is the mesh that clients are shown.
func (r Params) displayed() Name {
	if r.ChordTolerance == 0 && r.angle() == 0 {
		return Mesh
	}
	return DisplayMesh
}

// defaultAngle is what the angle tolerance of a mesh is when nobody says, degrees.
const defaultAngle = 20

// angle is the angle tolerance, degrees, 0 for the default.
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
		panic("stage: " + err.Error()) // strings and finite numbers
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Judge names a stage by its version and those of the stages before it, and by what they are told besides the contents
// of the file: what it finds wrong with a file, the stage of the same name finds again.
func (r Params) Judge(n Name) string {
	r.Source = ""
	return r.Key(n)
}

// Judges are those of all stages that the wanted artifacts need.
func (r Params) Judges(want []Name) (judges []string) {
	_, run := r.plan(want, func(Name) bool { return false })
	for _, n := range run {
		judges = append(judges, r.Judge(n))
	}
	return judges
}

// Plan returns what has to be fetched and what has to be made and stored, in the order of the stages, for the wanted
// artifacts, when some are stored already. The source counts as stored.
func (r Params) Plan(want []Name, stored func(Name) bool) (fetch, run []Name) {
	fetch, run = r.plan(want, stored)
	return fetch, slices.DeleteFunc(run, func(n Name) bool { return find(n).encode == nil })
}

// plan is Plan with the artifacts that are not stored.
func (r Params) plan(want []Name, stored func(Name) bool) (fetch, run []Name) {
	seen := map[Name]bool{} // true: to be loaded, not only to be there
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
