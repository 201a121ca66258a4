package clearing

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/timing"
	"millwright.dev/millwright/core/kernel/geom"
)

// Minutes of motion, and the motion at the heights of levels.

// Operation returns the motion of a program in the frame of a setup whose origin is at a point of the program's. It
// begins at the first position that the program states in full.
func (p *Program) Operation(origin geom.Vec3) (*motion.Operation, error) {
	o := &motion.Operation{}
	var at [3]float64
	known, feed := [3]bool{}, 0.0
	for _, c := range p.Commands {
		if c[0] == nil {
			return nil, errors.New("FreeCAD: a command without a code")
		}
		from := at
		for i := range at {
			if v := c[1+i]; v != nil {
				at[i], known[i] = *v, true
			}
		}
		if c[6] != nil {
			feed = *c[6]
		}
		to := geom.Vec3{X: at[0], Y: at[1], Z: at[2]}.Sub(origin)
		if len(o.Moves) == 0 && *c[0] == 0 && (o.Start == geom.Vec3{} || known != [3]bool{true, true, true}) {
			if known == [3]bool{true, true, true} {
				o.Start = to
			}
			continue
		}
		m := motion.Move{To: to, Feed: feed, Kind: motion.Cut}
		switch *c[0] {
		case 0:
			m.Kind, m.Feed = motion.Rapid, 0
		case 1:
		default:
			m.Center = geom.Vec2{X: from[0] + value(c[4]) - origin.X, Y: from[1] + value(c[5]) - origin.Y}
			a, b := geom.Vec2{X: from[0] - origin.X, Y: from[1] - origin.Y}.Sub(m.Center), flat(to).Sub(m.Center)
			m.Turn = math.Atan2(a.Cross(b), a.Dot(b))
			if *c[0] == 3 && m.Turn <= 0 {
				m.Turn += 2 * math.Pi
			}
			if *c[0] == 2 && m.Turn >= 0 {
				m.Turn -= 2 * math.Pi
			}
		}
		o.Moves = append(o.Moves, m)
	}
	if len(o.Moves) == 0 {
		return nil, errors.New("FreeCAD: an operation has no moves")
	}
	return o, nil
}

func value(v *float64) float64 {
	if v == nil {
		return 0
	}
	return *v
}

// Times are the seconds of motion and their parts. The parts are length over feed.
type Times struct {
	Seconds float64 `json:"seconds"` // by the model of package timing, with the limits of a likely control
	Naive   float64 `json:"naive"`   // length over feed, rapids at the machine's rapid feed

	CutSeconds   float64 `json:"cutSeconds"`   // level, at a feed
	LinkSeconds  float64 `json:"linkSeconds"`  // level below the top of the material, rapids and links at a feed
	EntrySeconds float64 `json:"entrySeconds"` // down at a feed
	RapidSeconds float64 `json:"rapidSeconds"` // up, down and above the material

	CutMeters float64 `json:"cutMeters"`
	Blocks    int     `json:"blocks"`
}

// TimesOf returns the times of operations whose material begins at a height.
func TimesOf(m *machining.Machine, top float64, operations ...*motion.Operation) (t Times) {
	limits := timing.Compute(m).Likely
	for _, o := range operations {
		t.Seconds += limits.Operation(o).Total()
		o.Steps(func(s motion.Step) bool {
			feed := s.Feed
			if s.Kind == motion.Rapid {
				feed = m.RapidFeed
			}
			seconds := 60 * s.Length() / feed
			t.Blocks++
			t.Naive += seconds
			switch isLevel := math.Abs(s.To.Z-s.From.Z) < motion.Resolution; {
			case isLevel && s.To.Z < top && (s.Kind == motion.Rapid || s.Kind == motion.Link):
				t.LinkSeconds += seconds
			case s.Kind == motion.Rapid:
				t.RapidSeconds += seconds
			case isLevel:
				t.CutSeconds += seconds
				t.CutMeters += s.Length() / 1000
			default:
				t.EntrySeconds += seconds
			}
			return true
		})
	}
	return t
}

// Level is the motion at one height.
type Level struct {
	Z     float64
	Moves []Move
}

// Levels returns the level motion of operations inside polygons, at a feed and as links, by height from the top down.
func Levels(loops []Polygon, top float64, operations ...*motion.Operation) []Level {
	var out []Level
	for _, o := range operations {
		last := -1 // level of the step before
		o.Steps(func(s motion.Step) bool {
			if s.Length() == 0 {
				return true
			}
			isLevel := math.Abs(s.To.Z-s.From.Z) < motion.Resolution
			if !isLevel || s.To.Z > top-motion.Resolution || !contains(loops, flat(s.At(0.5))) {
				last = -1
				return true
			}
			k := slices.IndexFunc(out, func(l Level) bool { return math.Abs(l.Z-s.To.Z) < motion.Resolution })
			if k < 0 {
				k, out = len(out), append(out, Level{Z: s.To.Z})
			}
			l := &out[k]
			if k != last {
				l.Moves = append(l.Moves, Move{To: flat(s.From), Kind: Enter})
			}
			last = k
			m := Move{To: flat(s.To), Center: s.Center, Turn: s.Turn}
			if s.Kind == motion.Rapid || s.Kind == motion.Link {
				m.Kind = Link
			}
			l.Moves = append(l.Moves, m)
			return true
		})
	}
	slices.SortFunc(out, func(a, b Level) int { return cmp.Compare(b.Z, a.Z) })
	return out
}
