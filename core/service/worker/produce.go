package worker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"millwright/core/geom"
	"millwright/core/service"
)

// produce makes what the job was asked for.
func (a *attempt) produce(ctx context.Context) (outcome, error) {
	if a.job.Product == service.ProductFeatureDetails {
		return a.produceDetails(ctx)
	}
	return a.produceReport(ctx)
}

// produceReport runs the kernel on the source and stores the files that it made.
func (a *attempt) produceReport(ctx context.Context) (outcome, error) {
	dir, remove, err := a.scratch()
	if err != nil {
		return outcome{}, err
	}
	defer remove()
	out := filepath.Join(dir, "out")
	if err := os.Mkdir(out, 0o700); err != nil {
		return outcome{}, err
	}
	options := a.config.Kernel
	options.Details = a.job.Input.FeatureDetails
	run, err := a.runKernel(ctx, dir, out, options)
	if err != nil {
		return outcome{}, err
	}
	made := a.newReport(run.analysis)
	report := &made.report
	begin := a.Clock.Now()
	if err := a.upload(ctx, out, run.analysis, report); err != nil {
		return outcome{}, fmt.Errorf("store results: %w", err)
	}
	a.tellStage(StageUpload, a.Clock.Now().Sub(begin), nil)
	report.DownloadMs = run.download.Milliseconds()
	report.EnrichmentMs = run.analysis.EnrichmentMs
	report.RecognitionMs = max(0, run.kernel.Milliseconds()-report.EnrichmentMs)
	report.CreatedAt = a.now()
	report.TotalMs = report.CreatedAt.Sub(a.started).Milliseconds()
	return made, nil
}

// kernelRun is what the kernel found and the time that it took.
type kernelRun struct {
	analysis         *service.Analysis
	download, kernel time.Duration
}

// runKernel downloads the source into dir and runs the kernel on it, with its files going to out.
func (a *attempt) runKernel(
	ctx context.Context, dir, out string, options service.KernelOptions,
) (run kernelRun, err error) {
	source := filepath.Join(dir, "source"+path.Ext(a.part.Source.Key))
	begin := a.Clock.Now()
	if err := a.download(ctx, source); err != nil {
		return run, fmt.Errorf("download: %w", err)
	}
	a.progress.Store(downloaded)
	fetched := a.Clock.Now()
	a.tellStage(StageDownload, fetched.Sub(begin), nil)
	run.analysis, err = a.Kernel.Analyze(ctx, service.KernelRequest{
		Source: source, FileName: a.part.FileName, OutDir: out, Options: options,
	}, a.kernelProgress)
	if err != nil {
		return run, err
	}
	if run.analysis == nil {
		return run, errors.New("the kernel returned neither a result nor an error")
	}
	a.progress.Store(computed)
	run.download, run.kernel = fetched.Sub(begin), a.Clock.Now().Sub(fetched)
	enrichment := min(run.kernel, time.Duration(run.analysis.EnrichmentMs)*time.Millisecond)
	a.tellStage(StageRecognition, run.kernel-enrichment, run.analysis.Compute)
	if options.Details {
		a.tellStage(StageEnrichment, enrichment, nil)
	}
	return run, nil
}

// kernelProgress takes the kernel's own 0 to 100 percent.
func (a *attempt) kernelProgress(percent int, _ string) {
	percent = min(max(percent, 0), 100)
	a.progress.Store(int32(downloaded + percent*(computed-downloaded)/100))
}

func (a *attempt) download(ctx context.Context, to string) error {
	body, _, err := a.Objects.Get(ctx, a.part.Source)
	if errors.Is(err, service.ErrNoObject) {
		return err
	}
	if err != nil {
		return storageTrouble{err}
	}
	defer func() { _ = body.Close() }()
	f, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err := io.Copy(f, cancellable{ctx, stored{body}}); err != nil {
		return errors.Join(err, f.Close())
	}
	return f.Close()
}

// upload stores the files that the kernel wrote and names them in the report.
func (a *attempt) upload(ctx context.Context, out string, from *service.Analysis, to *service.Report) error {
	root, err := os.OpenRoot(out) // a name that leads out of the folder is refused
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	for _, f := range []struct {
		file string
		ref  service.ObjectRef
		made *service.ObjectRef
	}{
		{from.STLFile, a.objects.STL, &to.STL},
		{from.GLBFile, a.objects.GLB, &to.GLB},
		{from.ThumbnailFile, a.objects.Thumbnail, &to.Thumbnail},
	} {
		if f.file == "" {
			continue
		}
		name := strings.TrimPrefix(f.file, out+string(filepath.Separator))
		file, err := root.Open(name)
		if err != nil {
			return err
		}
		err = a.Objects.Put(ctx, f.ref, cancellable{ctx, file})
		if err != nil {
			a.uncertain, err = true, storageTrouble{err}
		}
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
		*f.made = f.ref
	}
	return nil
}

// newReport gives the run its identity: a report id, and ids of its features made from it. Datasheets go
// with the ids of their features.
func (a *attempt) newReport(from *service.Analysis) outcome {
	r := service.Report{
		ID: a.NewID(), TeamID: a.job.TeamID, PartID: a.job.PartID, JobID: a.job.ID, Analysis: *from,
	}
	made := &r.Analysis
	made.STLFile, made.GLBFile, made.ThumbnailFile = "", "", ""
	made.Compute = nil // of this run, not of the part
	made.FeatureGLBFile, made.FeaturePictureFile = "", ""
	made.Features = append([]service.PartFeature{}, from.Features...)
	for i := range made.Features {
		f := &made.Features[i]
		f.FeatureID = service.FeatureID(r.ID, f.FeatureTag, i)
		f.RegionIdxs = append([]int{}, f.RegionIdxs...)
	}
	made.Regions = append([]service.Region{}, from.Regions...)
	made.Holes = append([]service.HoleSummary{}, from.Holes...)
	made.Unmachined = append([]service.UnmachinedRegion{}, from.Unmachined...)
	made.CandidateDirections = append([]geom.Vec3{}, from.CandidateDirections...)
	made.Setups = append([]int{}, from.Setups...)
	made.Warnings = append([]string{}, from.Warnings...)
	made.Datasheets = nil
	return outcome{report: r, details: detailsOf(made.Features, from.Datasheets)}
}

// detailsOf joins datasheets to features by tag.
func detailsOf(features []service.PartFeature, sheets []service.FeatureSheet) []service.FeatureDetail {
	byTag := sheetsByTag(sheets)
	var details []service.FeatureDetail
	for i := range features {
		if sheet := byTag[features[i].FeatureTag]; sheet != nil {
			details = append(details, service.FeatureDetail{FeatureID: features[i].FeatureID, Datasheet: *sheet})
		}
	}
	return details
}

// stored is a reader of a stored object.
type stored struct{ io.Reader }

func (s stored) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err != nil && err != io.EOF {
		err = storageTrouble{err}
	}
	return n, err
}

// cancellable is a reader that ends with its context.
type cancellable struct {
	ctx context.Context
	io.Reader
}

func (c cancellable) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.Reader.Read(p)
}
