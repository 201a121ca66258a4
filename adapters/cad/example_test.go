package cad_test

import (
	"context"
	"fmt"
	"os"

	"millwright.dev/millwright/adapters/cad"
)

// Read detects the format by content; the file name does not matter. The model is repaired, in mm.
func ExampleRead() {
	file, err := os.Open("../../cmd/millwright/example/bracket.step")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		fmt.Println(err)
		return
	}
	m, format, err := cad.Read(context.Background(), file, info.Size(), "bracket.step")
	if err != nil {
		fmt.Println(err) // a *fault.Error where the file is to blame
		return
	}
	fmt.Println(format, len(m.Solids), "solid,", len(m.Faces), "faces,", len(m.Edges), "edges,",
		len(m.Warnings), "warnings")
	// Output:
	// step 1 solid, 74 faces, 165 edges, 0 warnings
}
