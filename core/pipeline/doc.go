// Package pipeline makes the artifacts of a part. Every fact about a part is an artifact. One stage makes it from named
// inputs, and it never changes. It is stored under a key: the hash of the stage, its version, its parameters and the
// keys of its inputs.
//
//	source ─► model ─► mesh ─► features ─► datasheets, feature-list
//	            ├► properties ├► thumbnail; with the feature list: feature-picture
//	            └► display-mesh ─► stl, glb; with the feature list: 3mf, feature-glb; and the properties: summary
//	features, and how the part is cut ─► plan ─► draft of the paths ─► replay ─► made-plan, paths, proof
//	                                       ▲                            │          └─► program-time, paths-glb, paths-json,
//	                                       └── without what failed ◄────┘              setup-sheet, stock-glb, residue-glb
//
// The features of a part do not depend on the display tolerances of a client. Features are found, and pictures are
// drawn, on a mesh with the default tolerances. Only files that show the part use a mesh with the client's tolerances.
// A triangle of either mesh belongs to a face of the model. Features name faces, so they are valid for both meshes.
// Without client tolerances the two meshes are one artifact.
//
// The first toolpaths of a plan are a draft. If they leave more than the plan expects, the part is planned again
// without the operations that failed (settle.go). The delivered plan is the plan of the final toolpaths, with an
// account of the remaining material.
//
// Programs are verified on a third mesh, which is finer than the accuracy of any machine and is not stored. Artifacts
// of plans and programs exist only for Params with PlanParams, which contain the tools of that time.
//
// A stage is a pure function over plain values, with a codec for its artifact. It knows neither jobs nor disks. Params
// are the inputs of all artifacts of one part, so keys are known before an artifact is made. Params.Plan returns the
// stages to run for the wanted artifacts when some are stored, and Pipeline.Make runs them. A new output is one row in
// the table of stages, with its codec.
//
// # Keys
//
// The key of the source is the SHA-256 of the CAD file. The key of any other artifact is the SHA-256 of its stage and
// inputs, not of its bytes: 64 hexadecimal digits, known before the artifact is made.
//
//	key(display-mesh) = hash("display-mesh", version of the stage, chord and angle tolerance, key(model))
//	key(model) = hash("model", version of the stage, extension of the file's name, SHA-256 of the file)
//
// Equal keys mean the same artifact. Another tolerance changes only the keys of the display mesh and of the artifacts
// made from it. A change of a stage's results raises the version of the stage. The artifact and its dependents are then
// made again at the next request, and no others.
//
// # Names in other packages
//
// Coordinates are in the part frame, which package geom defines with the other frames. Package feature defines the tag
// of a feature. Package record defines ids, which identify records and not content.
package pipeline
