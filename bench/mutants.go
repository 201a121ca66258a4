package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"millwright.dev/millwright"
	"millwright.dev/millwright/adapters/cad"
	"millwright.dev/millwright/bench/mutants"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/kernel/brep"
)

// mutantsCmd spoils programs of parts, and holds the proof and the replay to each other.
type mutantsCmd struct {
	Parts []string `arg:"" type:"existingfile" help:"CAD files."`
	Count int      `default:"200" help:"Mutants of each part, and neutral edits."`
	First int      `help:"Number of the first."`
	Cells int      `default:"100" help:"Of the proof along the longest side; 0: as programs are proved."`
	Step  float64  `default:"0.5" help:"Between columns of the replay, mm."`
}

// Run prints what became of each mutant and a JSON object for each part, and fails when a judge missed one, when the
// two do not agree, or when one raised an alarm on an edit that changes nothing.
func (c *mutantsCmd) Run(ctx context.Context) error {
	config := machining.BuiltInCutConfig()
	judges := mutants.Judges{Cells: c.Cells, Step: c.Step, Config: &config}
	var seeds []int
	for i := range c.Count {
		seeds = append(seeds, c.First+i)
	}
	wrong := 0
	for _, file := range c.Parts {
		model, err := readPart(ctx, file)
		if err != nil {
			return err
		}
		made, err := mutants.Planned(ctx, millwright.Pipeline(millwright.Options{}), model, &config)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		tally, err := judges.Run(ctx, made, seeds, seeds, func(said string) { fmt.Fprintln(os.Stderr, said) })
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if err := json.NewEncoder(os.Stdout).Encode(map[string]any{"part": filepath.Base(file), "tally": tally}); err != nil {
			return err
		}
		wrong += len(tally.Wrong)
	}
	if wrong > 0 {
		return fmt.Errorf("%d are not as they must be", wrong)
	}
	return nil
}

// readPart reads a CAD file.
func readPart(ctx context.Context, name string) (_ *brep.Model, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	model, _, err := cad.Read(ctx, file, info.Size(), filepath.Base(name))
	return model, err
}
