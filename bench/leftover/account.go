package leftover

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
)

// Account is account.json, as far as the replay can judge it.
type Account struct {
	Made struct {
		VolumeShare float64 `json:"volumeShare"`
	} `json:"made"`
	Completeness string  `json:"completeness"`
	Left         []Entry `json:"left"`
}

// Entry is material that the account says is left on some faces.
type Entry struct {
	Feature int       `json:"feature"`
	Regions []int     `json:"regions"`
	Volume  float64   `json:"volume"` // mm³
	Height  float64   `json:"height"` // mm
	At      geom.Vec3 `json:"at"`     // of the height, in part coordinates
	Reason  string    `json:"reason"`
	Detail  string    `json:"detail"`
}

// ReadAccount reads the account in a folder that the command line wrote; nil when there is no account.
func ReadAccount(folder string) (*Account, error) {
	data, err := os.ReadFile(filepath.Join(folder, "account.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var a Account
	if err := json.Unmarshal(data, &a); err != nil {
		return nil, fmt.Errorf("account.json: %w", err)
	}
	return &a, nil
}

// Bounds of what must be named, and of how well the figures must agree.
const (
	mostVolume = 5     // mm³
	mostHeight = 0.1   // mm
	mostShare  = 0.05  // of a volume
	mostMade   = 0.005 // of the material to remove

	// Rounding of g-code and meshes makes a piece at a bound uncertain by this much.
	marginShare  = 0.05 // of a volume
	marginHeight = 0.01 // mm

	// sliver (mm³) is the volume of a named piece that the border between two faces may assign to the wrong face.
	sliver = 0.02
)

// Verdict is the comparison of an account with the replay.
type Verdict struct {
	Pieces int `json:"pieces"` // over either bound
	Named  int `json:"named"`  // of these, on faces that the account names
	// Worst is the largest ratio of a mismatch to its bound: above 1 it is too large.
	Worst  float64  `json:"worst"`
	Broken []string `json:"broken"`
}

func (v *Verdict) breaks(format string, args ...any) {
	v.Broken = append(v.Broken, fmt.Sprintf(format, args...))
}

// within records a mismatch with its bound, and reports whether it is small enough.
func (v *Verdict) within(mismatch, bound float64) bool {
	v.Worst = max(v.Worst, mismatch/bound)
	return mismatch <= bound
}

// Check holds an account to the result of the replay.
func (a *Account) Check(r *Result) *Verdict {
	v := &Verdict{Broken: []string{}}
	named := map[int]int{}
	for i, e := range a.joined(v) {
		for _, face := range e.Regions {
			named[face] = i
		}
		e.check(r, v, i)
	}
	for _, p := range r.Pieces {
		p.check(named, v)
	}
	if made := r.MadeShare(); !v.within(math.Abs(a.Made.VolumeShare-made), mostMade) {
		v.breaks("volumeShare is %.4f, the replay removes %.4f", a.Made.VolumeShare, made)
	}
	a.checkCompleteness(r, v)
	return v
}

// joined returns the entries with those joined that have a face in common, as a corner and a skin of one wall do: the
// replay tells material by its faces only. Threads that the file does not state have no material.
func (a *Account) joined(v *Verdict) (out []*Entry) {
	for i := range a.Left {
		e := a.Left[i]
		if len(e.Regions) == 0 {
			v.breaks("entry %d names no face", i)
		}
		if e.Reason == threadNotStated {
			continue
		}
		rest := out[:0:0]
		for _, o := range out {
			if !slices.ContainsFunc(o.Regions, func(f int) bool { return slices.Contains(e.Regions, f) }) {
				rest = append(rest, o)
				continue
			}
			e.Regions = append(slices.Clone(e.Regions), o.Regions...)
			e.Volume, e.Height = e.Volume+o.Volume, max(e.Height, o.Height)
		}
		out = append(rest, &e)
	}
	return out
}

// threadNotStated is the reason for threads that the file does not state.
const threadNotStated = "thread_not_stated"

// check holds the figures of an entry to those of the material that is nearest to its faces. What is nearest
// to an edge counts for either face, so the replay gives a least and a most.
func (e *Entry) check(r *Result, v *Verdict, i int) {
	var least, most struct{ volume, height float64 }
	for _, p := range r.Pieces {
		for _, s := range p.Shares {
			some, all := false, true
			for _, f := range s.Faces {
				in := slices.Contains(e.Regions, f)
				some, all = some || in, all && in
			}
			if all {
				least.volume += s.Volume
				least.height = max(least.height, s.Height)
			}
			if some {
				most.volume += s.Volume
				most.height = max(most.height, s.Height)
			}
		}
	}
	outside := func(x, least, most float64) float64 { return max(least-x, x-most, 0) }
	if d := outside(e.Volume, least.volume, most.volume); !v.within(d, max(mostVolume, mostShare*most.volume)) {
		v.breaks("entry %d, faces %v: volume is %.2f mm³, the replay leaves %.2f to %.2f", i, e.Regions, e.Volume,
			least.volume, most.volume)
	}
	if d := outside(e.Height, least.height, most.height); !v.within(d, mostHeight) {
		v.breaks("entry %d, faces %v: height is %.3f mm, the replay leaves %.3f to %.3f", i, e.Regions, e.Height,
			least.height, most.height)
	}
}

// check demands that a piece over either bound lies on faces that entries name. What is nearest to an edge
// needs one of the faces there.
func (p *Piece) check(named map[int]int, v *Verdict) {
	if !p.Over() {
		return
	}
	v.Pieces++
	volume, height := 0.0, 0.0
	var missing []int
	for _, s := range p.Shares {
		if slices.ContainsFunc(s.Faces, func(f int) bool { _, ok := named[f]; return ok }) {
			continue
		}
		volume += s.Volume
		height = max(height, s.Height)
		for _, f := range s.Faces {
			if !slices.Contains(missing, f) {
				missing = append(missing, f)
			}
		}
	}
	okVolume := v.within(volume, mostVolume*(1+marginShare))
	okHeight := volume < sliver || v.within(height, mostHeight+marginHeight)
	if okVolume && okHeight {
		v.Named++
		return
	}
	v.breaks("no entry names faces %v, which have %.2f mm³ up to %.3f mm high at %.1f %.1f %.1f",
		missing, volume, height, p.At.X, p.At.Y, p.At.Z)
}

// Over reports whether a piece is over either bound, so that it must be named.
func (p *Piece) Over() bool { return p.Volume > mostVolume || p.Height > mostHeight }

// Large reports whether a piece is over both bounds, so that a program that leaves it is not complete.
func (p *Piece) Large() bool { return p.large(0) }

// large is Large with bounds that are moved by the slack: 1 for pieces that surely are, −1 for all that
// may be.
func (p *Piece) large(slack float64) bool {
	return p.Volume > mostVolume*(1+slack*marginShare) && p.Height > mostHeight+slack*marginHeight
}

func (a *Account) checkCompleteness(r *Result, v *Verdict) {
	large := slices.IndexFunc(r.Pieces, func(p Piece) bool { return p.large(1) })
	mayBe := slices.ContainsFunc(r.Pieces, func(p Piece) bool { return p.large(-1) })
	switch {
	case !slices.Contains([]string{"complete", "complete_but_named", "incomplete"}, a.Completeness):
		v.breaks("completeness is %q; it must be complete, complete_but_named or incomplete", a.Completeness)
	case large >= 0 && a.Completeness == "complete":
		v.breaks("completeness is %q, but the replay leaves %.2f mm³ up to %.3f mm high", a.Completeness,
			r.Pieces[large].Volume, r.Pieces[large].Height)
	// of several pieces
	case !mayBe && a.Completeness != "complete" && !slices.ContainsFunc(a.Left, func(e Entry) bool {
		return e.Reason == threadNotStated || e.Volume > mostVolume && e.Height > mostHeight
	}):
		v.breaks("completeness is %q, but the replay leaves no large piece", a.Completeness)
	}
}
