package iges

import (
	"compress/gzip"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/brep/repair"
)

// TestEachEntity damages the parameters of each entity of a part in turn. The part must be unchanged, or be rejected
// with a sentence. It may be rejected only without a list of vertices or edges, which all faces need, without the shell
// or the solid, and without a face that is not planar.
func TestEachEntity(t *testing.T) {
	for name, refused := range map[string]int{
		"box_186": 4, "drilled_plate_186": 10, "draft_pocket_186": 4, "turned_part_186": 12,
	} {
		good := unpacked(t, name)
		whole, err := solidVolume(t, good)
		if err != nil {
			t.Fatal(err)
		}
		lines, count, entities := strings.SplitAfter(good, "\n"), 0, 0
		for i, line := range lines {
			const owner, section, width = 64, 72, 80
			if len(line) < width || line[section] != 'P' || i > 0 && lines[i-1][owner:section] == line[owner:section] {
				continue
			}
			kind, _, _ := strings.Cut(line, ",")
			entities++
			lines[i] = strings.Repeat("9", len(kind)) + line[len(kind):]
			got, err := solidVolume(t, strings.Join(lines, ""))
			lines[i] = line
			switch {
			case err != nil:
				count++
				t.Logf("%s without D%s, a %s: %v", name, strings.TrimSpace(line[owner:section]),
					strings.TrimSpace(kind), err)
			case math.Abs(got-whole) > 1e-6*whole:
				t.Errorf("%s without D%s, a %s: volume %g, want %g", name, strings.TrimSpace(line[owner:section]),
					strings.TrimSpace(kind), got, whole)
			}
		}
		if count > refused {
			t.Errorf("%s: refused without %d of %d entities, want at most %d", name, count, entities, refused)
		}
	}
}

func unpacked(t *testing.T, name string) string {
	f, err := os.Open("testdata/" + name + ".igs.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// solidVolume reads and repairs a file; it returns an error if the file gives no solid.
func solidVolume(t *testing.T, text string) (float64, error) {
	m, err := Read(t.Context(), strings.NewReader(text), int64(len(text)))
	if err != nil {
		return 0, err
	}
	if err := repair.Model(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if len(m.Solids) == 0 {
		return 0, os.ErrNotExist
	}
	p, err := mass.Compute(t.Context(), m)
	if err != nil {
		return 0, err
	}
	return p.Volume, nil
}
