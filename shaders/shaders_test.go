package shaders

import (
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

func TestEveryShaderIsWhole(t *testing.T) {
	names := Names()
	if len(names) == 0 {
		t.Fatal("no shaders")
	}
	for _, name := range names {
		raw, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(raw), "#version 430\n") {
			t.Errorf("%s does not start with its version", name)
		}
		text, err := Source(name, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, want := range []string{"void main()", "local_size_x", "uniform uint mwFirst;"} {
			if n := strings.Count(text, want); n == 0 || n > 1 && want != "local_size_x" {
				t.Errorf("%s holds %q %d times", name, want, n)
			}
		}
		for _, stray := range []string{"gl_GlobalInvocationID", "gl_NumWorkGroups", "gl_WorkGroupID"} {
			if strings.Contains(string(raw), stray) {
				t.Errorf("%s uses %s, which counts from the start of a slice: see prelude.glsl", name, stray)
			}
		}
	}
}

// TestNoReservedWords looks for names that GLSL 4.30 keeps (section 3.6) and some compilers let pass.
func TestNoReservedWords(t *testing.T) {
	reserved := regexp.MustCompile(`\b(common|partition|active|asm|class|union|enum|typedef|template|this|resource|goto|` +
		`inline|noinline|public|static|extern|external|interface|long|short|half|fixed|unsigned|superp|input|output|` +
		`[hf]vec[234]|filter|sizeof|cast|namespace|using|patch|sample|subroutine|smooth|flat|centroid|noperspective)\b`)
	comment := regexp.MustCompile(`//[^\n]*|(?s:/\*.*?\*/)`)
	for _, name := range Names() {
		text, err := Source(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(comment.ReplaceAllString(text, ""), "\n") {
			if word := reserved.FindString(line); word != "" {
				t.Errorf("%s, line %d with its includes: %q is reserved in %s", name, i+1, word, strings.TrimSpace(line))
			}
		}
	}
}

func TestExpand(t *testing.T) {
	from := fstest.MapFS{
		"a.comp":   {Data: []byte("#version 430\n#include \"b.glsl\"\n#include \"c.glsl\"\nlast\n")},
		"b.glsl":   {Data: []byte("of b\n#include \"c.glsl\"\n")},
		"c.glsl":   {Data: []byte("of c\n#include \"a.comp\"\n")},
		"bad.comp": {Data: []byte("one\n#include \"missing.glsl\"\n")},
	}
	got, err := Expand(from, "a.comp", []string{"ONE", "TWO 2"})
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{
		"#version 430", "#define ONE", "#define TWO 2", "//@ a.comp 1", "", "//@ b.glsl 1", "of b", "//@ c.glsl 1",
		"of c", "//@ c.glsl 3", "//@ b.glsl 3", "//@ a.comp 3", "//@ a.comp 4", "last", "",
	}, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if _, err := Expand(from, "bad.comp", nil); err == nil || !strings.Contains(err.Error(), "bad.comp:2") {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := Source("none.comp", nil); err == nil {
		t.Error("a shader that is not there: no error")
	}
}
