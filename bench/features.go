package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"millwright/bench/features"
)

// featuresCmd measures recognition against labelled parts.
type featuresCmd struct {
	Set     string `enum:"all,mfcad,mftrcad,vlm,generated" default:"all" help:"Which labelled parts: ${enum}; all = the public ones."`
	Corpus  string `default:"../shared/corpus" env:"MILLWRIGHT_CORPUS" help:"Corpus folder, with the sets below labelled."`
	Dir     string `type:"existingdir" help:"Folder of the set, where it is not the corpus's."`
	JSON    bool   `help:"One JSON object per set."`
	Details bool   `help:"List every wrong face and feature."`
}

// Run prints a report per set.
func (c *featuresCmd) Run() error {
	sets := []string{c.Set}
	if c.Set == "all" {
		if c.Dir != "" {
			return fmt.Errorf("--dir is the folder of one set: name it with --set")
		}
		sets = features.Sets
	}
	for i, set := range sets {
		dir := c.Dir
		switch {
		case dir != "":
		case set == features.Generated:
			dir = "var/parts" // where make parts writes them
		default:
			dir = features.Folder(c.Corpus, set)
		}
		r, err := features.Run(context.Background(), set, dir)
		if err != nil {
			return err
		}
		if c.JSON {
			if err := json.NewEncoder(os.Stdout).Encode(r); err != nil {
				return err
			}
			continue
		}
		if i > 0 {
			fmt.Println()
		}
		r.Print(os.Stdout, c.Details)
	}
	return nil
}
