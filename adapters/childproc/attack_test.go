package childproc

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/confine"
	"millwright.dev/millwright/adapters/confine/confinetest"
	"millwright.dev/millwright/core/pipeline"
)

// TestTakenOverChild has a file take over the child, which then attacks the process that started it.
func TestTakenOverChild(t *testing.T) {
	if err := confine.Check(); err != nil {
		t.Skip(err)
	}
	confinetest.AsBoth(t, func(t *testing.T) {
		target := confinetest.NewTarget(t)
		text, err := json.Marshal(target)
		if err != nil {
			t.Fatal(err)
		}
		s := newSandbox(Options{Dir: t.TempDir()})
		for _, isWarm := range []bool{false, true} {
			if isWarm {
				s.Warm()
				spareOf(s)
			}
			space, err := s.OpenFolder()
			if err != nil {
				t.Fatal(err)
			}
			if err := space.Put(t.Context(), pipeline.Source, strings.NewReader(string(text))); err != nil {
				t.Fatal(err)
			}
			var done string
			_, err = space.Make(t.Context(), pipeline.Params{FileName: "attack"}, nil,
				func(p pipeline.Progress) { done = p.Doing })
			if err != nil || done != "done: " {
				t.Errorf("a child (ahead: %t) that was taken over could %q, %v", isWarm, done, err)
			}
			target.Check(t)
			if err := space.Close(); err != nil {
				t.Error(err)
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

// attack is the script of a child that was taken over.
func attack(files pipeline.Files, tell func(pipeline.Progress)) error {
	f, err := files.Open(pipeline.Source)
	if err != nil {
		return err
	}
	text := make([]byte, f.Size())
	if _, err := f.ReadAt(text, 0); err != nil {
		return err
	}
	var target confinetest.Target
	if err := json.Unmarshal(text, &target); err != nil {
		return err
	}
	own := os.Getenv("TMPDIR")
	done := target.Attack(own)
	// The files that the parent reads from the workspace must not link to other places.
	for name, link := range map[string]func(old, new string) error{"link": os.Link, "link by name": os.Symlink} {
		if link("/dev/null", own+"/"+string(pipeline.STL)) == nil {
			done = append(done, name)
		}
	}
	tell(pipeline.Progress{Percent: 1, Doing: "done: " + strings.Join(done, ", ")})
	return nil
}
