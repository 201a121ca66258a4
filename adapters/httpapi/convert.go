package httpapi

import (
	"cmp"
	"maps"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/feature/process"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
)

// This file turns records into wire types.

// optional is nil for the empty text that records use for null.
func optional[T ~string](s T) *string {
	if s == "" {
		return nil
	}
	text := string(s)
	return &text
}

func wirePart(p part.Part) Part {
	return Part{
		ID:               p.ID,
		FileName:         p.FileName,
		Format:           optional(p.Format),
		SizeBytes:        p.SizeBytes,
		Status:           string(p.Status),
		FailureCode:      optional(p.FailureCode),
		FailureReason:    optional(p.FailureReason),
		Warnings:         wireWarnings(p.Warnings),
		ProjectID:        optional(p.ProjectID),
		CurrentProgramID: optional(p.CurrentProgramID),
		ProgramIDs:       p.ProgramIDs,
		JobID:            optional(p.JobID),
		CreatedAt:        p.CreatedAt,
		UpdatedAt:        p.UpdatedAt,
	}
}

func wireUpload(to object.SignedURL) Upload {
	headers := map[string]string{}
	maps.Copy(headers, to.Headers) // never null
	return Upload{URL: to.URL, Method: to.Method, Headers: headers, ExpiresAt: to.ExpiresAt}
}

func wireResult(r part.Result) PartResult {
	report, a := &r.Report, &r.Report.Analysis
	out := PartResult{
		PartID:              report.PartID,
		ReportID:            report.ID,
		JobID:               report.JobID,
		KernelVersion:       a.KernelVersion,
		Units:               ReportUnits{Length: "mm", Angle: "deg"},
		Regions:             make([]Region, len(a.Regions)),
		Features:            make([]PartFeature, len(a.Features)),
		CandidateDirections: append([]geom.Vec3{}, a.CandidateDirections...),
		Geometry: Geometry{
			Volume: a.Volume, Area: a.Area, Centroid: a.Centroid, Bounds: Box(a.Bounds), Solids: a.Solids, Faces: a.Faces,
			Watertight: a.Watertight, Exact: a.IsExact(), Sag: a.Sag,
		},
		Setups:            make([]Setup, len(a.Setups)),
		FeatureGroups:     make([]FeatureGroup, len(a.FeatureGroups)),
		Unmachined:        make([]Unmachined, len(a.Unmachined)),
		Warnings:          wireWarnings(a.Warnings),
		MeshPointCount:    a.MeshPointCount,
		MeshTriangleCount: a.MeshTriangleCount,
		ThumbnailURL:      optional(r.ThumbnailURL),
		MeshStlURL:        optional(r.MeshSTLURL),
		MeshGlbURL:        optional(r.MeshGLBURL),
		DownloadMs:        report.DownloadMs,
		RecognitionMs:     report.RecognitionMs,
		EnrichmentMs:      report.EnrichmentMs,
		TotalMs:           report.TotalMs,
	}
	if report.DirectionZBounds != nil {
		out.DirectionZBounds = make([]DirectionZBounds, len(report.DirectionZBounds))
	}
	for i, b := range report.DirectionZBounds {
		out.DirectionZBounds[i] = DirectionZBounds(b)
	}
	for i, region := range a.Regions {
		out.Regions[i] = Region(region)
	}
	ids := make(map[string]string, len(a.Features)) // by tag
	for i := range a.Features {
		ids[a.Features[i].FeatureTag] = a.Features[i].FeatureID
	}
	for i := range a.Features {
		out.Features[i] = wireFeature(&a.Features[i], ids)
	}
	out.Process = wireProcess(&a.Process, ids)
	for i, s := range a.Setups {
		out.Setups[i] = Setup{Index: s.Index, Direction: s.Direction, FeatureIDs: idsOf(ids, s.FeatureTags)}
	}
	for i, g := range a.FeatureGroups {
		out.FeatureGroups[i] = FeatureGroup{
			FeatureIDs: idsOf(ids, g.FeatureTags), Label: g.Label, Pattern: string(g.Pattern),
		}
	}
	for i, u := range a.Unmachined {
		out.Unmachined[i] = Unmachined{
			RegionIdxs: append([]int{}, u.RegionIdxs...), FeatureID: ids[u.FeatureTag], Area: u.Area, Reason: u.Reason,
			Detail: u.Detail,
		}
	}
	return out
}

func wireFeature(f *pipeline.PartFeature, ids map[string]string) PartFeature {
	return PartFeature{
		FeatureID: f.FeatureID, FeatureTag: f.FeatureTag, RegionIdxs: append([]int{}, f.RegionIdxs...),
		FeatureType: f.FeatureType, MachiningDirection: f.MachiningDirection, Axis: f.Axis,
		AlternativeOf: idsOf(ids, f.AlternativeOf),
	}
}

// wireProcess is milled for results that are older than this figure.
func wireProcess(p *pipeline.Process, ids map[string]string) Process {
	out := Process{Kind: string(cmp.Or(p.Kind, process.Milled)), Reasons: append([]string{}, p.Reasons...)}
	if t := p.Turned; t != nil {
		out.Turned = &Turned{t.Origin, t.Axis, t.StockDiameter, t.Length, idsOf(ids, t.FeatureTags)}
	}
	if b := p.Sheet; b != nil {
		out.Sheet = (*SheetBlank)(b)
	}
	return out
}

// idsOf are the ids of features by their tags.
func idsOf(ids map[string]string, tags []string) []string {
	out := make([]string, len(tags))
	for i, tag := range tags {
		out[i] = ids[tag]
	}
	return out
}

func wireJob(j job.Job) JobSummary {
	return JobSummary{
		PartUUID:    j.PartID,
		JobUUID:     j.ID,
		ProductType: string(j.Product),
		Status:      string(j.Status),
		Progress:    j.Progress,
		CreatedAt:   j.CreatedAt,
	}
}

func wireJobDetail(j job.Job) JobDetail {
	return JobDetail{JobSummary: wireJob(j), Error: optional(j.FailureReason), ReportID: optional(j.ReportID),
		Warnings: wireWarnings(j.Warnings)}
}

func wireWarnings(warnings []fault.Warning) []Warning {
	out := make([]Warning, len(warnings))
	for i, w := range warnings {
		out[i] = Warning{Code: w.Code, Message: w.Message, Entity: w.Entity}
	}
	return out
}
