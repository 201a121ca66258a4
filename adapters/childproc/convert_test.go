package childproc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/record"
)

// upper is a converter to upper case. The format selects its failures.
type upper struct{ dir string }

func (u *upper) Convert(ctx context.Context, dir string, in io.Reader, format, suffix string, out io.Writer) error {
	u.dir = dir
	switch format {
	case "fault":
		return fault.Errorf(fault.ConverterUnavailable, "No licence.")
	case "error":
		return errors.New("it broke")
	case "full":
		return fmt.Errorf("%w: no room", record.ErrUnavailable)
	case "slow":
		<-ctx.Done()
		return ctx.Err()
	}
	text, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, strings.ToUpper(string(text))+suffix)
	return err
}

// TestConvert checks conversions that the child requests.
func TestConvert(t *testing.T) {
	for _, row := range []struct {
		name   string
		wants  string // of the answer, or of the error
		judges func(error) bool
	}{
		{"convert good", "A PART.prt", func(err error) bool { return err == nil }},
		{"convert fault", "No licence.", func(err error) bool {
			var f *fault.Error
			return errors.As(err, &f) && f.Code == fault.ConverterUnavailable
		}},
		{"convert error", "it broke", func(err error) bool { return !errors.Is(err, record.ErrUnavailable) }},
		{"convert full", "no room", func(err error) bool { return errors.Is(err, record.ErrUnavailable) }},
	} {
		u := &upper{}
		var got string
		_, err := run(t, Options{Converter: u}, row.name, func(p pipeline.Progress) { got = p.Doing })
		if err != nil {
			got = err.Error()
		}
		if !row.judges(err) || !strings.Contains(got, row.wants) {
			t.Errorf("%s: %q, %v; want %q", row.name, got, err, row.wants)
		}
		if _, err := os.Stat(u.dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: the folder of the converter: %v, want it removed", row.name, err)
		}
	}
	if _, err := run(t, Options{}, "convert good", nil); err == nil || !strings.Contains(err.Error(), "no converter") {
		t.Errorf("without a converter: %v", err)
	}
}

// TestCancelEndsAConversion ends a run while its child waits for a converter.
func TestCancelEndsAConversion(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	space := open(t, Options{Converter: &upper{}})
	_, err := space.Make(ctx, pipeline.Params{FileName: "convert slow"}, nil, func(pipeline.Progress) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}
