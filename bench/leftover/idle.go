package leftover

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"millwright.dev/millwright/bench/replay"
)

// Idle returns the operations of plan.json, as setup.operation, for which the g-code has no cutting move.
func Idle(folder string, p *replay.Program) ([]string, error) {
	data, err := os.ReadFile(filepath.Join(folder, "plan.json"))
	if err != nil {
		return nil, err
	}
	var plan struct {
		Setups []struct {
			Operations []struct{} `json:"operations"`
		} `json:"setups"`
	}
	if err := json.Unmarshal(data, &plan); err != nil {
		return nil, fmt.Errorf("plan.json: %w", err)
	}
	if len(plan.Setups) != len(p.Setups) {
		return nil, fmt.Errorf("plan.json has %d setups, program.json %d", len(plan.Setups), len(p.Setups))
	}
	idle := []string{}
	for i, s := range plan.Setups {
		cuts := make([]int, len(s.Operations)+1)
		for _, m := range p.Setups[i].Moves {
			if m.Operation >= len(cuts) {
				return nil, fmt.Errorf("setup %d: the g-code has operation %d, but plan.json ends at %d",
					i+1, m.Operation, len(s.Operations))
			}
			if !m.Rapid {
				cuts[m.Operation]++
			}
		}
		for k, n := range cuts[1:] {
			if n == 0 {
				idle = append(idle, fmt.Sprintf("%d.%d", i+1, k+1))
			}
		}
	}
	return idle, nil
}
