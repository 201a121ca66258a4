// Package setupsheet writes instructions for the machine operator: one page for the program and one for each setup,
// with a picture, as self-contained HTML for print.
package setupsheet

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/estimate"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/cutting"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/kernel/geom"
)

// Sheet is the data of a setup sheet.
type Sheet struct {
	Title  string
	Config *machining.CutConfig
	Plan   *planning.Plan
	Times  *estimate.Times
	Proof  *verify.Report
	Price  *estimate.Estimate // nil: not shown
	Edges  [][]geom.Vec3      // of the part, for the pictures; part frame, mm
}

//go:embed sheet.html
var page string

var layout = sync.OnceValue(func() *template.Template { return template.Must(template.New("sheet").Parse(page)) })

// Write writes the sheet as one HTML file.
func Write(w io.Writer, s *Sheet) error {
	if len(s.Times.Setups) != len(s.Plan.Setups) {
		return fmt.Errorf("setup sheet: times of %d setups for %d", len(s.Times.Setups), len(s.Plan.Setups))
	}
	if err := layout().Execute(w, s.view()); err != nil {
		return fmt.Errorf("setup sheet: %w", err)
	}
	return nil
}

// view is the data of the page as text.
type view struct {
	Title, Machine, Material, Stock string
	Time, Band, Price               string
	Proof                           string
	Holds                           bool
	Findings                        []string
	Tools                           []toolRow
	Setups                          []setupView
	Made                            string
	Incomplete                      bool
	Left                            []leftRow
	Warnings                        []string
}

type toolRow struct {
	Number                                           int
	Name, Diameter, Corner, Flutes, Stickout, Holder string
	Setups                                           string
}

type leftRow struct{ Place, Faces, Reason, Amount, Detail, Remedy, Price string }

type setupView struct {
	Number      int
	Picture     template.HTML
	Hold        string
	Grip, Uses  string // of the clamping; "": it has no model
	Devices     string // that are made for the setup; "": none
	Offset      string
	Origin      string
	Stock, Safe string
	Time        string
	Operations  []operationRow
}

type operationRow struct {
	Number                                         int
	What, Tool, Speed, Feed, Plunge, Depths, Leave string
	Time                                           string
	Notes                                          []string
}

func (s *Sheet) view() *view {
	p := s.Plan
	v := &view{
		Title: s.Title, Machine: s.Config.Machine.Name, Material: s.Config.Material.Name, Stock: size(p.Stock),
		Time:  Duration(s.Times.Total),
		Band:  Duration(s.Times.Low) + " to " + Duration(s.Times.High),
		Proof: Verdict(s.Proof), Holds: s.Proof.Passes(),
	}
	for _, f := range s.Proof.Findings {
		v.Findings = append(v.Findings, verify.Explain(p, &f))
	}
	if s.Price != nil {
		v.Price = fmt.Sprintf("%s each for %d", Dollars(s.Price.CostCents), s.Price.Quantity)
	}
	for i := range p.Tools {
		v.Tools = append(v.Tools, s.tool(i))
	}
	for i := range p.Setups {
		v.Setups = append(v.Setups, s.setup(i))
	}
	if a := p.Account; a != nil {
		v.Made, v.Incomplete = a.Summary(), a.Completeness == completeness.Incomplete
		for i := range a.Left {
			v.Left = append(v.Left, left(&a.Left[i]))
		}
	}
	for _, w := range p.Warnings {
		v.Warnings = append(v.Warnings, w.Summed().Message)
	}
	return v
}

// left numbers features from 1, as lists of features do.
func left(e *completeness.Entry) leftRow {
	price := ""
	if e.Price != nil {
		price = e.Price.String()
	}
	return leftRow{
		Place: e.Place(), Faces: strings.Trim(fmt.Sprint(e.Regions), "[]"), Reason: string(e.Reason),
		Amount: e.Amount(),
		Detail: e.Detail, Remedy: e.Remedy, Price: price,
	}
}

func (s *Sheet) tool(i int) toolRow {
	t := &s.Plan.Tools[i]
	row := toolRow{
		Number: t.Number, Name: ToolName(&t.Tool), Diameter: mm(t.Tool.Diameter), Corner: mm(t.Tool.CornerRadius),
		Flutes: fmt.Sprintf("%d × %s", t.Tool.FluteCount, mm(t.Tool.FluteLength)), Stickout: mm(t.Stickout),
		Holder: "not stated",
	}
	if r := t.Tool.TipRadius(); r > 0 {
		row.Corner = "tip ⌀" + mm(2*r)
	}
	if t.Tool.Holder != nil {
		row.Holder = t.Tool.Holder.Name
	}
	var setups []string
	for k := range s.Plan.Setups {
		for _, o := range s.Plan.Setups[k].Operations {
			if o.Tool == i {
				setups = append(setups, strconv.Itoa(k+1))
				break
			}
		}
	}
	row.Setups = strings.Join(setups, ", ")
	return row
}

func (s *Sheet) setup(i int) setupView {
	setup := &s.Plan.Setups[i]
	o := setup.Frame.Origin
	v := setupView{
		Number: i + 1, Picture: template.HTML(Picture(setup, s.Edges)), Hold: setup.Clamping.Text,
		Offset: fmt.Sprintf("%d (G%d on ISO controls)", planning.WorkOffset(i), 53+planning.WorkOffset(i)),
		Origin: fmt.Sprintf("%s%s, %s, %s of the part, Z along %s, X along %s",
			corner(setup.Before), mm(o.X), mm(o.Y), mm(o.Z), Axis(setup.Frame.Z), Axis(setup.Frame.X)),
		Stock: size(setup.Before), Safe: mm(setup.Safe), Time: Duration(s.Times.Setups[i].Total),
	}
	if h := setup.Clamping.Hold; h != nil {
		v.Grip, v.Uses = grip(h), uses(h)
	}
	v.Devices = devices(setup.Clamping.Pieces, i+1)
	for k := range setup.Operations {
		row := s.operation(&setup.Operations[k])
		row.Number = k + 1
		if times := s.Times.Setups[i].Operations; k < len(times) {
			row.Time = Duration(times[k].Seconds)
		}
		v.Operations = append(v.Operations, row)
	}
	return v
}

// corner describes the origin if it is the top corner with the least X and Y of the block around the stock; else "".
func corner(stock geom.Box) string {
	if (geom.Vec3{X: stock.Min.X, Y: stock.Min.Y, Z: stock.Max.Z}).Norm() > motion.Resolution {
		return ""
	}
	return "the corner of the stock with the least X and Y, at its top: "
}

func (s *Sheet) operation(o *planning.Operation) operationRow {
	c := &o.Cutting
	row := operationRow{
		What: What(s.Plan, o), Tool: "T" + strconv.Itoa(s.Plan.Tools[o.Tool].Number),
		Speed: whole(c.SpindleRPM.Value), Feed: whole(c.Feed.Value), Plunge: entry(c),
		Depths: mm(c.Axial.Value) + " × " + mm(c.Radial.Value), Leave: "",
		Notes: o.Notes,
	}
	if o.LeaveAxial > 0 || o.LeaveRadial > 0 {
		row.Leave = mm(o.LeaveRadial) + " / " + mm(o.LeaveAxial)
	}
	if name := coolants[o.Coolant]; name != "" {
		row.Notes = append(slices.Clone(row.Notes), name)
	}
	return row
}

var coolants = map[motion.Coolant]string{
	motion.Flood: "flood coolant", motion.Mist: "mist", motion.ThroughTool: "coolant through the tool",
}

// entry is the feed into material: straight down where the tool can, else along a ramp.
func entry(c *cutting.CuttingData) string {
	if c.PlungeFeed.Value > 0 {
		return whole(c.PlungeFeed.Value)
	}
	return whole(c.RampFeed.Value)
}

func size(b geom.Box) string {
	s := b.Size()
	return fmt.Sprintf("%s × %s × %s mm", mm(s.X), mm(s.Y), mm(s.Z))
}

// Axis names a direction of the part.
func Axis(d geom.Vec3) string {
	const straight = 1 - 1e-9 // a hundredth of a degree off is not along an axis
	for _, a := range []struct {
		name string
		v    float64
	}{{"x", d.X}, {"y", d.Y}, {"z", d.Z}} {
		if math.Abs(a.v) >= straight {
			if a.v < 0 {
				return "−" + a.name
			}
			return "+" + a.name
		}
	}
	return fmt.Sprintf("(%.4f, %.4f, %.4f)", d.X, d.Y, d.Z)
}

// Pictures returns the pictures of a sheet that Write wrote, as SVG, in the order of the setups.
func Pictures(sheet string) (out []string) {
	const end = "</svg>\n"
	for {
		_, rest, found := strings.Cut(sheet, "<svg ")
		if !found {
			return out
		}
		picture, after, _ := strings.Cut(rest, end)
		out = append(out, "<svg "+picture+end)
		sheet = after
	}
}
