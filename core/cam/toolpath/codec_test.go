package toolpath_test

import (
	"bytes"
	"reflect"
	"testing"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/kernel/geom"
)

// example is two operations, one with rest material.
func example() *toolpath.Set {
	return &toolpath.Set{
		Setups: []motion.Setup{{
			Frame: geom.Frame{X: geom.Vec3{X: 1}, Y: geom.Vec3{Y: 1}, Z: geom.Vec3{Z: 1}},
			Operations: []motion.Operation{
				{ID: "1-1", Moves: []motion.Move{{To: geom.Vec3{X: 1}, Kind: motion.Rapid}}, Cycles: []motion.Cycle{}},
				{ID: "1-2", Tool: 1, SpindleRPM: 3000, Moves: []motion.Move{}, Cycles: []motion.Cycle{}},
			},
		}},
		Paths: [][]toolpath.Path{{{MoveCount: 1, RapidLength: 1}, {RestMaterial: []toolpath.RestMaterial{{
			Regions: []int{3}, Reason: completeness.SharpCorner, Volume: 0.5, Height: 2,
			Detail: "The corner stays round.",
		}}}}},
	}
}

func TestSetsComeBack(t *testing.T) {
	data, err := example().Encode()
	if err != nil {
		t.Fatal(err)
	}
	got, err := toolpath.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if want := example(); !reflect.DeepEqual(got.Paths, want.Paths) || len(got.Setups) != 1 ||
		motion.Digest(got.Setups) != motion.Digest(want.Setups) {
		t.Errorf("Decode = %+v, want %+v", got, want)
	}
	if again, err := got.Encode(); err != nil || !bytes.Equal(again, data) {
		t.Errorf("encoded again: %v, other bytes", err)
	}
}

func TestDamagedSets(t *testing.T) {
	whole, err := example().Encode()
	if err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		if _, err := toolpath.Decode(whole[:n]); err == nil {
			t.Errorf("%d of %d bytes are read", n, len(whole))
		}
	}
	fewer := example()
	fewer.Paths[0] = fewer.Paths[0][:1]
	none := example()
	none.Paths = [][]toolpath.Path{}
	for name, s := range map[string]*toolpath.Set{"an operation without its path": fewer,
		"a setup without paths": none} {
		data, err := s.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := toolpath.Decode(data); err == nil {
			t.Errorf("%s is read", name)
		}
	}
}
