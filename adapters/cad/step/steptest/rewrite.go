package steptest

import (
	"fmt"
	"math/rand"
	"strconv"
	"strings"
)

// File is a STEP text split into instances, to write it again in another form.
type File struct {
	Head, Tail string // up to the first instance, and from ENDSEC on
	Instances  []Instance
}

// Instance is one line of the data section: everything between "#ID=" and ";".
type Instance struct {
	ID   int64
	Body string
}

// Parse splits a text into instances. It handles strings, comments, which it drops, and one data section.
func Parse(text string) *File {
	f := &File{}
	at := strings.Index(text, "DATA;")
	if at < 0 {
		return f
	}
	at += len("DATA;")
	f.Head = text[:at]
	for {
		statement, next := cut(text, at)
		if next < 0 || !strings.HasPrefix(statement, "#") {
			f.Tail = text[at:]
			return f
		}
		id, body, _ := strings.Cut(statement[1:], "=")
		n, _ := strconv.ParseInt(strings.TrimSpace(id), 10, 64)
		f.Instances = append(f.Instances, Instance{n, strings.TrimSpace(body)})
		at = next
	}
}

// cut returns the statement at an offset without comments, and the offset after its ';', or -1 without a statement.
func cut(text string, at int) (statement string, next int) {
	var b strings.Builder
	inText := false
	for i := at; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\'':
			inText = !inText
		case inText:
		case c == ';':
			return strings.TrimSpace(b.String()), i + 1
		case c == '/' && i+1 < len(text) && text[i+1] == '*':
			end := strings.Index(text[i+2:], "*/")
			if end < 0 {
				return "", -1
			}
			i += end + 3
			continue
		case c == '\r' || c == '\n':
			c = ' '
		}
		b.WriteByte(c)
	}
	return "", -1
}

// String writes the text again, an instance a line.
func (f *File) String() string {
	var b strings.Builder
	b.WriteString(f.Head + "\n")
	for _, in := range f.Instances {
		fmt.Fprintf(&b, "#%d=%s;\n", in.ID, in.Body)
	}
	return b.String() + strings.TrimLeft(f.Tail, " \r\n")
}

// Each replaces the body of every instance. name is the name of its entity, or "" for a complex instance.
func (f *File) Each(replace func(name, body string) string) {
	for i := range f.Instances {
		in := &f.Instances[i]
		name, _, _ := strings.Cut(in.Body, "(")
		in.Body = replace(strings.TrimSpace(name), in.Body)
	}
}

// Add appends an instance and returns its name. Arguments are formatted with %v.
func (f *File) Add(format string, args ...any) string {
	id := int64(0)
	for _, in := range f.Instances {
		id = max(id, in.ID)
	}
	f.Instances = append(f.Instances, Instance{id + 1, fmt.Sprintf(format, args...)})
	return fmt.Sprintf("#%d", id+1)
}

// Renumber gives every instance a new number.
func (f *File) Renumber(number func(old int64) int64) {
	for i := range f.Instances {
		in := &f.Instances[i]
		in.ID = number(in.ID)
		in.Body = outside(in.Body, func(s string) string {
			var b strings.Builder
			for {
				at := strings.IndexByte(s, '#')
				if at < 0 {
					return b.String() + s
				}
				end := at + 1
				for end < len(s) && s[end] >= '0' && s[end] <= '9' {
					end++
				}
				old, _ := strconv.ParseInt(s[at+1:end], 10, 64)
				fmt.Fprintf(&b, "%s#%d", s[:at], number(old))
				s = s[end:]
			}
		})
	}
}

// Shuffle puts the instances in another order.
func (f *File) Shuffle(r *rand.Rand) {
	r.Shuffle(len(f.Instances), func(i, j int) {
		f.Instances[i], f.Instances[j] = f.Instances[j], f.Instances[i]
	})
}

// Lower writes names and enumerations in small letters.
func (f *File) Lower() {
	f.Each(func(_, body string) string { return outside(body, strings.ToLower) })
}

// Wrap breaks lines behind commas and puts blanks and comments there, with the given end of lines.
func (f *File) Wrap(r *rand.Rand, newline string) string {
	fillers := []string{"", " ", newline, newline + "\t", "/* c;'#1=( */", newline + "/**/ ", "  "}
	f.Each(func(_, body string) string {
		return outside(body, func(s string) string {
			var b strings.Builder
			for _, c := range []byte(s) {
				if c == ')' {
					b.WriteString(fillers[r.Intn(len(fillers))])
				}
				b.WriteByte(c)
				if c == ',' || c == '(' {
					b.WriteString(fillers[r.Intn(len(fillers))])
				}
			}
			return b.String()
		})
	})
	return strings.ReplaceAll(f.String(), "\n", newline)
}

// outside replaces the parts of a body that are not in quotes.
func outside(body string, replace func(string) string) string {
	parts := strings.Split(body, "'")
	for i := 0; i < len(parts); i += 2 {
		parts[i] = replace(parts[i])
	}
	return strings.Join(parts, "'")
}

// Numbers replaces the numbers of a body: the numbers outside quotes that follow '(' or ','.
func Numbers(body string, replace func(ordinal int, x float64) float64) string {
	n := 0
	return outside(body, func(s string) string {
		var b strings.Builder
		for i := 0; i < len(s); {
			end := i
			for end < len(s) && strings.IndexByte("+-.0123456789Ee", s[end]) >= 0 {
				end++
			}
			x, err := strconv.ParseFloat(s[i:end], 64)
			if end == i || err != nil || i > 0 && strings.IndexByte("(, ", s[i-1]) < 0 {
				b.WriteByte(s[i])
				i++
				continue
			}
			out := strconv.FormatFloat(replace(n, x), 'E', -1, 64)
			if !strings.Contains(out, ".") {
				out = strings.Replace(out, "E", ".E", 1)
			}
			b.WriteString(out)
			n++
			i = end
		}
		return b.String()
	})
}
