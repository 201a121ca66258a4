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

	"millwright/core/service"
)

// produce downloads the source, runs the kernel on it and stores what it made. The report it returns
// is complete but not stored.
func (a *attempt) produce(ctx context.Context) (service.Report, error) {
	dir, remove, err := a.scratch()
	if err != nil {
		return service.Report{}, err
	}
	defer remove()
	source := filepath.Join(dir, "source"+path.Ext(a.part.Source.Key))
	out := filepath.Join(dir, "out")
	if err := os.Mkdir(out, 0o700); err != nil {
		return service.Report{}, err
	}
	begin := a.Clock.Now()
	if err := a.download(ctx, source); err != nil {
		return service.Report{}, fmt.Errorf("download: %w", err)
	}
	a.progress.Store(downloaded)
	fetched := a.Clock.Now()
	analysis, err := a.Kernel.Analyze(ctx, service.KernelRequest{
		Source: source, FileName: a.part.FileName, OutDir: out, Options: a.config.Kernel,
	}, a.kernelProgress)
	if err != nil {
		return service.Report{}, err
	}
	if analysis == nil {
		return service.Report{}, errors.New("the kernel returned neither a result nor an error")
	}
	a.progress.Store(computed)
	computedAt := a.Clock.Now()
	report := a.newReport(analysis)
	if err := a.upload(ctx, out, analysis, &report); err != nil {
		return service.Report{}, fmt.Errorf("store results: %w", err)
	}
	report.DownloadMs = fetched.Sub(begin).Milliseconds()
	report.RecognitionMs = computedAt.Sub(fetched).Milliseconds()
	report.CreatedAt = a.now()
	report.TotalMs = report.CreatedAt.Sub(a.started).Milliseconds()
	return report, nil
}

// kernelProgress takes the kernel's own 0 to 100 percent.
func (a *attempt) kernelProgress(percent int, _ string) {
	percent = min(max(percent, 0), 100)
	a.progress.Store(int32(downloaded + percent*(computed-downloaded)/100))
}

func (a *attempt) download(ctx context.Context, to string) error {
	body, _, err := a.Objects.Get(ctx, a.part.Source)
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }()
	f, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err := io.Copy(f, cancellable{ctx, body}); err != nil {
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
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
		*f.made = f.ref
	}
	return nil
}

// newReport gives the run its identity: a report id, and ids of its features made from it.
func (a *attempt) newReport(from *service.Analysis) service.Report {
	r := service.Report{
		ID: a.NewID(), TeamID: a.job.TeamID, PartID: a.job.PartID, JobID: a.job.ID, Analysis: *from,
	}
	made := &r.Analysis
	made.STLFile, made.GLBFile, made.ThumbnailFile = "", "", ""
	made.Features = append([]service.PartFeature{}, from.Features...)
	for i := range made.Features {
		f := &made.Features[i]
		f.FeatureID = service.FeatureID(r.ID, f.FeatureTag, i)
		f.RegionIdxs = append([]int{}, f.RegionIdxs...)
	}
	made.Regions = append([]service.Region{}, from.Regions...)
	made.Holes = append([]service.HoleSummary{}, from.Holes...)
	made.CandidateDirections = append([]service.Vec3{}, from.CandidateDirections...)
	made.Warnings = append([]string{}, from.Warnings...)
	return r
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
