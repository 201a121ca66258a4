package recognize

import (
	"fmt"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/channel"
)

// T-slots and dovetails.

func undercutChannels(r *reading, v *verifier) {
	for i := range r.channels {
		addChannel(r, v, &r.channels[i])
	}
}

// addChannel proposes a T-slot or dovetail, unless a larger one has its walls or bent sheet surrounds it.
func addChannel(r *reading, v *verifier, c *channel.Channel) {
	d := r.v.Find(c.Dir)
	if d == graph.None {
		return
	}
	isOther := func(p int32) bool {
		return r.sheet.IsSide(p) || r.isTaken(p) && !slices.Contains(c.Floor, p) // crossing channels share a floor
	}
	if slices.ContainsFunc(c.Patches, isOther) {
		return
	}
	f := r.along(c.Type, "undercut channel", c.Patches, r.v.Dirs[d])
	f.axis, f.reasons = &c.Along, []string{c.Reason, fmt.Sprintf("It is %s deep.", mm(f.z.Length()))}
	v.propose(f)
}
