package pipeline_test

import (
	"slices"
	"testing"

	"millwright.dev/millwright/core/pipeline"
)

func params(change func(*pipeline.Params)) pipeline.Params {
	r := pipeline.Params{Source: "00", FileName: "block.step"}
	if change != nil {
		change(&r)
	}
	return r
}

// TestKeysDependOnParams changes one parameter in each case and compares all keys.
func TestKeysDependOnParams(t *testing.T) {
	shown := []pipeline.Name{
		pipeline.Summary, pipeline.STL, pipeline.GLB, pipeline.ThreeMF, pipeline.FeatureGLB,
	}
	for _, c := range []struct {
		name   string
		change func(*pipeline.Params)
		want   []pipeline.Name // whose keys change
	}{
		{"another file", func(r *pipeline.Params) { r.Source = "01" }, pipeline.Names()},
		{"another extension", func(r *pipeline.Params) { r.FileName = "block.igs" }, pipeline.Names()},
		{"an extension in capitals", func(r *pipeline.Params) { r.FileName = "block.STEP" }, nil},
		{"another name", func(r *pipeline.Params) { r.FileName = "plate.step" }, []pipeline.Name{
			pipeline.GLB, pipeline.ThreeMF, pipeline.FeatureGLB,
		}},
		{"another chord", func(r *pipeline.Params) { r.ChordTolerance = 0.01 }, shown},
		{"another angle", func(r *pipeline.Params) { r.AngleTolerance = 5 }, shown},
		{"the default angle", func(r *pipeline.Params) { r.AngleTolerance = 20 }, nil},
		{"some features", func(r *pipeline.Params) { r.FeatureTags = []string{"b", "a"} },
			[]pipeline.Name{pipeline.Datasheets}},
		{"nothing", func(*pipeline.Params) {}, nil},
	} {
		one, other := params(nil), params(c.change)
		for _, n := range pipeline.Names() {
			changed := one.Key(n) != other.Key(n)
			if want := slices.Contains(c.want, n); changed != want {
				t.Errorf("%s: the key of %s changes: %v, want %v", c.name, n, changed, want)
			}
		}
	}
}

func TestKeysAreUnique(t *testing.T) {
	seen := map[string]pipeline.Name{}
	for _, n := range pipeline.Names() {
		key := params(nil).Key(n)
		if other, taken := seen[key]; taken || len(key) != 64 {
			t.Errorf("%s has the key %q, which %s has too or which is no SHA-256", n, key, other)
		}
		seen[key] = n
	}
}

func TestTagOrderDoesNotChangeKey(t *testing.T) {
	one := params(func(r *pipeline.Params) { r.FeatureTags = []string{"b", "a", "b"} })
	other := params(func(r *pipeline.Params) { r.FeatureTags = []string{"a", "b"} })
	if one.Key(pipeline.Datasheets) != other.Key(pipeline.Datasheets) {
		t.Error("the same features in another order have another key")
	}
}

func TestPlan(t *testing.T) {
	names := func(ns ...pipeline.Name) []pipeline.Name { return ns }
	result := names(pipeline.Summary, pipeline.STL, pipeline.GLB, pipeline.Thumbnail)
	finer := params(func(r *pipeline.Params) { r.ChordTolerance = 0.01 })
	for _, c := range []struct {
		name                     string
		params                   pipeline.Params
		want, stored, fetch, run []pipeline.Name
	}{
		{"nothing is wanted", params(nil), nil, nil, nil, nil},
		{"the first run", params(nil), result, nil, names(pipeline.Source), names(pipeline.Model, pipeline.Properties,
			pipeline.Mesh, pipeline.Features, pipeline.FeatureList, pipeline.PartSummaryStage, pipeline.Summary,
			pipeline.STL, pipeline.GLB, pipeline.Thumbnail)},
		{"the same again", params(nil), result, result, nil, nil},
		{"another mesh", finer, result, names(pipeline.Model, pipeline.Properties, pipeline.Mesh, pipeline.Features,
			pipeline.FeatureList, pipeline.PartSummaryStage, pipeline.Thumbnail),
			names(pipeline.Model, pipeline.Properties, pipeline.FeatureList, pipeline.PartSummaryStage),
			names(pipeline.Summary, pipeline.STL, pipeline.GLB)},
		{"datasheets, whatever the mesh is shown at", finer, names(pipeline.Datasheets),
			names(pipeline.Model, pipeline.Mesh),
			names(pipeline.Model, pipeline.Mesh),
			names(pipeline.Features, pipeline.PartSummaryStage, pipeline.Datasheets)},
		{"datasheets of a run", params(nil), names(pipeline.Datasheets),
			append(result, pipeline.Model, pipeline.Properties, pipeline.Mesh,
				pipeline.Features, pipeline.PartSummaryStage), names(pipeline.Features, pipeline.Model, pipeline.Mesh,
				pipeline.PartSummaryStage), names(pipeline.Datasheets)},
		{"a file of the mesh alone", params(nil), names(pipeline.STL), names(pipeline.Mesh), names(pipeline.Mesh),
			names(pipeline.STL)},
		{"features without the model that they go with", params(nil), names(pipeline.Datasheets),
			names(pipeline.Features, pipeline.Mesh),
			names(pipeline.Features, pipeline.Source, pipeline.Mesh),
			names(pipeline.Model, pipeline.PartSummaryStage, pipeline.Datasheets)},
		{"wanted first, taken later", params(nil), names(pipeline.Mesh, pipeline.STL), names(pipeline.Mesh),
			names(pipeline.Mesh),
			names(pipeline.STL)},
	} {
		fetch, run := c.params.Plan(c.want, func(n pipeline.Name) bool { return slices.Contains(c.stored, n) })
		if !slices.Equal(fetch, c.fetch) || !slices.Equal(run, c.run) {
			t.Errorf("%s: fetch %v and run %v, want %v and %v", c.name, fetch, run, c.fetch, c.run)
		}
	}
}

func TestSplitName(t *testing.T) {
	for name, want := range map[string][2]string{
		"a.step": {"a", ".step"}, "a.b.STEP": {"a.b", ".STEP"}, "a.step.gz": {"a", ".step.gz"},
		"A.IGS.GZ": {"A", ".IGS.GZ"},
		"a.gz":     {"a", ".gz"}, ".gz": {"", ".gz"}, "a": {"a", ""}, "": {"", ""},
	} {
		if stem, extension := pipeline.SplitName(name); stem != want[0] || extension != want[1] {
			t.Errorf("SplitName(%q) = %q, %q, want %q", name, stem, extension, want)
		}
	}
}
