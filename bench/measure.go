package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"millwright.dev/millwright/adapters/cad"
	"millwright.dev/millwright/adapters/childproc"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/compute/tessellate/deviation"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/geom"
)

// measureCmd reads, meshes and measures one file and prints what it found as one JSON object. The
// corpus command runs it in a process per file, so that a file costs only its own memory and time.
type measureCmd struct {
	Chord     float64 `help:"Chord tolerance, mm (default: 0.1, at most 1/2000 of the diagonal)."`
	Angle     float64 `default:"20" help:"Angle tolerance, degrees."`
	Deviation bool    `default:"true" negatable:"" help:"Measure the mesh against the surfaces."`
	File      string  `arg:"" help:"CAD file."`
}

// measured is what millwright finds in a file. Lengths mm, areas mm², volumes mm³.
type measured struct {
	Code   string `json:"code,omitempty"`  // why the file was not read
	Reason string `json:"error,omitempty"` // the same in a sentence

	Solids int        `json:"solids"`
	Faces  int        `json:"faces"`
	Volume float64    `json:"volume"`
	Area   float64    `json:"area"`
	Bounds [6]float64 `json:"bounds"` // min x, y, z, max x, y, z

	Chord      float64 `json:"chordTolerance"`
	Triangles  int     `json:"triangles"`
	Watertight bool    `json:"watertight"`
	MeshVolume float64 `json:"meshVolume"`

	Deviation *deviated `json:"deviation,omitempty"`

	ReadMs    float64         `json:"readMs"` // parse, map to a B-rep, heal
	MeshMs    float64         `json:"meshMs"`
	CPUMs     float64         `json:"cpuMs"`     // of all processors for both, independent of other load
	PeakBytes int64           `json:"peakBytes"` // resident, after reading, meshing and mass properties
	Warnings  []fault.Warning `json:"warnings,omitempty"`
}

// Run prints the figures; a file that cannot be read is a figure too.
func (c *measureCmd) Run() error {
	m, err := c.measure(context.Background())
	var failure *fault.Error
	if errors.As(err, &failure) {
		m.Code, m.Reason = string(failure.Code), failure.Reason
	} else if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(m)
}

func (c *measureCmd) measure(ctx context.Context) (measured, error) {
	var out measured
	f, err := os.Open(c.File)
	if err != nil {
		return out, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return out, err
	}
	childproc.CollectSparingly() // as the process does that reads a file for the service
	start, before := time.Now(), processorMs()
	m, _, err := cad.Read(ctx, f, info.Size(), c.File)
	if err != nil {
		return out, err
	}
	out.ReadMs = milliseconds(start)
	start = time.Now()
	opts := tessellate.Options{ChordTolerance: c.Chord, AngleTolerance: geom.Radians(c.Angle)}
	r, err := tessellate.Mesh(ctx, m, opts)
	if err != nil {
		return out, err
	}
	out.MeshMs, out.CPUMs = milliseconds(start), processorMs()-before
	p, err := mass.Compute(ctx, m)
	if err != nil {
		return out, err
	}
	out.PeakBytes = childproc.PeakResident()
	out.Solids, out.Faces, out.Volume, out.Area = len(m.Solids), len(m.Faces), p.Volume, p.Area
	lo, hi := p.Bounds.Min, p.Bounds.Max
	out.Bounds = [6]float64{lo.X, lo.Y, lo.Z, hi.X, hi.Y, hi.Z}
	out.Chord = r.ChordTolerance
	out.Triangles, out.Watertight, out.MeshVolume = len(r.Mesh.Triangles), r.Report.Watertight, r.Mesh.Volume()
	out.Warnings = append(m.Warnings, r.Warnings...)
	if !c.Deviation {
		return out, nil
	}
	d, err := deviation.Measure(ctx, m, r, deviation.Options{})
	if err != nil {
		return out, err
	}
	out.Deviation = &deviated{Face: d.FaceAdded, Edge: d.EdgeAdded, File: d.ModelOff, FacesOver: d.FacesOver,
		EdgesOver: d.EdgesOver, Flipped: d.Flipped, PlaneAspect: d.PlaneAspect, CylinderAspect: d.CylinderAspect}
	return out, nil
}

// processorMs is the time that processors have worked for this process, ms.
func processorMs() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / float64(time.Millisecond)
}

// deviated is the deviation of the mesh from the solid, mm, as package deviation measures it: the part that the mesh
// adds to the error of the file.
type deviated struct {
	Face           float64 `json:"face"` // largest, triangles from surface
	Edge           float64 `json:"edge"` // largest, polyline from curve
	File           float64 `json:"file"` // largest distance of an edge from its surfaces in the file
	FacesOver      int     `json:"facesOver"`
	EdgesOver      int     `json:"edgesOver"`
	Flipped        int     `json:"flipped"` // triangles facing the wrong way
	PlaneAspect    float64 `json:"planeAspect"`
	CylinderAspect float64 `json:"cylinderAspect"`
}

func (d *deviated) over() bool { return d.FacesOver > 0 || d.EdgesOver > 0 || d.Flipped > 0 }

func (d *deviated) String() string {
	s := fmt.Sprintf("%.1e", max(d.Face, d.Edge))
	if d.FacesOver+d.EdgesOver > 0 {
		s += fmt.Sprintf(" %d !", d.FacesOver+d.EdgesOver)
	}
	if d.Flipped > 0 {
		s += fmt.Sprintf(" %d flipped !", d.Flipped)
	}
	return s
}

func milliseconds(since time.Time) float64 { return float64(time.Since(since).Microseconds()) / 1000 }
