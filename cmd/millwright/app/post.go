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
func (dialects) Write(dialect string, s program.Setup) (string, error) {
	d := post.ByName(dialect)
	if d == nil {
		return "", fmt.Errorf("there is no dialect %s", dialect)
	}
	text, err := gcode.Setup(d, s.Title, &s.Plan.Plan, s.Paths, s.Index)
	if errors.Is(err, post.ErrCannot) {
		err = fmt.Errorf("%w: %w", program.ErrCannotPost, err)
	}
	return text, err
}
