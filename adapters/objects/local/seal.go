package local

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"

	"millwright.dev/millwright/adapters/disk"
	"millwright.dev/millwright/core/service/object"
)

// errClosed refuses an upload that was sealed before it ended.
var errClosed = errors.New("the upload was completed")

// Seal implements object.Store. A file in data/ is never written to, only replaced by another one, so
// a second name for it is the copy; giving it that name is the one moment at which the upload is
// closed, and fails when the name is taken.
func (s *Objects) Seal(ctx context.Context, from, to object.Ref, maxBytes int64,
) (object.Info, error) {
	if from == to {
		return object.Info{}, errors.New("objects: an upload cannot be sealed in its own place")
	}
	upload, err := s.Head(ctx, from)
	if err == nil && upload.Size > maxBytes {
		return object.Info{}, object.ErrTooLarge
	}
	if err == nil {
		err = s.link(from, to)
	}
	if err != nil && !errors.Is(err, object.ErrNotFound) {
		return object.Info{}, err
	}
	sealed, err := s.Head(ctx, to) // without an upload too: it may be sealed already
	if err != nil {
		return object.Info{}, err
	}
	if sealed.Size > maxBytes { // a longer upload replaced the one that was measured
		return object.Info{}, object.ErrTooLarge
	}
	return sealed, s.Delete(ctx, from)
}

// link gives the file of from the second name to and makes that last; a name that is taken stays.
func (s *Objects) link(from, to object.Ref) error {
	oldName, err := fileOf(from)
	if err != nil {
		return err
	}
	newName, err := fileOf(to)
	if err != nil {
		return err
	}
	if err := s.makeFolder(path.Dir(newName)); err != nil {
		return err
	}
	if err := s.root.Link(oldName, newName); err != nil && !errors.Is(err, fs.ErrExist) {
		return disk.Explain(absent(err))
	}
	return s.sync(path.Dir(newName))
}

// upload is Put for an address that closes once an object is at sealed. An upload that is overtaken by
// its sealing is refused exactly when its bytes are not the sealed ones.
func (s *Objects) upload(ctx context.Context, ref, sealed object.Ref, r io.Reader) error {
	if sealed.Key == "" {
		return s.Put(ctx, ref, r)
	}
	switch _, err := s.Head(ctx, sealed); {
	case err == nil:
		return errClosed
	case !errors.Is(err, object.ErrNotFound):
		return err
	}
	name, err := fileOf(ref)
	if err != nil {
		return err
	}
	tmp, err := s.writeTemp(ctx, r)
	if err != nil {
		return err
	}
	mine, err := s.root.Stat(tmp)
	if err == nil {
		err = s.place(tmp, name)
	}
	if err != nil {
		return errors.Join(err, s.root.Remove(tmp))
	}
	return s.stillOpen(ctx, ref, sealed, mine)
}

// stillOpen checks after an upload, whose file is mine, that no other upload was sealed.
func (s *Objects) stillOpen(ctx context.Context, ref, sealed object.Ref, mine fs.FileInfo) error {
	name, err := fileOf(sealed)
	if err != nil {
		return err
	}
	info, err := s.root.Stat(name)
	if err != nil {
		if errors.Is(absent(err), object.ErrNotFound) {
			return nil
		}
		return err
	}
	if os.SameFile(info, mine) {
		return nil
	}
	return errors.Join(errClosed, s.Delete(ctx, ref))
}
