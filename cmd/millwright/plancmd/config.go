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

// PlanParams returns the cut config of a name, or of a file, with its tools. A file is a cut config as the interface gives
// it, or a part of one as the interface takes it, and may hold tools of its own under "tools", which are looked for first.
func Cutting(config string) (*pipeline.PlanParams, error) {
	if builtIn := named[config]; builtIn != nil {
		return withTools(builtIn(), nil)
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
	for i := range own.Tools {
		if err := own.Tools[i].Validate(); err != nil {
			return nil, fmt.Errorf("%s: tools[%d]: %w", config, i, err)
		}
	}
	return withTools(c, own.Tools)
}

// withTools adds the tools of the libraries that a cut config names.
func withTools(c machining.CutConfig, tools []machining.Tool) (*pipeline.PlanParams, error) {
	libraries := map[string][]machining.Tool{}
	for _, l := range machining.BuiltInToolLibraries() {
		libraries[l.ID] = l.Tools
	}
	for _, id := range c.ToolLibraryIDs {
		of, known := libraries[id]
		if !known {
			return nil, fmt.Errorf("the tool library %s is not built in: put its tools into the file, under \"tools\"", id)
		}
		tools = append(tools, of...)
	}
	return &pipeline.PlanParams{Config: c, Tools: tools}, nil
}
