package worker

import (
	"context"
	"fmt"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
)

// report makes the client-visible report of a run on the part.
func (m *artifactBuilder) report(ctx context.Context) error {
	m.params.ChordTolerance = m.job.Input.ChordTolerance
	m.params.AngleTolerance = m.job.Input.AngleTolerance
	read := []pipeline.Name{pipeline.Summary}
	if m.job.Input.FeatureDetails {
		read = append(read, pipeline.Datasheets)
	}
	if err := m.get(ctx, m.job.Input.Wanted(), read...); err != nil {
		return err
	}
	r := part.AnalysisReport{
		ID: record.NewID(), TeamID: m.job.TeamID, PartID: m.job.PartID, JobID: m.job.ID,
		Objects: map[pipeline.Name]object.Ref{},
	}
	for _, n := range m.job.Input.Shown() {
		r.Objects[n] = m.objectOf(n)
	}
	if err := m.read(pipeline.Summary, &r.Analysis); err != nil {
		return err
	}
	for i := range r.Analysis.Features {
		f := &r.Analysis.Features[i]
		f.FeatureID = part.FeatureID(r.ID, f.FeatureTag, i)
	}
	if m.job.Input.FeatureDetails {
		if err := m.addDetails(&r); err != nil {
			return err
		}
	}
	r.DownloadMs = m.fetching.Milliseconds()
	r.EnrichmentMs = m.run.Took(pipeline.Datasheets).Milliseconds()
	r.RecognitionMs = max(0, m.kernel.Milliseconds()-r.EnrichmentMs)
	r.CreatedAt = m.now()
	r.TotalMs = r.CreatedAt.Sub(m.started).Milliseconds()
	m.outcome.Report = &r
	return m.follow(ctx)
}

// follow prepares the programs requested with the part, which are placed if the report makes it ready for the first
// time.
func (m *artifactBuilder) follow(ctx context.Context) (err error) {
	pt := m.part
	if pt.Status == part.Ready {
		return nil
	}
	pt.ReportID = m.outcome.Report.ID
	if m.outcome.Follow, err = m.Programs.Follow(ctx, pt); err != nil {
		err = fmt.Errorf("order programs: %w", err)
	}
	return err
}

// addDetails adds the datasheets of all features of a report.
func (m *artifactBuilder) addDetails(r *part.AnalysisReport) error {
	var sheets pipeline.DatasheetSet
	if err := m.read(pipeline.Datasheets, &sheets); err != nil {
		return err
	}
	r.DirectionZBounds = sheets.DirectionZBounds
	byTag := sheetsByTag(&sheets)
	for i := range r.Analysis.Features {
		f := &r.Analysis.Features[i]
		sheet := byTag[f.FeatureTag]
		if sheet == nil {
			r.Analysis.Warnings = append(r.Analysis.Warnings, notMeasured(f.FeatureType, f.FeatureTag))
			continue
		}
		m.outcome.Details = append(m.outcome.Details,
			part.FeatureDetail{FeatureID: f.FeatureID, Datasheet: *sheet})
	}
	return nil
}

// details measures the features that the job names.
func (m *artifactBuilder) details(ctx context.Context) error {
	features, err := m.Records.FeaturesByID(ctx, m.job.TeamID, m.job.Input.FeatureIDs)
	if err != nil {
		return fmt.Errorf("look up the features: %w", err)
	}
	if len(features) == 0 {
		return fmt.Errorf("none of the %d features exists", len(m.job.Input.FeatureIDs))
	}
	for _, f := range features {
		m.params.FeatureTags = append(m.params.FeatureTags, f.Tag)
	}
	if err := m.get(ctx, []pipeline.Name{pipeline.Datasheets}, pipeline.Datasheets); err != nil {
		return err
	}
	var sheets pipeline.DatasheetSet
	if err := m.read(pipeline.Datasheets, &sheets); err != nil {
		return err
	}
	m.outcome.ReportID = features[0].ReportID
	byTag := sheetsByTag(&sheets)
	for _, f := range features {
		sheet, found := byTag[f.Tag]
		switch {
		case !found:
			return &fault.Error{Code: fault.KernelError, Reason: fmt.Sprintf(
				"The %s %s was found by another version of the kernel and not by the present one (%s); analyse the "+
					"part again.", f.Type, f.Tag, pipeline.KernelVersion)}
		case sheet == nil:
			return &fault.Error{Code: fault.KernelError, Reason: notMeasured(f.Type, f.Tag).Message}
		}
		m.outcome.Details = append(m.outcome.Details, part.FeatureDetail{FeatureID: f.ID, Datasheet: *sheet})
	}
	return nil
}

func notMeasured(kind, tag string) fault.Warning {
	return fault.Warnf("not_measured", 0, "The %s %s could not be measured", kind, fault.Location{ID: tag, Text: tag})
}

// sheetsByTag has nil for features that could not be measured.
func sheetsByTag(s *pipeline.DatasheetSet) map[string]*feature.Datasheet {
	byTag := make(map[string]*feature.Datasheet, len(s.Sheets))
	for i := range s.Sheets {
		byTag[s.Sheets[i].FeatureTag] = s.Sheets[i].Datasheet
	}
	return byTag
}
