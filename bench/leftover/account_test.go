package leftover_test

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/bench/leftover"
	"millwright.dev/millwright/bench/replay"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// twoHoles leaves a hole of 6 mm whole, one of 10 mm to half its depth, and a skin of 0.2 mm on top.
func twoHoles(t *testing.T) *leftover.Result {
	t.Helper()
	part := meshOf(t, build.Plate(geom.Vec3{X: 50, Y: 20, Z: 8}, build.Style{},
		build.Hole{Center: geom.Vec2{X: 10, Y: 10}, Profile: build.Through(6, 8)},
		build.Hole{Center: geom.Vec2{X: 35, Y: 10}, Profile: build.Through(10, 8)}))
	m := newMachine(geom.Vec3{}, geom.Vec3{X: 50, Y: 20, Z: 9}, mill(50), mill(10))
	m.setup(geom.Vec3{}, up, right)
	m.cut(1, geom.Vec3{X: -30, Y: 10, Z: 8.2}, geom.Vec3{X: 90, Y: 10, Z: 8.2})
	m.cut(2, geom.Vec3{X: 35, Y: 10, Z: 20}, geom.Vec3{X: 35, Y: 10, Z: 4})
	return m.measured(t, part)
}

// accountOf is the account that a right product would write: an entry for each face, the material at an edge
// with the first of its faces.
func accountOf(r *leftover.Result) *leftover.Account {
	byFace := map[int]*leftover.Entry{}
	for _, p := range r.Pieces {
		for _, s := range p.Shares {
			e := byFace[s.Faces[0]]
			if e == nil {
				e = &leftover.Entry{Feature: -1, Regions: s.Faces[:1]}
				byFace[s.Faces[0]] = e
			}
			e.Volume += s.Volume
			e.Height = max(e.Height, s.Height)
		}
	}
	a := &leftover.Account{Completeness: "complete_but_named"}
	a.Made.VolumeShare = r.MadeShare()
	for _, e := range byFace {
		a.Left = append(a.Left, *e)
	}
	slices.SortFunc(a.Left, func(x, y leftover.Entry) int { return int(y.Volume - x.Volume) })
	return a
}

func TestARightAccountAgrees(t *testing.T) {
	r := twoHoles(t)
	v := accountOf(r).Check(r)
	if len(v.Broken) > 0 || v.Worst > 1 || v.Pieces == 0 || v.Named != v.Pieces {
		t.Errorf("%+v", v)
	}
}

// Each false account is found, with the sentence that says why.
func TestFalseAccountsAreFound(t *testing.T) {
	r := twoHoles(t)
	for _, c := range []struct {
		name, want string
		spoil      func(*leftover.Account)
	}{
		{"the last entry is missing", "no entry names faces", func(a *leftover.Account) {
			a.Left = a.Left[:len(a.Left)-1]
		}},
		{"the first entry is missing", "no entry names faces", func(a *leftover.Account) { a.Left = a.Left[1:] }},
		{"all entries are missing", "no entry names faces", func(a *leftover.Account) { a.Left = nil }},
		{"a region is missing", "names no face", func(a *leftover.Account) { a.Left[0].Regions = nil }},
		{"another region", "no entry names faces", func(a *leftover.Account) { a.Left[0].Regions = []int{1000} }},
		{"a larger volume", "volume is", func(a *leftover.Account) { a.Left[1].Volume *= 1.2 }},
		{"a smaller volume", "volume is", func(a *leftover.Account) { a.Left[0].Volume /= 1.2 }},
		{"a larger height", "height is", func(a *leftover.Account) { a.Left[0].Height += 0.2 }},
		{"no height", "height is", func(a *leftover.Account) { a.Left[2].Height = 0 }},
		{"a larger share", "volumeShare is", func(a *leftover.Account) { a.Made.VolumeShare += 0.006 }},
		{"complete", "completeness is", func(a *leftover.Account) { a.Completeness = "complete" }},
		{"no word", "completeness is", func(a *leftover.Account) { a.Completeness = "" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := accountOf(r)
			c.spoil(a)
			v := a.Check(r)
			if !slices.ContainsFunc(v.Broken, func(s string) bool { return strings.Contains(s, c.want) }) {
				t.Errorf("broken: %q, want one with %q", v.Broken, c.want)
			}
		})
	}
}

// A skin that is as high as the bound may be called either.
func TestCompletenessAtTheBound(t *testing.T) {
	for height, want := range map[float64][2]bool{0.08: {true, false}, 0.1: {true, true}, 0.12: {false, true}} {
		r := &leftover.Result{StockVolume: 10000, PartVolume: 1000, Left: 90, Pieces: []leftover.Piece{
			{Volume: 90, Height: height, Shares: []leftover.Share{{Faces: []int{3}, Volume: 90, Height: height}}},
		}}
		for i, word := range []string{"complete", "incomplete"} {
			a := &leftover.Account{Completeness: word}
			a.Left = []leftover.Entry{{Regions: []int{3}, Volume: 90, Height: height}}
			a.Made.VolumeShare = 0.99
			if v := a.Check(r); (len(v.Broken) == 0) != want[i] {
				t.Errorf("%g mm called %s: %+v", height, word, v)
			}
		}
	}
}

// A program that leaves nothing large is complete, and must be called so.
func TestACompleteProgram(t *testing.T) {
	r := &leftover.Result{StockVolume: 1000, PartVolume: 500, Left: 4, Pieces: []leftover.Piece{
		{Volume: 4, Height: 0.05, Shares: []leftover.Share{{Faces: []int{3}, Volume: 4, Height: 0.05}}},
	}}
	a := &leftover.Account{Completeness: "complete"}
	a.Made.VolumeShare = 0.99
	if v := a.Check(r); len(v.Broken) > 0 || v.Pieces != 0 {
		t.Errorf("%+v", v)
	}
	a.Completeness = "incomplete"
	if v := a.Check(r); len(v.Broken) != 1 {
		t.Errorf("a complete program is called incomplete: %+v", v)
	}
}

// Material at an edge may be named with either face.
func TestEdgesBelongToEitherFace(t *testing.T) {
	r := &leftover.Result{StockVolume: 10000, PartVolume: 5000, Left: 130, Pieces: []leftover.Piece{
		{Volume: 130, Height: 2, Shares: []leftover.Share{
			{Faces: []int{3}, Volume: 100, Height: 1}, {Faces: []int{3, 4}, Volume: 30, Height: 2},
		}},
	}}
	for _, c := range []struct {
		volume, height float64
		ok             bool
	}{{100, 1, true}, {130, 2, true}, {115, 1.5, true}, {90, 1, false}, {140, 2, false}, {100, 2.2, false}} {
		e := leftover.Entry{Regions: []int{3}, Volume: c.volume, Height: c.height}
		a := &leftover.Account{Completeness: "incomplete", Left: []leftover.Entry{e}}
		a.Made.VolumeShare = r.MadeShare()
		if v := a.Check(r); len(v.Broken) == 0 != c.ok {
			t.Errorf("%+v: %+v", c, v)
		}
	}
}

func TestReadAccount(t *testing.T) {
	dir := t.TempDir()
	if a, err := leftover.ReadAccount(dir); a != nil || err != nil {
		t.Errorf("an account without a file: %+v, %v", a, err)
	}
	write(t, filepath.Join(dir, "account.json"), `{"side": "found",
		"made": {"volumeShare": 0.93, "areaShare": 0.98}, "completeness": "incomplete",
		"left": [{"feature": 2, "regions": [4,5], "volume": 1271.2, "height": 4.5,
		"area": 12.3, "at": {"x":1,"y":2,"z":3}, "reason": "out_of_reach", "detail": "It is deep."}]}`)
	a, err := leftover.ReadAccount(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := leftover.Entry{
		Feature: 2, Regions: []int{4, 5}, Volume: 1271.2, Height: 4.5, At: geom.Vec3{X: 1, Y: 2, Z: 3}, Reason: "out_of_reach",
		Detail: "It is deep.",
	}
	if a.Made.VolumeShare != 0.93 || len(a.Left) != 1 || !reflect.DeepEqual(a.Left[0], want) {
		t.Errorf("read %+v", a)
	}
	write(t, filepath.Join(dir, "account.json"), "{")
	if _, err := leftover.ReadAccount(dir); err == nil {
		t.Error("a broken file is read")
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestIdleOperations(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "plan.json"), `{"setups": [{"operations": [{}, {}, {}]}]}`)
	program := func(moves ...replay.Move) *replay.Program {
		return &replay.Program{Setups: []replay.Setup{{Moves: moves}}}
	}
	all := []replay.Move{{Operation: 1}, {Operation: 2, Rapid: true}, {Operation: 2}, {Operation: 3}}
	for _, c := range []struct {
		name  string
		moves []replay.Move
		want  []string
	}{
		{"all cut", all, []string{}},
		{"one only moves at rapid speed", slices.Delete(slices.Clone(all), 2, 3), []string{"1.2"}},
		{"the last is missing", all[:3], []string{"1.3"}},
		{"none", nil, []string{"1.1", "1.2", "1.3"}},
	} {
		got, err := leftover.Idle(dir, program(c.moves...))
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", c.name, got, err, c.want)
		}
	}
	if _, err := leftover.Idle(dir, program(replay.Move{Operation: 4})); err == nil {
		t.Error("an operation that the plan does not have is accepted")
	}
	if _, err := leftover.Idle(dir, &replay.Program{}); err == nil {
		t.Error("a program without the setups of the plan is accepted")
	}
}
