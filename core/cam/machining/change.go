package machining

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Change is a change to a cut config, read from a JSON document.
type Change struct {
	members map[string]any
	whole   bool    // members replace members of the cut config, instead of being merged into them
	faults  []Fault // errors of form in the document
}

// ReadPatch reads a JSON merge patch of a cut config (RFC 7396). An object changes the members that it names; null
// resets a member to its default for documents without it. Apply reports errors of reading.
func ReadPatch(document []byte) Change { return readChange(document, false) }

// ReadMembers reads members of a cut config, each of which is replaced as a whole.
func ReadMembers(document []byte) Change { return readChange(document, true) }

func readChange(document []byte, whole bool) Change {
	r := formReader{whole: whole, what: "a cut config"}
	members := r.read(document, reflect.TypeFor[CutConfig](), false)
	return Change{members, whole, r.found.faults}
}

// Names reports whether the change names a member of the cut config.
func (ch *Change) Names(member string) bool {
	_, named := ch.members[member]
	return named
}

// Make returns a new cut config: the first built-in one with the change, under a new identifier and without a name. The
// density of the material and the grip depth of the jaws follow from related members. Errors are those of Apply.
func (ch *Change) Make(id string) (CutConfig, error) {
	c := BuiltInCutConfig()
	c.ID, c.Name = id, ""
	return ch.apply(c, func(of map[string]any) {
		merge(of, map[string]any{"material": map[string]any{"density": nil}, "workholding": map[string]any{"bite": nil}})
	})
}

// Apply returns the cut config with the change, and all errors of both as *ValidationError. It leaves invalid parts of
// the change out of the cut config.
func (ch *Change) Apply(c CutConfig) (CutConfig, error) { return ch.apply(c, func(map[string]any) {}) }

func (ch *Change) apply(c CutConfig, before func(map[string]any)) (CutConfig, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return c, fmt.Errorf("encode cut config %s: %w", c.ID, err)
	}
	value, err := decode(text)
	if err != nil {
		return c, fmt.Errorf("decode cut config %s: %w", c.ID, err)
	}
	of, _ := value.(map[string]any)
	before(of)
	if ch.whole && len(ch.faults) == 0 {
		for name, v := range ch.members {
			of[name] = v
		}
	} else {
		merge(of, ch.members)
	}
	if text, err = json.Marshal(of); err != nil {
		return c, fmt.Errorf("encode cut config %s: %w", c.ID, err)
	}
	out, err := ReadCutConfig(text)
	if err != nil {
		return c, fmt.Errorf("decode cut config %s: %w", c.ID, err)
	}
	for i, id := range out.ToolLibraryIDs {
		out.ToolLibraryIDs[i] = strings.ToLower(id)
	}
	found := findings{faults: slices.Clone(ch.faults)}
	var invalid *ValidationError
	if errors.As(out.Validate(), &invalid) {
		found.addUnlessFound(invalid.Faults)
	}
	return out, found.err()
}

// merge applies a merge patch to an object (RFC 7396, section 2).
func merge(object, patch map[string]any) {
	for name, v := range patch {
		part, is := v.(map[string]any)
		switch {
		case v == nil:
			delete(object, name)
		case is:
			into, there := object[name].(map[string]any)
			if !there {
				into = map[string]any{}
				object[name] = into
			}
			merge(into, part)
		default:
			object[name] = v
		}
	}
}
