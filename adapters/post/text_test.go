package post_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/post"
)

// hostile are names of files and tools that a control, or a program that sends to it, could take for more than text.
var hostile = []string{
	"MSG, hello", "LOGOPEN,/tmp/x", "logappend,/tmp/x", "LOG,x", "LOGCLOSE", "PROBEOPEN x", "PROBECLOSE", "ABORT,now",
	"PRINT,#5220", "DEBUG,#1", "py,import os", "PYRUN,x", "PYRELOAD", " MSG,blank first", strings.Repeat("MSG, a ", 40),
	`MSG("halt")`, `"; M30 ; "`, "'; M30", "SETAL(65000)", "$TC_DP3[3,1]=0", ";*RO*", "%_N_OTHER_MPF",
	"a) G0 Z-100 (b", ")", "((", "a\nG0 Z-100", "a\r\nM3 S20000", "\rG0 Z-100", "a\x00\x1b[2J", "%", "a % O9999",
	":1234", "O1234",
	"POPEN", "DPRNT[X]", "#100=5", "[#1]", "GOTO 1", "/1 G0 Z-9", "N10 G0 Z-9",
	"; L Z-100", "~", "name ~", "a ~\nL Z-100", "CALL PGM X", "END PGM X MM", "[END]", "STOP M30",
	"$RST=*", "$X", "!", "?", "a!b?c~d", "\x18", "a\x85b", "{X}{F!}", "{name}", "{T:90}",
	"Träger → ∞", "a\u2028G0 Z-5", "\u202eG0", "\xff\xfe", "", " ", strings.Repeat("long", 100),
}

// places visits every string of a value, in fields of any name.
func places(v reflect.Value, visit func(reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer:
		places(v.Elem(), visit)
	case reflect.Struct:
		for i := range v.NumField() {
			places(v.Field(i), visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			places(v.Index(i), visit)
		}
	case reflect.String:
		visit(v)
	}
}

// each gives every place of a value every hostile text, one at a time.
func each(value any, check func(what string)) {
	n := 0
	places(reflect.ValueOf(value), func(p reflect.Value) {
		before := p.String()
		n++
		for _, text := range hostile {
			p.SetString(text)
			check(fmt.Sprintf("%q in text %d", text, n))
		}
		p.SetString(before)
	})
}

var (
	harmless = regexp.MustCompile(`^(PART|STOCK|HOLD|TOOL|OPERATION|\.\.\.|T[0-9]+)( [A-Z0-9+./-]+)*$`)
	own      = regexp.MustCompile(`^(LOAD T[0-9]+ AND SET Z|DATUM NUMBER|TOOL OFFSETS\. MEASURE BEFORE USE)$`)
	named    = regexp.MustCompile(`^((BEGIN|END) PGM )[A-Z0-9][A-Z0-9-]{0,25} MM$|^(\$TC_TP2\[[0-9]+\]=)"[A-Z0-9+./ -]{0,32}"$`)
)

// obeyed returns the part of a text that a control executes, by line. It fails on comments that a control may execute.
func obeyed(t *testing.T, d *post.Dialect, what, text string) (lines []string) {
	t.Helper()
	number := 0
	for line := range strings.Lines(text) {
		code, noted, is := strings.Cut(strings.TrimSuffix(line, "\n"), strings.TrimSpace(d.Comment[0]))
		if end := strings.TrimSpace(d.Comment[1]); is && end != "" {
			inside, after, ends := strings.Cut(noted, end)
			if noted = inside; !ends || after != "" {
				t.Fatalf("%s, %s: the comment does not end with its line: %q", d.Name, what, line)
			}
		}
		if noted = strings.TrimSpace(noted); is && !harmless.MatchString(noted) && !own.MatchString(noted) {
			t.Fatalf("%s, %s: the comment %q", d.Name, what, noted)
		}
		if at := strings.IndexFunc(line, func(r rune) bool { return r != '\n' && (r < ' ' || r > '~') }); at >= 0 {
			t.Fatalf("%s, %s: letter %d of %q", d.Name, what, at, line)
		}
		if d.LineNumbers && (len(lines) == 0 || !strings.HasSuffix(lines[len(lines)-1], "~")) {
			first, rest, _ := strings.Cut(code, " ")
			if n, err := strconv.Atoi(first); err != nil || n != number {
				t.Fatalf("%s, %s: line %d is numbered in %q", d.Name, what, number, line)
			}
			code = rest
			number++
		}
		if code = named.ReplaceAllString(strings.TrimSpace(code), "$1$3"); code != "" {
			lines = append(lines, code)
		}
	}
	return lines
}

func TestTextsCannotInjectCode(t *testing.T) {
	for _, d := range post.Dialects {
		t.Run(d.Name, func(t *testing.T) {
			p := program()
			write := func(what string) []string {
				text, err := post.Write(d, p)
				if err != nil {
					t.Fatal(err)
				}
				if d.Name == "grbl" && strings.ContainsAny(text, "!?~$%") {
					t.Fatalf("%s: GRBL takes a command out of\n%s", what, text)
				}
				return obeyed(t, d, what, text)
			}
			want := write("as it is")
			if len(want) < 20 {
				t.Fatalf("of the program only %q is run", want)
			}
			each(p, func(what string) {
				if got := write(what); !slices.Equal(got, want) {
					t.Fatalf("%s: a control runs\n%s\nwant\n%s", what, strings.Join(got, "\n"),
						strings.Join(want, "\n"))
				}
			})
		})
	}
}

func TestToolTableTextsCannotInjectCode(t *testing.T) {
	for _, d := range post.Dialects {
		t.Run(d.Name, func(t *testing.T) {
			tools := program().Tools
			plain := *d // the table has no line numbers; LinuxCNC's has other comments
			plain.LineNumbers = false
			if d.Name == "linuxcnc" {
				plain.Comment = [2]string{";", ""}
			}
			table := func() string {
				_, text := post.Tools(d, tools)
				return text
			}
			lines := strings.Count(table(), "\n")
			each(&tools, func(what string) {
				text := table()
				if n := strings.Count(text, "\n"); n != lines {
					t.Fatalf("%s: %d lines, want %d:\n%s", what, n, lines, text)
				}
				if d.Name == "linuxcnc" || d.Name == "heidenhain" { // columns, which nobody runs
					if strings.Trim(text, " .+-/;\n[]ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "" {
						t.Fatalf("%s:\n%s", what, text)
					}
					return
				}
				obeyed(t, &plain, what, text)
			})
		})
	}
}

// TestLinuxCNCIgnoresTexts runs the interpreter of LinuxCNC, which executes some comments.
func TestLinuxCNCIgnoresTexts(t *testing.T) {
	const interpreter = "rs274"
	if _, err := exec.LookPath(interpreter); err != nil {
		t.Skipf("SKIPPED: %s, of Debian's package linuxcnc-uspace, is not installed", interpreter)
	}
	dir := t.TempDir()
	tools, file := filepath.Join(dir, "tool.tbl"), filepath.Join(dir, "part.ngc")
	calls := func(what string, p *post.Program) (names []string) {
		_, table := post.Tools(post.ByName("linuxcnc"), p.Tools)
		text, err := post.Write(post.ByName("linuxcnc"), p)
		if err != nil {
			t.Fatal(err)
		}
		for name, data := range map[string]string{tools: table, file: text} {
			if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		out, err := exec.CommandContext(t.Context(), interpreter, "-g", "-t", tools, file).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v:\n%s\n%s", what, err, out, text)
		}
		for line := range strings.Lines(string(out)) {
			_, does, _ := strings.Cut(line, " N..... ")
			if !strings.HasPrefix(does, "COMMENT(") {
				names = append(names, strings.TrimSpace(does))
			}
		}
		return names
	}
	p := program()
	want := calls("as it is", p)
	if len(want) < 20 || slices.ContainsFunc(want, func(s string) bool { return strings.HasPrefix(s, "MESSAGE") }) {
		t.Fatalf("the interpreter does %q", want)
	}
	for _, text := range hostile { // in all strings at once
		p := program()
		places(reflect.ValueOf(p), func(v reflect.Value) { v.SetString(text) })
		if got := calls(text, p); !slices.Equal(got, want) {
			t.Errorf("%q: LinuxCNC does\n%s\nwant\n%s", text, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
