package verify

import (
	"math"
	"math/rand/v2"
	"testing"

	"millwright/compute"
	"millwright/core/geom"
	"millwright/core/stock/dexel"
	"millwright/core/toolpath"
	"millwright/core/verify/verifytest"
)

// TestUncutStock leaves a large stock as it is. A face has as much beside it as lies nearer to it than to others, and as
// high as the farthest of that is: what a search of all places finds, drawn by chance, with all triangles looked at.
func TestUncutStock(t *testing.T) {
	const coarse, places = 0.05, 200000
	p := verifytest.Made(coarse).Clone()
	for i := range p.Set.Setups {
		p.Set.Setups[i].Operations, p.Plan.Setups[i].Operations, p.Set.Paths[i] = nil, nil, nil
	}
	stock := p.Plan.Stock.Union(geom.BoxOf(p.Plan.Stock.Max.Add(geom.Vec3{X: 40, Y: 20, Z: 30})))
	p.Plan.Stock = stock
	proof, left, err := Replay(t.Context(), Input{
		Plan: p.Plan, Set: p.Set, Part: p.Part, Travel: p.Travel, Mill: compute.OnCPU(0), MaxCells: 120,
	})
	if err != nil {
		t.Fatal(err)
	}

	volume, height := map[int]float64{}, map[int]float64{}
	r := rand.New(rand.NewPCG(15, 1))
	for range places {
		size := stock.Size()
		at := stock.Min.Add(geom.Vec3{X: size.X * r.Float64(), Y: size.Y * r.Float64(), Z: size.Z * r.Float64()})
		if inside(left.Part, at) {
			continue
		}
		region, distance := -1, math.Inf(1)
		for k, face := range p.Part.Regions {
			for _, v := range p.Part.Triangles[face.Start:face.End] {
				near := nearestOn(at, p.Part.Points[v[0]], p.Part.Points[v[1]], p.Part.Points[v[2]])
				if d := near.Dist(at); d < distance-equal {
					region, distance = k, d
				}
			}
		}
		volume[region] += proof.StockVolume / places
		height[region] = max(height[region], distance)
	}
	for _, m := range proof.Remainders {
		if d := m.Volume - volume[m.Region]; math.Abs(d) > 0.02*proof.StockVolume {
			t.Errorf("face %d has %g mm³ beside it, want %g", m.Region, m.Volume, volume[m.Region])
		}
		if m.Height < 0.85*height[m.Region] || m.Height > 1.1*height[m.Region] {
			t.Errorf("%g mm over face %d, want %g", m.Height, m.Region, height[m.Region])
		}
		delete(volume, m.Region)
	}
	if len(volume) > 0 {
		t.Errorf("nothing is said of %v", volume)
	}
}

// TestDeclaredToAHeight declares of a large stock that is left what is no higher than that over any face: this and no more.
func TestDeclaredToAHeight(t *testing.T) {
	const coarse, height = 0.05, 12.0
	p := verifytest.Made(coarse).Clone()
	for i := range p.Set.Setups {
		p.Set.Setups[i].Operations, p.Plan.Setups[i].Operations, p.Set.Paths[i] = nil, nil, nil
	}
	var all []int
	for k := range p.Part.Regions {
		all = append(all, k)
	}
	p.Set.Paths[0] = []toolpath.Path{{Residue: []toolpath.Residue{{Regions: all, Height: height}}}}
	p.Plan.Stock = p.Plan.Stock.Union(geom.BoxOf(p.Plan.Stock.Max.Add(geom.Vec3{X: 40, Y: 20, Z: 30})))
	proof, _, err := Replay(t.Context(), Input{
		Plan: p.Plan, Set: p.Set, Part: p.Part, Travel: p.Travel, Mill: compute.OnCPU(0), MaxCells: 120,
	})
	if err != nil {
		t.Fatal(err)
	}
	some := map[bool]bool{}
	for _, m := range proof.Remainders {
		some[m.Declared] = true
		if m.Declared && m.Height > height+residueSlack+proof.Step || !m.Declared && m.Height < height {
			t.Errorf("%g mm over face %d, declared: %v; %g mm are", m.Height, m.Region, m.Declared, height)
		}
	}
	if !some[true] || !some[false] {
		t.Errorf("remainders %+v, want some of both", proof.Remainders)
	}
}

// inside reports whether the ray along z next to a place holds it.
func inside(d *dexel.Stock, at geom.Vec3) bool {
	l := d.Lattice
	to := at.Sub(l.Origin).Scale(1 / l.Step)
	for _, g := range d.Ray(2, min(int(to.X), l.Count[0]-1), min(int(to.Y), l.Count[1]-1)) {
		if z := float32(to.Z * l.Step); g.Lo <= z && z <= g.Hi {
			return true
		}
	}
	return false
}
