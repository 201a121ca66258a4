package step_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	reader "millwright.dev/millwright/adapters/cad/step"
	"millwright.dev/millwright/adapters/export/step"
	"millwright.dev/millwright/core/cam/fixture"
	"millwright.dev/millwright/core/cam/fixture/fixturetest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/brep/mass"
)

// written returns the file of a piece.
func written(t fixturetest.TB, p *fixture.Piece) []byte {
	t.Helper()
	m, err := p.Solid()
	if err != nil {
		t.Fatalf("%s: %v", p.Name, err)
	}
	var out bytes.Buffer
	if err := step.Write(&out, p.Name, m); err != nil {
		t.Fatalf("%s: %v", p.Name, err)
	}
	return out.Bytes()
}

// check reads a file as one closed solid with the volume of its piece.
func check(t fixturetest.TB, p *fixture.Piece, file []byte, within float64) *brep.Model {
	t.Helper()
	m, err := reader.Read(t.Context(), bytes.NewReader(file), int64(len(file)), reader.Options{})
	if err != nil {
		t.Fatalf("%s: %v", p.Name, err)
	}
	if bad := brep.Check(m); len(bad) > 0 || len(m.Solids) != 1 || len(m.Warnings) > 0 {
		t.Fatalf("%s: %d solids, %v, %v", p.Name, len(m.Solids), bad, m.Warnings)
	}
	of, err := mass.Compute(t.Context(), m)
	if err != nil {
		t.Fatalf("%s: %v", p.Name, err)
	}
	if math.Abs(of.Volume-p.Volume()) > within*p.Volume() {
		t.Fatalf("%s: volume %.9g mm³, want %.9g", p.Name, of.Volume, p.Volume())
	}
	return m
}

// TestFilesAreSolids reads the files of all forms of pieces.
func TestFilesAreSolids(t *testing.T) {
	for _, p := range fixturetest.Pieces() {
		m := check(t, &p, written(t, &p), 1e-9)
		if m.Name != p.Name {
			t.Errorf("the product is called %q, want %q", m.Name, p.Name)
		}
	}
}

func TestRandomFilesAreSolids(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := fixturetest.Random(t)
		check(t, &p, written(t, &p), 1e-6)
	})
}

// TestFilesOfOtherReader asks Open CASCADE for the validity and the volume of the files.
func TestFilesOfOtherReader(t *testing.T) {
	oracle, err := exec.LookPath("occt_oracle")
	if err != nil {
		t.Skip("NOT CHECKED: occt_oracle, which reads the files by Open CASCADE, is not on the PATH")
	}
	for _, p := range fixturetest.Pieces() {
		file := filepath.Join(t.TempDir(), "piece.step")
		if err := os.WriteFile(file, written(t, &p), 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := exec.CommandContext(t.Context(), oracle, "-check", "-nomesh", file).Output()
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		var got struct {
			Valid  *bool   `json:"valid"`
			Solids int     `json:"solids"`
			Volume float64 `json:"volume_solids"`
		}
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatalf("%s: %v: %s", p.Name, err, out)
		}
		if got.Valid == nil || !*got.Valid || got.Solids != 1 || math.Abs(got.Volume-p.Volume()) > 1e-6*p.Volume() {
			t.Errorf("%s: want one valid solid of %.9g mm³: %s", p.Name, p.Volume(), out)
		}
	}
}

// TestNamesAreEncoded: names may have any characters.
func TestNamesAreEncoded(t *testing.T) {
	p := fixturetest.Piece("block")
	for _, name := range []string{"jaw 'A'", `back\slash`, "Gehäuse 大", ""} {
		p.Name = name
		file := written(t, &p)
		for _, c := range file {
			if c > '~' {
				t.Fatalf("%q: the file has the byte %d", name, c)
			}
		}
		if m := check(t, &p, file, 1e-9); m.Name != name {
			t.Errorf("read %q, want %q", m.Name, name)
		}
	}
}

func TestOtherShapesFail(t *testing.T) {
	for name, m := range map[string]*brep.Model{
		"a sphere": build.Sphere(2, build.Style{}), "nothing": {},
	} {
		if err := step.Write(&bytes.Buffer{}, name, m); err == nil {
			t.Errorf("%s was written", name)
		}
	}
}

type full struct{}

var errFull = errors.New("no space")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestErrorOfTheDestinationIsReturned(t *testing.T) {
	p := fixturetest.Piece("drilled")
	m, err := p.Solid()
	if err != nil {
		t.Fatal(err)
	}
	if err := step.Write(full{}, "piece", m); !errors.Is(err, errFull) {
		t.Errorf("got %v", err)
	}
}

// TestRealsHaveAPoint as the standard asks.
func TestRealsHaveAPoint(t *testing.T) {
	p := fixturetest.Piece("drilled")
	for _, line := range strings.Split(string(written(t, &p)), "\n") {
		_, numbers, ok := strings.Cut(line, "CARTESIAN_POINT('',(")
		for _, n := range strings.Split(strings.TrimRight(numbers, ");"), ",") {
			if ok && !strings.Contains(n, ".") {
				t.Errorf("%q is no real: %s", n, line)
			}
		}
	}
}
