// Package pipeline is the tree of artifacts. Everything that is known of a part is an artifact: made by one stage
// from named inputs, never changed, and stored under a key that is the hash of the stage, its version, its
// parameters and the keys of its inputs.
//
//	source ─► model ─► mesh ─► features ─► datasheets, feature-list
//	            ├► properties ├► thumbnail; with the feature list: feature-picture
//	            └► display-mesh ─► stl, glb; with the feature list: 3mf, feature-glb; and the properties: summary
//	features, and how the part is cut ─► plan ─► draft of the paths ─► replay ─► made-plan, paths, proof
//	                                       ▲                            │          └─► program-time, paths-glb, paths-json,
//	                                       └── without what failed ◄────┘              setup-sheet, stock-glb, residue-glb
//
// What is found on a part does not depend on how a client wants to see it: features are found, and pictures are drawn,
// on a mesh of the service's own accuracy, and only the files that show the part are made from a mesh to the client's
// tolerances. A triangle of either belongs to a face of the model, so features, which name faces, hold for both.
// Where the client has no wish the two meshes are one artifact.
//
// The first motion of a plan is a draft: where it leaves more than the plan expects, the plan is made again without what did
// not do its work (settle.go). What is delivered is the plan that the motion makes, with the account of what it leaves.
//
// Programs are proved on a third mesh, finer than what any machine holds, which is not stored. What depends on how the
// part is cut is there only for recipes that say so, with the tools as they then were.
//
// A stage is a pure function over plain values with a codec for what it makes. It knows neither jobs nor disks. A
// Recipe says what the artifacts of one part depend on, so that their keys are known before anything is made;
// Plan says which stages have to run for what is wanted when some artifacts are stored, and Tree.Make runs
// them. To add an output: one stage in the table below, with its codec.
//
// # Keys
//
// The key of the source is the SHA-256 of the CAD file. The key of any other artifact is the SHA-256 of what it is
// made by and from, not of its bytes: 64 hexadecimal digits that can be told without making anything.
//
//	key(display-mesh) = hash("display-mesh", version of the stage, chord and angle tolerance, key(model))
//	key(model) = hash("model", version of the stage, extension of the file's name, SHA-256 of the file)
//
// So equal keys stand for the same artifact, whoever asked for it and when. Another tolerance changes the keys of the
// display mesh and of what is made from it, and leaves all others. Who changes what a stage makes raises its version:
// that artifact and those that depend on it are then made anew when they are next asked for, and nothing else.
//
// # What other names stand for
//
// Coordinates are those of the part frame, which package geom explains with the others. Package feature explains the
// tag of a feature. Ids, which stand for records and not for content, are explained by package record.
package pipeline
