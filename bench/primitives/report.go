package primitives

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Load reads rows, one JSON object a line.
func Load(r io.Reader) ([]Row, error) {
	var rows []Row
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" {
			continue
		}
		var row Row
		if err := json.Unmarshal([]byte(text), &row); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		rows = append(rows, row)
	}
	return rows, lines.Err()
}

// find returns the seconds of a measurement among rows.
func find(rows []Row, primitive, device string, size int) (Row, bool) {
	i := slices.IndexFunc(rows, func(r Row) bool {
		return r.Primitive == primitive && r.Device == device && r.Size == size
	})
	if i < 0 {
		return Row{}, false
	}
	return rows[i], true
}

// Slower lists the measurements that took more than limit times as long as in an earlier run, a sentence each.
// Measurements that only one of the runs has are not compared; compared is the number of the others.
func Slower(rows, earlier []Row, limit float64) (sentences []string, compared int) {
	for _, r := range rows {
		before, ok := find(earlier, r.Primitive, r.Device, r.Size)
		if !ok {
			continue
		}
		compared++
		if ratio := r.Seconds / before.Seconds; !(ratio <= limit) {
			sentences = append(sentences, fmt.Sprintf("%s of %d on %s takes %.2f times as long as before (%.3g s, %.3g s)",
				r.Primitive, r.Size, r.Device, ratio, r.Seconds, before.Seconds))
		}
	}
	return sentences, compared
}

// Table writes rows as Markdown, with the speed of each device relative to the first one.
func Table(w io.Writer, rows []Row, reference string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "| primitive | items | device | ms | items/s | GB/s | share of ceiling | speed / %s |\n", reference)
	b.WriteString("|---|--:|---|--:|--:|--:|--:|--:|\n")
	for _, r := range rows {
		ratio := ""
		if base, ok := find(rows, r.Primitive, reference, r.Size); ok && r.Device != reference {
			ratio = fmt.Sprintf("%.2f", base.Seconds/r.Seconds)
		}
		fmt.Fprintf(&b, "| %s | %d | %s | %.3g | %.3g | %.3g | %.1f %% | %s |\n", r.Primitive, r.Size, r.Device,
			1e3*r.Seconds, r.ItemsPerSecond, r.BytesPerSecond/1e9, 100*r.ShareOfCeiling, ratio)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
