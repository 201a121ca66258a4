package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"millwright.dev/millwright/bench/damage"
	"millwright.dev/millwright/cmd/millwright/stagechild"
	"millwright.dev/millwright/compute"
)

// damageCmd damages every CAD file below a folder and reports the results.
type damageCmd struct {
	Dir     string        `arg:"" type:"existingdir" help:"Folder with CAD files; the folders below it too."`
	Seed    uint64        `default:"1" help:"Of the choices."`
	Cases   int           `default:"6" help:"Damaged copies of each file."`
	Kind    []string      `help:"Kinds of damage, or how their names begin (default: all)."`
	Case    []string      `sep:"none" help:"Only the case of this name; with --outside where it was found so."`
	Half    string        `enum:"a,b,all" default:"all" help:"Files of one half, by their names. Cases are listed for a alone: b is for measuring."`
	Outside bool          `help:"Damage only records outside faces, edges and their references."`
	Largest int64         `help:"Files of more than so many kilobytes are damaged --large times."`
	Large   int           `default:"1" help:"Damaged copies of each file over --largest; 0 leaves them out."`
	Keep    string        `type:"existingdir" help:"Folder for the damaged files."`
	Timeout time.Duration `default:"30s" help:"Time for one file."`
	Memory  int64         `default:"1024" help:"Memory for one file, MB."`
	JSON    bool          `help:"One JSON object per case, then one with the report."`
}

// Run prints the cases with forbidden results, then a table.
func (c *damageCmd) Run(ctx context.Context) error {
	sandbox, err := stagechild.Sandbox("", stagechild.Limits{Timeout: c.Timeout, Memory: c.Memory},
		stagechild.Device{Device: compute.CPU})
	if err != nil {
		return err
	}
	files, err := c.files()
	if err != nil {
		return err
	}
	var report damage.Report
	enc := json.NewEncoder(os.Stdout)
	err = damage.Run(ctx, damage.Options{
		Dir: c.Dir, Files: files, Seed: c.Seed, Kinds: c.Kind, Outside: c.Outside, Only: c.Case, Keep: c.Keep,
		Sandbox: sandbox, Cases: func(size int) int {
			if c.isLarge(int64(size)) {
				return c.Large
			}
			return c.Cases
		}, Tell: func(r damage.Result) {
			report.Add(r)
			isShown := c.Half == "a" || len(c.Case) > 0
			switch {
			case isShown && c.JSON:
				_ = enc.Encode(r) // the report's error says the same
			case isShown && (r.Class.IsFault() || len(c.Case) > 0):
				fmt.Printf("%s: %s\n  %s\n  %s\n", r.Class, r.Case, r.Damage, r.Detail)
			}
		},
	})
	if err != nil {
		return err
	}
	if c.JSON {
		return enc.Encode(map[string]any{"report": report})
	}
	if err := report.Print(os.Stdout); err != nil {
		return err
	}
	_, err = fmt.Printf("%d files, %d cases, %d of them what must not be; peak memory %.0f MB\n",
		len(files), report.Cases, report.Faults(), megabytes(report.Peak))
	return err
}

// isLarge reports whether a file of so many bytes is damaged less often.
func (c *damageCmd) isLarge(size int64) bool {
	const kilobyte = 1024
	return c.Largest > 0 && size > c.Largest*kilobyte
}

// files are the names of the files to damage, below the folder, the small ones first.
func (c *damageCmd) files() ([]string, error) {
	all, err := cadFiles(c.Dir)
	if err != nil {
		return nil, err
	}
	size := map[string]int64{}
	var names []string
	for _, file := range all {
		info, err := os.Stat(file)
		if err != nil {
			return nil, err
		}
		name, err := filepath.Rel(c.Dir, file)
		if err != nil {
			return nil, err
		}
		name = filepath.ToSlash(name)
		if (c.Half == "all" || damage.Half(name) == c.Half) && (c.Large > 0 || !c.isLarge(info.Size())) {
			size[name] = info.Size()
			names = append(names, name)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(size[a], size[b]) })
	return names, nil
}
