package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"millwright.dev/millwright"
	"millwright.dev/millwright/bench/clearing"
	"millwright.dev/millwright/cmd/millwright/plancmd"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/kernel/geom"
)

// clearingCmd compares the clearing of pockets with FreeCAD in the same run: pockets of parts by seconds of the
// machine, and random pockets by front arcs, rest and processor time.
type clearingCmd struct {
	Program string   `name:"peer" required:"" help:"FreeCAD's command without a window."`
	Pockets int      `default:"50" help:"Number of random pockets."`
	Seed    uint64   `default:"1" help:"Seed of the random pockets."`
	Config  string   `default:"builtin" help:"Cut config of the parts."`
	JSON    bool     `help:"One JSON object a row, then one with the summary."`
	Parts   []string `arg:"" optional:"" type:"existingfile" help:"CAD files with pockets that open along z."`
}

// clearedPart is the row of a part.
type clearedPart struct {
	Part     string         `json:"part"`
	Diameter float64        `json:"diameter"` // mm
	Radial   float64        `json:"radial"`   // mm, stepover
	Axial    float64        `json:"axial"`    // mm, largest stepdown
	Feed     float64        `json:"feed"`     // mm/min
	Ours     clearedByOne   `json:"ours"`
	Peer     []clearedByOne `json:"peer"` // operations of the peer
}

// clearedByOne is the path of one program.
type clearedByOne struct {
	Name string `json:"name"`
	clearing.Times
	clearing.Figures
}

// clearedPocket is the row of a random pocket.
type clearedPocket struct {
	Pocket   int            `json:"pocket"`
	Kind     string         `json:"kind"`
	Stepover float64        `json:"stepover"` // share of the diameter
	ArcDeg   float64        `json:"arcDeg"`
	Ours     measuredPocket `json:"ours"`
	Peer     measuredPocket `json:"peer"`
}

type measuredPocket struct {
	Error   string  `json:"error,omitempty"`
	Seconds float64 `json:"seconds"` // of processors
	clearing.Figures
}

// Run prints a row for each part and pocket, and the summary.
func (c *clearingCmd) Run(ctx context.Context) error {
	cutting, err := plancmd.Cutting(c.Config)
	if err != nil {
		return err
	}
	task := clearing.Task{}
	var parts []*clearing.Part
	for _, file := range c.Parts {
		model, err := readPart(ctx, file)
		if err != nil {
			return err
		}
		p, err := clearing.Rough(ctx, millwright.Pipeline(millwright.Options{}), model, cutting)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if file, err = filepath.Abs(file); err != nil {
			return err
		}
		parts, task.Parts = append(parts, p), append(task.Parts, p.Task(file))
	}
	pockets, err := clearing.Random(c.Seed, c.Pockets)
	if err != nil {
		return err
	}
	for i := range pockets {
		task.Pockets = append(task.Pockets, pockets[i].Task())
	}
	answer, err := task.Ask(ctx, c.Program)
	if err != nil {
		return err
	}
	return c.print(ctx, &task, parts, pockets, answer)
}

// partRow measures all paths over the pockets of a part.
func partRow(
	name string, p *clearing.Part, task *clearing.PartTask, answer *clearing.PartAnswer,
) (*clearedPart, error) {
	if answer.Error != "" {
		return nil, fmt.Errorf("%s: FreeCAD: %s", name, answer.Error)
	}
	one := func(name string, operations ...*motion.Operation) (clearedByOne, error) {
		f, err := p.Measure(operations...)
		return clearedByOne{name, clearing.TimesOf(&p.Machine, p.Operation.Top, operations...), f}, err
	}
	o := &p.Operation.Cutting
	row := &clearedPart{
		Part: name, Diameter: p.Tool.Diameter, Radial: o.Radial.Value, Axial: o.Axial.Value, Feed: o.Feed.Value,
	}
	var err error
	if row.Ours, err = one("millwright", &p.Motion); err != nil {
		return nil, err
	}
	for k, wanted := range task.Operations {
		var operations []*motion.Operation
		for i := range answer.Operations[k] {
			o, err := answer.Operations[k][i].Operation(p.Frame.Origin)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", name, wanted.Name, err)
			}
			operations = append(operations, o)
		}
		r, err := one("FreeCAD "+wanted.Name, operations...)
		if err != nil {
			return nil, err
		}
		row.Peer = append(row.Peer, r)
	}
	return row, nil
}

// pocketRow clears a random pocket and measures both paths over it.
func pocketRow(ctx context.Context, n int, p *clearing.Pocket, answer *clearing.PocketAnswer) (*clearedPocket, error) {
	row := &clearedPocket{Pocket: n, Kind: p.Kind, Stepover: p.Stepover / p.Diameter, ArcDeg: geom.Degrees(p.Arc())}
	measure := func(m *measuredPocket, moves []clearing.Move) (err error) {
		m.Figures, err = clearing.Measure(p.Loops, p.Diameter/2, p.Arc(), moves)
		return err
	}
	moves, seconds, err := p.Clear(ctx)
	if err != nil {
		row.Ours.Error = err.Error()
	}
	row.Ours.Seconds = seconds
	if err := measure(&row.Ours, moves); err != nil {
		return nil, err
	}
	if moves, err = answer.Path(); err != nil {
		return nil, err
	}
	row.Peer.Error, row.Peer.Seconds = answer.Error, answer.Seconds
	return row, measure(&row.Peer, moves)
}

// print measures and prints everything.
func (c *clearingCmd) print(
	ctx context.Context, task *clearing.Task, parts []*clearing.Part, pockets []clearing.Pocket,
	answer *clearing.FreeCAD,
) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	encoder := json.NewEncoder(os.Stdout)
	if !c.JSON {
		fmt.Fprintf(w, "FreeCAD %s\n", answer.Version)
		fmt.Fprintln(w, "part\tby\tseconds\tratio\tby feeds\tcuts\tlinks\tentries\trapids\tcut m\tmean °\t> 110 %\t"+
			"worst °\tair m\tleft mm²\tblocks")
	}
	for i, p := range parts {
		row, err := partRow(baseName(c.Parts[i]), p, &task.Parts[i], &answer.Parts[i])
		if err != nil {
			return err
		}
		if c.JSON {
			if err := encoder.Encode(row); err != nil {
				return err
			}
			continue
		}
		row.print(w)
	}
	if !c.JSON && len(pockets) > 0 {
		fmt.Fprintln(w, "\npocket\tkind\tstepover\ttarget °\tours: > 110 %\tworst\tleft mm²\tstuds\tcut m\tlink m\t"+
			"ms\tFreeCAD: > 110 %\tworst\tleft mm²\tstuds\tcut m\tlink m\tms\t")
	}
	var rows []*clearedPocket
	for i := range pockets {
		row, err := pocketRow(ctx, i, &pockets[i], &answer.Pockets[i])
		if err != nil {
			return err
		}
		rows = append(rows, row)
		if c.JSON {
			if err := encoder.Encode(row); err != nil {
				return err
			}
			continue
		}
		row.print(w)
	}
	if len(rows) == 0 {
		return w.Flush()
	}
	s := summarizePockets(rows)
	if c.JSON {
		return encoder.Encode(s)
	}
	s.print(w)
	return w.Flush()
}

func (r *clearedPart) print(w *tabwriter.Writer) {
	for _, o := range append([]clearedByOne{r.Ours}, r.Peer...) {
		fmt.Fprintf(w, "%s\t%s\t%.1f\t%.2f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t", r.Part, o.Name, o.Seconds,
			r.Ours.Seconds/o.Seconds, o.Naive, o.CutSeconds, o.LinkSeconds, o.EntrySeconds, o.RapidSeconds)
		fmt.Fprintf(w, "%.2f\t%.0f\t%.1f %%\t%.0f\t%.2f\t%.1f\t%d\n", o.CutMeters, o.MeanDeg, 100*o.Over, o.WorstDeg,
			o.Air/1000, o.Left, o.Blocks)
	}
}

func (r *clearedPocket) print(w *tabwriter.Writer) {
	fmt.Fprintf(w, "%d\t%s\t%.1f %%\t%.0f\t", r.Pocket, r.Kind, 100*r.Stepover, r.ArcDeg)
	for _, m := range []*measuredPocket{&r.Ours, &r.Peer} {
		fmt.Fprintf(w, "%.3f %%\t%.0f %%\t%.1f\t%d\t%.2f\t%.2f\t%.1f\t%s", 100*m.Over, 100*m.WorstDeg/r.ArcDeg, m.Left,
			m.Studs, m.Cut/1000, m.Link/1000, 1000*m.Seconds, m.Error)
	}
	fmt.Fprintln(w)
}

// clearedPockets is the summary of the random pockets.
type clearedPockets struct {
	Pockets int           `json:"pockets"`
	Ours    pocketSummary `json:"ours"`
	Peer    pocketSummary `json:"peer"`
	Ratio   float64       `json:"ratio"` // of the seconds of all pockets, ours / the peer's
	Median  float64       `json:"median"`
	Worst   float64       `json:"worst"`
}

// pocketSummary is the figures of one program over all pockets.
type pocketSummary struct {
	Failures  int     `json:"failures"`
	Over      float64 `json:"over"`      // share of the length over OverArc
	WorstOver float64 `json:"worstOver"` // the same of the worst pocket
	Missed    int     `json:"missed"`    // pockets with more than a thousandth
	Worst     float64 `json:"worst"`     // sample, of its target
	Far       int     `json:"far"`       // pockets with a sample over FarOverArc
	Studs     int     `json:"studs"`
	Left      float64 `json:"left"` // share of the reachable area
	CutMeters float64 `json:"cutMeters"`
	Seconds   float64 `json:"seconds"` // of processors
}

func summarizePockets(rows []*clearedPocket) *clearedPockets {
	s := &clearedPockets{Pockets: len(rows)}
	var ratios []float64
	sum := func(p *pocketSummary, r *clearedPocket, m *measuredPocket) {
		if m.Error != "" || m.Cut == 0 {
			p.Failures++
		}
		p.Over += m.Over * m.Cut
		p.WorstOver = max(p.WorstOver, m.Over)
		if m.Over > 1e-3 {
			p.Missed++
		}
		p.Worst = max(p.Worst, m.WorstDeg/r.ArcDeg)
		if m.WorstDeg > clearing.FarOverArc*r.ArcDeg {
			p.Far++
		}
		p.Studs += m.Studs
		p.Left += m.Left
		p.CutMeters += m.Cut / 1000
		p.Seconds += m.Seconds
	}
	reachable := 0.0
	for _, r := range rows {
		sum(&s.Ours, r, &r.Ours)
		sum(&s.Peer, r, &r.Peer)
		reachable += r.Ours.Reachable
		ratios = append(ratios, r.Ours.Seconds/r.Peer.Seconds)
	}
	for _, p := range []*pocketSummary{&s.Ours, &s.Peer} {
		p.Over /= max(1000*p.CutMeters, 1)
		p.Left /= max(reachable, 1)
	}
	slices.Sort(ratios)
	s.Ratio, s.Median, s.Worst = s.Ours.Seconds/s.Peer.Seconds, ratios[len(ratios)/2], ratios[len(ratios)-1]
	return s
}

func (s *clearedPockets) print(w *tabwriter.Writer) {
	fmt.Fprintln(w, "\nall pockets\tfailures\t> 110 %\tof the worst\tpockets > 0.1 %\tworst sample\tpockets > 130 %\t"+
		"studs\tleft\tcut m\tprocessor s")
	for _, p := range []struct {
		name string
		*pocketSummary
	}{{"millwright", &s.Ours}, {"FreeCAD", &s.Peer}} {
		fmt.Fprintf(w, "%s\t%d\t%.3f %%\t%.2f %%\t%d\t%.0f %%\t%d\t%d\t%.2f %%\t%.1f\t%.2f\n", p.name, p.Failures,
			100*p.Over, 100*p.WorstOver, p.Missed, 100*p.Worst, p.Far, p.Studs, 100*p.Left, p.CutMeters, p.Seconds)
	}
	fmt.Fprintf(w, "processor time, ours / FreeCAD: %.3f of all, median %.3f, worst %.3f\n", s.Ratio, s.Median, s.Worst)
}
