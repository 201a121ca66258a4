package part

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/idempotency"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/record"
)

// CompleteUpload confirms that the file was uploaded, seals it and starts its processing; the job is the
// returned part's JobID. Repeating it changes nothing. Error codes: not_found, part_not_uploaded,
// payload_too_large, rate_limited, quota_exceeded, unavailable (too many jobs wait).
func (s *Service) CompleteUpload(ctx context.Context, c account.Caller, partID string) (Part, error) {
	part, err := s.Get(ctx, c, partID)
	if err != nil || part.Status != Pending {
		return part, err
	}
	if err := s.jobs.Admit(ctx, c.TeamID); err != nil {
		return Part{}, err
	}
	size, err := s.seal(ctx, part)
	if err != nil {
		return Part{}, err
	}
	j := s.newJob(record.NewID(), part, job.PartProcessing)
	return s.enqueue(ctx, j, part, EnqueueOptions{SourceSize: size, OnlyIfPending: true})
}

// AnalyzeInput is the request for another analysis run.
type AnalyzeInput struct {
	PartID         string
	FeatureDetails bool // also measure a datasheet of every feature
	// How finely the part is meshed; 0 = by its size.
	ChordTolerance float64         // mm
	AngleTolerance float64         // degrees
	Exports        []pipeline.Name // additional files to make
}

// Bounds of the tolerances of a mesh. A finer tolerance is below the accuracy of any machine; a coarser one no longer
// represents the part.
const (
	minChordTolerance = 1e-4 // mm
	maxChordTolerance = 100  // mm
	minAngleTolerance = 0.1  // degrees
	maxAngleTolerance = 90   // degrees
)

func (in AnalyzeInput) validate() error {
	chord, angle := in.ChordTolerance, in.AngleTolerance
	if chord != 0 && !(minChordTolerance <= chord && chord <= maxChordTolerance) {
		return apierr.Errorf(apierr.InvalidRequest, "chordTolerance lies between %g and %d mm, or is 0.",
			minChordTolerance, maxChordTolerance)
	}
	if angle != 0 && !(minAngleTolerance <= angle && angle <= maxAngleTolerance) {
		return apierr.Errorf(apierr.InvalidRequest, "angleTolerance lies between %g and %d degrees, or is 0.",
			minAngleTolerance, maxAngleTolerance)
	}
	return checkExports(in.Exports)
}

// Analyze queues an analysis run of an uploaded part and returns its job. It first seals the part's file if that is not
// done yet. If an earlier job failed because of the file's content and the same stages would fail again, Analyze
// returns that job and meters nothing. Error codes: not_found, part_not_uploaded, payload_too_large, rate_limited,
// quota_exceeded, unavailable (too many jobs wait), invalid_request (a tolerance out of bounds, an unknown export).
func (s *Service) Analyze(ctx context.Context, c account.Caller, in AnalyzeInput) (job.Job, error) {
	if err := in.validate(); err != nil {
		return job.Job{}, err
	}
	find := func(id string) (job.Job, error) { return s.jobs.Get(ctx, c, id) }
	return idempotency.WithFixedID(c, find, func(id string) (job.Job, error) {
		part, err := s.Get(ctx, c, in.PartID)
		if err != nil {
			return job.Job{}, err
		}
		j := s.newJob(id, part, job.PartAnalysis)
		j.Input.FeatureDetails = in.FeatureDetails
		j.Input.ChordTolerance, j.Input.AngleTolerance = in.ChordTolerance, in.AngleTolerance
		j.Input.Exports = slices.Compact(slices.Sorted(slices.Values(in.Exports)))
		failed, err := s.judged(ctx, part, j.Input)
		if !errors.Is(err, record.ErrNotFound) {
			return failed, err
		}
		if err := s.jobs.Admit(ctx, c.TeamID); err != nil {
			return job.Job{}, err
		}
		size, err := s.seal(ctx, part)
		if err != nil {
			return job.Job{}, err
		}
		_, err = s.enqueue(ctx, j, part, EnqueueOptions{SourceSize: size, MeterTo: c.KeyID})
		return j, err
	})
}

// Retry queues a failed job of the team again with a full count of attempts, and meters nothing. A job that failed
// because of the file's content, and would fail again, is returned unchanged. Error codes: not_found, job_finished (it
// has not failed), rate_limited, quota_exceeded, unavailable (too many jobs wait).
func (s *Service) Retry(ctx context.Context, c account.Caller, jobID string) (job.Job, error) {
	j, err := s.jobs.Get(ctx, c, jobID)
	if err != nil {
		return job.Job{}, err
	}
	if j.Status != job.Failed {
		return s.jobs.Retry(ctx, jobID) // returns the error for this status
	}
	p, err := s.Get(ctx, c, j.PartID)
	if err != nil {
		return job.Job{}, err
	}
	if failed, err := s.judged(ctx, p, j.Input); err == nil && failed.ID == j.ID {
		return j, nil
	} else if err != nil && !errors.Is(err, record.ErrNotFound) {
		return job.Job{}, err
	}
	if err := s.jobs.Admit(ctx, c.TeamID); err != nil {
		return job.Job{}, err
	}
	return s.jobs.Retry(ctx, jobID)
}

// judged returns an earlier job that failed because of the part's file, if an analysis with this input would fail the
// same way. The file does not change once a job exists for it. record.ErrNotFound: no such job.
func (s *Service) judged(ctx context.Context, p Part, in job.Input) (job.Job, error) {
	params := pipeline.Params{
		FileName: p.FileName, ChordTolerance: in.ChordTolerance, AngleTolerance: in.AngleTolerance,
	}
	return s.store.JudgedJob(ctx, p.TeamID, p.ID, params.Judges(in.Wanted()))
}

// seal makes the part's source immutable and returns its length in bytes. From then on no upload can change the input
// of this and later runs.
func (s *Service) seal(ctx context.Context, part Part) (int64, error) {
	info, err := s.objects.Seal(ctx, uploadOf(part), part.Source, s.config.MaxUpload)
	switch {
	case errors.Is(err, object.ErrNotFound):
		return 0, apierr.Errorf(apierr.PartNotUploaded, "The file of part %s has not been uploaded.", part.ID)
	case errors.Is(err, object.ErrTooLarge):
		return 0, apierr.Errorf(apierr.PayloadTooLarge, "The file is larger than the %d bytes that are accepted.",
			s.config.MaxUpload)
	}
	return info.Size, err
}

// SourceObjects are where the file of a part may lie.
func SourceObjects(part Part) []object.Ref { return []object.Ref{part.Source, uploadOf(part)} }

// uploadOf returns the location of the part's upload before it is sealed at Source.
func uploadOf(part Part) object.Ref {
	dir, name := path.Split(part.Source.Key)
	return object.Ref{Bucket: part.Source.Bucket, Key: dir + "upload" + path.Ext(name)}
}

func (s *Service) newJob(id string, part Part, product job.Product) job.Job {
	now := s.now()
	return job.Job{
		ID: id, TeamID: part.TeamID, PartID: part.ID, Product: product, Status: job.Queued,
		Warnings: []fault.Warning{}, DueAt: now, CreatedAt: now, UpdatedAt: now,
	}
}

// enqueue queues an admitted job on a part whose source was just sealed. If the part no longer exists, enqueue
// also deletes objects that the sealing may have created after the deletion.
func (s *Service) enqueue(ctx context.Context, j job.Job, on Part, terms EnqueueOptions) (Part, error) {
	j.Class, j.Trace = job.SizeClassOf(j.Product, terms.SourceSize), s.trace(ctx)
	terms.Quota = s.config.Quota
	part, err := s.store.Enqueue(ctx, j, terms)
	if errors.Is(err, record.ErrNotFound) {
		var left []error
		for _, ref := range SourceObjects(on) {
			left = append(left, s.objects.Delete(ctx, ref))
		}
		return Part{}, cmp.Or(errors.Join(left...), error(noPart(on.ID)))
	}
	if err != nil {
		return Part{}, err
	}
	s.jobs.Ring(ctx, j)
	return part, nil
}
