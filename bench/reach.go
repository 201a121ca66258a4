package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"text/tabwriter"
	"time"

	"golang.org/x/sync/errgroup"

	"millwright.dev/millwright/bench/leftover"
	"millwright.dev/millwright/bench/reach"
	"millwright.dev/millwright/bench/replay"
	"millwright.dev/millwright/cmd/millwright/plancmd"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// reachCmd asks by brute force whether what accounts say nothing reaches is reached by nothing.
type reachCmd struct {
	Parts    []string      `arg:"" type:"existingfile" help:"CAD files."`
	Config   string        `default:"builtin" help:"Cut config, whose tools are asked."`
	Programs string        `type:"existingdir" required:"" help:"Folder with CONFIG/PART as millwright program --out wrote it."`
	Entries  int           `default:"100" help:"Entries that are drawn; 0: all."`
	Seed     uint64        `default:"1" help:"Of the draw."`
	Points   int           `default:"100" help:"Places that are asked for each entry."`
	Gap      float64       `default:"0.5" help:"Of the stricter figure, about what is wider than the flutes, mm."`
	Only     string        `help:"Entries whose reason this is."`
	Jobs     int           `default:"1" help:"Programs at a time."`
	Limit    time.Duration `default:"10m" help:"Time for one program."`
	JSON     bool          `help:"One JSON object an entry, as each program ends."`
}

// drawn is the entries of a program that are asked.
type drawn struct {
	part    string
	folder  string
	account *leftover.Account
	entries []int // ascending
}

// Run prints a row for each entry that is drawn, and a count of outcomes for each reason; it fails when one is
// contradicted, and when a program cannot be judged.
func (c *reachCmd) Run(ctx context.Context) error {
	cutting, err := plancmd.Cutting(c.Config)
	if err != nil {
		return err
	}
	tools := reach.Tools(cutting.Tools)
	list, err := c.draw()
	if err != nil {
		return err
	}
	rows := make([][]reach.Row, len(list))
	var group errgroup.Group
	var printing sync.Mutex
	group.SetLimit(c.Jobs)
	for i := range list {
		group.Go(func() (err error) {
			start := time.Now()
			if rows[i], err = c.judge(ctx, &list[i], tools); err != nil {
				return fmt.Errorf("%s: %w", list[i].part, err)
			}
			printing.Lock()
			defer printing.Unlock()
			fmt.Fprintf(os.Stderr, "%s: %d entries, %.0f s\n", list[i].part, len(rows[i]), time.Since(start).Seconds())
			return c.encode(rows[i])
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return c.print(os.Stdout, slices.Concat(rows...))
}

func (c *reachCmd) encode(rows []reach.Row) error {
	if !c.JSON {
		return nil
	}
	for i := range rows {
		if err := json.NewEncoder(os.Stdout).Encode(&rows[i]); err != nil {
			return err
		}
	}
	return nil
}

// draw chooses the entries.
func (c *reachCmd) draw() ([]drawn, error) {
	type place struct{ program, entry int }
	var all []place
	var list []drawn
	for _, part := range c.Parts {
		folder := filepath.Join(c.Programs, baseName(c.Config), baseName(part))
		account, err := leftover.ReadAccount(folder)
		if err != nil {
			return nil, err
		}
		if account == nil {
			return nil, fmt.Errorf("%s: there is no account", folder)
		}
		for i := range account.Left {
			if e := &account.Left[i]; reach.IsLarge(e) && (c.Only == "" || e.Reason == c.Only) {
				all = append(all, place{len(list), i})
			}
		}
		list = append(list, drawn{part: part, folder: folder, account: account})
	}
	random := rand.New(rand.NewPCG(c.Seed, 0))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	if c.Entries > 0 && c.Entries < len(all) {
		all = all[:c.Entries]
	}
	for _, p := range all {
		list[p.program].entries = append(list[p.program].entries, p.entry)
	}
	list = slices.DeleteFunc(list, func(d drawn) bool { return len(d.entries) == 0 })
	for i := range list {
		slices.Sort(list[i].entries)
	}
	return list, nil
}

// judge replays a program and asks for its entries.
func (c *reachCmd) judge(ctx context.Context, d *drawn, tools []reach.Tool) ([]reach.Row, error) {
	ctx, cancel := context.WithTimeout(ctx, c.Limit)
	defer cancel()
	p, err := replay.Load(ctx, d.folder)
	if err != nil {
		return nil, err
	}
	if len(p.Setups) == 0 {
		return nil, errors.New("the program has no setups")
	}
	model, mesh, err := readFine(ctx, d.part)
	if err != nil {
		return nil, err
	}
	samples := map[int]*reach.Sample{}
	for _, i := range d.entries {
		samples[i] = reach.NewSample(c.Seed + uint64(i))
	}
	err = leftover.Grains(ctx, p, mesh, func(g leftover.Grain) {
		if s := samples[reach.Owner(d.account.Left, &g)]; s != nil {
			s.Add(g)
		}
	})
	if err != nil {
		return nil, err
	}
	part := reach.NewPart(mesh, p.Workpiece, axes(model))
	q := reach.Query{Part: part, Tools: tools, Gap: c.Gap}
	var rows []reach.Row
	var setups []geom.Vec3
	for i := range p.Setups {
		setups = append(setups, p.Setups[i].Z)
	}
	for _, i := range d.entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		row := reach.Judge(&q, &d.account.Left[i], samples[i], c.Points, setups)
		row.Part, row.Entry = baseName(d.part), i
		rows = append(rows, row)
	}
	return rows, nil
}

// axes are those of the cylinders of a part, each once.
func axes(model *brep.Model) (out []reach.Axis) {
	const same = 1e-6 // mm
	for i := range model.Faces {
		c, ok := model.Faces[i].Surface.(surface.Cylinder)
		if !ok {
			continue
		}
		a := reach.Axis{At: c.Frame.Origin, Direction: c.Frame.Z}
		if !slices.ContainsFunc(out, func(b reach.Axis) bool {
			d := a.At.Sub(b.At)
			return d.Sub(b.Direction.Scale(d.Dot(b.Direction))).Norm() < same && a.Direction.Cross(b.Direction).Norm() < same
		}) {
			out = append(out, a)
		}
	}
	return out
}

// print prints the rows unless they are printed, the sums, and fails when one is contradicted.
func (c *reachCmd) print(w io.Writer, rows []reach.Row) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if !c.JSON {
		fmt.Fprintln(table, "part\tentry\treason\tleft mm³\theight\tlower\tupper\tclear\tplanned\toutcome\tby\tdetail")
		for i := range rows {
			r := &rows[i]
			by := "-"
			if len(r.By) > 0 {
				by = fmt.Sprintf("%s from %s", r.By[0].Tool, r.By[0].Direction)
			}
			fmt.Fprintf(table, "%s\t%d\t%s\t%.1f\t%.2f\t", r.Part, r.Entry, r.Reason, r.Left, r.Height)
			for _, share := range []float64{r.Lower, r.Upper, r.Clear, r.Planned} {
				fmt.Fprintf(table, "%.1f%%\t", 100*share)
			}
			fmt.Fprintf(table, "%s\t%s\t%s\n", r.Outcome, by, r.Detail)
		}
		reach.PrintSums(table, rows)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if n := reach.Count(rows, reach.Contradicted); n > 0 {
		return fmt.Errorf("%d of %d entries are contradicted", n, len(rows))
	}
	return nil
}
