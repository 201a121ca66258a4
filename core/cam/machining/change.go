package machining

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"millwright.dev/millwright/core/usertext"
)

// Change is a change to a cut config, read from a JSON document.
type Change struct {
	members   map[string]any
	whole     bool     // members replace members of the cut config, instead of being merged into them
	sentences []string // errors of form in the document
}

// ReadPatch reads a JSON merge patch of a cut config (RFC 7396). An object changes the members that it names; null
// resets a member to its default for documents without it. Apply reports errors of reading.
func ReadPatch(document []byte) Change { return readChange(document, false) }

// ReadMembers reads members of a cut config, each of which is replaced as a whole.
func ReadMembers(document []byte) Change { return readChange(document, true) }

func readChange(document []byte, whole bool) Change {
	r := changeReader{whole: whole}
	v, err := decode(document)
	members, is := v.(map[string]any)
	switch {
	case err != nil:
		r.found.unless(false, "The body is not valid JSON.")
	case !is:
		r.found.unless(false, "The body must be a JSON object.")
	default:
		r.object("", members, reflect.TypeFor[CutConfig](), false)
	}
	return Change{members, whole, r.found.sentences}
}

// decode reads one JSON value with its numbers as they are written.
func decode(text []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more than one value")
	}
	return v, nil
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
	if ch.whole && len(ch.sentences) == 0 {
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
	found := findings{sentences: slices.Clone(ch.sentences)}
	var invalid *ValidationError
	if errors.As(out.Validate(), &invalid) {
		found.sentences = append(found.sentences, invalid.Sentences...)
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

// changeReader compares a document with the form of a cut config, and removes other members.
type changeReader struct {
	whole bool
	found findings
}

// Member is a member of a cut config, or of an object in it, that a change may name.
type Member struct {
	Name     string // in JSON
	Type     reflect.Type
	Optional bool // it may be absent, and so be set back
}

// Members lists the members of a type.
func Members(t reflect.Type) (out []Member) {
	later := []string{"programmingSeconds", "scallopHeight", "engagementDeg", "tapInferredThreads", "breakEdges"}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if t == reflect.TypeFor[CutConfig]() && name == "id" {
			continue
		}
		out = append(out, Member{name, f.Type, f.Tag.Get("required") == "false" || slices.Contains(later, name)})
	}
	return out
}

// object reads an object; complete requires all members that are not optional.
func (r *changeReader) object(path string, v map[string]any, t reflect.Type, complete bool) {
	all := Members(t)
	names := make([]string, len(all))
	for i, m := range all {
		names[i] = m.Name
		value, there := v[m.Name]
		switch {
		case !there:
			r.found.unless(!complete || m.Optional, "%s%s is missing.", path, m.Name)
		case value == nil:
			r.found.unless(m.Optional, "%s%s must be there and cannot be null.", path, m.Name)
			if !m.Optional {
				delete(v, m.Name)
			}
		case !r.value(path+m.Name, value, m.Type):
			delete(v, m.Name)
		}
	}
	var unknown []string
	for name := range v {
		if !slices.Contains(names, name) {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	for _, name := range unknown {
		near := meant(name, names)
		if near == "." {
			near = "; known: " + strings.Join(names, ", ") + "."
		}
		r.found.unless(false, "%s is not a field of a cut config%s", usertext.Excerpt(path+name), near)
		delete(v, name)
	}
}

// value reports whether a value is of a type.
func (r *changeReader) value(path string, v any, t reflect.Type) bool {
	var is bool
	what := ""
	switch t.Kind() {
	case reflect.Pointer:
		return r.value(path, v, t.Elem())
	case reflect.Struct:
		var object map[string]any
		if object, is = v.(map[string]any); is {
			r.object(path+".", object, t, r.whole)
		}
		what = "a JSON object"
	case reflect.Slice:
		var list []any
		list, is = v.([]any)
		for i, e := range list {
			is = r.value(fmt.Sprintf("%s[%d]", path, i), e, t.Elem()) && is
		}
		if list != nil {
			return is
		}
		what = "a list"
	case reflect.String:
		_, is = v.(string)
		what = "a text"
	case reflect.Bool:
		_, is = v.(bool)
		what = "true or false"
	case reflect.Int:
		n, _ := v.(json.Number)
		_, err := strconv.Atoi(n.String())
		is, what = err == nil, "a whole number"
	default:
		n, _ := v.(json.Number)
		_, err := n.Float64()
		is, what = err == nil, "a number"
	}
	r.found.unless(is, "%s must be %s.", path, what)
	return is
}
