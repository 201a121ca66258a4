package app

import (
	"errors"
	"fmt"

	"millwright.dev/millwright/adapters/export/gcode"
	"millwright.dev/millwright/adapters/post"
	"millwright.dev/millwright/core/service/program"
)

// dialects prints setups in all dialects of the posts.
type dialects struct{}

var _ program.Post = dialects{}

// Extension implements program.Post.
func (dialects) Extension(dialect string) string {
	if d := post.ByName(dialect); d != nil {
		return d.Extension
	}
	return ""
}

// Write implements program.Post.
func (d dialects) Write(dialect string, s program.Setup) (string, error) {
	text, _, err := d.WriteLines(dialect, s)
	return text, err
}

// WriteLines implements program.Post.
func (dialects) WriteLines(dialect string, s program.Setup) (string, [][]int, error) {
	d := post.ByName(dialect)
	if d == nil {
		return "", nil, fmt.Errorf("there is no dialect %s", dialect)
	}
	text, lines, err := gcode.SetupLines(d, s.Title, &s.Plan.Plan, s.Paths, s.Index)
	if errors.Is(err, post.ErrCannot) {
		err = fmt.Errorf("%w: %w", program.ErrCannotPost, err)
	}
	return text, lines, err
}
