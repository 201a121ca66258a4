package worker

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
)

// artifactBuilder obtains the artifacts of an attempt. Artifacts of the team are found by their keys; the missing ones
// are made in a workspace and stored. The CAD file is fetched only if a stage to run reads it.
type artifactBuilder struct {
	*attempt
	space  pipeline.Workspace
	params pipeline.Params
	found  map[pipeline.Name]part.Artifact // stored before
	there  map[pipeline.Name]bool          // in the workspace

	outcome  Outcome
	fetching time.Duration // from the store
	kernel   time.Duration // in the sandbox
	run      pipeline.Run
}

// produce makes the results that the job requests.
func (a *attempt) produce(ctx context.Context) (Outcome, error) {
	space, err := a.Sandbox.Open()
	if err != nil {
		return Outcome{}, fmt.Errorf("open a workspace: %w", err)
	}
	defer func() {
		if err := space.Close(); err != nil {
			a.emit(OutageStarted, a.job, err)
		}
	}()
	m := &artifactBuilder{attempt: a, space: space, there: map[pipeline.Name]bool{}}
	m.params.Source, m.params.FileName = a.part.SourceDigest, a.part.FileName
	switch a.job.Product {
	case job.FeatureDetails:
		err = m.details(ctx)
	case job.Plan, job.Toolpaths, job.Program:
		err = m.plan(ctx)
	default:
		err = m.report(ctx)
	}
	return m.outcome, err
}

// get makes or finds the wanted artifacts, and puts those in read into the workspace. A found artifact whose object no
// longer exists is made again.
func (m *artifactBuilder) get(ctx context.Context, want []pipeline.Name, read ...pipeline.Name) error {
	if err := m.identify(ctx); err != nil {
		return err
	}
	if err := m.lookUp(ctx); err != nil {
		return err
	}
	var todo []pipeline.Name
	for again := true; again; {
		var err error
		if todo, again, err = m.try(ctx, want, read); err != nil {
			return err
		}
	}
	for _, n := range m.params.Names() {
		if used, ok := m.found[n]; ok {
			m.outcome.Used = append(m.outcome.Used, used)
		}
	}
	m.record(todo)
	return nil
}

// try makes the missing artifacts of want. again is true if a found artifact was missing or unusable; it is then no
// longer in found.
func (m *artifactBuilder) try(ctx context.Context, want,
	read []pipeline.Name,
) (todo []pipeline.Name, again bool, err error) {
	fetch, todo := m.params.Plan(want, m.isFound)
	for _, n := range read {
		if m.isFound(n) && !slices.Contains(fetch, n) { // the stages may read it too
			fetch = append(fetch, n)
		}
	}
	gone, err := m.fetchAll(ctx, fetch)
	if err != nil {
		return nil, false, fmt.Errorf("download: %w", err)
	}
	if gone {
		return nil, true, nil
	}
	m.progress.Store(downloaded)
	var unusable *pipeline.CorruptArtifactError
	err = m.runStages(ctx, todo)
	if errors.As(err, &unusable) && m.isFound(unusable.Name) {
		m.emit(OutageStarted, m.job, err)
		delete(m.found, unusable.Name)
		delete(m.there, unusable.Name)
		return nil, true, nil
	}
	return todo, false, err
}

// identify completes the recipe: all keys begin with the contents of the file.
func (m *artifactBuilder) identify(ctx context.Context) error {
	if m.params.Source != "" {
		return nil
	}
	hash, begin := sha256.New(), m.Clock.Now()
	err := m.fetch(ctx, pipeline.Source, m.part.Source, func(r io.Reader) io.Reader { return io.TeeReader(r, hash) })
	if err != nil {
		return fmt.Errorf("download: %w", err)
	}
	m.there[pipeline.Source] = true
	m.fetched(StageDownload, begin)
	m.params.Source = hex.EncodeToString(hash.Sum(nil))
	m.outcome.SourceDigest = m.params.Source
	return nil
}

// lookUp finds the artifacts of the parameters that the team has.
func (m *artifactBuilder) lookUp(ctx context.Context) error {
	names, keys := m.params.Names(), []string(nil)
	byKey := map[string]pipeline.Name{}
	for _, n := range names {
		key := m.params.Key(n)
		keys, byKey[key] = append(keys, key), n
	}
	artifacts, err := m.Records.Artifacts(ctx, m.job.TeamID, keys)
	if err != nil {
		return fmt.Errorf("look up artifacts: %w", err)
	}
	m.found = map[pipeline.Name]part.Artifact{}
	for _, a := range artifacts {
		m.found[byKey[a.Key]] = a
	}
	return nil
}

func (m *artifactBuilder) isFound(n pipeline.Name) bool {
	_, ok := m.found[n]
	return ok
}

// fetchAll fetches artifacts into the workspace concurrently. gone is true if an artifact no longer exists; it is then
// removed from found.
func (m *artifactBuilder) fetchAll(ctx context.Context, names []pipeline.Name) (gone bool, err error) {
	names = slices.DeleteFunc(slices.Clone(names), func(n pipeline.Name) bool { return m.there[n] })
	begin := m.Clock.Now()
	errs := sideBySide(names, func(n pipeline.Name) error {
		if n == pipeline.Source {
			return m.fetch(ctx, n, m.part.Source, nil)
		}
		return m.fetch(ctx, n, m.found[n].Object, nil)
	})
	for i, n := range names {
		switch {
		case errs[i] == nil:
			m.there[n] = true
		case errors.Is(errs[i], object.ErrNotFound) && n != pipeline.Source:
			delete(m.found, n)
			gone, errs[i] = true, nil
		}
	}
	switch {
	case slices.Contains(names, pipeline.Source):
		m.fetched(StageDownload, begin)
	case len(names) > 0:
		m.fetched(StageFetch, begin)
	}
	return gone, errors.Join(errs...)
}

// fetched reports the duration of a fetch that began at begin.
func (m *artifactBuilder) fetched(what Stage, begin time.Time) {
	took := m.Clock.Now().Sub(begin)
	m.fetching += took
	m.tellStage(what, took, nil)
}

// sideBySide calls do for a few artifacts concurrently, since the object store dominates the time.
func sideBySide(names []pipeline.Name, do func(pipeline.Name) error) []error {
	errs := make([]error, len(names))
	var all sync.WaitGroup
	for i, n := range names {
		all.Go(func() { errs[i] = do(n) })
	}
	all.Wait()
	return errs
}

// fetch copies an object into the workspace, through a filter if there is one.
func (m *artifactBuilder) fetch(
	ctx context.Context, n pipeline.Name, from object.Ref, filter func(io.Reader) io.Reader,
) error {
	body, _, err := m.Objects.Get(ctx, from)
	if errors.Is(err, object.ErrNotFound) {
		return err
	}
	if err != nil {
		return storageError{err}
	}
	defer func() { _ = body.Close() }() // read only
	var r io.Reader = stored{body}
	if filter != nil {
		r = filter(r)
	}
	return m.space.Put(ctx, n, r)
}

// runStages runs stages in the sandbox, and stores their artifacts while other stages still run.
func (m *artifactBuilder) runStages(ctx context.Context, todo []pipeline.Name) error {
	if len(todo) == 0 {
		return nil
	}
	storing, running := errgroup.WithContext(ctx)
	begun := map[pipeline.Name]bool{}
	store := func(n pipeline.Name) {
		if !begun[n] {
			begun[n] = true
			storing.Go(func() error { return m.store(running, n, m.object(n)) })
		}
	}
	begin := m.Clock.Now()
	run, err := m.space.Make(running, m.params, todo, func(p pipeline.Progress) {
		m.came = p
		m.kernelProgress(p.Percent)
		if slices.Contains(todo, p.Made) {
			store(p.Made)
		}
	})
	if err == nil {
		m.run, m.kernel = run, m.Clock.Now().Sub(begin)
		m.progress.Store(computed)
		for _, made := range run.Made {
			m.there[made.Name] = true
			m.tellStage(Stage(made.Name), made.Took, nil)
		}
		m.tellStage(StageKernel, m.kernel, &run.Compute)
		for _, n := range todo {
			store(n)
		}
	}
	begin = m.Clock.Now()
	if trouble := storing.Wait(); trouble != nil { // this has ended the stages too
		return fmt.Errorf("store artifacts: %w", trouble)
	}
	if err == nil {
		m.tellStage(StageUpload, m.Clock.Now().Sub(begin), nil)
	}
	return err
}

// kernelProgress reports the sandbox's progress of 0 to 100 percent.
func (a *attempt) kernelProgress(percent int) {
	percent = min(max(percent, 0), 100)
	a.progress.Store(int32(downloaded + percent*(computed-downloaded)/100))
}

// record adds the stored artifacts to the outcome.
func (m *artifactBuilder) record(made []pipeline.Name) {
	sizes := map[pipeline.Name]int64{}
	for _, r := range m.run.Made {
		sizes[r.Name] = r.Size
	}
	for _, n := range made {
		m.outcome.Made = append(m.outcome.Made, part.Artifact{
			Key: m.params.Key(n), Stage: string(n), Object: m.object(n), Size: sizes[n],
		})
	}
}

func (m *artifactBuilder) store(ctx context.Context, n pipeline.Name, to object.Ref) error {
	file, err := m.space.Get(n)
	if err != nil {
		return err
	}
	err = m.Objects.Put(ctx, to, file)
	if err != nil {
		m.uncertain.Store(true)
		err = storageError{err}
	}
	return errors.Join(err, file.Close())
}

// objectOf returns the location of a stage's artifact; zero if it was not made.
func (m *artifactBuilder) objectOf(n pipeline.Name) object.Ref {
	for _, a := range m.outcome.Made {
		if a.Stage == string(n) {
			return a.Object
		}
	}
	return m.found[n].Object
}

// read decodes an artifact that is JSON.
func (m *artifactBuilder) read(n pipeline.Name, to any) error {
	file, err := m.space.Get(n)
	if err != nil {
		return err
	}
	err = json.NewDecoder(file).Decode(to)
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("read the artifact %s: %w", n, err)
	}
	return nil
}

// stored is a reader of a stored object.
type stored struct{ io.Reader }

func (s stored) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err != nil && err != io.EOF {
		err = storageError{err}
	}
	return n, err
}
