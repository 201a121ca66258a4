package feature_test

import (
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Reach by brute force: from random points of each face of each feature a ray along the feature's direction is held
// against all triangles of a mesh finer than the one that features were found on.

// reachLifts (mm) are how far off the surface rays start: off the mesh of small faces, and over what edges of a file
// that do not lie on its faces leave standing.
var reachLifts = [...]float64{3 * reachChord, 12 * reachChord, 40 * reachChord}

const (
	reachChord  = 0.005 // mm, of the mesh
	reachAngle  = 0.2   // rad, of the mesh
	reachPoints = 512   // rays per face
	reached     = 0.8   // the share of a face that counts as reached
)

// reachCount counts faces of features by how they are reached.
type reachCount struct{ faces, hidden, unnamed int }

// TestEveryFaceIsReachedOrNamed holds that each face of a feature is seen along the feature's direction, or named as
// unmachined where that is more than the least area. Grooves of turned parts are made from all round.
func TestEveryFaceIsReachedOrNamed(t *testing.T) {
	sum := [2]map[feature.Type]*reachCount{{}, {}}
	for n, path := range realParts(t) {
		if testing.Short() && n%10 != 0 {
			continue
		}
		run, err := recognized(t, path)
		if failure := (*fault.Error)(nil); errors.As(err, &failure) {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		half := crc32.ChecksumIEEE([]byte(filepath.Base(path))) & 1
		for _, line := range unreached(t, run, sum[half]) {
			if half == 0 {
				t.Errorf("%s: %s", filepath.Base(path), line)
			}
		}
	}
	for half := range sum {
		for _, typ := range slices.Sorted(maps.Keys(sum[half])) {
			if c := sum[half][typ]; c.faces > 0 {
				t.Logf("half %d: %s: %d faces, %d hidden, %d of them not named", half, typ, c.faces, c.hidden, c.unnamed)
			}
		}
	}
}

// unreached counts the faces of a run by kind and says which are neither reached nor named.
func unreached(t *testing.T, run *recognize.Recognition, count map[feature.Type]*reachCount) (out []string) {
	t.Helper()
	m, err := tessellate.Mesh(t.Context(), run.Graph.Model, tessellate.Options{
		ChordTolerance: reachChord, AngleTolerance: reachAngle})
	if err != nil {
		t.Fatal(err)
	}
	named := map[[2]int]bool{}
	for _, r := range run.Hidden {
		for _, f := range r.Regions {
			named[[2]int{r.Feature, f}] = true
		}
	}
	views := map[geom.Vec3]*rays{}
	for i := range run.Features {
		f := &run.Features[i]
		c := count[f.Type]
		if c == nil {
			c = &reachCount{}
			count[f.Type] = c
		}
		v := views[f.Direction]
		if v == nil {
			v = newRays(m.Mesh, f.Direction)
			views[f.Direction] = v
		}
		for _, face := range f.Regions {
			share := v.share(face)
			if c.faces++; share >= reached {
				continue
			}
			if (1-share)*areaOf(run.Graph, face) < direction.LeastArea(run.Graph) {
				continue
			}
			c.hidden++
			isAround := f.Rule == feature.TurnedGroove || f.Type == feature.Tslot || f.Type == feature.Dovetail || isOfThread(run.Graph, f, face)
			if !named[[2]int{i, face}] && !isAround {
				c.unnamed++
				out = append(out, fmt.Sprintf("%s %d (%s): face %d is seen by %.2f", f.Type, i, f.Rule, face, share))
			}
		}
	}
	return out
}

// areaOf returns the area of a face, mm².
func areaOf(g *graph.Graph, face int) (sum float64) {
	r := g.Mesh.Regions[face]
	for _, a := range g.Areas[r.Start:r.End] {
		sum += a
	}
	return sum
}

// isOfThread reports whether a face lies between the diameters of the thread in a feature, which a tap or a die cuts
// from all round.
func isOfThread(g *graph.Graph, f *feature.Feature, face int) bool {
	if f.Thread == nil || g.PatchOf[face] == graph.None {
		return false
	}
	r := g.Reach(g.PatchOf[face], &graph.Shape{Origin: f.Thread.Origin, Axis: *f.Axis})
	const off = 0.01 // mm, of a mesh
	return r.Lo > f.Thread.Minor/2-off && r.Hi < f.Thread.Major/2+off
}

// rays looks at a mesh along one direction.
type rays struct {
	m     *mesh.Mesh
	frame geom.Frame
	lo    geom.Vec2
	size  float64   // mm, of a cell
	cols  int       // cells in a row
	cells [][]int32 // triangles that a ray could enter the body by
}

func newRays(m *mesh.Mesh, dir geom.Vec3) *rays {
	v := &rays{m: m, frame: geom.NewFrame(geom.Vec3{}, dir, geom.Vec3{})}
	hi := geom.Vec2{X: math.Inf(-1), Y: math.Inf(-1)}
	v.lo = hi.Scale(-1)
	for _, p := range m.Points {
		q := v.plane(p)
		v.lo = geom.Vec2{X: min(v.lo.X, q.X), Y: min(v.lo.Y, q.Y)}
		hi = geom.Vec2{X: max(hi.X, q.X), Y: max(hi.Y, q.Y)}
	}
	const across = 200
	v.size = max(hi.X-v.lo.X, hi.Y-v.lo.Y)/across + 1e-9
	v.cols = across + 2
	v.cells = make([][]int32, v.cols*v.cols)
	for t, k := range m.Triangles {
		if m.Normal(t).Dot(dir) >= -1e-9 {
			continue
		}
		a, b := v.cell(v.plane(m.Points[k[0]])), v.cell(v.plane(m.Points[k[0]]))
		for _, i := range k[1:] {
			c := v.cell(v.plane(m.Points[i]))
			a, b = [2]int{min(a[0], c[0]), min(a[1], c[1])}, [2]int{max(b[0], c[0]), max(b[1], c[1])}
		}
		for y := a[1]; y <= b[1]; y++ {
			for x := a[0]; x <= b[0]; x++ {
				v.cells[y*v.cols+x] = append(v.cells[y*v.cols+x], int32(t))
			}
		}
	}
	return v
}

func (v *rays) plane(p geom.Vec3) geom.Vec2 {
	return geom.Vec2{X: p.Dot(v.frame.X), Y: p.Dot(v.frame.Y)}
}

func (v *rays) cell(q geom.Vec2) [2]int {
	at := func(x, lo float64) int { return min(max(int((x-lo)/v.size), 0), v.cols-1) }
	return [2]int{at(q.X, v.lo.X), at(q.Y, v.lo.Y)}
}

// share returns which share of a face is seen.
func (v *rays) share(face int) float64 {
	r := &v.m.Regions[face]
	normals := map[int32]geom.Vec3{}
	for i, p := range r.Vertices {
		normals[p] = r.Normals[i]
	}
	var upTo []float64
	sum := 0.0
	for t := r.Start; t < r.End; t++ {
		sum += v.m.AreaOf(int(t), int(t)+1)
		upTo = append(upTo, sum)
	}
	dice := rand.New(rand.NewPCG(16, uint64(face)))
	seen := 0
	for range reachPoints {
		at, _ := slices.BinarySearch(upTo, dice.Float64()*sum)
		k := v.m.Triangles[int(r.Start)+min(at, len(upTo)-1)]
		a, b := math.Sqrt(dice.Float64()), dice.Float64()
		w := [3]float64{1 - a, a * (1 - b), a * b}
		var p, n geom.Vec3
		for i, c := range k {
			p, n = p.AddScaled(w[i], v.m.Points[c]), n.AddScaled(w[i], normals[c])
		}
		n = n.Unit()
		isFree := func(lift float64) bool { return !v.isStopped(p.AddScaled(lift, n)) }
		if n.Dot(v.frame.Z) >= -1e-3 && slices.ContainsFunc(reachLifts[:], isFree) {
			seen++
		}
	}
	return float64(seen) / reachPoints
}

// isStopped reports whether the ray from a point meets the body.
func (v *rays) isStopped(p geom.Vec3) bool {
	q := v.plane(p)
	at := v.cell(q)
	z := p.Dot(v.frame.Z)
	for _, t := range v.cells[at[1]*v.cols+at[0]] {
		k := v.m.Triangles[t]
		a, b, c := v.m.Points[k[0]], v.m.Points[k[1]], v.m.Points[k[2]]
		d, e, f := v.plane(a).Sub(q), v.plane(b).Sub(q), v.plane(c).Sub(q)
		u, w, x := e.Cross(f), f.Cross(d), d.Cross(e)
		if s := u + w + x; s < 0 && u <= 0 && w <= 0 && x <= 0 &&
			(u*a.Dot(v.frame.Z)+w*b.Dot(v.frame.Z)+x*c.Dot(v.frame.Z))/s > z {
			return true
		}
	}
	return false
}
