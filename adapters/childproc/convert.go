package childproc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"

	"millwright.dev/millwright/adapters/disk"
)

// convert is the child's side of a conversion: it writes the file to the workspace, requests the conversion and reads
// the result.
func (d folder) convert(
	ctx context.Context, src io.Reader, what conversion, ask func(conversion) error, replies <-chan message,
) ([]byte, error) {
	_, err := d.Write(toConvert, func(w io.Writer) error {
		_, err := io.Copy(w, src)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("leave the file for the converter: %w", err)
	}
	if err := ask(what); err != nil {
		return nil, fmt.Errorf("ask for a conversion: %w", err)
	}
	select {
	case m := <-replies:
		if err := m.failure("convert"); err != nil {
			return nil, err
		}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return os.ReadFile(d.path(converted))
}

// convert is the parent's side. The converter works in a separate folder that the child cannot access.
func (w *Workspace) convert(ctx context.Context, what conversion) (err error) {
	converter := w.sandbox.options.Converter
	if converter == nil {
		return errors.New("there is no converter")
	}
	// The child may have been taken over: only a plain file is taken from it.
	in, err := os.OpenFile(w.Path(toConvert), os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	space, err := w.sandbox.newFolder()
	if err != nil {
		return disk.Explain(err)
	}
	defer func() { err = errors.Join(err, space.Close()) }()
	_, err = folder(w.Dir).Write(converted, func(out io.Writer) error {
		return converter.Convert(ctx, space.Dir, in, what.Format, what.Suffix, out)
	})
	return disk.Explain(err)
}
