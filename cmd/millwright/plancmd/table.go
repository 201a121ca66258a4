package plancmd

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"millwright.dev/millwright/adapters/export/setupsheet"
	"millwright.dev/millwright/core/cam/estimate"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/verify"
)

// Table returns the result for a file as text; explained, with the prices of setups and of the next best choices.
func Table(m *Result, explained bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", m.File)
	if p := m.Plan; p != nil {
		size := p.Stock.Size()
		fmt.Fprintf(&b, "  stock %.1f × %.1f × %.1f mm of %s, on %s\n",
			size.X, size.Y, size.Z, m.Cutting.Config.Material.Name, m.Cutting.Config.Machine.Name)
		for i := range p.Setups {
			writeSetup(&b, m, i)
			if explained {
				writeChoices(&b, &p.Setups[i])
			}
		}
		writeLeft(&b, p)
		for _, w := range p.Warnings {
			fmt.Fprintf(&b, "  warning: %s\n", w.Summed().Message)
		}
		b.WriteString(m.summary())
	}
	if m.Proof != nil {
		for i := range m.Proof.Findings {
			fmt.Fprintf(&b, "    %s\n", verify.Explain(m.Plan, &m.Proof.Findings[i]))
		}
	}
	if m.Error != nil {
		fmt.Fprintf(&b, "  failed: %s (%s)\n", m.Error.Reason, m.Error.Code)
	}
	for _, f := range m.Files {
		fmt.Fprintf(&b, "  wrote %s\n", f)
	}
	return b.String()
}

// writeSetup lists the operations of a setup.
func writeSetup(b *strings.Builder, m *Result, i int) {
	s := &m.Plan.Setups[i]
	fmt.Fprintf(b, "  setup %d, from %s: %s\n", i+1, setupsheet.Axis(s.Frame.Z), s.Clamping.Text)
	table := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "    \t#\toperation\ttool\trpm\tfeed\tdeep × wide\tminutes\n")
	for k := range s.Operations {
		o := &s.Operations[k]
		t := &m.Plan.Tools[o.Tool]
		minutes := ""
		if m.Times != nil {
			minutes = setupsheet.Duration(m.Times.Setups[i].Operations[k].Seconds)
		}
		fmt.Fprintf(table, "    \t%d\t%s\tT%d %s\t%.0f\t%.0f\t%.4g × %.4g\t%s\n", k+1, setupsheet.What(m.Plan, o), t.Number,
			setupsheet.ToolName(&t.Tool), o.Cutting.SpindleRPM.Value, o.Cutting.Feed.Value, o.Cutting.Axial.Value,
			o.Cutting.Radial.Value, minutes)
	}
	_ = table.Flush() // writes to memory
}

// writeChoices says why the setup is made so, and why each of its mills roughs.
func writeChoices(b *strings.Builder, s *planning.Setup) {
	if c := s.Choice; c != nil {
		fmt.Fprintf(b, "    the setup costs %s a part, without finishing\n", setupsheet.Dollars(int64(c.Cents)))
		for _, a := range []*planning.Alternative{c.Held, c.Without} {
			if a != nil {
				fmt.Fprintf(b, "    %s more: %s\n", setupsheet.Dollars(int64(a.Cents)), a.Text)
			}
		}
	}
	for _, c := range s.Mills {
		instead := "if the other mills took over its work"
		if c.Instead != "" {
			instead = "with " + c.Instead + " instead"
		}
		fmt.Fprintf(b, "    %s: roughing would take some %.0f s longer %s\n", c.Mill, c.Seconds, instead)
	}
}

// writeLeft lists the material that is left on the part. Feature numbers are those of analyze.
func writeLeft(b *strings.Builder, p *planning.Plan) {
	if p.Account == nil {
		return
	}
	for i := range p.Account.Left {
		e := &p.Account.Left[i]
		fmt.Fprintf(b, "  left: %s, %s, %s: %s\n", e.Place(), e.Reason, e.Amount(), e.Detail)
		if e.Remedy != "" {
			fmt.Fprintf(b, "        remedy: %s\n", e.Remedy)
		}
		if e.Price != nil {
			fmt.Fprintf(b, "        making it: %s\n", e.Price)
		}
	}
}

// summary says how large the program is, how long it takes, what it costs and what its proof found.
func (m *Result) summary() string {
	var b strings.Builder
	operations := 0
	for i := range m.Plan.Setups {
		operations += len(m.Plan.Setups[i].Operations)
	}
	fmt.Fprintf(&b, "  setups %d, operations %d, tools %d\n", len(m.Plan.Setups), operations, len(m.Plan.Tools))
	if t := m.Times; t != nil {
		fmt.Fprintf(&b, "  time %s for a part, from %s to %s; preparing the setups %s\n", setupsheet.Duration(t.Total),
			setupsheet.Duration(t.Low), setupsheet.Duration(t.High), setupsheet.Duration(t.Setup))
	}
	if e := m.Estimate; e != nil {
		fmt.Fprintf(&b, "  price %s for one, from %s to %s", setupsheet.Dollars(e.CostCents),
			setupsheet.Dollars(e.Low.CostCents), setupsheet.Dollars(e.High.CostCents))
		if e.Quality == estimate.FromFeatures {
			fmt.Fprintf(&b, ", %s in all: before there are paths", setupsheet.Duration(float64(e.TimeSeconds)))
		}
		b.WriteString("\n")
	}
	if p := m.Proof; p != nil {
		fmt.Fprintf(&b, "  proof: %s\n", setupsheet.Verdict(p))
	}
	if a := m.Plan.Account; a != nil {
		fmt.Fprintf(&b, "  %s\n", a.Summary())
	}
	return b.String()
}
