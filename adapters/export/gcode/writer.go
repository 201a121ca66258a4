package gcode

import (
	"errors"
	"fmt"

	"millwright.dev/millwright/adapters/post"
	"millwright.dev/millwright/core/service/program"
)

// Writer prints setups in all dialects.
type Writer struct{}

var _ program.Post = Writer{}

// Dialects implements program.Post.
func (Writer) Dialects() []string {
	var names []string
	for _, d := range post.Dialects {
		names = append(names, d.Name)
	}
	return names
}

// Extension implements program.Post.
func (Writer) Extension(dialect string) string {
	if d := post.ByName(dialect); d != nil {
		return d.Extension
	}
	return ""
}

// Write implements program.Post.
func (Writer) Write(dialect string, s program.Setup) (string, error) {
	d := post.ByName(dialect)
	if d == nil {
		return "", fmt.Errorf("there is no dialect %s", dialect)
	}
	text, err := Setup(d, s.Title, &s.Plan.Plan, s.Paths, s.Index)
	if errors.Is(err, post.ErrCannot) {
		err = fmt.Errorf("%w: %w", program.ErrCannotPost, err)
	}
	return text, err
}
