package step

import (
	"context"
	"slices"

	"millwright/core/brep"
	"millwright/core/brep/mass"
)

// promote makes solids of the closed shells of a part that has no solid: some writers export solids as
// surface models. A shell counts as closed when each of its edges is used exactly twice by it, once in
// each direction, and nothing else is wrong with it. Shells that are inside out are turned. The error is
// that of ctx.
func (d *document) promote(ctx context.Context, m *brep.Model) error {
	if len(m.Solids) > 0 {
		return nil
	}
	for i := range m.Shells {
		if !isClosed(m, brep.ShellID(i)) {
			continue
		}
		sh := &m.Shells[i]
		sh.Solid = brep.SolidID(len(m.Solids))
		m.Solids = append(m.Solids, brep.Solid{Shells: []brep.ShellID{brep.ShellID(i)}, Source: sh.Source})
	}
	for _, p := range brep.Check(m) {
		if p.Shell != brep.None && m.Shells[p.Shell].Solid != brep.None {
			demote(m, m.Shells[p.Shell].Solid)
		}
	}
	n := len(m.Solids)
	if n == 0 {
		return nil
	}
	properties, err := mass.Of(ctx, m)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil {
		for _, s := range properties.Solids {
			for _, shell := range s.InsideOut {
				turn(m, shell)
			}
		}
	}
	d.Warn("closed_sheet", n,
		"The file holds surfaces only; %d closed shells of them were taken as solids", n)
	return nil
}

// demote makes the only shell of a solid a sheet again.
func demote(m *brep.Model, solid brep.SolidID) {
	m.Shells[m.Solids[solid].Shells[0]].Solid = brep.None
	m.Solids = slices.Delete(m.Solids, int(solid), int(solid)+1)
	for i := range m.Solids {
		m.Shells[m.Solids[i].Shells[0]].Solid = brep.SolidID(i)
	}
}

// turn turns a shell inside out.
func turn(m *brep.Model, shell brep.ShellID) {
	for _, f := range m.Shells[shell].Faces {
		m.Faces[f].Reversed = !m.Faces[f].Reversed
		for _, l := range m.Faces[f].Loops {
			slices.Reverse(m.Loops[l].Coedges)
			for _, c := range m.Loops[l].Coedges {
				m.Coedges[c].Reversed = !m.Coedges[c].Reversed
			}
		}
	}
}

// isClosed reports whether a shell bounds a volume as far as its topology tells.
func isClosed(m *brep.Model, shell brep.ShellID) bool {
	for _, f := range m.Shells[shell].Faces {
		for _, l := range m.Faces[f].Loops {
			for _, c := range m.Loops[l].Coedges {
				e := &m.Edges[m.Coedges[c].Edge]
				if e.Curve == nil {
					continue // a pole
				}
				if len(e.Coedges) != 2 || m.Coedges[e.Coedges[0]].Reversed == m.Coedges[e.Coedges[1]].Reversed {
					return false
				}
				for _, use := range e.Coedges {
					if m.Faces[m.FaceOf(use)].Shell != shell {
						return false
					}
				}
			}
		}
	}
	return true
}
