package motion

import (
	"crypto/sha256"
	"encoding/hex"
	"math"

	"millwright.dev/millwright/core/kernel/geom/pack"
)

const (
	format  = "motion"
	version = 1
	// least is the least size of a list element in bytes.
	least = 1
)

// Encode returns the setups as bytes: equal setups give equal bytes.
func Encode(setups []Setup) []byte {
	c := pack.NewWriter(format, version)
	code(c, &setups)
	return c.Bytes()
}

// Decode reads the output of Encode. Damaged bytes give an error.
func Decode(data []byte) ([]Setup, error) {
	c, err := pack.NewReader(data, format, version)
	if err != nil {
		return nil, err
	}
	var setups []Setup
	code(c, &setups)
	if err := c.Close(); err != nil {
		return nil, err
	}
	return setups, nil
}

// Digest returns the SHA-256 of the setups, 64 hexadecimal digits: equal motion has equal digests.
func Digest(setups []Setup) string {
	sum := sha256.Sum256(Encode(setups))
	return hex.EncodeToString(sum[:])
}

func code(c *pack.Archive, setups *[]Setup) {
	pack.Slice(c, setups, least, func(s *Setup) {
		c.Frame(&s.Frame)
		pack.Slice(c, &s.Operations, least, func(o *Operation) { o.code(c) })
	})
}

func (o *Operation) code(c *pack.Archive) {
	c.String(&o.ID)
	pack.Integer(c, &o.Tool)
	c.Float(&o.SpindleRPM)
	pack.Integer(c, &o.Coolant)
	c.Vec(&o.Start)
	pack.Slice(c, &o.Cycles, least, func(y *Cycle) {
		pack.Integer(c, &y.Kind)
		c.Floats(&y.Retract, &y.Bottom)
		c.Sparse(&y.Peck)
		c.Sparse(&y.Dwell)
		c.Sparse(&y.Pitch)
		if err := y.Check(); err != nil && c.Reading() {
			c.Fail("%w", err)
		}
	})
	before := o.Start
	feed := 0.0
	pack.Slice(c, &o.Moves, least, func(m *Move) {
		pack.Integer(c, &m.Kind)
		pack.Integer(c, &m.Flags)
		values := [...]*float64{&m.To.X, &m.To.Y, &m.To.Z, &m.Feed}
		last := [...]float64{before.X, before.Y, before.Z, feed}
		var same [len(values)]bool
		for i, v := range values {
			same[i] = math.Float64bits(*v) == math.Float64bits(last[i])
		}
		arc := m.Turn != 0
		c.Flags(&same[0], &same[1], &same[2], &same[3], &arc)
		for i, v := range values {
			switch {
			case !same[i]:
				c.Float(v)
			case c.Reading(): // written data may be in use elsewhere
				*v = last[i]
			}
		}
		if arc {
			c.Floats(&m.Center.X, &m.Center.Y, &m.Turn)
		}
		switch m.Kind {
		case Dwell:
			c.Float(&m.Seconds)
		case CannedCycle:
			pack.Integer(c, &m.Cycle)
			if m.Cycle < 0 || int(m.Cycle) >= len(o.Cycles) {
				c.Fail("a move names cycle %d of %d", m.Cycle, len(o.Cycles))
			}
		}
		before, feed = m.To, m.Feed
	})
}
