package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"slices"
	"sync"
	"time"

	"millwright.dev/millwright/core/cam/stock/removal"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/brep"
)

// Reader turns a CAD file into a healed model in mm. The content determines the format; the name only helps. found is
// called with the format, "" if it is unknown, before the file is read. Errors caused by the file are *fault.Error.
type Reader interface {
	Read(
		ctx context.Context, src io.ReaderAt, size int64, fileName string, found func(format string),
	) (*brep.Model, error)
}

// Tessellator meshes a model to a chord tolerance (mm) and an angle tolerance (rad), 0 for defaults.
type Tessellator interface {
	Tessellate(
		ctx context.Context, m *brep.Model, chord, angle float64, progress func(done, total int),
	) (Tessellation, error)
}

// Pipeline makes artifacts. Its fields are the parts of the work that adapters provide.
type Pipeline struct {
	Reader      Reader
	Tessellator Tessellator
	Visibility  feature.Visibility
	Mill        removal.Simulator
	Writers     map[Name]Writer    // of the stages that make files
	JobWriters  map[Name]JobWriter // of the stages that make files of programs
}

// File is the bytes of an artifact.
type File interface {
	io.ReaderAt
	io.Closer
	Size() int64
}

// Files contains the artifacts of one set of parameters, as bytes. Its methods are safe for concurrent use.
type Files interface {
	// Open opens an artifact. The error of a missing artifact wraps fs.ErrNotExist.
	Open(n Name) (File, error)
	// Write adds an artifact and returns its length, bytes.
	Write(n Name, write func(io.Writer) error) (int64, error)
}

// Built is an artifact that was made.
type Built struct {
	Name Name          `json:"name"`
	Size int64         `json:"size"` // bytes; 0 if it was made only as an input of others
	Took time.Duration `json:"took"` // without the time for its inputs
}

// CorruptArtifactError is the error of a stored artifact that cannot be decoded and must be made again.
type CorruptArtifactError struct {
	Name Name
	Err  error
}

func (e *CorruptArtifactError) Error() string {
	return fmt.Sprintf("the stored %s is unusable: %v", e.Name, e.Err)
}

func (e *CorruptArtifactError) Unwrap() error { return e.Err }

// sideBySide is the maximum number of concurrent stages. Writers need only one processor, and run concurrently with a
// stage that uses all. More stages would need more memory and save no time.
const sideBySide = 4

// build is the state that the stages of one call of Make share.
type build struct {
	*Pipeline
	params Params
	files  Files
	want   []Name // to be written to the files
	load   func(*run, context.Context) (any, error)
	runs   map[Name]*run
	order  []*run // each after the stages that it waits for
	slots  chan struct{}
	meter  meter
	sheets func() ([]feature.Datasheet, error) // of all features, measured once
}

// run is one stage of a build: it makes its artifact, or restores it from the files.
type run struct {
	*build
	stage   *stage
	isGiven bool
	ready   chan struct{} // closed when value or err is set
	cancel  context.CancelFunc
	value   any
	err     error
	writing error // error of the writer
	made    Built
	share   float64 // fraction of its work that is done; owned by meter
}

// Make makes the wanted artifacts and those of their inputs that are not in files. It writes only the wanted ones.
// Errors caused by the CAD file are *fault.Error; an unusable stored artifact gives a *CorruptArtifactError.
// Independent stages run concurrently; the results do not depend on that. A stage that fails cancels the stages after
// it in the table. If several stages fail, the error is that of the first in the table.
func (t *Pipeline) Make(
	ctx context.Context, params Params, want []Name, files Files, tell func(Progress),
) ([]Built, error) {
	given, err := params.given(want, files)
	if err != nil {
		return nil, err
	}
	m := &build{Pipeline: t, params: params, files: files, want: want, load: (*run).restore, meter: meter{tell: tell}}
	m.run(ctx, want, func(n Name) bool { return given[n] && !slices.Contains(want, n) })
	return m.outcome(ctx)
}

// run builds the wanted artifacts, and those of their inputs that are not given.
func (m *build) run(ctx context.Context, want []Name, given func(Name) bool) {
	m.sheets = sync.OnceValues(func() ([]feature.Datasheet, error) { return m.measureSheets(ctx, nil) })
	m.runs, m.slots = map[Name]*run{}, make(chan struct{}, min(runtime.GOMAXPROCS(0), sideBySide))
	fetch, todo := m.params.plan(want, given)
	var contexts []context.Context
	for i := range stages {
		s := &stages[i]
		isGiven := slices.Contains(fetch, s.name)
		if !isGiven && !slices.Contains(todo, s.name) {
			continue
		}
		alone, cancel := context.WithCancel(ctx)
		defer cancel()
		r := &run{build: m, stage: s, isGiven: isGiven, ready: make(chan struct{}), cancel: cancel}
		contexts = append(contexts, alone)
		m.order, m.runs[s.name] = append(m.order, r), r
		if !isGiven {
			m.meter.total += float64(s.weight)
		}
	}
	var all sync.WaitGroup
	for i, r := range m.order {
		all.Go(func() {
			if r.do(contexts[i]); r.err != nil {
				m.spare(i + 1)
			}
		})
	}
	all.Wait()
}

// spare cancels the stages from an index of the order on. Their results are not needed, and their errors are not
// reported.
func (m *build) spare(first int) {
	for _, r := range m.order[first:] {
		r.cancel()
	}
}

// given returns the artifacts that are in files.
func (r Params) given(want []Name, files Files) (map[Name]bool, error) {
	out := map[Name]bool{}
	for _, n := range r.Names() {
		f, err := files.Open(n)
		switch {
		case err == nil:
			out[n] = true
			err = f.Close()
		case errors.Is(err, fs.ErrNotExist):
			err = nil
		}
		if err != nil {
			return nil, err
		}
	}
	for _, n := range want {
		if !slices.Contains(r.Names(), n) {
			return nil, fmt.Errorf("no stage makes %q", n)
		}
	}
	return out, nil
}

// outcome returns the artifacts that were made, or the first error, after all stages have ended.
func (m *build) outcome(ctx context.Context) (made []Built, err error) {
	for _, r := range m.order {
		switch {
		case r.err != nil:
			return nil, r.err
		case r.writing != nil:
			return nil, fmt.Errorf("write the artefact %s: %w", r.stage.name, r.writing)
		case !r.isGiven:
			made = append(made, r.made)
		}
	}
	m.meter.end()
	return made, ctx.Err()
}

// do waits for the inputs of the stage, makes or restores its artifact, releases the stages that wait for it, and then
// writes it if it is wanted.
func (r *run) do(ctx context.Context) {
	r.err = r.await(ctx)
	if r.err == nil {
		r.slots <- struct{}{}
		defer func() { <-r.slots }()
		begin := time.Now()
		defer func() { r.made.Took = time.Since(begin) }()
		if r.isGiven {
			r.value, r.err = r.load(r, ctx)
		} else {
			r.step(0, 1)
			r.value, r.err = r.stage.make(ctx, r)
			r.err = r.judged(r.err)
		}
	}
	close(r.ready)
	if r.err != nil || r.isGiven {
		return
	}
	r.made.Name = r.stage.name
	isWanted := slices.Contains(r.want, r.stage.name)
	if isWanted {
		r.made.Size, r.writing = r.files.Write(r.stage.name,
			func(w io.Writer) error { return r.stage.encode(r, w, r.value) })
	}
	r.meter.set(r, 1, isWanted && r.writing == nil)
}

// judged adds the name of the stage to an error that blames the file.
func (r *run) judged(err error) error {
	var f *fault.Error
	if !errors.As(err, &f) || !f.Code.BlamesFile() {
		return err
	}
	judged := *f // other stages may share the error
	judged.Judge = r.params.Judge(r.stage.name)
	return &judged
}

// await waits for the inputs of the stage, or for the inputs of its codec.
func (r *run) await(ctx context.Context) error {
	if r.isGiven && !r.stage.depends {
		return nil
	}
	for _, n := range r.params.inputs(r.stage) {
		in := r.runs[n]
		if in == nil { // the source
			continue
		}
		if <-in.ready; in.err != nil {
			return in.err
		}
	}
	return ctx.Err()
}

// restore reads an artifact from the files.
func (r *run) restore(ctx context.Context) (any, error) {
	n := r.stage.name
	if r.stage.decode == nil {
		return nil, fmt.Errorf("nothing is made from the artefact %s", n)
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
	v, err := r.stage.decode(ctx, r, data)
	if err != nil && ctx.Err() == nil {
		err = &CorruptArtifactError{Name: n, Err: err}
	}
	return v, err
}

// value returns an input of the stage, for which the stage has waited.
func value[T any](r *run, n Name) T { return r.runs[n].value.(T) }

// step reports the progress of a stage.
func (r *run) step(done, total int) { r.meter.set(r, float64(done)/float64(max(total, 1)), false) }

// meter computes the progress of all stages.
type meter struct {
	mu          sync.Mutex
	tell        func(Progress) // nil: progress is not reported
	total, done float64        // sums of the weights of all stages to make, and of their finished work
	format      string         // of the CAD file; "" until it is found
}

const wholePercent = 100

func (m *meter) set(r *run, share float64, isWritten bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.tell == nil || share < r.share {
		return
	}
	m.done += float64(r.stage.weight) * (share - r.share)
	r.share = share
	p := Progress{Percent: int(wholePercent * m.done / m.total), Doing: r.stage.title, Format: m.format}
	if isWritten {
		p.Made = r.stage.name
	}
	m.tell(p)
}

// found reports the format of the CAD file of a stage.
func (m *meter) found(r *run, format string) {
	m.mu.Lock()
	m.format = format
	m.mu.Unlock()
	m.set(r, r.share, false)
}

func (m *meter) end() {
	if m.tell != nil {
		m.tell(Progress{Percent: wholePercent, Doing: "done", Format: m.format})
	}
}
