package toollib

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/toollib/archive/archivetest"
	"millwright.dev/millwright/bench/corpus"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/catalog"
)

// TestFilesOfUsers reads the tool files of the corpus. Each gap of a file is listed under guessed or rejected with a
// sentence. A sentence about an assumed value belongs to a tool that cuts nothing.
func TestFilesOfUsers(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(corpus.Dir(t), "cases", "tools", "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d tool files, %v", len(files), err)
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, unit := range []catalog.LengthUnit{"", catalog.UnitInch} {
			file, err := Reader{}.ReadTools(data, catalog.ToolFileOptions{Unit: unit})
			var refused *apierr.Error
			if err != nil && !errors.As(err, &refused) {
				t.Errorf("%s: %v", path, err)
			}
			for _, n := range slices.Concat(file.Report.Skipped, file.Report.Guessed) {
				if !strings.HasSuffix(n.Detail, ".") {
					t.Errorf("%s: %s: %q is no sentence", path, n.Entry, n.Detail)
				}
			}
			said := 0
			for _, n := range file.Report.Guessed {
				if n.Entry != "" &&
					(strings.Contains(n.Detail, " taken as ") || strings.Contains(n.Detail, " taken for ")) {
					said++
				}
			}
			marked := slices.DeleteFunc(file.Tools, func(tool machining.Tool) bool { return len(tool.Guessed) == 0 })
			if len(marked) < said {
				t.Errorf("%s: values were taken for %d tools, %d are marked", path, said, len(marked))
			}
		}
	}
}

// TestStatedFlatTipsAreKept reads tools whose files state the flat of the tip.
func TestStatedFlatTipsAreKept(t *testing.T) {
	cases := filepath.Join(corpus.Dir(t), "cases", "tools")
	for name, c := range map[string]struct {
		tool int
		flat float64
	}{"l3_hobby_hss.json": {2, 2}, "f3_chamfer.fctb": {0, 5}, "f7_vbit.fctb": {0, 0.1}} {
		data, err := os.ReadFile(filepath.Join(cases, name))
		if err != nil {
			t.Fatal(err)
		}
		file, err := Reader{}.ReadTools(data, catalog.ToolFileOptions{})
		if err != nil || len(file.Tools) <= c.tool || 2*file.Tools[c.tool].TipRadius() != c.flat {
			t.Errorf("%s: %+v, %v; want a flat of %g mm", name, file.Tools, err, c.flat)
		}
	}
}

// TestLibraryOfAFreeCADUser reads a whole folder: complete tools may cut, the others state the reason why not.
func TestLibraryOfAFreeCADUser(t *testing.T) {
	root := filepath.Join(corpus.Dir(t), "cam", "freecad_toolbits")
	var parts []string
	for _, pattern := range []string{"Bit/*.fctb", "Library/*.fctl"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, filepath.Base(f), string(data))
		}
	}
	file, err := Reader{}.ReadTools(archivetest.Pack(t, parts...), catalog.ToolFileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var whole []string
	for _, tool := range file.Tools {
		if len(tool.Guessed) == 0 {
			whole = append(whole, tool.Name)
		}
	}
	want := []string{
		"2,5mm uncoated aluminium dual flute HRC50", "3,175mm single flute DLC coated Hozly",
		"New Endmill", "New Torus",
	}
	slices.Sort(whole)
	if len(file.Tools) != 14 || len(file.Report.Skipped) != 2 || !slices.Equal(whole, want) {
		t.Errorf("%d tools, of which are whole %q, want %q; skipped %+v", len(file.Tools), whole, want,
			file.Report.Skipped)
	}
}
