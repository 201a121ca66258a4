// Package repair turns the content of a file into the model that it means. It is the single entry to healing (heal),
// sewing (sew) and the recovery of analytic geometry (canonical), and runs each of them once.
//
// Order: loops are repaired first, because sewing relies on closed ones and a repaired loop may disagree with its
// neighbors. Senses and tolerances of faces follow sewing, which moves edges. Geometry is recovered last, within the
// tolerances known then.
package repair

import (
	"context"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/repair/internal/canonical"
	"millwright.dev/millwright/core/kernel/brep/repair/internal/heal"
	"millwright.dev/millwright/core/kernel/brep/repair/sew"
)

// Codes of the warnings about surfaces or solids that do not close.
const (
	OpenSolid = sew.OpenSolid
	OpenSheet = sew.OpenSheet
)

// Model repairs m in place. It sews sheets to solids where they close, heals writer errors, and recovers the analytic
// geometry of faces and edges. Sound parts stay unchanged; each kind of repair is a warning of m. The error is the
// error of ctx; m is then not usable.
func Model(ctx context.Context, m *brep.Model) error {
	heal.Topology(m) // sewing relies on loops that are closed
	if err := ctx.Err(); err != nil {
		return err
	}
	if _, err := sew.Sew(ctx, m, sew.Options{}); err != nil {
		return err
	}
	if err := heal.Faces(ctx, m); err != nil {
		return err
	}
	_, err := canonical.Recover(ctx, m, canonical.Options{})
	return err
}
