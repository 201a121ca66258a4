// Package paths hands the motion of a program to other programs: as compact JSON, and as lines to look at.
package paths

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"

	"millwright.dev/millwright/core/cam/estimate"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/kernel/geom"
)

// kinds are the names of motion's kinds, in their order.
var kinds = []string{"rapid", "cut", "plunge", "ramp", "leadIn", "leadOut", "link", "dwell", "cycle"}

// WriteJSON writes the motion of a plan: lengths mm, in the frame of each setup, feeds mm/min, angles degrees.
//
//	{"units": "mm", "kinds": [names], "setups": [
//	  {"frame": {"origin": [x,y,z], "x": […], "y": […], "z": […]}, "operations": [
//	    {"operationId", "tool": its number, "spindleRpm", "coolant", "start": [x,y,z], "moves": [
//	      [kind, x, y, z, feed]                  to a point along a line; a rapid has no feed
//	      [kind, x, y, z, feed, cx, cy, degrees] around (cx, cy), counterclockwise if positive, with linear rise
//	      [7, seconds]                           a dwell
//	      [8, [moves]]                           a canned cycle, expanded to its moves
//
// Kinds are indices into "kinds". Findings use the same move numbers. The frame maps to the part's frame.
func WriteJSON(w io.Writer, p *planning.Plan, set *toolpath.Set) error {
	return write(w, p, set, nil)
}

// WriteTimed writes the same for programs that play the motion, compressed by gzip. "motion" is its digest, and "tools"
// are outlines. An operation also has "begin", the second of its setup at which it begins, and "seconds", the end of
// each move from then on. clock is by setup and operation.
func WriteTimed(w io.Writer, p *planning.Plan, set *toolpath.Set, clock [][]estimate.Moment) error {
	if len(clock) != len(set.Setups) {
		return fmt.Errorf("moves: the motion has %d setups, its clock %d", len(set.Setups), len(clock))
	}
	z := gzip.NewWriter(w)
	if err := write(z, p, set, clock); err != nil {
		return err
	}
	return z.Close()
}

func write(w io.Writer, p *planning.Plan, set *toolpath.Set, clock [][]estimate.Moment) error {
	if err := fits(p, set); err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 1<<16) // keeps its first error until Flush
	j := writer{out}
	names, err := json.Marshal(kinds)
	if err != nil {
		return err
	}
	j.text("{")
	if clock != nil {
		j.text(`"motion":"` + motion.Digest(set.Setups) + `",`)
		j.outlines(p)
	}
	j.text(`"units":"mm","kinds":` + string(names) + `,"setups":[`)
	for i := range set.Setups {
		s := &set.Setups[i]
		j.comma(i)
		j.text(`{"frame":{"origin":`)
		j.point(s.Frame.Origin)
		j.text(`,"x":`)
		j.point(s.Frame.X)
		j.text(`,"y":`)
		j.point(s.Frame.Y)
		j.text(`,"z":`)
		j.point(s.Frame.Z)
		j.text(`},"operations":[`)
		for k := range s.Operations {
			j.comma(k)
			var moment *estimate.Moment
			if clock != nil {
				moment = &clock[i][k]
			}
			if err := j.operation(p, &s.Operations[k], moment); err != nil {
				return err
			}
		}
		j.text(`]}`)
	}
	j.text("]}\n")
	return out.Flush()
}

// fits refuses motion that is not of a plan.
func fits(p *planning.Plan, set *toolpath.Set) error {
	if len(p.Setups) != len(set.Setups) {
		return fmt.Errorf("moves: the plan has %d setups, its motion %d", len(p.Setups), len(set.Setups))
	}
	for i := range set.Setups {
		if a, b := len(p.Setups[i].Operations), len(set.Setups[i].Operations); a != b {
			return fmt.Errorf("moves: setup %d has %d operations, its motion %d", i+1, a, b)
		}
		for _, o := range set.Setups[i].Operations {
			if int(o.Tool) >= len(p.Tools) || o.Tool < 0 {
				return fmt.Errorf("moves: operation %s has tool %d of %d", o.ID, o.Tool, len(p.Tools))
			}
		}
	}
	return nil
}

var coolants = map[motion.Coolant]string{
	motion.Dry: "dry", motion.Flood: "flood", motion.Mist: "mist", motion.ThroughTool: "throughTool",
}

type writer struct{ *bufio.Writer }

func (j writer) text(s string) { _, _ = j.WriteString(s) } // errors show at Flush

func (j writer) comma(i int) {
	if i > 0 {
		_ = j.WriteByte(',')
	}
}

func (j writer) number(v float64) {
	_, _ = j.Write(strconv.AppendFloat(j.AvailableBuffer(), v+0, 'f', -1, 64)) // +0: no minus zero
}

func (j writer) numbers(vs ...float64) {
	for _, v := range vs {
		_ = j.WriteByte(',')
		j.number(v)
	}
}

func (j writer) point(p geom.Vec3) {
	_ = j.WriteByte('[')
	j.number(p.X)
	j.numbers(p.Y, p.Z)
	_ = j.WriteByte(']')
}

func (j writer) operation(p *planning.Plan, o *motion.Operation, moment *estimate.Moment) error {
	head, err := json.Marshal(struct {
		OperationID string  `json:"operationId"`
		Tool        int     `json:"tool"`
		SpindleRPM  float64 `json:"spindleRpm"`
		Coolant     string  `json:"coolant"`
	}{o.ID, p.Tools[o.Tool].Number, o.SpindleRPM, coolants[o.Coolant]})
	if err != nil {
		return err
	}
	j.text(string(head[:len(head)-1]) + `,"start":`)
	j.point(o.Start)
	if moment != nil {
		j.text(`,"begin":`)
		j.number(milli(moment.Begin))
		j.text(`,"seconds":[`)
		for i, s := range moment.Ends {
			j.comma(i)
			j.number(milli(s))
		}
		j.text("]")
	}
	j.text(`,"moves":[`)
	at := o.Start
	var cycle []motion.Move
	for i := range o.Moves {
		m := &o.Moves[i]
		j.comma(i)
		if m.Kind != motion.CannedCycle {
			j.move(m)
		} else {
			cycle = o.Cycles[m.Cycle].Expand(cycle[:0], at, *m)
			j.text("[" + strconv.Itoa(int(motion.CannedCycle)) + ",[")
			for k := range cycle {
				j.comma(k)
				j.move(&cycle[k])
			}
			j.text("]]")
		}
		if m.Kind != motion.Dwell {
			at = m.To
		}
	}
	j.text("]}")
	return nil
}

// milli rounds a time to a ms.
func milli(s float64) float64 { return math.Round(s*1000) / 1000 }

// move writes a move other than a cycle.
func (j writer) move(m *motion.Move) {
	j.text("[" + strconv.Itoa(int(m.Kind)))
	switch {
	case m.Kind == motion.Dwell:
		j.numbers(m.Seconds)
	case m.Kind == motion.Rapid:
		j.numbers(m.To.X, m.To.Y, m.To.Z)
	case m.Turn == 0:
		j.numbers(m.To.X, m.To.Y, m.To.Z, m.Feed)
	default:
		j.numbers(m.To.X, m.To.Y, m.To.Z, m.Feed, m.Center.X, m.Center.Y, geom.Degrees(m.Turn))
	}
	_ = j.WriteByte(']')
}
