package device

import (
	"sync/atomic"
	"time"
)

// Stats are counts since the device was opened.
type Stats struct {
	Calls     int64         // Do
	Slices    int64         // dispatches
	Longest   time.Duration // of the dispatches
	Busy      time.Duration // sum of the dispatches
	BytesUp   int64         // to the device
	BytesDown int64         // from it
	Buffers   int64         // that exist now
	Programs  int64         // compiled
	Kept      int64         // bytes that Keep retains now
	Hits      int64         // calls of Kept that found their key
	Lost      int64         // 1 when the context is gone
	Redone    int64         // items of uncertain device results that the processor repeated; see GPU.CountRedone
}

type counters struct {
	calls, slices, longest, busy, bytesUp, bytesDown, buffers, programs, cached, hits, lost atomic.Int64
}

// slice counts a dispatch; only the thread of the context calls it.
func (c *counters) slice(took time.Duration) {
	c.slices.Add(1)
	c.busy.Add(int64(took))
	c.longest.Store(max(c.longest.Load(), int64(took)))
}

// Stats returns the counts so far.
func (d *Device) Stats() Stats {
	c := &d.stats
	return Stats{
		Calls: c.calls.Load(), Slices: c.slices.Load(),
		Longest: time.Duration(c.longest.Load()), Busy: time.Duration(c.busy.Load()),
		BytesUp: c.bytesUp.Load(), BytesDown: c.bytesDown.Load(),
		Buffers: c.buffers.Load(), Programs: c.programs.Load(), Lost: c.lost.Load(),
		Kept: c.cached.Load(), Hits: c.hits.Load(),
	}
}

// Add returns the counts of two devices together.
func (s Stats) Add(o Stats) Stats {
	return Stats{
		Calls: s.Calls + o.Calls, Slices: s.Slices + o.Slices,
		Longest: max(s.Longest, o.Longest), Busy: s.Busy + o.Busy,
		BytesUp: s.BytesUp + o.BytesUp, BytesDown: s.BytesDown + o.BytesDown,
		Buffers: s.Buffers + o.Buffers, Programs: s.Programs + o.Programs, Lost: s.Lost + o.Lost,
		Kept: s.Kept + o.Kept, Hits: s.Hits + o.Hits, Redone: s.Redone + o.Redone,
	}
}
