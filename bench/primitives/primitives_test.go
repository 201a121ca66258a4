package primitives

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/compute/primitive"
)

func TestCeilingsArePlausible(t *testing.T) {
	c := processor(1)
	// Any machine this runs on copies a gigabyte and computes a gigaflop in a second, and none is a thousand
	// times the fastest core of today.
	if c.BytesPerSecond < 1e8 || c.BytesPerSecond > 1e13 || c.FlopsPerSecond < 1e8 || c.FlopsPerSecond > 1e14 {
		t.Errorf("%+v", c)
	}
	if got := (Ceiling{BytesPerSecond: 100, FlopsPerSecond: 1000}).share(50, 100, 1); got != 0.5 {
		t.Errorf("bound by memory: %g, want 0.5", got)
	}
	if got := (Ceiling{BytesPerSecond: 100, FlopsPerSecond: 1000}).share(5, 700, 2); got != 0.35 {
		t.Errorf("bound by arithmetic: %g, want 0.35", got)
	}
}

// nothing is a device without any primitive.
type nothing struct{ primitive.CPU }

func (nothing) Do(context.Context, primitive.Job) error { return primitive.ErrNoTwin }

// TestEveryPrimitiveRuns measures small inputs on the processor, and with a backend that has no primitive.
func TestEveryPrimitiveRuns(t *testing.T) {
	backends := []Backend{
		{"cpu", Ceiling{BytesPerSecond: 1e10, FlopsPerSecond: 1e11}, primitive.OnCPU(2)},
		{"none", Ceiling{}, nothing{}},
	}
	var got []string
	err := Measure(t.Context(), backends, Options{Sizes: []int{2000}, Runs: 1}, func(r Row) error {
		got = append(got, r.Primitive)
		if r.Device != "cpu" || r.Size < 500 || r.Size > 5000 || !(r.Seconds > 0) || !(r.ItemsPerSecond > 0) ||
			!(r.BytesPerSecond > 0) || !(r.ShareOfCeiling > 0) {
			t.Errorf("%+v", r)
		}
		return nil
	})
	if err != nil || !slices.Equal(got, Names()) {
		t.Errorf("measured %v, want %v; %v", got, Names(), err)
	}
}

func TestMeasureEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := Measure(ctx, []Backend{{"cpu", Ceiling{}, primitive.OnCPU(1)}}, Options{Sizes: []int{1 << 20}}, func(Row) error {
		t.Error("a row was measured")
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
}

var sample = []Row{
	{"distance", "cpu", 100, 0.5, 200, 400, 0.25, 0.6},
	{"distance", "gpu <1>", 100, 0.25, 400, 800, 0.125, 0.6},
	{"distance", "cpu", 10000, 5, 2000, 4000, 0.25, 6},
	{"sweep", "cpu", 100, 2, 50, 60, 0.5, 2},
}

func TestRowsSurviveAFile(t *testing.T) {
	var b bytes.Buffer
	for _, r := range sample {
		if err := json.NewEncoder(&b).Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := Load(&b)
	if err != nil || !slices.Equal(rows, sample) {
		t.Errorf("%v, %v", rows, err)
	}
	if _, err := Load(strings.NewReader("{}\n\n{nonsense")); err == nil || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("a broken third line: %v", err)
	}
}

func TestSlower(t *testing.T) {
	now := slices.Clone(sample)
	now[0].Seconds *= 1.3
	now[2].Seconds *= 1.1
	now[3].Primitive = "new"
	sentences, compared := Slower(now, sample, 1.2)
	if len(sentences) != 1 || !strings.Contains(sentences[0], "1.30") || compared != 3 {
		t.Errorf("%d compared, slower: %q", compared, sentences)
	}
}

func TestTable(t *testing.T) {
	var b bytes.Buffer
	if err := Table(&b, sample, "cpu"); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 2+len(sample) || !strings.HasSuffix(lines[3], "| 2.00 |") || !strings.HasSuffix(lines[2], "|  |") {
		t.Errorf("%s", b.String())
	}
}

// TestPlotIsSound reads the drawing as XML: a point per row, a line per series, names escaped.
func TestPlotIsSound(t *testing.T) {
	var b bytes.Buffer
	if err := Plot(&b, sample); err != nil {
		t.Fatal(err)
	}
	if Plot(io.Discard, nil) == nil {
		t.Error("a plot of nothing is drawn")
	}
	count := map[string]int{}
	for d := xml.NewDecoder(&b); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if start, ok := token.(xml.StartElement); ok {
			count[start.Name.Local]++
		}
	}
	if count["circle"] != len(sample) || count["polyline"] != 3 {
		t.Errorf("%v", count)
	}
}
