package estimate

import (
	"fmt"
	"math"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/kernel/geom"
)

// Basis is the source of an estimate.
type Basis string

// The qualities.
const (
	FromFeatures Basis = "fast"    // recognized features
	FromMotion   Basis = "refined" // its program
)

// Half widths of the bands. A published parametric model for quotes is 25 % off in the mean
// (doi 10.1007/s10845-021-01741-y); Ward, Sencer and others reach 90 % of the true cycle time with a kinematic model
// (IJAMT 2021).
const (
	fastBand    = 0.25
	planBand    = 0.15
	refinedBand = 0.10
)

// Estimate is the time and cost of one part of a batch.
type Estimate struct {
	Quality  Basis `json:"quality"`
	Quantity int   `json:"quantity"` // parts in the batch
	PartCost
	Low         PartCost  `json:"low"`
	High        PartCost  `json:"high"`
	Breakdown   Breakdown `json:"breakdown"`   // of CostCents
	Assumptions []string  `json:"assumptions"` // sentences
	// Account is the material that the price leaves out; nil for fast estimates, which have no program.
	Account *completeness.Account `json:"account,omitempty"`
}

// PartCost is the total of one part, with its share of the batch's fixed work.
type PartCost struct {
	TimeSeconds int64 `json:"timeSeconds"` // of the machine
	CostCents   int64 `json:"costCents"`
}

// Breakdown is the list of a cost's components.
type Breakdown struct {
	MaterialCents   int64 `json:"materialCents"`
	SetupCents      int64 `json:"setupCents"` // with programming and devices
	MachiningCents  int64 `json:"machiningCents"`
	ToolChangeCents int64 `json:"toolChangeCents"`
	HandlingCents   int64 `json:"handlingCents"`
}

func (b Breakdown) sum() int64 {
	return b.MaterialCents + b.SetupCents + b.MachiningCents + b.ToolChangeCents + b.HandlingCents
}

// work is the charged work. Times are s.
type work struct {
	machining, toolChange, load float64 // for each part
	setup, programming          float64 // for the batch
	devices                     float64 // cents, for the batch
	material                    float64 // cents, for each part
}

// makeDevices adds the time and material to make the devices of a plan.
func (w *work) makeDevices(p *planning.Plan) {
	for i := range p.Setups {
		m := p.Setups[i].Clamping.Making
		w.setup, w.devices = w.setup+m.Seconds, w.devices+float64(m.Cents)
	}
}

// scaled returns all of the work multiplied by a factor.
func (w work) scaled(f float64) work {
	return work{
		w.machining * f, w.toolChange * f, w.load * f, w.setup * f, w.programming * f, w.devices * f, w.material * f,
	}
}

// bill charges work for one part of a batch. Each item is rounded by itself, so that they add up.
func (w work) bill(c *machining.CutConfig, quantity int) (PartCost, Breakdown) {
	const hour = 3600
	charge := func(seconds float64) int64 { return whole(seconds * float64(c.HourlyRateCents) / hour) }
	n := float64(quantity)
	b := Breakdown{
		MaterialCents: whole(w.material), SetupCents: charge((w.setup+w.programming)/n) + whole(w.devices/n),
		MachiningCents: charge(w.machining), ToolChangeCents: charge(w.toolChange), HandlingCents: charge(w.load),
	}
	return PartCost{whole(w.machining + w.toolChange + w.load + w.setup/n), b.sum()}, b
}

func whole(v float64) int64 { return int64(math.Round(v)) }

// total makes an estimate of likely, least and most work.
func total(q Basis, likely, low, high work, c *machining.CutConfig, quantity int) Estimate {
	e := Estimate{Quality: q, Quantity: quantity}
	e.PartCost, e.Breakdown = likely.bill(c, quantity)
	e.Low, _ = low.bill(c, quantity)
	e.High, _ = high.bill(c, quantity)
	return e
}

// Refined returns the cost of a part of a batch that a proven program makes. Its range extends from the time of an
// ideal control to the time of one that stops at every corner, and over refinedBand at least on both sides.
func Refined(t *Times, p *planning.Plan, c *machining.CutConfig, quantity int) Estimate {
	quantity = max(quantity, 1)
	stock := stockOf(&c.Stock, p.Stock.Size())
	likely := work{
		machining: t.Cutting + t.Rapid + t.Dwell + t.Spindle, toolChange: t.ToolChange, load: t.Load,
		setup: t.Setup, programming: c.ProgrammingSeconds, material: stock.cents(&c.Material),
	}
	likely.makeDevices(p)
	low, high := likely, likely
	low.machining = max(0, min(likely.machining*(1-refinedBand), t.Low-t.ToolChange-t.Load))
	high.machining = max(likely.machining*(1+refinedBand), t.High-t.ToolChange-t.Load)
	e := total(FromMotion, likely, low, high, c, quantity)
	e.Assumptions = append(sentences(c, len(p.Setups), stock, quantity), fmt.Sprintf(
		"The time is for the program's moves on a control that looks %d blocks ahead; the lower one is for a control "+
			"that sees all, the upper one for one that stops at every corner, and at least %.0f %% on both sides.",
		t.Model.Lookahead, 100*refinedBand))
	if e.Account = p.Account; e.Account != nil && e.Account.Completeness != completeness.Complete {
		e.Assumptions = append(e.Assumptions, "The price does not contain the remaining work. "+e.Account.Summary()+".")
	}
	return e
}

// stock is the raw material of the part.
type stock struct {
	volume float64 // mm³
	name   string
}

// kilograms is its mass in a material.
func (s stock) kilograms(m *machining.Material) float64 {
	const mm3PerCm3, gramsPerKilo = 1000, 1000
	return s.volume / mm3PerCm3 * m.Density / gramsPerKilo
}

func (s stock) cents(m *machining.Material) float64 { return s.kilograms(m) * m.PricePerKgCents }

// stockOf is the stock in a box (mm), or as it is bought: a plan has only the box around a bar or a casting.
func stockOf(s *machining.Stock, box geom.Vec3) stock {
	if s.Size != nil {
		box = geom.Vec3(*s.Size)
	}
	volume := box.X * box.Y * box.Z
	switch s.Kind {
	case machining.StockCylinder:
		return stock{volume * math.Pi / 4, "round bar"} // a circle in its square
	case machining.StockNearNet:
		return stock{volume, "block around the casting, as planned,"}
	}
	return stock{volume, "stock"}
}

// stockFor is the stock of a part that is not planned. A bar lies along z.
func stockFor(s *machining.Stock, p *Part) stock {
	a, size := s.Allowance, p.Size
	switch s.Kind {
	case machining.StockCylinder:
		size.X = math.Hypot(size.X, size.Y)
		size.Y = size.X
	case machining.StockNearNet:
		return stock{p.Volume + p.Area*(a.X+a.Y+a.Z)/3, "casting"}
	}
	return stockOf(s, size.Add(geom.Vec3(a).Scale(2)))
}

// sentences states the assumptions of every estimate.
func sentences(c *machining.CutConfig, setups int, stock stock, quantity int) []string {
	const minute, hundred = 60, 100.0
	out := []string{fmt.Sprintf("%s on %s at %.2f USD an hour.",
		count(setups, "setup"), c.Machine.Name, float64(c.HourlyRateCents)/hundred)}
	if c.Machine.SetupSeconds > 0 || c.ProgrammingSeconds > 0 {
		out = append(out, fmt.Sprintf("Preparing each setup takes %.0f min and programming %.0f min, shared by %s.",
			c.Machine.SetupSeconds/minute, c.ProgrammingSeconds/minute, count(quantity, "part")))
	}
	if c.Machine.LoadSeconds > 0 {
		out = append(out, fmt.Sprintf("Changing the part takes %.0f s in each setup.", c.Machine.LoadSeconds))
	}
	if c.Material.PricePerKgCents == 0 {
		return append(out, "Material is not charged, as the cut config states no price.")
	}
	return append(out, fmt.Sprintf("The %s is %.2f kg of %s at %.2f USD per kg, without sawing and waste.",
		stock.name, stock.kilograms(&c.Material), c.Material.Name, c.Material.PricePerKgCents/hundred))
}

func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func be(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
