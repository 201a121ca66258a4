// Package featurecolor shows which faces of a part are which feature: one color for each kind of feature, and
// one named group of regions for each feature. Faces of no feature are gray.
package featurecolor

import (
	"fmt"
	"slices"

	"millwright.dev/millwright/adapters/export/glb"
	"millwright.dev/millwright/adapters/export/internal/color"
	"millwright.dev/millwright/adapters/export/threemf"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/brep"
)

// Kind is a kind of feature with its color.
type Kind struct {
	Type  feature.Type
	Name  string // of the color
	Color brep.Color
}

// Kinds is all kinds in the order of their rules. The colors are those of Tableau 10 (Stone, 2016) and one more.
// Another color replaces its gray, which is reserved for faces without a feature.
var Kinds = []Kind{
	{feature.Hole, "red", rgb(0xE15759)},
	{feature.Tslot, "cyan", rgb(0x30D5F2)},
	{feature.Dovetail, "pink", rgb(0xFF5DC8)},
	{feature.Chamfer, "yellow", rgb(0xEDC948)},
	{feature.Boss, "orange", rgb(0xF28E2B)},
	{feature.Pocket, "blue", rgb(0x4E79A7)},
	{feature.Profile, "brown", rgb(0x9C755F)},
	{feature.Face, "green", rgb(0x59A14F)},
	{feature.Wall, "teal", rgb(0x76B7B2)},
	{feature.Three, "purple", rgb(0xB07AA1)},
}

// noFeature is the name of faces without a feature.
const noFeature = "no feature"

func rgb(hex uint32) brep.Color {
	part := func(shift uint) float64 { return float64(hex>>shift&0xff) / 0xff }
	return brep.Color{R: part(16), G: part(8), B: part(0)}
}

// colorOf returns the color of a kind, gray for a kind without one.
func colorOf(t feature.Type) brep.Color {
	for _, k := range Kinds {
		if k.Type == t {
			return k.Color
		}
	}
	return color.Steel
}

// Owners returns the feature that shows each region, -1 for no feature. Among several features, the kind that comes
// first in Kinds shows the region.
func Owners(features []feature.Feature, regions int) []int {
	out := make([]int, regions)
	for r := range out {
		out[r] = -1
	}
	for k := len(Kinds) - 1; k >= 0; k-- {
		for i := range features {
			if features[i].Type != Kinds[k].Type {
				continue
			}
			for _, r := range features[i].Regions {
				out[r] = i
			}
		}
	}
	return out
}

// Colors returns the color of each region from its owner, nil without an owner.
func Colors(features []feature.Feature, owners []int) []*brep.Color {
	out := make([]*brep.Color, len(owners))
	for r, i := range owners {
		if i >= 0 {
			c := colorOf(features[i].Type)
			out[r] = &c
		}
	}
	return out
}

// nodeExtras is the data of a node on its feature.
type nodeExtras struct {
	Number int    `json:"number"` // in the list of features, from 1
	Tag    string `json:"featureTag"`
	Type   string `json:"featureType"`
	Rule   string `json:"rule,omitempty"`
	Faces  []int  `json:"regionIdxs"`
}

// looseExtras is the data of a node on faces without a feature.
type looseExtras struct {
	Reason string `json:"reason"`
	Faces  []int  `json:"regionIdxs"`
}

// Groups returns a group for each feature, in their order, named by its kind and number, and then one for
// each reason for which faces are of no feature.
func Groups(found *feature.Result) []glb.Group {
	var groups []glb.Group
	for i := range found.Features {
		f := &found.Features[i]
		groups = append(groups, glb.Group{
			Name: fmt.Sprintf("%d %s %s", i+1, f.Type, f.Tag), Material: string(f.Type), Color: colorOf(f.Type),
			Regions: f.Regions,
			Extras:  nodeExtras{Number: i + 1, Tag: f.Tag, Type: string(f.Type), Rule: f.Rule, Faces: f.Regions},
		})
	}
	at := map[string]int{}
	for _, u := range found.Unmachined {
		g, seen := at[u.Reason]
		if !seen {
			g = len(groups)
			at[u.Reason] = g
			groups = append(groups, glb.Group{
				Name: "no feature: " + u.Reason, Material: noFeature, Color: color.Steel,
			})
		}
		groups[g].Regions = append(groups[g].Regions, u.Region)
		groups[g].Extras = looseExtras{Reason: u.Reason, Faces: groups[g].Regions}
	}
	return groups
}

// Materials returns a material for each of Kinds, in their order, and a last one for faces without a feature. ofRegion
// is the index of the material of each region.
func Materials(features []feature.Feature, regions int) (all []threemf.Material, ofRegion []int) {
	for _, k := range Kinds {
		all = append(all, threemf.Material{Name: string(k.Type), Color: k.Color})
	}
	all = append(all, threemf.Material{Name: noFeature, Color: color.Steel})
	for _, owner := range Owners(features, regions) {
		material := len(Kinds)
		if owner >= 0 {
			material = slices.IndexFunc(Kinds, func(k Kind) bool { return k.Type == features[owner].Type })
		}
		ofRegion = append(ofRegion, material)
	}
	return all, ofRegion
}

// Legend maps each kind, and noFeature, to its color as #rrggbb (sRGB), under the key legend.
func Legend() map[string]map[string]string {
	colors := map[string]string{noFeature: color.Hex(color.Steel)}
	for _, k := range Kinds {
		colors[string(k.Type)] = color.Hex(k.Color)
	}
	return map[string]map[string]string{"legend": colors}
}
