package stage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"slices"

	"millwright/core/brep/codec"
	"millwright/core/feature/recognize"
)

// Name names a stage and what it makes.
type Name string

// The stages.
const (
	Source         Name = "source"          // the CAD file; nothing makes it
	Model          Name = "model"           // the healed boundary representation, with what was read beside it
	Properties     Name = "properties"      // exact volume, area, centroid and bounds, and the area of each face
	Mesh           Name = "mesh"            // triangles, and the polylines of the edges
	Features       Name = "features"        // features, with what recognition saw of the part
	Datasheets     Name = "datasheets"      // the facts of all features, or of some
	Summary        Name = "summary"         // the Analysis that results show, as JSON
	STL            Name = "stl"             // the mesh
	GLB            Name = "glb"             // the mesh with a primitive for each face, and the edges
	ThreeMF        Name = "3mf"             // the mesh with a material for each kind of feature
	Thumbnail      Name = "thumbnail"       // a PNG of the part
	FeatureGLB     Name = "feature-glb"     // a GLB with a node for each feature
	FeaturePicture Name = "feature-picture" // a PNG with the features coloured by kind
)

// Recipe is what the artefacts of a part depend on.
type Recipe struct {
	Source string `json:"source"` // hex SHA-256 of the CAD file
	// FileName is the name given by the client: its extension helps to read the file, the rest names the part in
	// the files that are made.
	FileName       string  `json:"fileName"`
	ChordTolerance float64 `json:"chordTolerance"` // mm; 0 = the smaller of 0.1 mm and 1/2000 of the diagonal
	AngleTolerance float64 `json:"angleTolerance"` // degrees; 0 = 20
	// FeatureTags choose the features of the datasheets; none chooses all.
	FeatureTags []string `json:"featureTags,omitempty"`
}

// stage is one row of the table.
type stage struct {
	name Name
	// version grows whenever the same inputs could give another artefact, or its bytes mean something else, which is
	// said by the lower 16 bits where the bytes have a version of their own.
	version int
	from    []Name // the artefacts that it takes
	depends bool   // its codec takes them too
	params  func(Recipe) any
	weight  int    // its share of the time of a part, by which progress is told
	title   string // what is being done, for progress

	make   func(context.Context, *run) (any, error)
	encode func(*run, io.Writer, any) error
	decode func(ctx context.Context, r *run, data []byte) (any, error) // nil: no stage takes it
}

// meshVersion is in the stored bytes too.
const meshVersion = 1

// stages is the tree, each stage behind those that it takes from.
var stages = []stage{
	{name: Model, version: 1<<16 | codec.Version, from: []Name{Source}, params: extension, weight: 25, title: "reading",
		make: readModel, encode: encodeModel, decode: decodeModel},
	{name: Properties, version: 1, from: []Name{Model}, weight: 10, title: "measuring",
		make: measure, encode: encodeJSON, decode: decodeJSON[Exact]},
	{name: Mesh, version: meshVersion, from: []Name{Model}, params: tolerances, weight: 25, title: "tessellating",
		make: tessellate, encode: encodeMesh, decode: decodeMesh},
	{name: Features, version: 1<<16 | recognize.Version, from: []Name{Model, Mesh}, depends: true, weight: 15,
		title: "recognising features", make: recognise, encode: encodeFeatures, decode: decodeFeatures},
	{name: Datasheets, version: 1, from: []Name{Features}, params: tags, weight: 10, title: "measuring features",
		make: measureFeatures, encode: encodeJSON},
	{name: Summary, version: 1, from: []Name{Model, Properties, Mesh, Features}, params: kernelVersion, weight: 1,
		title: "summing up", make: summarise, encode: encodeJSON},
	writer(STL, 1, nil, Mesh),
	writer(GLB, 1, title, Model, Mesh),
	writer(ThreeMF, 1, title, Mesh, Features),
	writer(Thumbnail, 1, nil, Model, Mesh),
	writer(FeatureGLB, 1, title, Model, Mesh, Features),
	writer(FeaturePicture, 1, nil, Model, Mesh, Features),
}

func extension(r Recipe) any   { return r.extension() }
func tolerances(r Recipe) any  { return []float64{r.ChordTolerance, r.AngleTolerance} }
func title(r Recipe) any       { return r.title() }
func kernelVersion(Recipe) any { return KernelVersion }
func tags(r Recipe) any        { return slices.Compact(slices.Sorted(slices.Values(r.FeatureTags))) }

// KernelVersion is recorded in every result.
const KernelVersion = "0.4.0"

// Names are all that stages make, each behind what it is made from.
func Names() []Name {
	out := make([]Name, len(stages))
	for i := range stages {
		out[i] = stages[i].name
	}
	return out
}

// Version returns the version of a stage, 0 for the source.
func Version(n Name) int {
	if s := find(n); s != nil {
		return s.version
	}
	return 0
}

// find returns the row of a stage, nil for the source and for names that there are not.
func find(n Name) *stage {
	if i := slices.IndexFunc(stages, func(s stage) bool { return s.name == n }); i >= 0 {
		return &stages[i]
	}
	return nil
}

// Key returns the key of an artefact, 64 hexadecimal digits.
func (r Recipe) Key(n Name) string {
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
	for _, in := range s.from {
		identity.From = append(identity.From, r.Key(in))
	}
	text, err := json.Marshal(identity)
	if err != nil {
		panic("stage: " + err.Error()) // strings and finite numbers
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Plan returns what has to be fetched and which stages have to run, in their order, for the wanted artefacts, when
// some are stored already. The source counts as stored.
func Plan(want []Name, stored func(Name) bool) (fetch, run []Name) {
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
			for _, in := range s.from {
				visit(in, true)
			}
			if !before {
				run = append(run, n)
			}
		case load:
			fetch = append(fetch, n)
			for _, in := range s.from {
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
