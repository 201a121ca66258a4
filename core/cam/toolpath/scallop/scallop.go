// Package scallop finishes the surface of a part with a ball, bull nose or tapered ball: passes whose cusps have one
// height.
//
// Method: everything lies on the tip surface, the height T of the tool's tip over a cell of a grid when the tool rests
// on the part. On it, a metric gives the distance of two neighboring passes whose cusp has the height asked: 1
// (metric.go; Lin and Koren, Efficient tool-path planning for machining free-form surfaces, J. Eng. Ind. 118, 1996).
// Passes are the isolines ½, 1½, 2½ … of the distance φ from a seed in this metric (Kim, Constant cusp height tool
// paths as geodesic parallels on an abstract Riemannian manifold, Computer-Aided Design 39, 2007), which solves the
// eikonal equation (distance.go). Where fronts meet, passes lie too far apart. So the distance ψ from the nearest pass
// is computed, and isolines of ψ are added until ψ is at most ½ (cover.go). Cusps are then at most (2ψ)² times the
// height asked.
//
// The map decides only where passes lead. Each point of the output is an exact drop onto the mesh, dense enough for the
// straight moves between them (drop.go). Surface that is steeper than the cells can carry gets level passes
// (waterline.go), and concave creases a pass along them (crease.go).
//
// Notation: g is the step of the grid, h the height of cusps, s = √(8·r·h) the distance of passes of a corner of radius
// r on a plane, T the height of the tip, (p, q) its gradient, w = √(1+p²+q²), all in mm.
//
// Cost: proportional to the cells, and to the length of passes by the tolerance. Limits: flat faces belong to 2D
// passes, because a bull nose touches them with its flat; walls steeper than steepest to contours.
package scallop

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/cam/stock/removal"
	"millwright.dev/millwright/core/kernel/geom"
)

// Input is a region of a part that a round-nosed tool finishes. Maps are over the cells of the grid.
type Input struct {
	Mill    removal.Simulator
	Over    removal.Surface // the part, along the Z of the setup
	Grid    grid.Grid       // in the X and Y of the setup; it includes the places of the tip beside the region
	Heights []float32       // mm, of the part, from Simulator.Heights
	Region  []bool          // the cells of the part to be finished: passes touch it, wherever the tip is then
	Least   []float32       // mm, the heights below which the tip may not be; nil: -Inf

	// Tool is the whole underside, with the clearance asked of neck, shank and holder. The bound of straight moves is
	// that of its round cutter: an edge of a holder may come lower between places by a part of their distance.
	Tool    toolprofile.Profile
	Cutter  toolprofile.Profile // the cutting part, which alone finishes; it begins like Tool
	Radius  float64             // mm, of the cutter; of a tapered ball: of its tip
	Corner  float64             // mm, of the round corner: the radius for a ball
	Scallop float64             // mm, height of cusps
	// Tolerance (mm) is the largest depth of a straight move in the part, and the largest height over the surface.
	Tolerance float64
	Leave     float64 // mm, stock to leave, along the normal of the surface
	OneWay    bool    // each pass in the direction of climb milling; else only closed ones
}

// Output is the passes of a tool over a region.
type Output struct {
	// Passes are places of the tip (mm, in the frame of the setup) in the order of machining, with straight moves from
	// one to the next.
	Passes [][]geom.Vec3
	// Links lead on the surface from the end of the pass before to the start of the pass, both included; nil where the
	// tool retracts instead. Links[0] is nil.
	Links [][]geom.Vec3
	// Psi is the greatest distance of a place of the tip from the nearest pass, by the certificate: cusps are at most
	// (2·Psi)² times the height asked. Places that only contribute to Uncut do not count.
	Psi float64
	// Uncut are the cells of the region that keep more than the height asked: no place of the tool reaches them, or no
	// pass comes near enough.
	Uncut []bool
}

// steepest (rad) is the slope from which on a surface is a wall: a cell of the map spans too much of it.
const steepest = 86 * math.Pi / 180

// enough is the distance from the nearest pass up to which the cusp counts as the height asked, in the metric: 25 %
// over. Where it is greater, passes are added.
const enough = 0.56

// Make returns the passes over the region. The result does not depend on the number of processors.
func Make(ctx context.Context, in *Input) (*Output, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	t, err := newTips(ctx, in)
	if err != nil {
		return nil, err
	}
	if err := t.measure(ctx); err != nil {
		return nil, err
	}
	steep := t.steepParts()
	levels, err := t.waterlines(ctx, steep)
	if err != nil {
		return nil, err
	}
	lines, psi, err := t.cover(ctx, steep, slices.Concat(levels...))
	if err != nil {
		return nil, err
	}
	creases, err := t.creases(ctx)
	if err != nil {
		return nil, err
	}
	passes, err := t.follow(ctx, lines)
	if err != nil {
		return nil, err
	}
	pencil, err := t.follow(ctx, creases)
	if err != nil {
		return nil, err
	}
	out := &Output{}
	for k, d := range psi {
		if t.mask[k] && !math.IsInf(d, 1) {
			out.Psi = max(out.Psi, d)
		}
	}
	groups := slices.Concat([][][]geom.Vec3{passes}, levels, [][][]geom.Vec3{pencil})
	if out.Passes, out.Links, err = t.link(ctx, groups); err != nil {
		return nil, err
	}
	out.Uncut, err = t.uncut(ctx, psi)
	return out, err
}

// check returns an error that says everything that is wrong with the sizes.
func (in *Input) check() error {
	if err := in.Grid.Check(); err != nil {
		return err
	}
	var wrong []error
	wants := func(ok bool, format string, of ...any) {
		if !ok {
			wrong = append(wrong, fmt.Errorf("finishing: "+format, of...))
		}
	}
	n := in.Grid.Len()
	wants(len(in.Heights) == n && len(in.Region) == n && (in.Least == nil || len(in.Least) == n),
		"the maps have %d, %d and %d cells, the grid has %d", len(in.Heights), len(in.Region), len(in.Least), n)
	wants(in.Corner > 0 && in.Corner <= in.Radius, "a corner of %g mm at a radius of %g mm is not round",
		in.Corner, in.Radius)
	wants(in.Scallop > 0 && in.Scallop < in.Corner/2, "cusps of %g mm: more than 0 and less than half of the corner's "+
		"radius of %g mm can be asked", in.Scallop, in.Corner)
	wants(in.Tolerance > 0 && in.Tolerance <= in.Corner/10, "a tolerance of %g mm: more than 0 and at most a tenth of "+
		"the corner's radius of %g mm can be kept", in.Tolerance, in.Corner)
	wants(in.Leave >= 0, "%g mm of stock to leave", in.Leave)
	if len(wrong) > 0 {
		return errors.Join(wrong...)
	}
	s := in.apart()
	wants(in.Grid.Step <= s/2, "cells of %g mm are too large for passes %.3g mm apart: at most %.3g mm", in.Grid.Step, s,
		s/2)
	for _, p := range []toolprofile.Profile{in.Tool, in.Cutter} {
		if err := p.Check(); err != nil {
			wrong = append(wrong, err)
		}
	}
	return errors.Join(wrong...)
}

// apart returns the distance of passes on a plane, mm.
func (in *Input) apart() float64 { return math.Sqrt(8 * in.Corner * in.Scallop) }

// hasBody reports whether a part of the tool beside the cutter counts.
func (in *Input) hasBody() bool { return !slices.Equal(in.Tool, in.Cutter) }
