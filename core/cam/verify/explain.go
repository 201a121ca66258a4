package verify

import (
	"fmt"
	"math"
	"strconv"

	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/fault"
)

// wrongs are the sentences of findings with a depth.
var wrongs = map[Kind]string{
	Gouge:      "the part is cut into by %s mm",
	Overtravel: "the machine is %s mm short of travel",
}

// collisions are the sentences of findings with a volume, %s, if it was measured.
var collisions = map[Kind]string{
	RapidCollision:   "a rapid meets %smaterial",
	ShankCollision:   "the shank meets %smaterial",
	HolderCollision:  "the holder meets %smaterial",
	FixtureCollision: "the tool meets %swhat holds the part",
}

// Explain returns a sentence that states the defect of a program of the plan and its place. It counts moves from 1.
func Explain(p *planning.Plan, f *Finding) string {
	where := fmt.Sprintf("In setup %d", f.Setup+1)
	if f.Operation != "" {
		where += fmt.Sprintf(", operation %s (%s)", f.Operation, strategy(p, f.Operation))
		if f.Move < 0 {
			where += ", before its first move"
		} else {
			where += fmt.Sprintf(", move %d", f.Move+1)
		}
	}
	size := strconv.FormatFloat(f.Depth, 'g', 3, 64)
	wrong, known := wrongs[f.Kind]
	if collision, ok := collisions[f.Kind]; ok {
		wrong = collision
		if size += " mm³ of "; f.Depth == 0 {
			size = ""
		}
	} else if !known {
		wrong = string(f.Kind) + " of %s mm"
	}
	wrong = fmt.Sprintf(wrong, size)
	mm := func(v float64) string { return strconv.FormatFloat(math.Round(v*1000)/1000+0, 'f', -1, 64) }
	at := f.Position
	return fmt.Sprintf("%s: %s at (%s, %s, %s) of the part.", where, wrong, mm(at.X), mm(at.Y), mm(at.Z))
}

func strategy(p *planning.Plan, operation string) planning.Strategy {
	for i := range p.Setups {
		for k := range p.Setups[i].Operations {
			if o := &p.Setups[i].Operations[k]; o.ID == operation {
				return o.Strategy
			}
		}
	}
	return "unknown"
}

// Fault returns the error of a program of the plan that must not be run: the first finding of its report, which has
// one.
func Fault(p *planning.Plan, report *Report) *fault.Error {
	more := ""
	switch n := len(report.Findings) - 1; {
	case n == 1:
		more = " There is 1 more finding."
	case n > 1:
		more = fmt.Sprintf(" There are %d more findings.", n)
	}
	return fault.Errorf(fault.VerificationFailed, "%s%s", Explain(p, &report.Findings[0]), more)
}
