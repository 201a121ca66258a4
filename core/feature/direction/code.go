package direction

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/pack"
)

// Serialize reads or writes the visibility of a part with the given number of patches. A reader checks that every
// direction is complete.
func Serialize(c *pack.Archive, s *Visibility, patches int) {
	pack.Slice(c, &s.Dirs, 1, c.Dir)
	pack.Slice(c, &s.Share, 1, func(row *[]float64) {
		pack.Slice(c, row, 1, func(x *float64) { share(c, x) })
		if c.Reading() && len(*row) != patches {
			c.Fail("a direction sees %d patches of %d", len(*row), patches)
		}
	})
	c.Row(&s.Weight)
	pack.Slice(c, &s.Z, 16, func(z *geom.Interval) { c.Floats(&z.Lo, &z.Hi) })
	if n := len(s.Dirs); c.Reading() && (len(s.Share) != n || len(s.Weight) != n || len(s.Z) != n) {
		c.Fail("%d directions have %d shares, %d weights and %d ranges", n, len(s.Share), len(s.Weight), len(s.Z))
	}
}

// share codes a share of a patch: most are not seen at all or altogether.
func share(c *pack.Archive, x *float64) {
	isWhole, isPart := *x == 1, *x != 1 && math.Float64bits(*x) != 0
	switch c.Flags(&isWhole, &isPart); {
	case isPart:
		c.Float(x)
	case isWhole && c.Reading():
		*x = 1
	}
}
