package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"millwright.dev/millwright/bench/finishing"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/core/cam/toolpath/scallop"
	"millwright.dev/millwright/core/kernel/geom"
)

// finishingCmd makes finishing passes over shapes and parts, and judges them and parallel passes by the material left.
type finishingCmd struct {
	Parts     []string `arg:"" optional:"" type:"existingfile" help:"CAD files, finished along Z without flats."`
	Shapes    []string `default:"all" help:"Names of shapes, or all, or none."`
	Radius    float64  `default:"3" help:"Of the tool, mm."`
	Corner    float64  `help:"Of a bull nose, mm; 0: a ball."`
	Scallop   float64  `default:"0.02" help:"Height of cusps, mm."`
	Tolerance float64  `default:"0.005" help:"Of straight moves, mm."`
	Cell      float64  `default:"0.2" help:"Of the map, mm."`
	Chord     float64  `default:"0.001" help:"Of the meshes of shapes, mm."`
	JSON      bool     `help:"One JSON object a row."`
}

// finished is a row: passes over a shape, and what they leave (µm).
type finished struct {
	Shape     string  `json:"shape"`
	Method    string  `json:"method"`
	Triangles int     `json:"triangles"`
	Meters    float64 `json:"meters"` // of passes
	Passes    int     `json:"passes"`
	Linked    int     `json:"linked"` // passes that begin on the surface
	Points    int     `json:"points"`
	Ms        float64 `json:"ms"`    // of the passes with their proof
	CPUMs     float64 `json:"cpuMs"` // of processors
	Psi       float64 `json:"psi"`   // of the certificate
	Uncut     float64 `json:"uncut"` // share of the region, by the certificate
	finishing.Result
}

// Run prints a row for each shape and method.
func (c *finishingCmd) Run(ctx context.Context) error {
	shapes, err := c.shapes(ctx)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	if !c.JSON {
		fmt.Fprintln(table, "shape\tmethod\ttriangles\tm\tpasses\tlinked\tpoints\tms\tms/m\tcpu ms/m\tpsi\tuncut\t"+
			"p50\tp90\tp99\tmax\tover\tgouge\trest\tuncovered\t")
	}
	for i := range shapes {
		rows, err := c.judge(ctx, &shapes[i])
		if err != nil {
			return fmt.Errorf("%s: %w", shapes[i].Name, err)
		}
		for _, r := range rows {
			if c.JSON {
				if err := json.NewEncoder(os.Stdout).Encode(&r); err != nil {
					return err
				}
				continue
			}
			const format = "%s\t%s\t%d\t%.2f\t%d\t%d\t%d\t%.0f\t%.1f\t%.1f\t%.2f\t%.2f%%\t" +
				"%.1f\t%.1f\t%.1f\t%.1f\t%.2f%%\t%.1f\t%.1f%%\t%.2f%%\t\n"
			fmt.Fprintf(table, format, r.Shape, r.Method, r.Triangles, r.Meters, r.Passes, r.Linked, r.Points, r.Ms,
				r.Ms/r.Meters, r.CPUMs/r.Meters, r.Psi, 100*r.Uncut, r.P50, r.P90, r.P99, r.Max, 100*r.Over, r.Gouge,
				100*r.Rest, 100*r.Uncovered)
		}
	}
	return table.Flush()
}

// shapes returns the surfaces to be finished.
func (c *finishingCmd) shapes(ctx context.Context) (list []finishing.Shape, err error) {
	for _, s := range finishing.Shapes(c.Chord) {
		if slices.Contains(c.Shapes, "all") || slices.Contains(c.Shapes, s.Name) {
			list = append(list, s)
		}
	}
	for _, part := range c.Parts {
		_, m, err := readFine(ctx, part)
		if err != nil {
			return nil, err
		}
		box := m.Bounds()
		list = append(list, finishing.Shape{Name: baseName(part), Mesh: m, Low: geom.Vec2{X: box.Min.X, Y: box.Min.Y},
			High: geom.Vec2{X: box.Max.X, Y: box.Max.Y}})
	}
	return list, nil
}

const (
	evenShare  = 1.1  // of the asked cusps, at most: what parallel passes leave of all but a hundredth, to be even
	mostNearer = 0.95 // of their distance, from one try to the next
	mostTimes  = 10   // as near as passes on a plane, at most
)

// judge returns the rows of a shape: parallel passes at the distance for a plane, parallel passes that are near
// enough to leave the asked cusps, and our passes.
func (c *finishingCmd) judge(ctx context.Context, s *finishing.Shape) ([]finished, error) {
	on := compute.OnCPU(0)
	tool := finishing.Tool{Radius: c.Radius, Corner: c.Corner}
	if c.Corner == 0 {
		tool.Corner = c.Radius
	}
	over, err := on.Over(ctx, s.Mesh, geom.World)
	if err != nil {
		return nil, err
	}
	fine := min(c.Cell, math.Sqrt(8*tool.Corner*c.Scallop/25)) // of the whole tip surface: it leaves less than h/25
	places, err := finishing.NewPlaces(ctx, over, s, tool, fine)
	if err != nil {
		return nil, err
	}
	judge, err := finishing.NewJudge(ctx, on, s, tool, c.Scallop, places.At)
	if err != nil {
		return nil, err
	}
	heights, err := on.Heights(ctx, s.Mesh, geom.World, s.Grid(tool, fine))
	if err != nil {
		return nil, err
	}
	apart := math.Sqrt(8 * tool.Corner * c.Scallop)
	region := s.Region(s.Grid(tool, fine), heights)
	rows := []finished{{Shape: s.Name, Method: "parallel"}, {}, {Shape: s.Name, Method: "scallop"}}
	parallel := func(r *finished) error {
		start, used := time.Now(), processorMs()
		passes, err := places.Parallel(ctx, over, region, apart, math.Sqrt(4*tool.Corner*c.Tolerance))
		if err == nil {
			r.took(start, used)
			r.Meters, r.Points = 0, 0 // of an earlier try
			r.measure(s, judge, passes, c.Scallop)
		}
		return err
	}
	if err := parallel(&rows[0]); err != nil {
		return nil, err
	}
	rows[1] = rows[0]
	rows[1].Method = "even"
	for least := apart / mostTimes; rows[1].P99 > evenShare*c.Scallop*1000 && apart > least; {
		apart *= min(math.Sqrt(c.Scallop*1000/rows[1].P99), mostNearer)
		if err := parallel(&rows[1]); err != nil {
			return nil, err
		}
	}
	g := s.Grid(tool, c.Cell)
	if heights, err = on.Heights(ctx, s.Mesh, geom.World, g); err != nil {
		return nil, err
	}
	region = s.Region(g, heights)
	start, used := time.Now(), processorMs()
	out, err := scallop.Make(ctx, &scallop.Input{Mill: on, Over: over, Grid: g, Heights: heights, Region: region,
		Tool: tool.Profile(), Cutter: tool.Profile(), Radius: tool.Radius, Corner: tool.Corner, Scallop: c.Scallop,
		Tolerance: c.Tolerance})
	if err != nil {
		return nil, err
	}
	rows[2].took(start, used)
	rows[2].measure(s, judge, out.Passes, c.Scallop)
	asked, uncut := 0.0, 0.0
	for k := range region {
		if region[k] {
			asked++
		}
		if out.Uncut[k] {
			uncut++
		}
	}
	rows[2].Psi, rows[2].Uncut = out.Psi, uncut/asked
	for _, l := range out.Links {
		if l != nil {
			rows[2].Linked++
		}
	}
	return rows, nil
}

// took notes the time since a start, when processors had been used for some ms.
func (r *finished) took(start time.Time, used float64) {
	r.Ms, r.CPUMs = float64(time.Since(start).Microseconds())/1000, processorMs()-used
}

// measure notes the length of passes and the material that they leave.
func (r *finished) measure(s *finishing.Shape, by *finishing.Judge, passes [][]geom.Vec3, cusp float64) {
	r.Triangles, r.Passes = len(s.Mesh.Triangles), len(passes)
	for _, l := range passes {
		for i := 1; i < len(l); i++ {
			r.Meters += l[i].Dist(l[i-1]) / 1000
		}
		r.Points += len(l)
	}
	r.Result = by.Result(passes, cusp)
}
