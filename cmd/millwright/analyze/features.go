package analyze

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/geom"
)

func sheetsOf(a *Result) map[string]*feature.Datasheet {
	sheets := map[string]*feature.Datasheet{}
	if a.DatasheetSet != nil {
		for _, s := range a.DatasheetSet.Sheets {
			sheets[s.FeatureTag] = s.Datasheet
		}
	}
	return sheets
}

func KeyFacts(sheet *feature.Datasheet) string {
	if sheet == nil {
		return "not measured"
	}
	return inWords(sheet.Facts)
}

// some lists numbers, and how many more there are when there are many.
func some(numbers []int) string {
	const most = 6
	var parts []string
	for _, n := range numbers[:min(len(numbers), most)] {
		parts = append(parts, strconv.Itoa(n))
	}
	if more := len(numbers) - most; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, " ")
}

// direction shows a unit vector, along an axis by its name.
func direction(v geom.Vec3) string {
	const straight = 1e-9 // rounding of the other components
	for _, axis := range []struct {
		name     string
		along, b float64
		c        float64
	}{{"x", v.X, v.Y, v.Z}, {"y", v.Y, v.Z, v.X}, {"z", v.Z, v.X, v.Y}} {
		if math.Abs(axis.b) < straight && math.Abs(axis.c) < straight {
			if axis.along > 0 {
				return "+" + axis.name
			}
			return "-" + axis.name
		}
	}
	return fmt.Sprintf("%s,%s,%s", number(v.X), number(v.Y), number(v.Z))
}

// explain prints the rule that found a feature, the rule's evidence, and the measured facts.
func explain(w io.Writer, a analyzed, which string) error {
	if a.Error != nil {
		return failed(w, a)
	}
	i, err := pick(a.Result, which)
	if err != nil {
		return fmt.Errorf("%s: %w", a.File, err)
	}
	f := &a.Features[i]
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n  feature %d of %d: %s %s\n", a.File, i+1, len(a.Features), f.FeatureType, f.FeatureTag)
	fmt.Fprintf(&b, "  direction %s, faces %s\n", direction(f.MachiningDirection), all(f.RegionIdxs))
	fmt.Fprintf(&b, "  rule: %s\n", f.Rule)
	for _, reason := range f.Reasons {
		fmt.Fprintf(&b, "    %s\n", reason)
	}
	writeSheet(&b, sheetsOf(a.Result)[f.FeatureTag])
	_, err = io.WriteString(w, b.String())
	return err
}

func all(numbers []int) string {
	var parts []string
	for _, n := range numbers {
		parts = append(parts, strconv.Itoa(n))
	}
	return strings.Join(parts, " ")
}

// pick finds the feature that a user names by its number, from 1, or by the beginning of its tag.
func pick(a *Result, which string) (int, error) {
	if n, err := strconv.Atoi(which); err == nil && n >= 1 && n <= len(a.Features) {
		return n - 1, nil
	}
	var found []int
	for i := range a.Features {
		if strings.HasPrefix(a.Features[i].FeatureTag, strings.ToLower(which)) {
			found = append(found, i)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return 0, fmt.Errorf("there is no feature %q; there are %d, listed by --features", which, len(a.Features))
	}
	return 0, fmt.Errorf("%d features have tags that begin with %q; give more of the tag", len(found), which)
}

// writeSheet shows everything that was measured.
func writeSheet(b *strings.Builder, d *feature.Datasheet) {
	if d == nil {
		fmt.Fprintf(b, "  not measured\n")
		return
	}
	fmt.Fprintf(b, "  z %s to %s mm, the tool passes over %s to %s mm\n",
		number(d.ZMin), number(d.ZMax), number(d.ExtendedZMin), number(d.ExtendedZMax))
	fmt.Fprintf(b, "  floor %s mm2 (%s), wall %s mm2 (%s)\n",
		number(d.FloorishArea), yes(d.HasFloor, "upright to the tool", "none flat"),
		number(d.WallishArea), yes(d.HasWall, "along the tool", "none upright"))
	t := d.ToleranceBand
	fmt.Fprintf(b, "  tolerance across %s to %s mm, along %s to %s mm (%s)\n",
		signed(t.RadialLower), signed(t.RadialUpper), signed(t.AxialLower), signed(t.AxialUpper), t.Source)
	fmt.Fprintf(b, "  leave %s mm across, %s mm along\n",
		number(d.RadialStockToLeave), number(d.AxialStockToLeave))
	fmt.Fprintf(b, "  %s\n", inWords(d.Facts))
}

func yes(is bool, then, otherwise string) string {
	if is {
		return then
	}
	return otherwise
}
