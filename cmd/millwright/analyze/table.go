package analyze

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// newTable returns a printer of one readable block per file: the figures of the part, then its holes, or all
// of its features.
func newTable(w io.Writer, features bool) func(analyzed) error {
	return func(a analyzed) error {
		var b strings.Builder
		if a.Error != nil {
			return failed(w, a)
		}
		size := [3]float64{
			a.Bounds.Max.X - a.Bounds.Min.X, a.Bounds.Max.Y - a.Bounds.Min.Y, a.Bounds.Max.Z - a.Bounds.Min.Z,
		}
		fmt.Fprintf(&b, "%s\n", a.File)
		fmt.Fprintf(&b, "  solids %d, faces %d, edges %d, size %.2f x %.2f x %.2f mm\n",
			a.Solids, a.Faces, a.Edges, size[0], size[1], size[2])
		if a.Sag != nil {
			fmt.Fprintf(&b, "  shape: within %.3g mm, not exact\n", *a.Sag)
		} else if !a.IsExact() {
			fmt.Fprintf(&b, "  shape: not exact\n")
		}
		fmt.Fprintf(&b, "  volume %.2f mm3, area %.2f mm2\n", a.Volume, a.Area)
		fmt.Fprintf(&b, "  mesh %d triangles, %s\n", a.MeshTriangleCount, watertight(a.Watertight))
		fmt.Fprintf(&b, "  features %s; directions %d\n", countByType(a), len(a.CandidateDirections))
		fmt.Fprintf(&b, "  made by: %s. %s\n", a.Process.Kind, strings.Join(a.Process.Reasons, " "))
		if features {
			writeFeatures(&b, a.Result)
		} else {
			writeHoles(&b, a)
		}
		if p := a.PMI; p != nil {
			fmt.Fprintf(&b, "  stated: dimensions %d, geometric tolerances %d, datums %d, notes %d\n",
				len(p.Dimensions), len(p.Tolerances), len(p.Datums), len(p.Notes))
		}
		fmt.Fprintf(&b, "  read %d ms, mesh %d ms, recognition %d ms, details %d ms, peak memory %d MB\n",
			a.ReadMs, a.MeshMs, a.RecognitionMs, a.EnrichmentMs, a.PeakRSSBytes>>20)
		for _, warning := range a.Warnings {
			fmt.Fprintf(&b, "  warning: %s\n", warning.Message)
		}
		_, err := io.WriteString(w, b.String())
		return err
	}
}

func failed(w io.Writer, a analyzed) error {
	_, err := fmt.Fprintf(w, "%s\n  failed: %s (%s)\n", a.File, a.Error.Reason, a.Error.Code)
	return err
}

func watertight(ok bool) string {
	if ok {
		return "watertight"
	}
	return "NOT watertight"
}

func countByType(a analyzed) string {
	counts := map[string]int{}
	for _, f := range a.Features {
		counts[f.FeatureType]++
	}
	var parts []string
	for t, n := range counts {
		parts = append(parts, fmt.Sprintf("%s %d", t, n))
	}
	if len(parts) == 0 {
		return "none"
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

// writeHoles lists equal holes once, with their number, in the order of the features.
func writeHoles(b *strings.Builder, a analyzed) {
	counts := map[string]int{}
	var order []string
	for _, h := range a.Holes {
		line := fmt.Sprintf("%s hole diameter %.3f, depth %.3f", h.Kind, h.Diameter, h.Depth)
		if h.IsThrough {
			line += ", through"
		} else {
			line += ", " + h.Bottom + " bottom"
		}
		if h.Counterbore != nil {
			line += fmt.Sprintf(", counterbore %.3f x %.3f", h.Counterbore.Diameter, h.Counterbore.Depth)
		}
		if h.Countersink != nil {
			line += fmt.Sprintf(", countersink %.3f x %.1f deg", h.Countersink.Diameter, h.Countersink.AngleDeg)
		}
		if counts[line] == 0 {
			order = append(order, line)
		}
		counts[line]++
	}
	for _, line := range order {
		fmt.Fprintf(b, "    %d x %s\n", counts[line], line)
	}
}
