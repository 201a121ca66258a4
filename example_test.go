package millwright_test

import (
	"context"
	"fmt"
	"log"

	"millwright.dev/millwright"
	"millwright.dev/millwright/core/feature"
)

const file = "cmd/millwright/example/bracket.step"

// Open a file, measure its solids, and mesh it.
func ExampleOpen() {
	ctx := context.Background()
	part, err := millwright.Open(ctx, file, millwright.Options{})
	if err != nil {
		log.Fatal(err)
	}
	properties, err := part.MassProperties(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, solid := range properties.Bodies {
		size := solid.Bounds.Max.Sub(solid.Bounds.Min)
		fmt.Printf("%.0f × %.0f × %.0f mm, %.1f cm³\n", size.X, size.Y, size.Z, solid.Volume/1000)
	}
	t, err := part.Tessellate(ctx, millwright.MeshOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(t.Mesh.Triangles), "triangles, watertight:", t.Watertight)
	// Output:
	// 140 × 80 × 92 mm, 250.7 cm³
	// 2826 triangles, watertight: true
}

// Recognize the features of a part. The facts of a datasheet depend on the kind of the feature.
func ExamplePart_Features() {
	ctx := context.Background()
	part, err := millwright.Open(ctx, file, millwright.Options{})
	if err != nil {
		log.Fatal(err)
	}
	features, err := part.Features(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range features {
		switch facts := f.Datasheet.Facts.(type) {
		case *feature.PocketFacts:
			fmt.Printf("pocket, %g × %g mm, %g mm deep\n", facts.Length, facts.Width, facts.Depth)
		case *feature.HoleFacts:
			if facts.Thread != nil {
				fmt.Printf("%s, %g mm deep\n", facts.Thread.Designation, facts.Depth)
			}
		}
	}
	// Output:
	// M5x0.8, 13 mm deep
	// pocket, 112 × 80 mm, 76 mm deep
	// pocket, 18 × 6 mm, 16 mm deep
	// pocket, 42 × 32 mm, 9 mm deep
	// M6x1, 14 mm deep
	// M4x0.7, 10 mm deep
	// M4x0.7, 10 mm deep
	// M4x0.7, 10 mm deep
	// M4x0.7, 10 mm deep
}

// Plan a part, make its program, and write g-code for a control.
func ExamplePart_Program() {
	ctx := context.Background()
	part, err := millwright.Open(ctx, file, millwright.Options{})
	if err != nil {
		log.Fatal(err)
	}
	program, err := part.Program(ctx, millwright.PlanOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(program.Plan.Setups), "setups,", len(program.Plan.Tools), "tools")
	fmt.Println(len(program.Report.Findings), "gouges or collisions")
	files, err := program.GCode("haas")
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range files {
		fmt.Println(f.Name)
	}
	// Output:
	// 5 setups, 15 tools
	// 0 gouges or collisions
	// setup1.nc
	// setup2.nc
	// setup3.nc
	// setup4.nc
	// setup5.nc
	// tools.nc
	// program.json
}
