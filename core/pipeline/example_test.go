package pipeline_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"millwright.dev/millwright"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/pipeline/pipelinetest"
)

// The first run makes the summary from the CAD file. The second run makes the datasheet of one feature. Its inputs are
// stored, so only one stage runs, without the CAD file.
func ExamplePipeline_Make() {
	ctx := context.Background()
	source, err := os.ReadFile("../../cmd/millwright/example/bracket.step")
	if err != nil {
		fmt.Println(err)
		return
	}
	tree := millwright.Pipeline(millwright.Options{})
	files := pipelinetest.Files{pipeline.Source: source}
	params := pipeline.Params{Source: "the hash of the file", FileName: "bracket.step"}
	run := func(want ...pipeline.Name) {
		made, err := tree.Make(ctx, params, want, files, nil)
		if err != nil {
			fmt.Println(err)
		}
		names := make([]pipeline.Name, len(made))
		for i := range made {
			names[i] = made[i].Name
		}
		fmt.Println(names)
	}
	run(pipeline.Model, pipeline.Mesh, pipeline.Features, pipeline.PartSummaryStage, pipeline.Summary)
	var found pipeline.Analysis
	if err := json.Unmarshal(files[pipeline.Summary], &found); err != nil {
		fmt.Println(err)
		return
	}
	delete(files, pipeline.Source)
	params.FeatureTags = []string{found.Features[0].FeatureTag}
	run(pipeline.Datasheets)
	// Output:
	// [model properties mesh features feature-list overview summary]
	// [datasheets]
}

// Another chord tolerance changes only the display mesh. The facts about the part stay the same.
func ExampleParams_Key() {
	coarse := pipeline.Params{Source: "the hash of the file", FileName: "bracket.step", ChordTolerance: 0.1}
	fine := coarse
	fine.ChordTolerance = 0.01
	for _, n := range []pipeline.Name{pipeline.Model, pipeline.Properties, pipeline.Mesh, pipeline.Features,
		pipeline.DisplayMesh, pipeline.STL} {
		fmt.Println(n, coarse.Key(n) == fine.Key(n))
	}
	// Output:
	// model true
	// properties true
	// mesh true
	// features true
	// display-mesh false
	// stl false
}

// With a model and a mesh in store, the features are made from them. Stored artifacts are fetched only as inputs.
func ExampleParams_Plan() {
	stored := func(n pipeline.Name) bool {
		return n == pipeline.Model || n == pipeline.Properties || n == pipeline.Mesh
	}
	fetch, run := pipeline.Params{}.Plan([]pipeline.Name{pipeline.Properties, pipeline.Datasheets,
		pipeline.STL}, stored)
	fmt.Println("fetch", fetch)
	fmt.Println("run", run)
	// Output:
	// fetch [model mesh]
	// run [features overview datasheets stl]
}
