package main

import (
	"context"
	"errors"
	"fmt"

	"millwright.dev/millwright/bench/replay"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
)

// replayCmd plays a program that the command line wrote for LinuxCNC or GRBL a second time, by LinuxCNC's interpreter
// and a simulator that shares nothing with the proof.
type replayCmd struct {
	Folder    string  `arg:"" type:"existingdir" help:"Folder that millwright program --out wrote, for LinuxCNC or GRBL."`
	Part      string  `arg:"" type:"existingfile" help:"CAD file of the part."`
	Step      float64 `default:"0.5" help:"Between columns, mm."`
	Tolerance float64 `default:"0.012" help:"Of gouges, mm: that of the proof, and what the interpreter rounds."`
}

// Run prints what the replay finds, and fails when the program does something wrong.
func (c *replayCmd) Run(ctx context.Context) error {
	model, err := readPart(ctx, c.Part)
	if err != nil {
		return err
	}
	const chord = 0.003 // mm, a quarter of the tolerance
	part, err := tessellate.Mesh(ctx, model, tessellate.Options{ChordTolerance: chord, Runner: compute.OnCPU(0)})
	if err != nil {
		return err
	}
	program, err := replay.Load(ctx, c.Folder)
	if err != nil {
		return err
	}
	found, err := replay.Run(program, part.Mesh, replay.Options{Step: c.Step, Tolerance: c.Tolerance})
	if err != nil {
		return err
	}
	for i, s := range program.Setups {
		fmt.Printf("setup %d: %d moves\n", i+1, len(s.Moves))
	}
	fmt.Printf("moves that gouge %d (deepest %.3f mm), rapids in material %d, shank or holder %d, jaws %d\n",
		found.Gouges, found.Gouge, found.Rapids, found.Shanks, found.Fixtures)
	fmt.Printf("removed %.0f mm³, left beyond the part %.0f mm³\n", found.Removed, found.Uncut)
	if !found.Sound() {
		return errors.New("first: " + found.First)
	}
	return nil
}
