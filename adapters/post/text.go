package post

import (
	"fmt"
	"strings"
)

// Texts come from anyone who names files and tools. Controls, and the programs that send to them, interpret some
// comments: LinuxCNC executes a comment whose first word ends in a comma, GRBL acts on ! ? ~ in any line, and a % ends
// a transfer to a Fanuc control. So the writer chooses the first word of each comment, and only letters, digits, spaces
// and + - . / follow it.

// about is the first word of a comment.
type about string

const (
	aboutPart      about = "PART"
	aboutStock     about = "STOCK"
	aboutHold      about = "HOLD"
	aboutTool      about = "TOOL"
	aboutOperation about = "OPERATION"
	aboutSame      about = "..." // continues the comment before
)

// comment writes lines for the operator, or no line if the text is empty.
func (w *writer) comment(first about, text string) {
	const (
		// LinuxCNC takes lines of 255, GRBL of 80, old Fanuc controls far shorter ones
		longest  = 70
		longword = longest - len(aboutOperation) - len(" ") // so that one word fits every line
	)
	words := strings.Fields(letters(text))
	if len(words) == 0 {
		return
	}
	line := string(first)
	end := func() { w.block(w.dialect.Comment[0]+line+w.dialect.Comment[1], nil) }
	for _, word := range words {
		word = " " + word[:min(len(word), longword)]
		if len(line)+len(word) > longest {
			end()
			line = string(aboutSame)
		}
		line += word
	}
	end()
}

// letters returns a text in characters that every control can read and none executes.
func letters(text string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("+-./", r):
			return r
		case r == '⌀':
			return 'D'
		case r == '×':
			return 'X'
		case r == '−': // minus sign of a direction; without it the direction would be inverted
			return '-'
		case r == ',' || r == ';':
			return '.'
		case r == '"':
			return -1
		}
		return ' '
	}, text)
	return strings.ToUpper(strings.Join(strings.Fields(clean), " "))
}

// programName returns the name of a setup's program on a control: letters, digits and dashes.
func programName(part string, setup int) string {
	const longest = 20
	clean := strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, letters(part))
	clean = strings.Trim(clean[:min(len(clean), longest)], "-")
	if clean == "" {
		clean = "PART"
	}
	return fmt.Sprintf("%s-%d", clean, setup)
}
