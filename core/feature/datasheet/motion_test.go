package datasheet_test

import (
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// placed removes the fields that depend on the position of a feature.
func placed(d map[string]any) map[string]any {
	for _, name := range []string{"zMin", "zMax", "extendedZMin", "extendedZMax"} {
		delete(d, name)
	}
	facts := d["facts"].(map[string]any)
	for _, name := range []string{"center", "axis", "segments"} {
		delete(facts, name)
	}
	drop := func(m any, name string) {
		if m, ok := m.(map[string]any); ok {
			delete(m, name)
		}
	}
	drop(facts["cd"], "limitingZ")
	drop(facts["bevel"], "lowerAdjacentZMin")
	if bevels, ok := facts["bevels"].([]any); ok {
		for _, b := range bevels {
			drop(b, "lowerAdjacentZMin")
		}
	}
	return d
}

// A part that is moved has the same facts.
func TestFactsDoNotMove(t *testing.T) {
	moves := map[string]geom.Transform{
		"shifted": geom.Translation(geom.Vec3{X: 137, Y: -55, Z: 12.5}),
		"turned about z": geom.Rotation(geom.Vec3{Z: 1}, 0.7).
			Mul(geom.Translation(geom.Vec3{X: 11, Y: 7, Z: -300})),
		"turned anyhow": geom.Rotation(geom.Vec3{X: 1, Y: 2, Z: -0.5}.Unit(), 2.1).
			Mul(geom.Translation(geom.Vec3{X: -40, Y: 3, Z: 9})),
	}
	mirrored := geom.Identity
	mirrored.X = mirrored.X.Neg()
	moves["mirrored"] = mirrored
	for _, part := range []string{"plate_holes", "pockets", "bosses", "chamfers", "cross_holes", "fillets"} {
		base := example(t, part)
		for name, move := range moves {
			m := &brep.Model{Name: part, Tolerance: base.model.Tolerance}
			m.Append(base.model, move)
			m.Link()
			sameFacts(t, part+" "+name, base, measured(t, m))
		}
	}
}

// sameFacts matches the datasheets of two parts one to one.
func sameFacts(t *testing.T, name string, a, b sheets) {
	t.Helper()
	for _, kind := range []feature.Type{feature.Hole, feature.Pocket, feature.Boss, feature.Wall, feature.Face,
		feature.Three, feature.Chamfer, feature.Profile, feature.Dovetail, feature.Tslot} {
		left, right := a.facts(t, kind), b.facts(t, kind)
		if len(left) != len(right) {
			t.Errorf("%s: %d of %s before, %d after", name, len(left), kind, len(right))
			continue
		}
		used := make([]bool, len(right))
		for _, want := range left {
			placed(want)
			found := false
			var closest []string
			for i := range right {
				if used[i] {
					continue
				}
				wrong := differences("", placed(right[i]), want)
				if len(wrong) == 0 {
					used[i], found = true, true
					break
				}
				if closest == nil || len(wrong) < len(closest) {
					closest = wrong
				}
			}
			if !found {
				t.Errorf("%s: no %s after the motion is the same, the closest differs in %q", name, kind, closest)
			}
		}
	}
}
