package machining

import (
	"slices"
	"strings"
)

// ToolMaterial is the material of a tool's cutting edges.
type ToolMaterial string

// The materials of tools.
const (
	Carbide   ToolMaterial = "carbide"
	HSS       ToolMaterial = "hss"       // high-speed steel
	HSSCobalt ToolMaterial = "hssCobalt" // high-speed steel with cobalt
	Cermet    ToolMaterial = "cermet"
	Ceramic   ToolMaterial = "ceramic"
	CBN       ToolMaterial = "cbn"     // cubic boron nitride
	Diamond   ToolMaterial = "diamond" // polycrystalline or coated
)

// ToolMaterials are all materials of tools.
var ToolMaterials = []ToolMaterial{Carbide, HSS, HSSCobalt, Cermet, Ceramic, CBN, Diamond}

// IsSteel reports whether the material is a high-speed steel.
func (m ToolMaterial) IsSteel() bool { return m == HSS || m == HSSCobalt }

// Surface speeds of high-speed steel as shares of the speeds of carbide. Shop tables give high-speed steel 90 m/min in
// aluminum and 36 in mild steel (Steward Observatory's machine shop), and carbide 240 to 460 and 90 to 120: a fifth to
// two fifths. Cobalt adds about a fifth. Materials harder than carbide get no more than carbide, for which the feeds
// and depths of the rules are stated.
const (
	hssSpeed    = 0.25
	cobaltSpeed = 0.3
)

func (m ToolMaterial) speed() float64 {
	switch m {
	case HSS:
		return hssSpeed
	case HSSCobalt:
		return cobaltSpeed
	}
	return 1
}

// UsualMaterial returns the material that the computed cutting data of a kind are for.
func (k ToolKind) UsualMaterial() ToolMaterial {
	switch k {
	case FlatEndMill, BallEndMill, BullNoseEndMill, FaceMill, ChamferMill, ThreadMill:
		return Carbide
	}
	return HSSCobalt
}

// speedFactor is the ratio of the tool's speed to the speed of its kind's rule. The speed of taps and reamers is
// limited by the reversal of the spindle and the surface of the hole: a harder material does not raise it.
func (t *Tool) speedFactor() float64 {
	if t.Material == "" {
		return 1
	}
	factor := t.Material.speed() / t.Kind.UsualMaterial().speed()
	if t.Kind == TapRightHand || t.Kind == Reamer {
		return min(factor, 1)
	}
	return factor
}

// guessable are the JSON names of the fields of a tool that may be guessed.
var guessable = []string{
	"kind", "diameter", "cornerRadius", "fluteLength", "overallLength", "shankDiameter", "bodyLength", "fluteCount",
	"tipAngleDeg", "tipDiameter", "pitch", "toolMaterial",
}

// checkOrigin requires a known material and known guessed fields.
func (t *Tool) checkOrigin(f *findings) {
	if t.Material != "" {
		oneOf(f, "toolMaterial", t.Material, ToolMaterials)
	}
	f.unless(len(t.Guessed) <= len(guessable), "guessed", "has more than %d entries.", len(guessable))
	for _, name := range t.Guessed[:min(len(t.Guessed), len(guessable))] {
		f.unless(slices.Contains(guessable, name), "guessed",
			"must name fields among %s.", strings.Join(guessable, ", "))
	}
}
