package stage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"time"

	"millwright/core/brep"
	"millwright/core/feature"
)

// Reader turns a CAD file into a healed model in mm. The content decides the format, the name only helps.
// A file at fault gives a *fault.Error.
type Reader interface {
	Read(
		ctx context.Context, src io.ReaderAt, size int64, fileName string,
	) (m *brep.Model, format string, err error)
}

// Tessellator meshes a model to a chord tolerance (mm) and an angle tolerance (rad), 0 for defaults.
type Tessellator interface {
	Tessellate(
		ctx context.Context, m *brep.Model, chord, angle float64, progress func(done, total int),
	) (Tessellation, error)
}

// Tree makes artefacts. Its fields are what is done outside the domain.
type Tree struct {
	Reader      Reader
	Tessellator Tessellator
	Visibility  feature.Visibility
	Writers     map[Name]Writer // of the stages that make files
}

// File is the bytes of an artefact.
type File interface {
	io.ReaderAt
	io.Closer
	Size() int64
}

// Files holds the bytes of the artefacts of one recipe.
type Files interface {
	// Open returns fs.ErrNotExist, wrapped or not, for what is not there.
	Open(n Name) (File, error)
	// Write adds an artefact and returns its length, bytes.
	Write(n Name, write func(io.Writer) error) (int64, error)
}

// Made is an artefact that was made.
type Made struct {
	Name Name          `json:"name"`
	Size int64         `json:"size"` // bytes; 0 where it was made for others only
	Took time.Duration `json:"took"` // without what it was made from
}

// UnusableError says that the stored bytes of an artefact cannot be read; it has to be made anew.
type UnusableError struct {
	Name Name
	Err  error
}

func (e *UnusableError) Error() string {
	return fmt.Sprintf("the stored %s is unusable: %v", e.Name, e.Err)
}

func (e *UnusableError) Unwrap() error { return e.Err }

// run is one run of stages.
type run struct {
	*Tree
	recipe Recipe
	files  Files
	want   []Name
	values map[Name]any
	made   []Made

	tell    func(percent int, doing string)
	current *stage
	total   int // weight of all that is to be made
	done    int
}

// Make makes the wanted artefacts, and what they need that is not among the files; only what is wanted is written.
// An error is a *fault.Error when the CAD file is to blame, and an *UnusableError when another one is.
func (t *Tree) Make(
	ctx context.Context, recipe Recipe, want []Name, files Files, progress func(percent int, doing string),
) ([]Made, error) {
	r := &run{Tree: t, recipe: recipe, files: files, want: want, values: map[Name]any{}, tell: progress}
	if progress == nil {
		r.tell = func(int, string) {}
	}
	given, err := r.given()
	if err != nil {
		return nil, err
	}
	_, todo := recipe.Plan(want, func(n Name) bool { return given[n] && !slices.Contains(want, n) })
	for _, n := range todo {
		r.total += find(n).weight
	}
	for _, n := range todo {
		if err := r.makeOne(ctx, find(n)); err != nil {
			return r.made, err
		}
	}
	r.tell(wholePercent, "done")
	return r.made, ctx.Err()
}

const wholePercent = 100

// given says which artefacts are among the files.
func (r *run) given() (map[Name]bool, error) {
	out := map[Name]bool{}
	for i := range stages {
		f, err := r.files.Open(stages[i].name)
		switch {
		case err == nil:
			out[stages[i].name] = true
			err = f.Close()
		case errors.Is(err, fs.ErrNotExist):
			err = nil
		}
		if err != nil {
			return nil, err
		}
	}
	for _, n := range r.want {
		if find(n) == nil {
			return nil, fmt.Errorf("no stage makes %q", n)
		}
	}
	return out, nil
}

// makeOne runs a stage and writes what it made if it is wanted.
func (r *run) makeOne(ctx context.Context, s *stage) error {
	for _, in := range r.recipe.inputs(s) {
		if _, err := r.load(ctx, in); err != nil {
			return err
		}
	}
	r.current = s
	r.step(0, 1)
	start := time.Now()
	value, err := s.make(ctx, r)
	if err != nil {
		return err
	}
	r.values[s.name] = value
	made := Made{Name: s.name}
	if slices.Contains(r.want, s.name) {
		made.Size, err = r.files.Write(s.name, func(w io.Writer) error { return s.encode(r, w, value) })
		if err != nil {
			return fmt.Errorf("write the artefact %s: %w", s.name, err)
		}
	}
	made.Took = time.Since(start)
	r.made = append(r.made, made)
	r.done += s.weight
	return ctx.Err()
}

// step tells how far the current stage has come.
func (r *run) step(done, total int) {
	here := float64(r.current.weight) * float64(done) / float64(max(total, 1))
	r.tell(int(wholePercent*(float64(r.done)+here)/float64(max(r.total, 1))), r.current.title)
}

// load returns an artefact, from those that were made or from the files. That of the source is nil.
func (r *run) load(ctx context.Context, n Name) (any, error) {
	s := find(n)
	if v, ok := r.values[n]; ok || s == nil {
		return v, nil
	}
	if s.decode == nil {
		return nil, fmt.Errorf("nothing is made from the artefact %s", n)
	}
	if s.depends {
		for _, in := range r.recipe.inputs(s) {
			if _, err := r.load(ctx, in); err != nil {
				return nil, err
			}
		}
	}
	f, err := r.files.Open(n)
	if err != nil {
		return nil, fmt.Errorf("open the artefact %s: %w", n, err)
	}
	data := make([]byte, f.Size())
	_, err = io.ReadFull(io.NewSectionReader(f, 0, f.Size()), data)
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("read the artefact %s: %w", n, err)
	}
	v, err := s.decode(ctx, r, data)
	if err != nil && ctx.Err() == nil {
		err = &UnusableError{Name: n, Err: err}
	}
	if err != nil {
		return nil, err
	}
	r.values[n] = v
	return v, nil
}

// value is an artefact that a stage takes, and which is loaded before the stage is run.
func value[T any](r *run, n Name) T { return r.values[n].(T) }
