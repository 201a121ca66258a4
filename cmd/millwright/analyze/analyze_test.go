package analyze

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
)

// failing is a workspace in which everything fails.
type failing struct {
	pipeline.Workspace
	err error
}

func (f failing) Make(_ context.Context, _ pipeline.Params, _ []pipeline.Name, tell func(pipeline.Progress)) (pipeline.Run, error) {
	tell(pipeline.Progress{Doing: "reading", Format: "step"})
	return pipeline.Run{}, f.err
}
func (failing) Link(pipeline.Name, string) error { return nil }
func (failing) Path(pipeline.Name) string        { return "" }
func (failing) Close() error                     { return nil }

func TestCrashIsLoggedAndNotShown(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	file := filepath.Join(t.TempDir(), "part.step")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	own := &fault.Error{Code: fault.NoSolid, Reason: "No solid."}
	for _, c := range []struct {
		name   string
		err    error
		want   fault.Error
		logged bool
	}{
		{"crash", errors.New("exit status 2: panic: index out of range\n\ngoroutine 1 [running]:"), fault.Error{
			Code:   fault.KernelError,
			Reason: "The STEP file could not be processed because of a fault in Millwright (step: reading); the log says more.",
		}, true},
		{"the file's own failure", fmt.Errorf("read: %w", own), *own, false},
	} {
		for _, out := range []string{"", t.TempDir()} {
			log.Reset()
			got := (&Cmd{Out: out}).one(t.Context(), func() (workspace, error) { return failing{err: c.err}, nil }, file, func(pipeline.Progress) {})
			if got.Error == nil || *got.Error != c.want || got.Result != nil {
				t.Errorf("%s, into %q: %+v, want %+v", c.name, out, got.Error, c.want)
			}
			if logged := strings.Contains(log.String(), c.err.Error()[:20]); logged != c.logged {
				t.Errorf("%s, into %q: the log has %q", c.name, out, log.String())
			}
		}
	}
}
