package childproc

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"millwright.dev/millwright/adapters/disk"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/object"
)

// Workspace is a folder with a file for each artifact. Its creator locks it, so that another process can detect that
// the creator died.
type Workspace struct {
	Dir     string
	sandbox *Sandbox
	lock    *os.File
	child   *process // standby child; nil: not started
	linked  []string // files elsewhere that are to be read
}

var _ pipeline.Workspace = (*Workspace)(nil)

const folderPrefix = "run-"

// Open implements pipeline.Sandbox. First it removes the workspaces of processes that died.
func (s *Sandbox) Open() (pipeline.Workspace, error) {
	w, err := s.OpenFolder()
	if err != nil {
		return nil, disk.Explain(err)
	}
	return w, nil
}

// OpenFolder is Open for callers that use the folder itself. It returns the standby workspace if there is one.
func (s *Sandbox) OpenFolder() (*Workspace, error) {
	if w := s.standby.take(); w != nil {
		if _, err := os.Stat(w.Dir); err == nil && w.child.isAlive() {
			return w, nil
		}
		_ = w.Close() // there is nothing in it
	}
	return s.newFolder()
}

// newFolder makes a workspace.
func (s *Sandbox) newFolder() (*Workspace, error) {
	parent := s.options.Dir
	if parent != "" {
		alone, err := clearDead(parent)
		if err != nil {
			return nil, err
		}
		defer func() { _ = alone.Close() }() // which only ends the lock
	}
	dir, err := os.MkdirTemp(parent, folderPrefix)
	if err != nil {
		return nil, fmt.Errorf("make a workspace: %w", err)
	}
	lock, err := lockFolder(dir, 0)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lock a workspace: %w", err), os.RemoveAll(dir))
	}
	return &Workspace{Dir: dir, sandbox: s, lock: lock}, nil
}

// clearDead removes the workspaces of dead processes from their folder, and returns its lock. During the lock no other
// process creates or removes workspaces, so a workspace without a lock has lost its creator.
func clearDead(parent string) (*os.File, error) {
	alone, err := lockFolder(parent, 0)
	if err != nil {
		return nil, fmt.Errorf("lock the folder of workspaces: %w", err)
	}
	if err := sweep(parent); err != nil {
		return nil, errors.Join(fmt.Errorf("remove the workspace of a process that died: %w", err), alone.Close())
	}
	return alone, nil
}

// lockFolder takes the lock of a folder, which ends with the process or when the file is closed.
func lockFolder(dir string, flags int) (*os.File, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	for {
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|flags)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// sweep removes workspaces whose makers have died.
func sweep(parent string) error {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), folderPrefix) {
			continue
		}
		dir := filepath.Join(parent, e.Name())
		lock, err := lockFolder(dir, unix.LOCK_NB)
		switch {
		// its maker lives, or has just removed it
		case errors.Is(err, unix.EWOULDBLOCK), errors.Is(err, os.ErrNotExist):
			continue
		case err != nil:
			return err
		}
		if err := errors.Join(os.RemoveAll(dir), lock.Close()); err != nil {
			return err
		}
	}
	return nil
}

// Put implements pipeline.Workspace.
func (w *Workspace) Put(ctx context.Context, n pipeline.Name, r io.Reader) error {
	_, err := folder(w.Dir).Write(n, func(to io.Writer) error {
		_, err := io.Copy(to, object.Cancellable(ctx, r))
		return err
	})
	return err
}

// Link puts a file that is on this disk already, without a copy.
func (w *Workspace) Link(n pipeline.Name, file string) error {
	file, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	w.linked = append(w.linked, file)
	return os.Symlink(file, w.Path(n))
}

// Path is the file of an artifact.
func (w *Workspace) Path(n pipeline.Name) string { return folder(w.Dir).path(n) }

// Get implements pipeline.Workspace.
func (w *Workspace) Get(n pipeline.Name) (io.ReadCloser, error) { return os.Open(w.Path(n)) }

// Close implements pipeline.Workspace.
func (w *Workspace) Close() error {
	if w.child != nil {
		w.child.end()
		w.child = nil
	}
	return errors.Join(os.RemoveAll(w.Dir), w.lock.Close())
}

// folder is the files of a workspace; it implements pipeline.Files.
type folder string

func (d folder) path(n pipeline.Name) string { return filepath.Join(string(d), string(n)) }

type file struct {
	*os.File
	size int64
}

func (f file) Size() int64 { return f.size }

// Open implements pipeline.Files.
func (d folder) Open(n pipeline.Name) (pipeline.File, error) {
	f, err := os.Open(d.path(n))
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return file{f, info.Size()}, nil
}

// Write implements pipeline.Files.
func (d folder) Write(n pipeline.Name, write func(io.Writer) error) (size int64, err error) {
	const unfinished = ".unfinished"
	path := d.path(n)
	f, err := os.OpenFile(path+unfinished, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, disk.Explain(err)
	}
	buffered := bufio.NewWriterSize(f, 1<<16)
	err = write(buffered)
	if err == nil {
		err = buffered.Flush()
	}
	if err == nil {
		size, err = f.Seek(0, io.SeekCurrent)
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return 0, disk.Explain(errors.Join(err, os.Remove(path+unfinished)))
	}
	return size, os.Rename(path+unfinished, path)
}
