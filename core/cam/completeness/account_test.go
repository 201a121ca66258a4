package completeness

import (
	"math"
	"strings"
	"testing"
)

func TestLevels(t *testing.T) {
	for _, row := range []struct {
		name    string
		entries []Entry
		want    Level
		listed  int
	}{
		{"nothing is left", nil, Complete, 0},
		{"a wide film", []Entry{{Volume: 400, Height: 0.05, Reason: PathLeft}}, Complete, 1},
		{"a high splinter", []Entry{{Volume: 4, Height: 3, Reason: PathLeft}}, Complete, 1},
		{"dust", []Entry{{Volume: 4, Height: 0.09, Reason: PathLeft}}, Complete, 0},
		{"a skin", []Entry{{Volume: 6, Height: 0.11, Reason: PathLeft}}, Incomplete, 1},
		{"a corner", []Entry{{Volume: 60, Height: 2, Reason: SharpCorner}}, CompleteButNamed, 1},
		{"a small corner", []Entry{{Volume: 2, Height: 0.4, Reason: SharpCorner}}, Complete, 1},
		{"a thread", []Entry{{Reason: ThreadNotStated}}, CompleteButNamed, 1},
		{"a hole that no tool reaches", []Entry{{Volume: 60, Height: 2, Reason: OutOfReach}}, Incomplete, 1},
		{"a corner after a hole", []Entry{
			{Volume: 60, Height: 2, Reason: OutOfReach}, {Volume: 60, Height: 2, Reason: SharpCorner},
		}, Incomplete, 2},
		{"other features", []Entry{{Volume: 60, Height: 2, Reason: NotRequested}}, CompleteButNamed, 1},
	} {
		a := New(Found, row.entries, 1000, 600)
		if a.Completeness != row.want || len(a.Left) != row.listed {
			t.Errorf("%s: %s with %d entries, want %s with %d", row.name, a.Completeness, len(a.Left), row.want, row.listed)
		}
	}
}

func TestMadeShares(t *testing.T) {
	entries := []Entry{{Volume: 3, Area: 6}, {Volume: 97, Area: 54, Height: 1}}
	a := New(Predicted, entries, 1000, 600)
	if math.Abs(a.Made.VolumeShare-0.9) > 1e-12 || math.Abs(a.Made.AreaShare-0.9) > 1e-12 {
		t.Errorf("made %+v, want nine tenths of both", a.Made)
	}
	for _, all := range []float64{0, -1, math.NaN()} { // a stock that is the part
		if got := New(Found, nil, all, all).Made; got != (Made{1, 1}) {
			t.Errorf("of %g to remove %+v are made", all, got)
		}
	}
	if got := New(Found, []Entry{{Volume: 2000}}, 1000, 600).Made.VolumeShare; got != 0 {
		t.Errorf("a share of %g", got)
	}
}

func TestSummaryNamesLargest(t *testing.T) {
	a := New(Found, []Entry{
		{Feature: -1, Regions: []int{4, 5}, Volume: 20, Height: 1, Reason: Undercut},
		{Feature: 2, Volume: 1271.2, Height: 4.5, Reason: OutOfReach}, {Feature: 3, Volume: 900, Height: 2, Reason: SharpCorner},
		{Feature: 0, Volume: 10, Height: 1, Reason: PathLeft}, {Feature: 1, Volume: 9, Height: 1, Reason: PathLeft},
	}, 1e4, 600)
	want := "INCOMPLETE: 77.8 % of the volume and 100 % of the area are made; left feature 3 (out_of_reach, 1.27e+03 mm³, up " +
		"to 4.5 mm high), faces 4 5 (undercut, 20 mm³, up to 1 mm high), feature 1 (path_left, 10 mm³, up to 1 mm high) and 1 more"
	if got := a.Summary(); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	a = New(Predicted, nil, 1e4, 600)
	if got := a.Summary(); !strings.HasPrefix(got, "complete: 100 % of the volume and 100 % of the area are within reach") {
		t.Error(got)
	}
	if got := Percent(0.99999); got != "99.9" {
		t.Errorf("nearly all is %s %%", got)
	}
}

func TestHas(t *testing.T) {
	var none *Account
	a := New(Found, []Entry{{Volume: 6, Reason: PathLeft}}, 100, 100)
	if none.Has(PathLeft) || !a.Has(PathLeft) || a.Has(Undercut) {
		t.Error("reasons are mixed up")
	}
}
