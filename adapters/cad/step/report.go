package step

import (
	"fmt"
	"strings"

	"millwright/adapters/cad/step/part21"
	"millwright/core/brep"
	"millwright/core/service"
)

// entity names an instance in messages: "#1234 ADVANCED_FACE".
func (d *document) entity(r part21.Ref) string {
	if r == part21.Missing {
		return "an entity that is not there"
	}
	return fmt.Sprintf("#%d %s", d.file.ID(r), d.file.Name(r))
}

// fail returns the failure that r cannot be used, with the reason as the rest of the sentence.
func (d *document) fail(r part21.Ref, format string, args ...any) error {
	return &service.Failure{Code: "unreadable_file",
		Reason: d.entity(r) + " " + fmt.Sprintf(format, args...) + "."}
}

// check returns the failure of reading the parameters of r, nil when there was none. Call it once, after
// the last parameter.
func (d *document) check(r part21.Ref, a *part21.Args) error {
	ordinal, absent := a.Problem()
	if ordinal == 0 && absent == 0 {
		return nil
	}
	if reason := d.file.Fault(r); reason != "" {
		return d.fail(r, "breaks the grammar of ISO 10303-21: %s", reason)
	}
	if absent != 0 {
		return d.fail(r, "refers to #%d, which is not in the file%s", absent, d.cutOff())
	}
	return d.fail(r, "has no usable value as parameter %d", ordinal)
}

// cutOff ends a sentence about something missing in a file that ends too early.
func (d *document) cutOff() string {
	if d.file.IsCutOff {
		return "; the file looks cut off"
	}
	return ""
}

// wrongType returns the failure that r is no such thing as wanted, "a curve" for example.
func (d *document) wrongType(r part21.Ref, wanted string) error {
	if r == part21.Missing {
		return &service.Failure{Code: "unreadable_file", Reason: "A reference to " + wanted + " is missing."}
	}
	if reason := d.file.Fault(r); reason != "" {
		return d.fail(r, "breaks the grammar of ISO 10303-21: %s", reason)
	}
	return d.fail(r, "is used as %s but is none that is supported", wanted)
}

// journal collects warnings: one for each code, with the first detail and a count.
type journal struct{ warnings []brep.Warning }

func (j *journal) warn(code string, count int, format string, args ...any) {
	if count <= 0 {
		return
	}
	for i := range j.warnings {
		if j.warnings[i].Code == code {
			j.warnings[i].Count += count
			return
		}
	}
	detail := fmt.Sprintf(format, args...)
	if !strings.HasSuffix(detail, ".") {
		detail += "."
	}
	j.warnings = append(j.warnings, brep.Warning{Code: code, Detail: detail, Count: count})
}

// hasWarning reports whether a warning with the code was given.
func (j *journal) hasWarning(code string) bool {
	for _, w := range j.warnings {
		if w.Code == code {
			return true
		}
	}
	return false
}
