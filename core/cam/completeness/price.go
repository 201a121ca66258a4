package completeness

import "fmt"

// Way is a way to make what a program leaves.
type Way string

// The ways.
const (
	AtBench   Way = "bench" // by hand: a file, a tap
	BySetup   Way = "setup" // one setup more on the machine
	ByTool    Way = "tool"  // a tool that is bought
	ByAxes    Way = "axes"  // a machine with rotary axes
	ByTurning Way = "lathe"
)

// Price is the price of the cheapest way to make what a program leaves. So much is saved by leaving it.
type Price struct {
	Cents int `json:"cents"` // for each part of the batch
	Way   Way `json:"way"`
}

// String says the price in words.
func (p *Price) String() string {
	const dollar = 100
	way := map[Way]string{
		AtBench: "by hand", BySetup: "by one setup more", ByTool: "by a tool that is bought",
		ByAxes: "on a machine with rotary axes", ByTurning: "on a lathe",
	}[p.Way]
	return fmt.Sprintf("$%.2f a part %s", float64(p.Cents)/dollar, way)
}
