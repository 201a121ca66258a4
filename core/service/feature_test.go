package service_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"millwright/core/feature"
	"millwright/core/service"
	"millwright/core/stage"
)

// found ends the part's latest job with a report of so many features, without datasheets.
func (w *world) found(part service.Part, features int) service.Report {
	w.t.Helper()
	job, fence := w.lease(part)
	report := service.Report{
		ID: uuid.NewString(), TeamID: part.TeamID, PartID: part.ID, JobID: job.ID, CreatedAt: start,
		Analysis: stage.Analysis{KernelVersion: "test", Shape: stage.Shape{Format: "step"}, Warnings: []string{}},
	}
	for i := range features {
		tag := fmt.Sprintf("%02x", i)
		report.Analysis.Features = append(report.Analysis.Features, stage.PartFeature{
			FeatureID: service.FeatureID(report.ID, tag, i), FeatureTag: tag, FeatureType: "Hole",
		})
	}
	if err := w.store.Commit(w.t.Context(), fence, service.Outcome{Report: &report}, start); err != nil {
		w.t.Fatal(err)
	}
	return report
}

// analysedAgain runs another analysis of the part.
func (w *world) analysedAgain(partID string, features int) service.Report {
	w.t.Helper()
	if _, err := w.AnalyzePart(w.t.Context(), w.acme, service.AnalyzePartInput{PartID: partID}); err != nil {
		w.t.Fatal(err)
	}
	part, err := w.GetPart(w.t.Context(), w.acme, partID)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.found(part, features)
}

func idsOf(r service.Report) []string {
	var ids []string
	for _, f := range r.Analysis.Features {
		ids = append(ids, f.FeatureID)
	}
	return ids
}

func TestMeasureFeatures(t *testing.T) {
	w := newWorld(t)
	part := w.completed(w.acme)
	ids := idsOf(w.found(part, 3))
	w.rung = nil
	job, err := w.MeasureFeatures(t.Context(), w.acme, service.MeasureFeaturesInput{
		PartID: part.ID, FeatureIDs: []string{ids[2], ids[0], ids[2]},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := service.JobInput{FeatureIDs: []string{ids[2], ids[0]}}
	stored, err := w.GetJob(t.Context(), w.acme, job.ID)
	if err != nil || stored.Product != service.ProductFeatureDetails || stored.Status != service.JobQueued ||
		!reflect.DeepEqual(stored.Input, want) {
		t.Errorf("job = %+v, %v; want a queued details job on %v", stored, err, want)
	}
	after, err := w.GetPart(t.Context(), w.acme, part.ID)
	if err != nil || after.Status != service.PartReady || *after.SizeBytes != *part.SizeBytes {
		t.Errorf("part = %+v, %v; want it ready as before", after, err)
	}
	if len(w.rung) != 1 || w.rung[0].JobID != job.ID {
		t.Errorf("rung for %v, want job %s", w.rung, job.ID)
	}
}

func TestMeasureFeaturesRefusals(t *testing.T) {
	w := newWorld(t)
	part, twin := w.completed(w.acme), w.completed(w.acme)
	ids, others := idsOf(w.found(part, 2)), idsOf(w.found(twin, 1))
	later := idsOf(w.analysedAgain(part.ID, 1))
	theirs := idsOf(w.found(w.completed(w.rival), 1))
	unknown := uuid.NewString()
	for _, c := range []struct {
		name   string
		partID string
		ids    []string
		code   service.Code
		names  []string // ids in the sentence
	}{
		{"no such part", uuid.NewString(), ids, service.CodeNotFound, nil},
		{"nothing", part.ID, nil, service.CodeInvalidRequest, nil},
		{"unknown", part.ID, []string{ids[0], unknown, "no uuid"}, service.CodeFeatureNotFound,
			[]string{unknown, "no uuid"}},
		{"of another team", part.ID, theirs, service.CodeFeatureNotFound, theirs},
		{"of another part", part.ID, others, service.CodeFeatureNotFound, others},
		{"of two parts", part.ID, []string{ids[0], others[0]}, service.CodeInvalidRequest, nil},
		{"of two runs", part.ID, []string{ids[0], later[0]}, service.CodeInvalidRequest, nil},
	} {
		_, err := w.MeasureFeatures(t.Context(), w.acme, service.MeasureFeaturesInput{
			PartID: c.partID, FeatureIDs: c.ids,
		})
		wantCode(t, c.name, err, c.code)
		for _, id := range c.names {
			if !strings.Contains(fmt.Sprint(err), id) {
				t.Errorf("%s: %v does not name %s", c.name, err, id)
			}
		}
		if strings.Contains(fmt.Sprint(err), ids[0]) {
			t.Errorf("%s: %v names a feature that exists", c.name, err)
		}
	}
	list, err := w.ListJobs(t.Context(), w.acme, service.JobFilter{Product: service.ProductFeatureDetails})
	if err != nil || list.Total != 0 {
		t.Errorf("%d jobs, %v; a refusal makes none", list.Total, err)
	}
}

func TestManyUnknownFeaturesAreCut(t *testing.T) {
	w := newWorld(t)
	part := w.completed(w.acme)
	w.found(part, 1)
	ids := make([]string, 150)
	for i := range ids {
		ids[i] = uuid.NewString()
	}
	in := service.MeasureFeaturesInput{PartID: part.ID, FeatureIDs: ids}
	_, err := w.MeasureFeatures(t.Context(), w.acme, in)
	text := fmt.Sprint(err)
	if !strings.Contains(text, ids[99]) || strings.Contains(text, ids[100]) || !strings.Contains(text, "50 more") {
		t.Errorf("%v; want the first 100 and how many more there are", err)
	}
}

func TestGetFeatures(t *testing.T) {
	w := newWorld(t)
	part, twin := w.completed(w.acme), w.completed(w.acme)
	get := func(in service.GetFeaturesInput) (service.PartFeatures, error) {
		in.PartID = part.ID
		return w.GetFeatures(t.Context(), w.acme, in)
	}
	_, err := get(service.GetFeaturesInput{})
	wantCode(t, "before there is a result", err, service.CodeNoResult)
	_, err = get(service.GetFeaturesInput{JobID: part.JobID})
	wantCode(t, "of the waiting job", err, service.CodeNoResult)
	first := w.found(part, 3)
	second := w.analysedAgain(part.ID, 1)
	ids, later, others := idsOf(first), idsOf(second), idsOf(w.found(twin, 1))
	sheet := feature.Datasheet{FeatureType: feature.Face, Facts: &feature.FaceFacts{Kind: feature.Face, Area: 5}}
	job, err := w.MeasureFeatures(t.Context(), w.acme, service.MeasureFeaturesInput{
		PartID: part.ID, FeatureIDs: ids[1:2],
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = get(service.GetFeaturesInput{JobID: job.ID})
	wantCode(t, "of the waiting details job", err, service.CodeNoResult)
	_, fence := w.lease(service.Part{JobID: job.ID})
	err = w.store.Commit(t.Context(), fence, service.Outcome{
		ReportID: first.ID, Details: []service.FeatureDetail{{FeatureID: ids[1], Datasheet: sheet}},
	}, start)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		in       service.GetFeaturesInput
		want     []string
		notFound []string
	}{
		{"all of the latest run", service.GetFeaturesInput{}, later, nil},
		{"all of the first run", service.GetFeaturesInput{JobID: first.JobID}, ids, nil},
		{"all of the run that got details", service.GetFeaturesInput{JobID: job.ID}, ids, nil},
		{"some, one twice", service.GetFeaturesInput{FeatureIDs: []string{ids[2], ids[0], ids[2]}},
			[]string{ids[2], ids[0]}, nil},
		{"in vain", service.GetFeaturesInput{FeatureIDs: []string{"x", ids[0], others[0], "x"}},
			ids[:1], []string{"x", others[0]}},
		{"of another run", service.GetFeaturesInput{JobID: first.JobID, FeatureIDs: []string{later[0], ids[0]}},
			ids[:1], later},
		{"an empty list", service.GetFeaturesInput{FeatureIDs: []string{}}, nil, nil},
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
	_, err = get(service.GetFeaturesInput{JobID: uuid.NewString()})
	wantCode(t, "unknown job", err, service.CodeNotFound)
	_, err = w.GetFeatures(t.Context(), w.rival, service.GetFeaturesInput{PartID: part.ID})
	wantCode(t, "another team's part", err, service.CodeNotFound)
}
