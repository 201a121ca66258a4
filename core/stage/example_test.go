package stage_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"millwright/cmd/millwright/kernel"
	"millwright/compute"
	"millwright/core/stage"
	"millwright/core/stage/stagetest"
)

// The first run makes the summary from the CAD file. The second is asked for the datasheet of one feature: what it
// starts from is there, so one stage runs and the CAD file is not needed any more.
func ExampleTree_Make() {
	ctx := context.Background()
	source, err := os.ReadFile("../../cmd/millwright/example/bracket.step")
	if err != nil {
		fmt.Println(err)
		return
	}
	tree := kernel.Tree(compute.OnCPU(0))
	files := stagetest.Files{stage.Source: source}
	recipe := stage.Recipe{Source: "the hash of the file", FileName: "bracket.step"}
	run := func(want ...stage.Name) {
		made, err := tree.Make(ctx, recipe, want, files, nil)
		if err != nil {
			fmt.Println(err)
		}
		names := make([]stage.Name, len(made))
		for i := range made {
			names[i] = made[i].Name
		}
		fmt.Println(names)
	}
	run(stage.Model, stage.Mesh, stage.Features, stage.Overall, stage.Summary)
	var found stage.Analysis
	if err := json.Unmarshal(files[stage.Summary], &found); err != nil {
		fmt.Println(err)
		return
	}
	delete(files, stage.Source)
	recipe.FeatureTags = []string{found.Features[0].FeatureTag}
	run(stage.Datasheets)
	// Output:
	// [model properties mesh features feature-list overview summary]
	// [datasheets]
}

// Another chord tolerance gives another mesh to look at. What is known of the part stays the same.
func ExampleRecipe_Key() {
	coarse := stage.Recipe{Source: "the hash of the file", FileName: "bracket.step", ChordTolerance: 0.1}
	fine := coarse
	fine.ChordTolerance = 0.01
	for _, n := range []stage.Name{stage.Model, stage.Properties, stage.Mesh, stage.Features, stage.DisplayMesh, stage.STL} {
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

// With a model and a mesh in store, the features are made from them; what is stored already is not fetched unless
// something is made of it.
func ExampleRecipe_Plan() {
	stored := func(n stage.Name) bool { return n == stage.Model || n == stage.Properties || n == stage.Mesh }
	fetch, run := stage.Recipe{}.Plan([]stage.Name{stage.Properties, stage.Datasheets, stage.STL}, stored)
	fmt.Println("fetch", fetch)
	fmt.Println("run", run)
	// Output:
	// fetch [model mesh]
	// run [features overview datasheets stl]
}
