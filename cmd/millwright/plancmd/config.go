package plancmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/pipeline"
)

// named are the cut configs that everybody has, by the names that the command line has for them.
var named = map[string]func() machining.CutConfig{
	"builtin": machining.BuiltInCutConfig, "large": machining.LargeCutConfig,
}

// cutting returns the cut config with its tools, as the request changes it.
func (a *Request) cutting() (*pipeline.PlanParams, error) {
	cutting, err := Cutting(a.Config)
	if err != nil || a.Terms == "" {
		return cutting, err
	}
	data, err := os.ReadFile(a.Terms)
	if err != nil {
		return nil, err
	}
	r, err := pipeline.ReadPlanRequest(data)
	if err == nil {
		cutting, err = cutting.With(&r, r.Excluded)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.Terms, err)
	}
	return cutting, nil
}

// Cutting returns the cut config of a name, or of a file, with its tools. A file is a cut config as the interface gives
// it, or a part of one as the interface takes it, and may hold tools of its own under "tools", which are looked for
// first.
func Cutting(config string) (*pipeline.PlanParams, error) {
	if builtIn := named[config]; builtIn != nil {
		return pipeline.NewPlanParams(builtIn(), nil)
	}
	data, err := os.ReadFile(config)
	if errors.Is(err, os.ErrNotExist) && !strings.ContainsAny(config, "./") {
		return nil, fmt.Errorf("there is no cut config %q; builtin and large are, and files", config)
	}
	if err != nil {
		return nil, err
	}
	var own struct {
		ID    string
		Tools []machining.Tool
	}
	var members map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(data, &own), json.Unmarshal(data, &members)); err != nil {
		return nil, fmt.Errorf("%s: %w", config, err)
	}
	for _, beside := range []string{"id", "createdAt", "updatedAt", "tools"} {
		delete(members, beside)
	}
	if data, err = json.Marshal(members); err != nil {
		return nil, fmt.Errorf("%s: %w", config, err)
	}
	ch := machining.ReadPatch(data)
	c, err := ch.Make(own.ID)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", config, err)
	}
	cutting, err := pipeline.NewPlanParams(c, own.Tools)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", config, err)
	}
	return cutting, nil
}
