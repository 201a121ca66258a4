package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"millwright.dev/millwright/bench/corpus"
)

// corpusCmd reads every CAD file below a folder, each in a separate process, and compares the results with the figures
// of a reference kernel.
type corpusCmd struct {
	Dir       string        `arg:"" type:"existingdir" help:"Folder with CAD files; the folders below it too."`
	Truth     string        `type:"existingfile" help:"Reference figures (default: truth.jsonl at or above DIR)."`
	JSON      bool          `help:"One JSON object per file, then one with the summary."`
	Oracle    string        `help:"Path of the OCCT oracle: run it beside, for times, memory and boxes."`
	Threads   int           `default:"0" help:"1 runs both on one thread, 0 on all cores."`
	Repeat    int           `default:"1" help:"Runs of each program on each file; the fastest counts."`
	Chord     float64       `help:"Chord tolerance of both, mm (default: 0.1 or 1/2000 of the diagonal)."`
	Angle     float64       `default:"20" help:"Angle tolerance, degrees."`
	Limit     time.Duration `default:"2m" help:"Time for one program on one file."`
	Deviation bool          `default:"true" negatable:"" help:"Measure the meshes against the surfaces."`
}

// Run prints a row per file and a summary.
func (c *corpusCmd) Run() error {
	files, err := cadFiles(c.Dir)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("no CAD files below %s", c.Dir)
	}
	truths, root, err := c.truths()
	if err != nil {
		return err
	}
	rows := make([]row, 0, len(files))
	table := newTable(c.JSON)
	for _, file := range files {
		r, err := c.file(file)
		if err != nil {
			return err
		}
		if r.File, err = filepath.Rel(root, file); err != nil {
			return err
		}
		r.File = filepath.ToSlash(r.File)
		if t, ok := truths[r.File]; ok && r.Truth == nil {
			r.Truth = &t
		}
		r.compare()
		if err := table.add(&r); err != nil {
			return err
		}
		rows = append(rows, r)
	}
	s := summarize(rows)
	return table.close(&s)
}

// cadFiles returns the files with a suffix of an exact format below dir, sorted.
func cadFiles(dir string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch strings.ToLower(filepath.Ext(name)) {
		case ".stp", ".step", ".p21", ".stpz", ".igs", ".iges":
			if !d.IsDir() {
				files = append(files, name)
			}
		}
		return nil
	})
	slices.Sort(files)
	return files, err
}

// truths returns the reference figures by file, and the folder that the names are relative to.
func (c *corpusCmd) truths() (map[string]corpus.Truth, string, error) {
	root, err := filepath.Abs(c.Dir)
	if err != nil {
		return nil, "", err
	}
	if c.Dir, c.Truth = root, truthFile(root, c.Truth); c.Truth == "" {
		return nil, root, nil
	}
	rows, err := corpus.ReadTruths(c.Truth)
	if err != nil {
		return nil, "", err
	}
	byFile := make(map[string]corpus.Truth, len(rows))
	for _, t := range rows {
		byFile[t.File] = t
	}
	root, err = filepath.Abs(filepath.Dir(c.Truth))
	return byFile, root, err
}

// truthFile returns given, or the nearest file of reference figures at or above dir; "" if there is no such file.
func truthFile(dir, given string) string {
	if given != "" {
		return given
	}
	for ; ; dir = filepath.Dir(dir) {
		name := filepath.Join(dir, corpus.TruthFile)
		if _, err := os.Stat(name); err == nil {
			return name
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// file runs both programs on a file, in turns. A file on which millwright itself ends badly is a row
// that says so.
func (c *corpusCmd) file(name string) (row, error) {
	self, err := os.Executable()
	if err != nil {
		return row{}, err
	}
	info, err := os.Stat(name)
	if err != nil {
		return row{}, err
	}
	r := row{Bytes: info.Size()}
	for i := range max(c.Repeat, 1) {
		m, err := c.millwright(self, name, c.Deviation && i == 0)
		if err != nil {
			return row{}, err
		}
		r.take(m, i == 0)
		if c.Oracle == "" || r.Chord == 0 {
			continue
		}
		if err := c.occt(name, &r); err != nil {
			return row{}, err
		}
	}
	return r, nil
}

func (c *corpusCmd) millwright(self, name string, deviation bool) (measured, error) {
	args := []string{"measure", "--chord", fmt.Sprint(c.Chord), "--angle", fmt.Sprint(c.Angle)}
	if !deviation {
		args = append(args, "--no-deviation")
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.Limit)
	defer cancel()
	var m measured
	if _, err := call(ctx, c.Threads, &m, self, append(args, name)...); err != nil {
		return measured{Code: "crashed", Reason: err.Error()}, nil
	}
	return m, nil
}

// take keeps the fastest run's times and the smallest peak.
func (r *row) take(m measured, first bool) {
	if first || m.Code != "" {
		r.measured = m
		return
	}
	if m.ReadMs+m.MeshMs < r.ReadMs+r.MeshMs {
		r.ReadMs, r.MeshMs = m.ReadMs, m.MeshMs
	}
	r.PeakBytes = min(r.PeakBytes, m.PeakBytes)
}

// occt adds the oracle's run. Its figures become the reference; a file it cannot read leaves the
// stored ones.
func (c *corpusCmd) occt(name string, r *row) error {
	ctx, cancel := context.WithTimeout(context.Background(), c.Limit)
	defer cancel()
	o, spent, err := runOracle(ctx, c.Oracle, c.Threads, r.Chord, c.Angle, name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return err
	case err != nil || o.Error != "" || o.Faces == 0:
		return nil
	}
	if ms := o.ReadMs + o.TransferMs + o.MeshMs; r.OCCTMs == 0 || ms < r.OCCTMs {
		r.OCCTMs = ms
	}
	if r.OCCTBytes == 0 || spent.peakRSS < r.OCCTBytes {
		r.OCCTBytes = spent.peakRSS
	}
	r.Truth, r.OCCTTriangles = &o.Truth, o.Triangles
	return nil
}

// table prints rows as they come.
type table struct {
	json *json.Encoder
	text *tabwriter.Writer
}

func newTable(asJSON bool) *table {
	if asJSON {
		return &table{json: json.NewEncoder(os.Stdout)}
	}
	t := &table{text: tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)}
	_, _ = fmt.Fprintln(t.text, "file\tsolids\tfaces\tvolume\tarea\tbounds mm\twatertight\tmesh volume\t"+
		"deviation mm\tread ms\tmesh ms\tMB\tOCCT ms\tOCCT MB\twarnings")
	return t
}

func (t *table) add(r *row) error {
	if t.json != nil {
		return t.json.Encode(r)
	}
	if !r.ok() {
		_, err := fmt.Fprintf(t.text, "%s\tnot read: %s: %s\n", r.File, r.Code, r.Reason)
		return err
	}
	solids, faces, volume, area, bounds := fmt.Sprint(r.Solids), fmt.Sprint(r.Faces), "", "", ""
	if s := r.Same; s != nil {
		solids, faces = beside(r.Solids, r.Truth.Solids), beside(r.Faces, r.Truth.Faces)
		volume, area = judged(s.Volume, sameShare), judged(s.Area, sameShare)
		bounds = judged(s.Bounds, s.BoundsLimit)
	}
	deviation := ""
	if r.Deviation != nil {
		deviation = r.Deviation.String()
	}
	occt := "\t"
	if r.OCCTMs > 0 {
		occt = fmt.Sprintf("%.1f\t%.1f", r.OCCTMs, megabytes(r.OCCTBytes))
	}
	warnings := 0
	for _, w := range r.Warnings {
		warnings += w.Count
	}
	_, err := fmt.Fprintf(t.text,
		"%s\t%s\t%s\t%s\t%s\t%s\t%v\t%s\t%s\t%.1f\t%.1f\t%.1f\t%s\t%d\n", r.File, solids,
		faces, volume, area, bounds, r.Watertight, judged(relative(r.MeshVolume, r.Volume), meshShare), deviation,
		r.ReadMs, r.MeshMs, megabytes(r.PeakBytes), occt, warnings)
	return err
}

func beside(got, want int) string {
	if got == want {
		return fmt.Sprint(got)
	}
	return fmt.Sprintf("%d (%d) !", got, want)
}

func judged(x, limit float64) string {
	if x <= limit {
		return fmt.Sprintf("%.1e", x)
	}
	return fmt.Sprintf("%.1e !", x)
}

func megabytes(n int64) float64 { return float64(n) / (1 << 20) }

func (t *table) close(s *summary) error {
	if t.json != nil {
		return t.json.Encode(map[string]any{"summary": s})
	}
	if err := t.text.Flush(); err != nil {
		return err
	}
	s.print(os.Stdout)
	return nil
}
