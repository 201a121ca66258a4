package xt_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/parasolid/internal/xt"
	"millwright.dev/millwright/adapters/cad/parasolid/internal/xttest"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/geom"
)

// all is a stream with a value of every kind; its second node has an index of four bytes.
func all() *xttest.Stream {
	s := &xttest.Stream{UserFields: 1}
	point := s.Add(29, xttest.Values{"node_id": 12, "pvec": geom.Vec3{X: 1, Y: -2.5, Z: 1e-7}})
	name := s.Add(79, xttest.Values{"string": "a\\b\nc ?"})
	name.Index = 70000
	s.Add(80, xttest.Values{"identifier": name, "type_id": -5, "fields": []int{1, 2, 200}})
	s.Add(41, xttest.Values{"type": byte('T'), "hvec": []float64{1, 2, 3, 4, 5, 6}})
	s.Add(127, xttest.Values{"mult": []int{3, -32764, 1}})
	s.Add(74, xttest.Values{"n_entries": 2, "entries": []*xttest.Node{name, nil, point}})
	s.Add(98, xttest.Values{"values": []int{'ä', 'b'}})
	s.Add(136, xttest.Values{"rational": true, "degree": 3})
	s.Add(60, xttest.Values{"offset": 0.25, "check": byte('V')})
	return s
}

var forms = []xttest.Form{
	{Encoding: xttest.Text}, {Encoding: xttest.Neutral}, {Encoding: xttest.Bare}, {Encoding: xttest.Text, Schema: 9008},
	{Encoding: xttest.Text, Schema: 30000, Embedded: true}, {Encoding: xttest.Neutral, Schema: 30000, Embedded: true},
	{Encoding: xttest.Neutral, Schema: 18106, Embedded: true}, {Encoding: xttest.Neutral, Schema: 28101},
}

func TestDecode(t *testing.T) {
	for _, f := range forms {
		t.Run(f.String(), func(t *testing.T) {
			s, err := xt.Decode(t.Context(), all().Encode(f))
			if err != nil {
				t.Fatal(err)
			}
			point, name, def := s.Node(1), s.Node(70000), s.Node(3)
			if p := point.Reals("pvec"); point.Int("node_id") != 12 || p[0] != 1 || p[1] != -2.5 || p[2] != 1e-7 ||
				s.Root() != point {
				t.Errorf("point %d %v", point.Int("node_id"), p)
			}
			if name.Text("string") != "a\\b\nc ?" || def.To("identifier") != name || def.Int("type_id") != -5 {
				t.Errorf("string %q, type %d", name.Text("string"), def.Int("type_id"))
			}
			if got := def.Ints("fields"); len(got) != 3 || got[2] != 200 {
				t.Errorf("fields %v", got)
			}
			limit, mult, list, wide, curve, offset := s.Node(4), s.Node(5), s.Node(6), s.Node(7), s.Node(8), s.Node(9)
			if !limit.Is("type", 'T') || len(limit.Reals("hvec")) != 6 || limit.Reals("hvec")[5] != 6 {
				t.Errorf("limit %v", limit.Reals("hvec"))
			}
			if got := mult.Ints("mult"); len(got) != 3 || got[1] != xt.Null || got[2] != 1 {
				t.Errorf("multiplicities %v", got)
			}
			if got := list.All("entries"); len(got) != 3 || got[0] != name || got[1].OK() || got[2] != point {
				t.Errorf("entries %v", got)
			}
			if wide.Text("values") != "äb" || !curve.Flag("rational") || curve.Flag("closed") ||
				curve.Int("degree") != 3 {
				t.Errorf("text %q, rational %v", wide.Text("values"), curve.Flag("rational"))
			}
			if offset.Real("offset") != 0.25 || !offset.Is("check", 'V') || !math.IsNaN(offset.Real("scale")) ||
				offset.To("surface").OK() {
				t.Errorf("offset %g scale %g", offset.Real("offset"), offset.Real("scale"))
			}
			if got := point.Real("no such field"); !math.IsNaN(got) || point.To("no such field").OK() ||
				s.Node(99).Kind() != 0 {
				t.Errorf("a field that is not there gives %g", got)
			}
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	good := strings.ReplaceAll(string(all().Encode(xttest.Form{Encoding: xttest.Text})), "\n", "")
	for name, c := range map[string]struct{ data, want string }{
		"nothing":        {"", "no known encoding"},
		"no key":         {"T1 x3 abc0 ", "no schema key"},
		"other base":     {"T1 x23 SCH_2600169_26105_90000999 0 ", "builds on schema 9000"},
		"too old":        {"T1 x15 SCH_700000_70000 ", "schema 7000"},
		"key of nothing": {"T1 x7 SCH_abc0 ", "means nothing"},
		"header only":    {"**ABCDEFGHIJKLMNOP\n**PART1;\n", "within its header"},
		"unknown type":   {strings.Replace(good, "29 1 12 ", "28 1 12 ", 1), "node type 28 is not known"},
		"index twice":    {strings.Replace(good, "79 7 70000 ", "79 7 1 ", 1), "has the index 1"},
		"no end":         {good[:len(good)-10], "cut off"},
		"long array":     {strings.Replace(good, "79 7 70000 ", "79 999999 70000 ", 1), "counts 999999 elements"},
	} {
		_, err := xt.Decode(t.Context(), []byte(c.data))
		var f *fault.Error
		if !errors.As(err, &f) || !strings.Contains(f.Reason, c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := xt.Decode(ctx, []byte(good)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestHeader(t *testing.T) {
	data := "**ABCDEFGHIJKLMNOPQRSTUVWXYZ\r\n**PARASOLID\r\n**PART1;MC=x;APPL=some sys\r\ntem;KEY=bracket;DATE=now;\r\n" +
		"**PART3;\r\n**END_OF_HEADER*****\r\n" + string(all().Encode(xttest.Form{Encoding: xttest.Text}))
	s, err := xt.Decode(t.Context(), []byte(data))
	if err != nil || s.Header.Application != "some system" || s.Header.Name != "bracket" || s.Len() != 9 {
		t.Errorf("%+v, error %v", s.Header, err)
	}
}
