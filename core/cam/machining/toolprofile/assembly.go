package toolprofile

// Zone is the function of a section of a tool in its holder. Only the cutting zone may touch material.
type Zone uint8

// The zones, from the tip upward.
const (
	Cutting Zone = iota // flutes
	Neck                // above the flutes and narrower than they are
	Shank               // above the flutes and no narrower
	Holder              // the tool holder
)

// ZoneCount is the number of zones.
const ZoneCount = 4

// String returns the name of the zone.
func (z Zone) String() string {
	if names := [ZoneCount]string{"cutting", "neck", "shank", "holder"}; z < ZoneCount {
		return names[z]
	}
	return "unknown"
}

// Assembly is a tool as it is set in its holder: one outline, and the zone of each of its segments.
type Assembly struct {
	Outline  Profile
	Zones    []Zone  // of each segment; they never fall
	Stickout float64 // mm, from the tip to the holder, or to the top of a tool without one
}

// Total returns the height from the tip to the top of the outline in mm.
func (a *Assembly) Total() float64 { return a.Outline.Top() }

// Line leads the outline on to a point (mm); a line of no length is left out.
func (a *Assembly) Line(x, y float64, zone Zone) { a.add(Segment{}, x, y, zone) }

// Arc leads the outline on to a point (mm) along an arc as Segment describes it.
func (a *Assembly) Arc(x, y, radius float64, zone Zone) { a.add(Segment{Radius: radius}, x, y, zone) }

func (a *Assembly) add(s Segment, x, y float64, zone Zone) {
	if n := len(a.Outline); n > 0 {
		s.From = a.Outline[n-1].To
	}
	if s.To.X, s.To.Y = x, y; s.To != s.From {
		a.Outline, a.Zones = append(a.Outline, s), append(a.Zones, zone)
	}
}
