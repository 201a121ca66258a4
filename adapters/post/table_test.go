package post_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/post"
	"millwright.dev/millwright/core/cam/machining"
)

func TestToolTables(t *testing.T) {
	tools := []post.Tool{
		{Number: 3, Text: "End mill 10 mm", Kind: machining.FlatEndMill, Diameter: 10, Length: 141},
		{Number: 12, Text: "Drill ⌀6.8 \"long\"; of a shop that gives its tools names without end",
			Kind:     machining.Drill,
			Diameter: 6.8, Length: 169.25},
		{Number: 130, Kind: machining.BullNoseEndMill, Diameter: 12, CornerRadius: 0.5, Length: 1.0 / 3},
	}
	for _, d := range post.Dialects {
		name, got := post.Tools(d, tools)
		golden := filepath.Join("testdata", "tools", d.Name, name)
		if *update {
			if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s: got\n%s\nwant\n%s", d.Name, got, want)
		}
		if strings.Contains(got, "{") || name == "" {
			t.Errorf("%s: %q has words without meaning:\n%s", d.Name, name, got)
		}
	}
}
