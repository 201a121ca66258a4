package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"millwright.dev/millwright/bench/recognition"
)

// featuresCmd measures recognition against labeled parts.
type featuresCmd struct {
	Set          string `enum:"all,mfcad,mftrcad,vlm,generated,interacting,sheet,machinist" default:"all" help:"Which labelled parts: ${enum}; all = the public ones."`
	Corpus       string `default:"../shared/corpus" env:"MILLWRIGHT_CORPUS" help:"Corpus folder, with the sets below labelled."`
	Dir          string `type:"existingdir" help:"Folder of the set, where it is not the corpus's."`
	Seed         uint64 `default:"1" help:"Of the interacting parts and those of sheet, which are made where they do not lie in var/SET yet."`
	Count        int    `default:"300" help:"How many interacting parts, or of sheet."`
	Draw         string `default:"a" help:"Of the machinist's parts: letters of their draws, or all. Of j, n and p, which are aside, nobody has read more than totals."`
	Debian       string `default:"/" env:"MILLWRIGHT_DEBIAN" help:"Folder in which usr/share of Debian's kicad-packages3d and freecad-common lies, for the machinist's parts."`
	Repositories string `default:"var/repositories" env:"MILLWRIGHT_REPOSITORIES" help:"Folder in which files of public repositories lie as OWNER/NAME@COMMIT/PATH, for the machinist's parts."`
	JSON         bool   `help:"One JSON object per set."`
	Details      bool   `help:"List every wrong face and feature."`
}

// Run prints a report per set.
func (c *featuresCmd) Run() error {
	sets := []string{c.Set}
	if c.Set == "all" {
		if c.Dir != "" {
			return fmt.Errorf("--dir is the folder of one set: name it with --set")
		}
		sets = recognition.Sets
	}
	for i, set := range sets {
		dir := c.Dir
		switch {
		case dir != "":
		case set == recognition.Interacting || set == recognition.Sheet:
			var err error
			if dir, err = c.made(set); err != nil {
				return err
			}
		case set == recognition.Machinist:
			dir = filepath.Join("bench", "features", "testdata", set)
		case set == recognition.Generated:
			dir = "var/parts" // where make parts writes them
		default:
			dir = recognition.Folder(c.Corpus, set)
		}
		r, err := c.run(set, dir)
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

func (c *featuresCmd) run(set, dir string) (recognition.Report, error) {
	if set != recognition.Machinist {
		return recognition.Run(context.Background(), set, dir)
	}
	draws := c.Draw
	if draws == "all" {
		draws = ""
	}
	return recognition.RunMachinist(context.Background(),
		recognition.MachinistParts{Labels: dir, Corpus: c.Corpus, Packages: c.Debian, Repositories: c.Repositories, Draws: draws})
}

// made returns the folder of the parts of a set and a seed. They are made where they do not lie there.
func (c *featuresCmd) made(set string) (string, error) {
	dir := filepath.Join("var", set, fmt.Sprintf("%d-%d", c.Seed, c.Count))
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	making := dir + ".part"
	if err := os.RemoveAll(making); err != nil {
		return "", err
	}
	cmd := exec.Command(".ci/parts", making, fmt.Sprint(c.Seed), fmt.Sprint(c.Count), set)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("make parts of set %s: %w", set, err)
	}
	return dir, os.Rename(making, dir)
}
