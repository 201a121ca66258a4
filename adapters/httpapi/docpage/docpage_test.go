package docpage

import (
	"strings"
	"testing"
)

func TestProse(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a <b>\nand `c<d`", "<p>a &lt;b&gt;\nand <code>c&lt;d</code></p>\n"},
		{"one\n\ntwo", "<p>one</p>\n<p>two</p>\n"},
		{"Today:\n\n- `a`: x\n- b", "<p>Today:</p>\n<ul>\n<li><code>a</code>: x</li>\n<li>b</li>\n</ul>\n"},
	} {
		if got := string(prose(c.text)); got != c.want {
			t.Errorf("prose(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

func TestKindOf(t *testing.T) {
	for _, c := range []struct {
		name string
		of   *schema
		want string
	}{
		{"nothing said", &schema{}, "anything"},
		{"several types", &schema{Type: []any{"string", "null"}, Format: "uuid"}, "string or null (uuid)"},
		{"list", &schema{Type: []any{"array", "null"}, Items: &schema{Type: "number"}}, "list of number or null"},
		{"reference", &schema{Ref: schemaPath + "Part"}, `<a href="#schema-Part">Part</a>`},
		{"one of", &schema{AnyOf: []*schema{{Ref: schemaPath + "A"}, {Type: "null"}}}, `<a href="#schema-A">A</a> or null`},
		{"words", &schema{Type: "string", Enum: []any{"a<", "b"}}, "<code>a&lt;</code> | <code>b</code>"},
	} {
		if got := string(kindOf(c.of)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestDescriptionRefusesInvalidJSON(t *testing.T) {
	if _, err := Description([]byte("{")); err == nil || !strings.Contains(err.Error(), "interface description") {
		t.Errorf("Description of no JSON: %v", err)
	}
}
