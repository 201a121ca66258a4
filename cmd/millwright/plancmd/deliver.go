package plancmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"millwright.dev/millwright/adapters/export/setupsheet"
	"millwright.dev/millwright/adapters/post"
	"millwright.dev/millwright/cmd/millwright/output"
	"millwright.dev/millwright/core/pipeline"
)

// deliver writes the files of a program to a folder, all or none. It removes the files of an earlier program, so that
// nobody runs the g-code of another one. A program that fails verification has no g-code.
func deliver(dir string, space Workspace, m *Result, d *post.Dialect) error {
	return output.Into(dir, func(beside string) error {
		if err := m.fill(beside, space, d); err != nil {
			return err
		}
		return m.clear(dir, beside)
	})
}

// fill writes the files.
func (m *Result) fill(dir string, space Workspace, d *post.Dialect) error {
	for n, name := range shown {
		if err := output.Copy(filepath.Join(dir, name), space.Path(n)); err != nil {
			return err
		}
	}
	for name, v := range map[string]any{
		"plan.json": m.Plan, "proof.json": m.Proof, "times.json": m.Times, "estimate.json": m.Estimate,
		"account.json": m.Plan.Account,
	} {
		if err := output.WriteJSON(filepath.Join(dir, name), v); err != nil {
			return err
		}
	}
	sheet, err := os.ReadFile(filepath.Join(dir, shown[pipeline.SetupSheet]))
	if err != nil {
		return err
	}
	for i, svg := range setupsheet.Pictures(string(sheet)) {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("setup%d.svg", i+1)), []byte(svg), 0o644); err != nil {
			return err
		}
	}
	if !m.Proof.Passes() {
		return nil
	}
	if err := m.devices(dir); err != nil {
		return err
	}
	return m.code(dir, d)
}

// code writes what the machine gets, and what other software needs to replay it.
func (m *Result) code(dir string, d *post.Dialect) error {
	files, err := m.program().GCode(d.Name)
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// devices writes the files of the devices that are made for the part.
func (m *Result) devices(dir string) error {
	files, err := m.program().Devices()
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// clear removes from dir the files that an earlier program may have left and this one does not replace. It lists the
// files of this program.
func (m *Result) clear(dir, beside string) error {
	made, err := os.ReadDir(beside)
	if err != nil {
		return err
	}
	var names []string
	for _, f := range made {
		names = append(names, f.Name())
		m.Files = append(m.Files, filepath.Join(dir, f.Name()))
	}
	patterns := []string{"setup[0-9]*.svg", "setup[0-9]*.step", "setup[0-9]*.stl", "program.json"}
	for _, d := range post.Dialects {
		patterns = append(patterns, "setup[0-9]*"+d.Extension, d.Table.File)
	}
	for _, p := range patterns {
		old, err := fs.Glob(os.DirFS(dir), p)
		if err != nil {
			return err
		}
		for _, name := range old {
			if slices.Contains(names, name) {
				continue
			}
			if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}
