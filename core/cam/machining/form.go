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

// formReader compares a document with the form of a type, and removes from it what does not fit.
type formReader struct {
	what   string   // the document in sentences, as "a cut config"
	whole  bool     // objects need all members that are not optional
	unread []string // members of the document that are ignored
	found  findings
}

// read decodes a document that is an object; complete requires all members that are not optional. Without an object it
// returns nil.
func (r *formReader) read(document []byte, t reflect.Type, complete bool) map[string]any {
	v, err := decode(document)
	members, is := v.(map[string]any)
	switch {
	case err != nil:
		r.found.add(Fault{"", "The body is not valid JSON."})
	case !is:
		r.found.add(Fault{"", "The body must be a JSON object."})
	default:
		for _, name := range r.unread {
			delete(members, name)
		}
		r.object("", members, t, complete)
	}
	return members
}

// Member is a member of a document, or of an object in it, that a client may send.
type Member struct {
	Name     string // in JSON
	Type     reflect.Type
	Optional bool // it may be absent or null, and so be set back
}

// later are the optional members that no tag marks.
var later = map[reflect.Type][]string{
	reflect.TypeFor[CutConfig](): {
		"programmingSeconds", "scallopHeight", "engagementDeg", "tapInferredThreads", "breakEdges",
	},
	reflect.TypeFor[Tool](): {
		"id", "name", "number", "cornerRadius", "tipAngleDeg", "pitch", "maxRampDeg", "centerCutting", "maxRpm",
		"holder", "presets",
	},
}

// Members lists the members of a type.
func Members(t reflect.Type) (out []Member) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		if t == reflect.TypeFor[CutConfig]() && name == "id" {
			continue
		}
		optional := f.Tag.Get("required") == "false" || option == "omitempty" || slices.Contains(later[t], name)
		out = append(out, Member{name, f.Type, optional})
	}
	return out
}

// object reads an object; complete requires all members that are not optional.
func (r *formReader) object(path string, v map[string]any, t reflect.Type, complete bool) {
	all := Members(t)
	names := make([]string, len(all))
	for i, m := range all {
		names[i] = m.Name
		value, there := v[m.Name]
		switch {
		case !there:
			r.found.unless(!complete || m.Optional, path+m.Name, "is missing.")
		case value == nil:
			r.found.unless(m.Optional, path+m.Name, "must be there and cannot be null.")
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
		at := strings.TrimSuffix(pointer(path), "/") + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(usertext.Excerpt(name))
		r.found.add(Fault{at, fmt.Sprintf("%s is not a field of %s%s", usertext.Excerpt(path+name), r.what, near)})
		delete(v, name)
	}
}

// value reports whether a value is of a type.
func (r *formReader) value(path string, v any, t reflect.Type) bool {
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
	r.found.unless(is, path, "must be %s.", what)
	return is
}

// into decodes what fits of a document, and reports its faults with those of validate, which sees the decoded value.
func (r *formReader) into(members map[string]any, v any, validate func() error) error {
	if members == nil {
		return r.found.err()
	}
	text, err := json.Marshal(members)
	if err == nil {
		err = json.Unmarshal(text, v)
	}
	if err != nil {
		return fmt.Errorf("decode %s: %w", r.what, err)
	}
	var invalid *ValidationError
	if errors.As(validate(), &invalid) {
		r.found.addUnlessFound(invalid.Faults)
	}
	return r.found.err()
}

// ReadHolder reads the JSON form of a holder, and reports all its errors as *ValidationError.
func ReadHolder(document []byte) (Holder, error) {
	r := formReader{whole: true, what: "a holder"}
	var h Holder
	err := r.into(r.read(document, reflect.TypeFor[Holder](), true), &h, h.Validate)
	return h, err
}

// ToolList is the JSON form of a tool library that is stored.
type ToolList struct {
	Name  string `json:"name" required:"false"`
	Tools []Tool `json:"tools"`
}

// MaxListed is the maximum number of tools in a list.
const MaxListed = 5000

// unread are members of a tool library that a client may send back as it read them.
var unread = []string{"id", "format", "toolCount", "createdAt", "report"}

// ReadToolList reads the JSON form of a tool library, and reports all its errors as *ValidationError. Name and the ids
// of tools may be missing. Nothing in it counts as guessed.
func ReadToolList(document []byte) (ToolList, error) {
	r := formReader{whole: true, what: "a tool library", unread: unread}
	var l ToolList
	members := r.read(document, reflect.TypeFor[ToolList](), true)
	_, named := members["name"]
	err := r.into(members, &l, func() error { return l.check(&findings{}, named) })
	return l, err
}

func (l *ToolList) check(f *findings, named bool) error {
	f.text("name", l.Name, named)
	f.unless(len(l.Tools) > 0 && len(l.Tools) <= MaxListed, "tools", "must have 1 to %d entries, not %d.", MaxListed,
		len(l.Tools))
	for i := range l.Tools[:min(len(l.Tools), MaxListed)] {
		t := &l.Tools[i]
		t.Guessed = nil
		if t.Presets == nil {
			t.Presets = []Preset{}
		}
		checked := *t
		checked.ID = "-" // who stores the list names them
		back := f.in(fmt.Sprintf("tools[%d].", i))
		checked.check(f)
		back()
	}
	return f.err()
}
