// Package repair makes of what a file holds the model that it means. It is the one way to sewing (sew), healing
// (heal) and the recovery of analytic geometry (canonical) below it; readers that hand out a model call it once.
package repair

import (
	"context"

	"millwright/core/brep"
	"millwright/core/brep/repair/canonical"
	"millwright/core/brep/repair/heal"
	"millwright/core/brep/repair/sew"
)

// Codes of the warnings that say how far surfaces or a solid are from closing.
const (
	OpenSolid = sew.OpenSolid
	OpenSheet = sew.OpenSheet
)

// Model repairs m in place: sheets are sewn to solids where they close, what writers get wrong is healed, and faces
// and edges get the analytic geometry that they are. Each kind of repair is a warning of m. Sound solids are neither
// sewn nor healed. The error is that of ctx; m is then not usable.
func Model(ctx context.Context, m *brep.Model) error {
	if err := join(ctx, m); err != nil {
		return err
	}
	if sew.HasOpenSolid(m) { // a loop that was mended may run against those of its neighbours
		if err := join(ctx, m); err != nil {
			return err
		}
	}
	_, err := canonical.Recover(ctx, m, canonical.Options{})
	return err
}

// join sews and heals.
func join(ctx context.Context, m *brep.Model) error {
	if _, err := sew.Model(ctx, m, sew.Options{}); err != nil {
		return err
	}
	return heal.Model(ctx, m)
}
