package playback

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"

	"millwright.dev/millwright/core/cam/stock/inprocess"
	"millwright.dev/millwright/core/cam/stock/inprocess/inprocesstest"
)

// Tolerance (mm) is the difference of heights within which a cell of the preview equals the in-process stock.
const Tolerance = 0.05

// Required is the least share of cells that must be within Tolerance at the end of an operation.
const Required = 0.995

// wall is the difference of heights of neighbors, as a multiple of their distance, that is a wall.
const wall = 1.2

// Comparison is the preview of an operation, at its end and before the in-process stock replaces it, beside that stock.
type Comparison struct {
	Operation string
	Cells     int     // with material, not at walls
	Off       int     // cells beyond Tolerance
	Most      float64 // mm, of those
	Undercut  bool    // by an undercutting tool, whose stock is only the recorded one: not compared
}

// Share returns the share of cells within Tolerance.
func (c *Comparison) Share() float64 {
	if c.Cells == 0 {
		return 1
	}
	return 1 - float64(c.Off)/float64(c.Cells)
}

// CompareStock compares every operation of the setup (index) that the page of Serve has opened. evaluate returns the
// text that an expression of the page gives.
func CompareStock(p *Program, setup, cells int, evaluate func(string) (string, error)) ([]Comparison, error) {
	_, record, err := inprocess.Find(p.Stock, setup, cells)
	if err != nil {
		return nil, err
	}
	h, states, err := inprocesstest.Read(record)
	if err != nil {
		return nil, err
	}
	var out []Comparison
	for k := range p.Set.Setups[setup].Operations {
		text, err := evaluate(fmt.Sprintf(`ask({ operation: %d, move: 1e9, before: true, want: "heights" })
			.then((a) => JSON.stringify({ heights: text(a.heights), undercut: ready.operations[%[1]d].undercut }))`, k))
		if err != nil {
			return nil, err
		}
		var got struct {
			Heights  string
			Undercut bool
		}
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			return nil, err
		}
		data, err := base64.StdEncoding.DecodeString(got.Heights)
		if err != nil || len(data) != 2*h.Width*h.Height {
			return nil, fmt.Errorf("operation %d: %d bytes of heights for %d × %d rays: %w",
				k, len(data), h.Width, h.Height, err)
		}
		c := Comparison{Operation: p.Set.Setups[setup].Operations[k].ID, Undercut: got.Undercut}
		if !c.Undercut {
			c.count(h, states[k+2], data)
		}
		out = append(out, c)
	}
	return out, nil
}

// count compares the heights of all rays with a state. States begin with the part and the stock at the start.
func (c *Comparison) count(h inprocesstest.Head, s inprocesstest.State, heights []byte) {
	for r := range s {
		want, ok := topOf(h, s, r)
		if !ok {
			continue
		}
		c.Cells++
		got := h.Low + float64(binary.LittleEndian.Uint16(heights[2*r:]))*h.Unit
		if miss := math.Abs(got - want); miss > Tolerance {
			c.Off++
			c.Most = max(c.Most, miss)
		}
	}
}

// topOf returns the uppermost height of a ray; false: it has no material, or is at a wall.
func topOf(h inprocesstest.Head, s inprocesstest.State, r int) (float64, bool) {
	if len(s[r]) == 0 {
		return 0, false
	}
	top := s[r][len(s[r])-1][1]
	x, y := r%h.Width, r/h.Width
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			if x+dx < 0 || y+dy < 0 || x+dx >= h.Width || y+dy >= h.Height {
				return 0, false
			}
			n := s[(y+dy)*h.Width+x+dx]
			if len(n) == 0 || math.Abs(n[len(n)-1][1]-top) > wall*h.Step {
				return 0, false
			}
		}
	}
	return top, true
}
