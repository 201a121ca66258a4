package solidworks

import (
	"fmt"
	"slices"
	"testing"
)

func TestTagsOfATextInXML(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string // name and the attribute a
	}{
		{"nothing", "", nil},
		{"plain", `<?xml version="1.0"?><a a="1"><b c='2' a='3'/></a>`, []string{`a="1"`, `b="3"`}},
		{"none of that name", `<a aa="1" ba="2"/>`, []string{`a=""`}},
		{"blanks", "<a\n\tb = \"1\"\r\n a = \"2\" >", []string{`a="2"`}},
		{"what must be escaped", `<a a="&lt;x&gt; &amp; &#228;"/>`, []string{`a="<x> & ä"`}},
		{"quotes", `<a b="a='1' >" a='"'/><c/>`, []string{`a="\""`, `c=""`}},
		{"comments", `<!-- <a a="1"/> --><!DOCTYPE x><b a="2"/>`, []string{`b="2"`}},
		{"a comment without end", `<!-- <a a="1"/>`, nil},
		{"a tag without end", `<a a="1"/><b a="2`, []string{`a="1"`}},
		{"a value without quotes", `<a a=1/><b a= /><c a/>`, []string{`a=""`, `b=""`, `c=""`}},
		{"bytes before it and within", "\x86<a a=\"\xff\"/>", []string{"a=\"\\xff\""}},
		{"no name", `<><a a="1"/>< a="2"/>`, []string{`a="1"`, `="2"`}},
	} {
		var got []string
		eachTag([]byte(c.text), func(t tag) { got = append(got, fmt.Sprintf("%s=%q", t.name, t.attribute("a"))) })
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
