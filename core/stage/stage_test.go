package stage_test

import (
	"slices"
	"testing"

	"millwright/core/stage"
)

func recipe(change func(*stage.Recipe)) stage.Recipe {
	r := stage.Recipe{Source: "00", FileName: "block.step"}
	if change != nil {
		change(&r)
	}
	return r
}

// TestKeysFollowWhatArtefactsDependOn changes one thing of a recipe and asks which keys change with it.
func TestKeysFollowWhatArtefactsDependOn(t *testing.T) {
	shown := []stage.Name{
		stage.Summary, stage.STL, stage.GLB, stage.ThreeMF, stage.FeatureGLB,
	}
	for _, c := range []struct {
		name   string
		change func(*stage.Recipe)
		want   []stage.Name // whose keys change
	}{
		{"another file", func(r *stage.Recipe) { r.Source = "01" }, stage.Names()},
		{"another extension", func(r *stage.Recipe) { r.FileName = "block.igs" }, stage.Names()},
		{"an extension in capitals", func(r *stage.Recipe) { r.FileName = "block.STEP" }, nil},
		{"another name", func(r *stage.Recipe) { r.FileName = "plate.step" }, []stage.Name{
			stage.GLB, stage.ThreeMF, stage.FeatureGLB,
		}},
		{"another chord", func(r *stage.Recipe) { r.ChordTolerance = 0.01 }, shown},
		{"another angle", func(r *stage.Recipe) { r.AngleTolerance = 5 }, shown},
		{"the default angle", func(r *stage.Recipe) { r.AngleTolerance = 20 }, nil},
		{"some features", func(r *stage.Recipe) { r.FeatureTags = []string{"b", "a"} }, []stage.Name{stage.Datasheets}},
		{"nothing", func(*stage.Recipe) {}, nil},
	} {
		one, other := recipe(nil), recipe(c.change)
		for _, n := range stage.Names() {
			changed := one.Key(n) != other.Key(n)
			if want := slices.Contains(c.want, n); changed != want {
				t.Errorf("%s: the key of %s changes: %v, want %v", c.name, n, changed, want)
			}
		}
	}
}

func TestKeysAreOfOneArtefact(t *testing.T) {
	seen := map[string]stage.Name{}
	for _, n := range stage.Names() {
		key := recipe(nil).Key(n)
		if other, taken := seen[key]; taken || len(key) != 64 {
			t.Errorf("%s has the key %q, which %s has too or which is no SHA-256", n, key, other)
		}
		seen[key] = n
	}
}

func TestTagsHaveNoOrder(t *testing.T) {
	one := recipe(func(r *stage.Recipe) { r.FeatureTags = []string{"b", "a", "b"} })
	other := recipe(func(r *stage.Recipe) { r.FeatureTags = []string{"a", "b"} })
	if one.Key(stage.Datasheets) != other.Key(stage.Datasheets) {
		t.Error("the same features in another order have another key")
	}
}

func TestPlan(t *testing.T) {
	names := func(ns ...stage.Name) []stage.Name { return ns }
	result := names(stage.Summary, stage.STL, stage.GLB, stage.Thumbnail)
	finer := recipe(func(r *stage.Recipe) { r.ChordTolerance = 0.01 })
	for _, c := range []struct {
		name                     string
		recipe                   stage.Recipe
		want, stored, fetch, run []stage.Name
	}{
		{"nothing is wanted", recipe(nil), nil, nil, nil, nil},
		{"the first run", recipe(nil), result, nil, names(stage.Source), names(stage.Model, stage.Properties,
			stage.Mesh, stage.Features, stage.FeatureList, stage.Overall, stage.Summary, stage.STL, stage.GLB, stage.Thumbnail)},
		{"the same again", recipe(nil), result, result, nil, nil},
		{"another mesh", finer, result, names(stage.Model, stage.Properties, stage.Mesh, stage.Features,
			stage.FeatureList, stage.Overall, stage.Thumbnail),
			names(stage.Model, stage.Properties, stage.FeatureList, stage.Overall),
			names(stage.Summary, stage.STL, stage.GLB)},
		{"datasheets, whatever the mesh is shown at", finer, names(stage.Datasheets), names(stage.Model, stage.Mesh),
			names(stage.Model, stage.Mesh), names(stage.Features, stage.Overall, stage.Datasheets)},
		{"datasheets of a run", recipe(nil), names(stage.Datasheets), append(result, stage.Model, stage.Properties, stage.Mesh,
			stage.Features, stage.Overall), names(stage.Features, stage.Model, stage.Mesh, stage.Overall), names(stage.Datasheets)},
		{"a file of the mesh alone", recipe(nil), names(stage.STL), names(stage.Mesh), names(stage.Mesh), names(stage.STL)},
		{"features without the model that they go with", recipe(nil), names(stage.Datasheets), names(stage.Features, stage.Mesh),
			names(stage.Features, stage.Source, stage.Mesh), names(stage.Model, stage.Overall, stage.Datasheets)},
		{"wanted first, taken later", recipe(nil), names(stage.Mesh, stage.STL), names(stage.Mesh), names(stage.Mesh),
			names(stage.STL)},
	} {
		fetch, run := c.recipe.Plan(c.want, func(n stage.Name) bool { return slices.Contains(c.stored, n) })
		if !slices.Equal(fetch, c.fetch) || !slices.Equal(run, c.run) {
			t.Errorf("%s: fetch %v and run %v, want %v and %v", c.name, fetch, run, c.fetch, c.run)
		}
	}
}

func TestSplitName(t *testing.T) {
	for name, want := range map[string][2]string{
		"a.step": {"a", ".step"}, "a.b.STEP": {"a.b", ".STEP"}, "a.step.gz": {"a", ".step.gz"}, "A.IGS.GZ": {"A", ".IGS.GZ"},
		"a.gz": {"a", ".gz"}, ".gz": {"", ".gz"}, "a": {"a", ""}, "": {"", ""},
	} {
		if stem, extension := stage.SplitName(name); stem != want[0] || extension != want[1] {
			t.Errorf("SplitName(%q) = %q, %q, want %q", name, stem, extension, want)
		}
	}
}
