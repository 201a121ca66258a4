package feature_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"millwright.dev/millwright/bench/corpus"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/featuretest"
)

// Public sets of labeled parts: the share of faces for which recognition agrees with the label. The bounds are slightly
// below the measured values, so that a worse rule is detected. They are not a target, and no rule was fitted to a file.

// tally counts faces of one kind: labeled, recognized, both.
type tally struct{ label, found, both int }

func (c *tally) add(label, found bool) {
	if label {
		c.label++
	}
	if found {
		c.found++
	}
	if label && found {
		c.both++
	}
}

// check logs recall and precision and fails below the bounds.
func (c *tally) check(t *testing.T, what string, recall, precision float64) {
	t.Helper()
	r, p := float64(c.both)/float64(c.label), float64(c.both)/float64(c.found)
	t.Logf("%s: recall %d of %d (%.3f), precision %d of %d (%.3f)", what, c.both, c.label, r, c.both, c.found, p)
	if !(r >= recall) || !(p >= precision) {
		t.Errorf("%s: recall %.3f, precision %.3f, want at least %.3f, %.3f", what, r, p, recall, precision)
	}
}

// typeOf returns the type of the feature that has each face, "" if there is no such feature.
func typeOf(res feature.Result, faces int) []feature.Type {
	out := make([]feature.Type, faces)
	for _, f := range res.Features {
		for _, r := range f.Regions {
			out[r] = f.Type
		}
	}
	return out
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(corpus.Dir(t), "labelled", pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files match %s: %v", pattern, err)
	}
	return files
}

func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, v)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// MFCAD: blocks with planar features. The labels are the numbers of the generator's feature list,
// which the file names repeat, with stock as 15: 0 is the chamfer (one face each), 1 to 14 are slots,
// steps, passages and pockets.
func TestLabeledMFCAD(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 115 parts")
	}
	const chamfer, stock = 0, 15
	var chamfers, pockets, faces tally
	for _, path := range glob(t, "mfcad_sample/*.step") {
		run, err := recognized(t, path)
		if err != nil {
			t.Fatal(err)
		}
		m, res := run.Graph.Model, run.Result
		var labels []int
		readJSON(t, strings.TrimSuffix(path, ".step")+".labels.json", &labels)
		for i, typ := range typeOf(res, len(m.Faces)) {
			id, err := strconv.Atoi(m.Faces[i].Name)
			if err != nil || id < 0 || id >= len(labels) {
				t.Fatalf("%s: face %d is named %q, not by its label", path, i, m.Faces[i].Name)
			}
			l := labels[id]
			chamfers.add(l == chamfer, typ == feature.Chamfer)
			pockets.add(l != chamfer && l != stock, typ == feature.Pocket)
			faces.add(l == stock, typ == feature.Face)
		}
	}
	chamfers.check(t, "chamfers", 0.85, 0.95)
	pockets.check(t, "slots, steps, passages and pockets", 0.98, 0.98)
	faces.check(t, "stock as faces", 0.98, 0.98)
}

// MFTRCAD: turned and milled bodies with holes, chamfers and others; labels by face number.
func TestLabeledMFTRCAD(t *testing.T) {
	const throughHole, blindHole = 1, 12
	var holes, through tally
	for _, path := range glob(t, "mftrcad_sample/steps/*.step") {
		run, err := recognized(t, path)
		if err != nil {
			t.Fatal(err)
		}
		m, res := run.Graph.Model, run.Result
		var labels struct {
			Cls map[string]int `json:"cls"`
		}
		name := strings.TrimSuffix(filepath.Base(path), ".step") + ".json"
		readJSON(t, filepath.Join(filepath.Dir(filepath.Dir(path)), "labels", name), &labels)
		if len(labels.Cls) != len(m.Faces) {
			t.Fatalf("%s: %d faces, %d labels", path, len(m.Faces), len(labels.Cls))
		}
		isThrough := make([]bool, len(m.Faces))
		for _, f := range featuretest.Only(res, feature.Hole) {
			for _, r := range f.Regions {
				isThrough[r] = f.Hole.Through
			}
		}
		for i, typ := range typeOf(res, len(m.Faces)) {
			l := labels.Cls[strconv.Itoa(i)]
			holes.add(l == throughHole || l == blindHole, typ == feature.Hole)
			through.add(l == throughHole, isThrough[i])
		}
	}
	holes.check(t, "holes", 1, 1)
	through.check(t, "through holes", 1, 1)
}

// MFCAD-VLM: real parts with the number of features of each kind, counted by people. Bores of tubes
// and threaded holes have entries of their own there.
func TestLabeledRealParts(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 50 parts")
	}
	parts, exact := 0, 0
	for _, path := range glob(t, "mfcad_vlm/Test_Cases_STEP_Files/*") {
		run, err := recognized(t, path)
		if err != nil {
			t.Fatal(err)
		}
		var truth struct {
			Features []struct {
				Name     string `json:"feature_name"`
				Quantity int    `json:"quantity"`
			} `json:"identified_features"`
		}
		name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) + ".json"
		readJSON(t, filepath.Join(filepath.Dir(filepath.Dir(path)), "Test_Cases_STEP_Ground_Truth", name), &truth)
		want, others := 0, 0
		for _, f := range truth.Features {
			switch {
			case strings.HasPrefix(f.Name, "Hole"):
				want += f.Quantity
			case strings.HasPrefix(f.Name, "Threaded"), strings.HasPrefix(f.Name, "Pipe"):
				others += f.Quantity
			}
		}
		got := len(featuretest.Only(run.Result, feature.Hole))
		parts++
		if got == want || got == want+others {
			exact++
		} else {
			t.Logf("%s: %d holes, counted by people %d and %d threaded or bores of tubes", filepath.Base(path),
				got, want, others)
		}
	}
	t.Logf("hole counts agree on %d of %d parts", exact, parts)
	const most = 45 // in hard_12 people count both ends of five holes across a gap of less than two diameters
	if exact < most {
		t.Errorf("hole counts agree on %d of %d parts, want at least %d", exact, parts, most)
	}
}
