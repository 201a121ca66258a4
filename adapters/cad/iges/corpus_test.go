package iges_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"millwright.dev/millwright/adapters/cad/iges"
	"millwright.dev/millwright/bench/corpus"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/brep/repair"
	"millwright.dev/millwright/core/kernel/brep/repair/sew"
)

// closedFiles are real surface models exported by CATIA V5. The surfaces of each are the boundary of one body.
var closedFiles = []string{"Base", "Bolt", "Plummer block", "Spring", "gear"}

// TestSewnCorpus sews real surface models to closed solids and logs their gaps.
func TestSewnCorpus(t *testing.T) {
	const set = "pairs/catpart_igs_kramakr"
	dir := filepath.Join(corpus.Dir(t), filepath.FromSlash(set))
	areas := map[string]float64{} // mm², by the reference kernel, which does not sew
	for _, row := range corpus.Truths(t, set) {
		areas[row.File] = row.Area
	}
	for _, name := range closedFiles {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(filepath.Join(dir, name+".igs"))
			if err != nil {
				t.Fatal(err)
			}
			m, err := iges.Read(t.Context(), bytes.NewReader(data), int64(len(data)))
			if err != nil {
				t.Fatal(err)
			}
			faces := len(m.Faces)
			report, err := sew.Sew(t.Context(), m, sew.Options{})
			if err != nil {
				t.Fatal(err)
			}
			g := report.Gaps
			t.Logf("%d faces, %d free edges, %d pairs joined, %d split, %d free after; gaps up to %.2g mm, "+
				"mean %.2g mm, from 1e-7 mm in decades %v; last tolerance %.2g mm", faces, report.FreeBefore,
				report.Merged, report.Split, report.FreeAfter, g.Max, g.Mean, g.Histogram, report.Tolerance)
			if report.FreeAfter > 0 || report.NonOrientable > 0 || len(m.Solids) != 1 {
				t.Errorf("%d solids, %d free edges, %d one-sided shells; widest gap %g mm",
					len(m.Solids), report.FreeAfter, report.NonOrientable, report.OpenGap)
			}
			if sum(g.Histogram[:]) != report.Merged || g.Mean > g.Max || g.Max > report.Tolerance {
				t.Errorf("the gaps do not add up: %+v of %d pairs, tolerance %g mm", g, report.Merged, report.Tolerance)
			}
			if err := repair.Model(t.Context(), m); err != nil {
				t.Fatal(err)
			}
			checkSolid(t, m, areas[set+"/"+name+".igs"])
		})
	}
}

func sum(n []int) (all int) {
	for _, x := range n {
		all += x
	}
	return all
}

// checkSolid fails unless m has a sound topology, the area (mm²), a positive volume, and a watertight mesh of
// that volume.
func checkSolid(t *testing.T, m *brep.Model, area float64) {
	t.Helper()
	if problems := brep.Check(m); len(problems) > 0 {
		t.Errorf("%d problems, the first: %s", len(problems), problems[0].Message)
	}
	p, err := mass.Compute(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(p.Solids, func(s mass.Solid) bool { return s.Volume <= 0 || len(s.InsideOut) > 0 }) {
		t.Errorf("inside out: %+v", p.Solids)
	}
	const sameArea = 1e-4 // relative
	if !(math.Abs(p.Area/area-1) <= sameArea) {
		t.Errorf("area %.9g mm², want %.9g", p.Area, area)
	}
	res, err := tessellate.Mesh(t.Context(), m, tessellate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const same = 5e-3 // relative, of the volume of the mesh
	if off := math.Abs(res.Mesh.Volume()/p.Volume - 1); !res.Report.Watertight || !(off <= same) {
		t.Errorf("mesh: watertight %v, volume off by %.2g %%", res.Report.Watertight, 100*off)
	}
	t.Logf("volume %.6g mm³, area %.6g mm²", p.Volume, p.Area)
}
