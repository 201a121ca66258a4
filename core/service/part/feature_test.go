package part_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"millwright.dev/millwright/cmd/millwright/app/apptest"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/worker"
)

// found ends the part's latest job with a report of so many features, without datasheets.
func (w *world) found(p part.Part, features int) part.AnalysisReport {
	w.t.Helper()
	job, fence := w.Lease(p)
	report := part.AnalysisReport{
		ID: uuid.NewString(), TeamID: p.TeamID, PartID: p.ID, JobID: job.ID, CreatedAt: apptest.Start,
		Analysis: pipeline.Analysis{KernelVersion: "test", Shape: pipeline.Shape{Format: "step"},
			Warnings: []fault.Warning{}},
	}
	for i := range features {
		tag := fmt.Sprintf("%02x", i)
		report.Analysis.Features = append(report.Analysis.Features, pipeline.PartFeature{
			FeatureID: part.FeatureID(report.ID, tag, i), FeatureTag: tag, FeatureType: "Hole",
			Rule: "hole", Reasons: []string{"Its faces are " + tag + "."},
		})
	}
	if err := w.Store.Commit(w.t.Context(), fence, worker.Outcome{Report: &report}, apptest.Start); err != nil {
		w.t.Fatal(err)
	}
	return report
}

// analyzedAgain runs another analysis of the part.
func (w *world) analyzedAgain(partID string, features int) part.AnalysisReport {
	w.t.Helper()
	if _, err := w.Parts.Analyze(w.t.Context(), w.Acme, part.AnalyzeInput{PartID: partID}); err != nil {
		w.t.Fatal(err)
	}
	part, err := w.Parts.Get(w.t.Context(), w.Acme, partID)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.found(part, features)
}

func idsOf(r part.AnalysisReport) []string {
	var ids []string
	for _, f := range r.Analysis.Features {
		ids = append(ids, f.FeatureID)
	}
	return ids
}

func TestMeasureFeatures(t *testing.T) {
	w := newWorld(t)
	p := w.Completed(w.Acme)
	ids := idsOf(w.found(p, 3))
	w.Rung = nil
	j, err := w.Parts.Measure(t.Context(), w.Acme, part.MeasureInput{
		PartID: p.ID, FeatureIDs: []string{ids[2], ids[0], ids[2]},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := job.Input{FeatureIDs: []string{ids[2], ids[0]}}
	stored, err := w.Jobs.Get(t.Context(), w.Acme, j.ID)
	if err != nil || stored.Product != job.FeatureDetails || stored.Status != job.Queued ||
		!reflect.DeepEqual(stored.Input, want) {
		t.Errorf("job = %+v, %v; want a queued details job on %v", stored, err, want)
	}
	after, err := w.Parts.Get(t.Context(), w.Acme, p.ID)
	if err != nil || after.Status != part.Ready || *after.SizeBytes != *p.SizeBytes {
		t.Errorf("part = %+v, %v; want it ready as before", after, err)
	}
	if len(w.Rung) != 1 || w.Rung[0].JobID != j.ID {
		t.Errorf("rung for %v, want job %s", w.Rung, j.ID)
	}
}

func TestMeasureFeaturesRefusals(t *testing.T) {
	w := newWorld(t)
	p, twin := w.Completed(w.Acme), w.Completed(w.Acme)
	ids, others := idsOf(w.found(p, 2)), idsOf(w.found(twin, 1))
	later := idsOf(w.analyzedAgain(p.ID, 1))
	theirs := idsOf(w.found(w.Completed(w.Rival), 1))
	unknown := uuid.NewString()
	for _, c := range []struct {
		name   string
		partID string
		ids    []string
		code   apierr.Code
		names  []string // ids in the sentence
	}{
		{"no such part", uuid.NewString(), ids, apierr.NotFound, nil},
		{"nothing", p.ID, nil, apierr.InvalidRequest, nil},
		{"unknown", p.ID, []string{ids[0], unknown, "no uuid"}, apierr.FeatureNotFound,
			[]string{unknown, "no uuid"}},
		{"of another team", p.ID, theirs, apierr.FeatureNotFound, theirs},
		{"of another part", p.ID, others, apierr.FeatureNotFound, others},
		{"of two parts", p.ID, []string{ids[0], others[0]}, apierr.InvalidRequest, nil},
		{"of two runs", p.ID, []string{ids[0], later[0]}, apierr.InvalidRequest, nil},
	} {
		_, err := w.Parts.Measure(t.Context(), w.Acme, part.MeasureInput{
			PartID: c.partID, FeatureIDs: c.ids,
		})
		apptest.WantCode(t, c.name, err, c.code)
		for _, id := range c.names {
			if !strings.Contains(fmt.Sprint(err), id) {
				t.Errorf("%s: %v does not name %s", c.name, err, id)
			}
		}
		if strings.Contains(fmt.Sprint(err), ids[0]) {
			t.Errorf("%s: %v names a feature that exists", c.name, err)
		}
	}
	list, err := w.Jobs.List(t.Context(), w.Acme, job.Filter{Product: job.FeatureDetails})
	if err != nil || list.Total != 0 {
		t.Errorf("%d jobs, %v; a refusal makes none", list.Total, err)
	}
}

func TestManyUnknownFeaturesAreCut(t *testing.T) {
	w := newWorld(t)
	p := w.Completed(w.Acme)
	w.found(p, 1)
	ids := make([]string, 150)
	for i := range ids {
		ids[i] = uuid.NewString()
	}
	in := part.MeasureInput{PartID: p.ID, FeatureIDs: ids}
	_, err := w.Parts.Measure(t.Context(), w.Acme, in)
	text := fmt.Sprint(err)
	if !strings.Contains(text, ids[99]) || strings.Contains(text, ids[100]) || !strings.Contains(text, "50 more") {
		t.Errorf("%v; want the first 100 and how many more there are", err)
	}
}

func TestGetFeatures(t *testing.T) {
	w := newWorld(t)
	p, twin := w.Completed(w.Acme), w.Completed(w.Acme)
	get := func(in part.FeaturesInput) (part.Features, error) {
		in.PartID = p.ID
		return w.Parts.Features(t.Context(), w.Acme, in)
	}
	_, err := get(part.FeaturesInput{})
	apptest.WantCode(t, "before there is a result", err, apierr.NoResult)
	_, err = get(part.FeaturesInput{JobID: p.JobID})
	apptest.WantCode(t, "of the waiting job", err, apierr.NoResult)
	first := w.found(p, 3)
	second := w.analyzedAgain(p.ID, 1)
	ids, later, others := idsOf(first), idsOf(second), idsOf(w.found(twin, 1))
	sheet := feature.Datasheet{FeatureType: feature.Face, Facts: &feature.FaceFacts{Kind: feature.Face, Area: 5}}
	job, err := w.Parts.Measure(t.Context(), w.Acme, part.MeasureInput{
		PartID: p.ID, FeatureIDs: ids[1:2],
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = get(part.FeaturesInput{JobID: job.ID})
	apptest.WantCode(t, "of the waiting details job", err, apierr.NoResult)
	_, fence := w.Lease(part.Part{JobID: job.ID})
	err = w.Store.Commit(t.Context(), fence, worker.Outcome{
		ReportID: first.ID, Details: []part.FeatureDetail{{FeatureID: ids[1], Datasheet: sheet}},
	}, apptest.Start)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		in       part.FeaturesInput
		want     []string
		notFound []string
	}{
		{"all of the latest run", part.FeaturesInput{}, later, nil},
		{"all of the first run", part.FeaturesInput{JobID: first.JobID}, ids, nil},
		{"all of the run that got details", part.FeaturesInput{JobID: job.ID}, ids, nil},
		{"some, one twice", part.FeaturesInput{FeatureIDs: []string{ids[2], ids[0], ids[2]}},
			[]string{ids[2], ids[0]}, nil},
		{"in vain", part.FeaturesInput{FeatureIDs: []string{"x", ids[0], others[0], "x"}},
			ids[:1], []string{"x", others[0]}},
		{"of another run", part.FeaturesInput{JobID: first.JobID, FeatureIDs: []string{later[0], ids[0]}},
			ids[:1], later},
		{"an empty list", part.FeaturesInput{FeatureIDs: []string{}}, nil, nil},
	} {
		got, err := get(c.in)
		var gotIDs []string
		for _, f := range got.Features {
			gotIDs = append(gotIDs, f.ID)
			if measured := f.Datasheet != nil; measured != (f.ID == ids[1]) ||
				measured && !reflect.DeepEqual(*f.Datasheet, sheet) {
				t.Errorf("%s: datasheet of %s = %+v", c.name, f.ID, f.Datasheet)
			}
		}
		if err != nil || !slices.Equal(gotIDs, c.want) || !slices.Equal(got.NotFound, c.notFound) ||
			got.NotFound == nil {
			t.Errorf("%s: features %v, not found %v, %v; want %v and %v",
				c.name, gotIDs, got.NotFound, err, c.want, c.notFound)
		}
	}
	_, err = get(part.FeaturesInput{JobID: uuid.NewString()})
	apptest.WantCode(t, "unknown job", err, apierr.NotFound)
	_, err = w.Parts.Features(t.Context(), w.Rival, part.FeaturesInput{PartID: p.ID})
	apptest.WantCode(t, "another team's part", err, apierr.NotFound)
}
