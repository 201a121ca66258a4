package paths

import (
	"math"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/kernel/geom"
)

// outlineSagitta (mm) is the deviation of the chords of a rounded outline.
const outlineSagitta = 0.001

// outlines writes the tools of a plan: number, whether the tool is wider below than above, and the outline of the
// assembly from the axis at the tip upward, as [radius, height, zone] with the zone of the line that ends there (0
// flutes, 1 neck, 2 shank, 3 holder).
func (j writer) outlines(p *planning.Plan) {
	j.text(`"tools":[`)
	for i := range p.Tools {
		t := &p.Tools[i]
		j.comma(i)
		undercut := "false"
		switch t.Tool.Kind {
		case machining.DovetailMill, machining.SlotMill, machining.Lollipop:
			undercut = "true"
		}
		j.text(`{"number":`)
		j.number(float64(t.Number))
		j.text(`,"undercut":` + undercut + `,"outline":[[0,0,0]`)
		a := t.Tool.Assembly()
		for k, s := range a.Outline {
			outlineChords(s, func(q geom.Vec2) {
				j.text(",[")
				j.number(micro(q.X))
				j.numbers(micro(q.Y), float64(a.Zones[k]))
				j.text("]")
			})
		}
		j.text("]}")
	}
	j.text("],")
}

// micro rounds a length to a hundredth of a µm.
func micro(v float64) float64 { return math.Round(v*1e5) / 1e5 }

// outlineChords calls visit with the ends of the chords of a segment after its start.
func outlineChords(s toolprofile.Segment, visit func(geom.Vec2)) {
	if c, arc := s.Center(); arc {
		r := math.Abs(s.Radius)
		from, to := math.Atan2(s.From.Y-c.Y, s.From.X-c.X), math.Atan2(s.To.Y-c.Y, s.To.X-c.X)
		turn := math.Remainder(to-from, 2*math.Pi)
		n := int(math.Ceil(math.Abs(turn) / (2 * math.Acos(max(1-outlineSagitta/r, 0)))))
		for i := 1; i < n; i++ {
			sin, cos := math.Sincos(from + turn*float64(i)/float64(n))
			visit(geom.Vec2{X: c.X + r*cos, Y: c.Y + r*sin})
		}
	}
	visit(s.To)
}
