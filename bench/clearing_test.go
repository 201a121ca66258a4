package main

import (
	"math"
	"testing"

	"millwright.dev/millwright/bench/clearing"
)

// A share is a part of the length of all cuts. A pocket without a cut is a failure.
func TestSummaryOfPockets(t *testing.T) {
	row := func(ours, peer clearing.Figures, seconds, peerSeconds float64) *clearedPocket {
		return &clearedPocket{ArcDeg: 60, Ours: measuredPocket{Figures: ours, Seconds: seconds},
			Peer: measuredPocket{Figures: peer, Seconds: peerSeconds}}
	}
	s := summarizePockets([]*clearedPocket{
		row(clearing.Figures{Cut: 1000, Over: 0.002, WorstDeg: 66, Reachable: 400, Left: 2},
			clearing.Figures{Cut: 500, Over: 0.1, WorstDeg: 90, Studs: 2}, 1, 4),
		row(clearing.Figures{Cut: 3000, WorstDeg: 63, Reachable: 600, Left: 3}, clearing.Figures{}, 2, 2),
		row(clearing.Figures{Cut: 1000, WorstDeg: 63}, clearing.Figures{Cut: 500}, 3, 4),
	})
	ours := pocketSummary{Over: 0.0004, WorstOver: 0.002, Missed: 1, Worst: 1.1, Left: 0.005, CutMeters: 5, Seconds: 6}
	if math.Abs(s.Ours.Over-ours.Over) > 1e-12 {
		t.Errorf("%g of our cuts is over the target; want %g", s.Ours.Over, ours.Over)
	}
	s.Ours.Over = ours.Over
	if s.Ours != ours {
		t.Errorf("our summary is %+v; want %+v", s.Ours, ours)
	}
	if s.Peer.Failures != 1 || s.Peer.Far != 1 || s.Peer.Studs != 2 || s.Peer.Over != 0.05 {
		t.Errorf("the summary of the peer is %+v", s.Peer)
	}
	if s.Ratio != 0.6 || s.Median != 0.75 || s.Worst != 1 {
		t.Errorf("the ratios are %g, median %g, worst %g; want 0.6, 0.75 and 1", s.Ratio, s.Median, s.Worst)
	}
}
