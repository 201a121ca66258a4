package programs

// Costs are the costs of a program's stages, each alone in one process. The mesh for the verification counts as part of
// the verification.
type Costs struct {
	Plan  Cost `json:"plan"`
	Paths Cost `json:"paths"`
	Proof Cost `json:"proof"`
}

// Cost is the cost of a stage, ms.
type Cost struct {
	Wall       float64 `json:"wall"`       // by the clock
	Processors float64 `json:"processors"` // worked, all of them together
	Idle       float64 `json:"idle"`       // nothing to do, all of them together
}

// Add adds the costs of another part.
func (c *Costs) Add(o *Costs) {
	for i, to := range c.stages() {
		to.add(o.stages()[i])
	}
}

// All is the sum of the stages.
func (c *Costs) All() (sum Cost) {
	for _, s := range c.stages() {
		sum.add(s)
	}
	return sum
}

func (c *Costs) stages() [3]*Cost { return [3]*Cost{&c.Plan, &c.Paths, &c.Proof} }

func (c *Cost) add(o *Cost) {
	c.Wall += o.Wall
	c.Processors += o.Processors
	c.Idle += o.Idle
}

// Quiet returns the wall time of a stage on the given number of otherwise idle processors. Working time stays the same.
// The wall time beyond working and idle time went to other processes, which lengthened the idle time in proportion.
func (c *Cost) Quiet(processors int) float64 {
	if c.Processors <= 0 {
		return c.Wall
	}
	stretch := max((float64(processors)*c.Wall-c.Idle)/c.Processors, 1)
	return (c.Processors + c.Idle/stretch) / float64(processors)
}
