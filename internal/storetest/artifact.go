package storetest

import (
	"errors"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/worker"
)

// artifact is something that no attempt has made before.
func artifact(key string) part.Artifact {
	return part.Artifact{
		Key: key, Stage: "mesh", Size: 1 << 40, Object: object.Ref{Bucket: "results", Key: "made/" + uuid.NewString()},
	}
}

// made adds a part whose job made the artifacts, and nothing else.
func (f *fixture) made(list ...part.Artifact) part.Part {
	f.t.Helper()
	p, job, fence := f.leased()
	report := f.report(job)
	report.Objects = nil
	f.must(f.store.Commit(f.ctx, fence, worker.Outcome{Report: &report, Made: list}, f.tick()))
	return p
}

func (f *fixture) wantArtifacts(what, teamID string, keys []string, want ...part.Artifact) {
	f.t.Helper()
	got, err := f.store.Artifacts(f.ctx, teamID, keys)
	if err != nil || !slices.Equal(got, want) {
		f.t.Errorf("%s: Artefacts(%q) = %+v, %v\nwant %+v", what, keys, got, err, want)
	}
}

func testArtifacts(t *testing.T, f *fixture) {
	a, b, c := artifact("a"), artifact("b"), artifact("c")
	p, job, fence := f.leased()
	report := f.report(job)
	f.must(f.store.Commit(f.ctx, fence, worker.Outcome{
		Report: &report, Made: []part.Artifact{a, b}, SourceDigest: "5d41",
	}, f.tick()))
	before := f.getPart(p.ID)
	if before.SourceDigest != "5d41" || before.Status != part.Ready {
		t.Errorf("part = %+v, want it ready with its digest", before)
	}
	f.wantArtifacts("in the order asked", f.team.ID, []string{"c", "b", "", "a"}, b, a)
	f.wantArtifacts("none asked", f.team.ID, nil)
	f.wantArtifacts("of another team", f.newTeam("other").ID, []string{"a", "b"})

	again, fence := f.lease(f.queued(p).ID)
	changed := f.getPart(p.ID)
	f.must(f.store.Commit(f.ctx, fence, worker.Outcome{
		ReportID: report.ID, Made: []part.Artifact{c}, Used: []part.Artifact{a, b},
	}, f.tick()))
	f.wantArtifacts("added to the report", f.team.ID, []string{"a", "b", "c"}, a, b, c)
	if got := f.getPart(p.ID); !reflect.DeepEqual(got, changed) || f.getJob(again.ID).ReportID != report.ID {
		t.Errorf("part = %+v, want it unchanged: %+v", got, changed)
	}
}

// testArtifactMadeTwice lets two jobs make the same artifact and store an object each. Look-ups return the last one,
// since the first may be damaged, and deletion covers both.
func testArtifactMadeTwice(t *testing.T, f *fixture) {
	first, second := artifact("a"), artifact("a")
	p := f.made(first)
	_, fence := f.lease(f.queued(p).ID)
	f.must(f.store.Commit(f.ctx, fence, worker.Outcome{
		ReportID: f.getPart(p.ID).ReportID, Made: []part.Artifact{second},
	}, f.tick()))
	f.wantArtifacts("made twice", f.team.ID, []string{"a"}, second)
	f.wantExpired(map[string][]part.Artifact{p.ID: {first, second}})
}

func testArtifactAdopted(t *testing.T, f *fixture) {
	a, stranger := artifact("a"), artifact("a")
	f.made(a)
	other := f.newTeam("other")
	ours, theirs := f.pendingPart(f.team), f.pendingPart(other)
	job, fence := f.lease(f.queued(ours).ID)
	report := f.report(job)
	adopt := func(a part.Artifact) error {
		return f.store.Commit(f.ctx, fence, worker.Outcome{
			Report: &report, Details: f.details(report), SourceDigest: "5d41", Made: []part.Artifact{artifact("b")},
			Used: []part.Artifact{a},
		}, f.tick())
	}
	before := f.getPart(ours.ID)
	if err := adopt(stranger); !errors.Is(err, part.ErrObjectDeleted) {
		t.Errorf("Commit with an object that nobody names = %v, want ErrGone", err)
	}
	if got := f.getJob(job.ID); !reflect.DeepEqual(got, job) || !reflect.DeepEqual(f.getPart(ours.ID), before) {
		t.Errorf("after ErrGone the job is %+v and the part %+v", got, f.getPart(ours.ID))
	}
	f.wantFeatures("after ErrGone", report.ID, []part.Feature{})
	f.wantArtifacts("after ErrGone", f.team.ID, []string{"b"})
	f.must(adopt(a))

	theirJob, fence := f.lease(f.queued(theirs).ID)
	report = f.report(theirJob)
	if err := adopt(a); !errors.Is(err, part.ErrObjectDeleted) {
		t.Errorf("Commit with an object of another team = %v, want ErrGone", err)
	}
}

// wantExpired marks all parts without jobs and deletes them; each must come with the objects of its artifacts.
func (f *fixture) wantExpired(want map[string][]part.Artifact) {
	f.t.Helper()
	parts, err := f.store.Expire(f.ctx, f.tick(), f.tick(), 10)
	f.must(err)
	if len(parts) != len(want) {
		f.t.Errorf("%d parts are marked, want %d", len(parts), len(want))
	}
	for _, p := range parts {
		var objects []object.Ref
		for _, a := range want[p.ID] {
			objects = append(objects, a.Object)
		}
		for _, ref := range objects {
			if !slices.Contains(p.Results, ref) {
				f.t.Errorf("part %s goes without %s", p.ID, ref.Key)
			}
		}
		if len(p.Results) != len(objects) {
			f.t.Errorf("part %s goes with %v, want %v", p.ID, p.Results, objects)
		}
	}
	for _, p := range parts {
		f.must(f.store.DeletePart(f.ctx, p.ID, f.now))
	}
}

// testExpireSharedArtifact: an object goes with the last part that names it, also one that a report names.
func testExpireSharedArtifact(t *testing.T, f *fixture) {
	shared, alone, reported := artifact("a"), artifact("b"), artifact("stl")
	_, j, fence := f.leased()
	report := f.report(j)
	report.Objects = map[pipeline.Name]object.Ref{pipeline.STL: reported.Object}
	f.must(f.store.Commit(f.ctx, fence, worker.Outcome{
		Report: &report, Made: []part.Artifact{shared, alone, reported},
	}, f.tick()))
	f.after(leaseTime)
	p := f.pendingPart(f.team)
	heir, fence := f.lease(f.queued(p).ID)
	parts, err := f.store.Expire(f.ctx, f.now.Add(-leaseTime), f.tick(), 10)
	f.must(err)
	if len(parts) != 1 || parts[0].ID != j.PartID || len(parts[0].Results) != 3 {
		t.Errorf("Expire = %+v, want part %s with all its objects", parts, j.PartID)
	}
	f.wantArtifacts("of a marked part", f.team.ID, []string{"a", "b", "stl"})
	adopts := func(fence job.FencingToken, job job.Job, list ...part.Artifact) error {
		report := f.report(job)
		report.Objects = map[pipeline.Name]object.Ref{pipeline.STL: reported.Object}
		return f.store.Commit(f.ctx, fence, worker.Outcome{Report: &report, Used: list}, f.tick())
	}
	if err := adopts(fence, heir, shared); !errors.Is(err, part.ErrObjectDeleted) {
		t.Errorf("Commit with an object of a marked part = %v, want ErrGone", err)
	}
	f.must(f.store.DeletePart(f.ctx, j.PartID, f.now))

	f.must(f.store.Commit(f.ctx, fence, worker.Outcome{
		Report: new(f.report(heir)), Made: []part.Artifact{shared, reported},
	}, f.tick()))
	f.after(leaseTime)
	heirs := []string{p.ID}
	for range 2 {
		part, job, fence := f.leased()
		f.must(adopts(fence, job, shared, reported))
		heirs = append(heirs, part.ID)
	}
	parts, err = f.store.Expire(f.ctx, f.now.Add(-leaseTime/2), f.tick(), 10)
	f.must(err)
	if want := []object.Ref{f.report(heir).Objects[pipeline.STL]}; len(parts) != 1 || parts[0].ID != p.ID ||
		!slices.Equal(parts[0].Results, want) {
		t.Errorf("Expire = %+v, want part %s with %v alone", parts, p.ID, want)
	}
	f.must(f.store.DeletePart(f.ctx, p.ID, f.now))
	f.wantArtifacts("of the parts that are left", f.team.ID, []string{"a", "stl"}, shared, reported)
	f.wantExpired(map[string][]part.Artifact{heirs[1]: {shared, reported}, heirs[2]: {shared, reported}})
}

// testAdoptOrExpire lets the last part with an object expire while another part is about to reference it. Either both
// parts reference the object, or it is deleted and the other part gets an error.
func testAdoptOrExpire(t *testing.T, f *fixture) {
	for range 20 {
		a := artifact("a")
		old := f.made(a)
		before := f.tick()
		_, job, fence := f.leased()
		report := f.report(job)
		now := f.tick()
		var adopted error
		var objects atomic.Int32
		f.atOnce(2, func(n int) error {
			if n == 0 {
				adopted = f.store.Commit(f.ctx, fence, worker.Outcome{Report: &report, Used: []part.Artifact{a}}, now)
				return nil
			}
			parts, err := f.store.Expire(f.ctx, before, now, 10)
			for _, p := range parts {
				objects.Add(int32(len(p.Results)))
				if err == nil {
					err = f.store.DeletePart(f.ctx, p.ID, f.now)
				}
			}
			return err
		})
		found, err := f.store.Artifacts(f.ctx, f.team.ID, []string{"a"})
		f.must(err)
		_, gone := f.store.Part(f.ctx, f.team.ID, old.ID)
		switch {
		case adopted == nil && len(found) == 1 && objects.Load() == 0:
		case errors.Is(adopted, part.ErrObjectDeleted) && len(found) == 0 && objects.Load() == 1 && gone != nil:
			f.must(f.store.Fail(f.ctx, fence, fault.Error{Code: fault.NoSolid, Reason: "-"}, f.tick()))
			f.must(f.store.Forget(f.ctx, fence))
		default:
			t.Fatalf("Commit = %v, found %v, %d objects went with the part", adopted, found, objects.Load())
		}
		rest, err := f.store.Expire(f.ctx, f.tick(), f.tick(), 10)
		f.must(err)
		for _, p := range rest {
			f.must(f.store.DeletePart(f.ctx, p.ID, f.now))
		}
	}
}

// testExpireAtOnce marks two parts with a shared object concurrently; at least one of them deletes the object.
func testExpireAtOnce(t *testing.T, f *fixture) {
	for range 20 {
		a := artifact("a")
		f.made(a)
		_, job, fence := f.leased()
		report := f.report(job)
		report.Objects = nil
		f.must(f.store.Commit(f.ctx, fence, worker.Outcome{Report: &report, Used: []part.Artifact{a}}, f.tick()))
		before, now := f.tick(), f.tick()
		var deleted atomic.Int32
		f.atOnce(2, func(int) error {
			for {
				parts, err := f.store.Expire(f.ctx, before, now, 1)
				if err != nil || len(parts) == 0 {
					return err
				}
				for _, p := range parts {
					deleted.Add(int32(len(p.Results)))
					if err := f.store.DeletePart(f.ctx, p.ID, f.now); err != nil {
						return err
					}
				}
			}
		})
		if deleted.Load() == 0 {
			t.Fatal("both parts went, and their object is left behind")
		}
	}
}
