package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"
)

// peerCmd compares wall time and peak memory with the OCCT oracle. The oracle reads, transfers and
// meshes; millwright reads, measures, meshes and recognizes features. Neither writes files.
type peerCmd struct {
	Oracle     string   `required:"" help:"Path of the OCCT oracle program."`
	Millwright string   `default:"bin/millwright" help:"Path of the millwright binary."`
	Repeat     int      `default:"3" help:"Runs of each program; the fastest counts."`
	Threads    int      `default:"0" help:"1 runs both on one thread, 0 on all cores."`
	Files      []string `arg:"" help:"STEP files."`
}

// run is the result of one program for one file.
type run struct {
	readMs, meshMs float64 // read includes the oracle's transfer
	cost
	triangles int
}

// Run prints one row per file and the ratios over all of them.
func (c *peerCmd) Run() error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(w, "file\tocct read ms\tours read ms\tratio\t"+
		"occt read+mesh ms\tours read+mesh ms\tratio\t"+
		"occt wall ms\tours wall ms\tratio\t"+
		"occt MB\tours MB\tratio\tocct tri\tours tri\t")
	var logRead, logKernel, logWall, logMemory, occtWall, oursWall float64
	for _, file := range c.Files {
		occt, err := c.best(file, c.runOracle)
		if err != nil {
			return err
		}
		ours, err := c.best(file, c.runMillwright)
		if err != nil {
			return err
		}
		read, kernel := occt.readMs/ours.readMs, (occt.readMs+occt.meshMs)/(ours.readMs+ours.meshMs)
		wall, memory := occt.wallMs/ours.wallMs, float64(occt.peakRSS)/float64(ours.peakRSS)
		_, _ = fmt.Fprintf(w, "%s\t%.0f\t%.1f\t%.2f\t%.0f\t%.0f\t%.2f\t%.0f\t%.0f\t%.2f\t%d\t%d\t%.2f\t%d\t%d\t\n",
			filepath.Base(file), occt.readMs, ours.readMs, read,
			occt.readMs+occt.meshMs, ours.readMs+ours.meshMs, kernel, occt.wallMs, ours.wallMs, wall,
			occt.peakRSS>>20, ours.peakRSS>>20, memory, occt.triangles, ours.triangles)
		logRead, logKernel, logWall = logRead+math.Log(read), logKernel+math.Log(kernel), logWall+math.Log(wall)
		logMemory += math.Log(memory)
		occtWall, oursWall = occtWall+occt.wallMs, oursWall+ours.wallMs
	}
	if err := w.Flush(); err != nil {
		return err
	}
	n := float64(len(c.Files))
	fmt.Printf("geometric means OCCT/millwright: read %.2f, read+mesh %.2f, wall %.2f, peak memory %.2f\n",
		math.Exp(logRead/n), math.Exp(logKernel/n), math.Exp(logWall/n), math.Exp(logMemory/n))
	fmt.Printf("total wall: OCCT %.0f ms, millwright %.0f ms, ratio %.2f\n",
		occtWall, oursWall, occtWall/oursWall)
	return nil
}

// best is the run with the shortest wall time.
func (c *peerCmd) best(file string, one func(string) (run, error)) (run, error) {
	runs := make([]run, 0, c.Repeat)
	for range max(c.Repeat, 1) {
		r, err := one(file)
		if err != nil {
			return run{}, fmt.Errorf("%s: %w", file, err)
		}
		runs = append(runs, r)
	}
	return slices.MinFunc(runs, func(a, b run) int { return int(math.Copysign(1, a.wallMs-b.wallMs)) }), nil
}

func (c *peerCmd) runOracle(file string) (run, error) {
	r, spent, err := runOracle(context.Background(), c.Oracle, c.Threads, peerChord, peerAngle, file)
	if err != nil {
		return run{}, err
	}
	if r.Error != "" {
		return run{}, fmt.Errorf("oracle: %s", r.Error)
	}
	return run{r.ReadMs + r.TransferMs, r.MeshMs, spent, r.Triangles}, nil
}

func (c *peerCmd) runMillwright(file string) (run, error) {
	var r struct {
		ReadMs    float64 `json:"readMs"`
		MeshMs    float64 `json:"meshMs"`
		PeakRSS   int64   `json:"peakRssBytes"`
		Triangles int     `json:"meshTriangleCount"`
	}
	spent, err := call(context.Background(), c.Threads, &r, c.Millwright, "analyze", "-o", "json",
		"--tolerance", fmt.Sprint(peerChord), "--angle", fmt.Sprint(peerAngle), file)
	if err != nil {
		return run{}, fmt.Errorf("millwright: %w", err)
	}
	spent.peakRSS = max(spent.peakRSS, r.PeakRSS)
	return run{r.ReadMs, r.MeshMs, spent, r.Triangles}, nil
}

// The tolerances of both programs.
const (
	peerChord = 0.1 // mm
	peerAngle = 20  // degrees
)
