// Package local stores objects as files in one folder. Its HTTP handler serves them at signed addresses. It is the
// embedded equivalent of an S3 bucket.
//
// The folder contains data/<bucket>/<key>, tmp/ for uploads in progress, and the secret that signs addresses. An object
// is written to tmp/, synced, and renamed into place, so no reader sees a partial object, even after a crash. All
// access goes through os.Root: no name and no link leaves the folder.
package local

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"strings"
	"time"

	"millwright.dev/millwright/adapters/disk"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/record"
)

var _ object.Store = (*Objects)(nil)

const (
	dataDir    = "data"
	tmpDir     = "tmp"
	secretFile = "secret"
	secretSize = 32 // bytes

	// abandoned is the age at which a file in tmp/ belongs to no living upload.
	abandoned = 24 * time.Hour

	copyBuffer = 256 << 10 // bytes of memory per transfer, independent of the object's size
)

// Options are the settings of Open.
type Options struct {
	Dir string // created when missing
	// BaseURL is the public address of Handler, for example http://127.0.0.1:8080/objects. Signed addresses begin with
	// it, and Handler is mounted at its path.
	BaseURL string
	// MountPath is the path at which Handler receives requests; "" is the path of BaseURL. The two differ behind a
	// proxy that removes a prefix.
	MountPath string
	// ServiceURL is the address of the service below which the types of problems are named; "" is the
	// host of BaseURL.
	ServiceURL string
	Clock      record.Clock // nil: the wall clock
}

// Objects is object.Store in a folder. Several processes may share the folder.
type Objects struct {
	root    *os.Root
	base    *url.URL
	mount   string // path of the handler, without a trailing slash
	service string // address of the service, without a trailing slash
	clock   record.Clock
	secret  []byte
}

// Open opens or creates the folder.
func Open(o Options) (*Objects, error) {
	base, err := url.Parse(strings.TrimSuffix(o.BaseURL, "/"))
	if err != nil || base.Scheme == "" || base.Host == "" || base.RawQuery != "" {
		return nil, fmt.Errorf("objects: BaseURL %q is not an absolute address", o.BaseURL)
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("objects: %w", err)
	}
	root, err := os.OpenRoot(o.Dir)
	if err != nil {
		return nil, fmt.Errorf("objects: %w", err)
	}
	s := &Objects{root: root, base: base, service: strings.TrimSuffix(o.ServiceURL, "/"), clock: o.Clock}
	s.mount = strings.TrimSuffix(o.MountPath, "/")
	if s.mount == "" {
		s.mount = base.Path
	}
	if s.service == "" {
		s.service = base.Scheme + "://" + base.Host
	}
	if s.clock == nil {
		s.clock = record.SystemClock{}
	}
	if err := s.prepare(); err != nil {
		return nil, errors.Join(fmt.Errorf("objects: %w", err), root.Close())
	}
	return s, nil
}

// Close releases the folder.
func (s *Objects) Close() error { return s.root.Close() }

func (s *Objects) prepare() error {
	for _, dir := range []string{dataDir, tmpDir} {
		if err := s.makeFolder(dir); err != nil {
			return err
		}
	}
	if err := s.removeAbandoned(); err != nil {
		return err
	}
	var err error
	s.secret, err = s.loadSecret()
	return err
}

// removeAbandoned deletes temporary files of uploads that a crash interrupted.
func (s *Objects) removeAbandoned() error {
	entries, err := fs.ReadDir(s.root.FS(), tmpDir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue // finished in this moment by another process
		}
		if s.clock.Now().Sub(info.ModTime()) > abandoned {
			err := s.root.Remove(path.Join(tmpDir, e.Name()))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

// loadSecret reads the signing secret and creates it on first use. A complete file is linked into place, so two
// processes that start at once end with the same secret.
func (s *Objects) loadSecret() ([]byte, error) {
	secret, err := s.root.ReadFile(secretFile)
	if errors.Is(err, fs.ErrNotExist) {
		fresh := make([]byte, secretSize)
		if _, err := rand.Read(fresh); err != nil {
			return nil, err
		}
		tmp, err := s.writeTemp(context.Background(), strings.NewReader(string(fresh)))
		if err != nil {
			return nil, err
		}
		err = s.root.Link(tmp, secretFile)
		_ = s.root.Remove(tmp) // worst case: an extra file that the next start removes
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		if err := s.sync("."); err != nil {
			return nil, err
		}
		secret, err = s.root.ReadFile(secretFile)
		if err != nil {
			return nil, err
		}
	} else if err != nil {
		return nil, err
	}
	if len(secret) != secretSize {
		return nil, fmt.Errorf("%s has %d bytes, want %d", secretFile, len(secret), secretSize)
	}
	return secret, nil
}

// Head implements object.Store.
func (s *Objects) Head(_ context.Context, ref object.Ref) (object.Info, error) {
	name, err := fileOf(ref)
	if err != nil {
		return object.Info{}, err
	}
	info, err := s.root.Stat(name)
	if err != nil {
		return object.Info{}, absent(err)
	}
	if !info.Mode().IsRegular() {
		return object.Info{}, object.ErrNotFound
	}
	return object.Info{Size: info.Size(), Modified: info.ModTime()}, nil
}

// Get implements object.Store.
func (s *Objects) Get(_ context.Context, ref object.Ref) (io.ReadCloser, object.Info, error) {
	f, info, err := s.open(ref)
	if err != nil {
		return nil, object.Info{}, err
	}
	return f, object.Info{Size: info.Size(), Modified: info.ModTime()}, nil
}

func (s *Objects) open(ref object.Ref) (*os.File, fs.FileInfo, error) {
	name, err := fileOf(ref)
	if err != nil {
		return nil, nil, err
	}
	f, err := s.root.Open(name)
	if err != nil {
		return nil, nil, absent(err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = object.ErrNotFound
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}

// Put implements object.Store.
func (s *Objects) Put(ctx context.Context, ref object.Ref, r io.Reader) error {
	name, err := fileOf(ref)
	if err != nil {
		return err
	}
	tmp, err := s.writeTemp(ctx, r)
	if err != nil {
		return err
	}
	if err := s.place(tmp, name); err != nil {
		return errors.Join(fmt.Errorf("put %s: %w", ref.Key, err), s.root.Remove(tmp))
	}
	return nil
}

// place renames a complete file to its name and makes that last.
func (s *Objects) place(tmp, name string) error {
	if err := s.makeFolder(path.Dir(name)); err != nil {
		return err
	}
	if err := s.root.Rename(tmp, name); err != nil {
		return disk.Explain(err)
	}
	return s.sync(path.Dir(name))
}

// writeTemp copies r into a new synced file in tmp/ and returns its name; after an error no file stays.
func (s *Objects) writeTemp(ctx context.Context, r io.Reader) (string, error) {
	var id [16]byte
	if _, err := rand.Read(id[:]); err != nil {
		return "", err
	}
	name := path.Join(tmpDir, hex.EncodeToString(id[:]))
	f, err := s.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return "", disk.Explain(err)
	}
	_, err = io.CopyBuffer(writerOnly{f}, object.Cancellable(ctx, r), make([]byte, copyBuffer))
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", disk.Explain(errors.Join(err, s.root.Remove(name)))
	}
	return name, nil
}

// Delete implements object.Store.
func (s *Objects) Delete(_ context.Context, ref object.Ref) error {
	name, err := fileOf(ref)
	if err != nil {
		return err
	}
	if err := s.root.Remove(name); err != nil && !errors.Is(absent(err), object.ErrNotFound) {
		return err
	}
	return nil
}

// makeFolder creates a folder and its missing parents. Each new folder is synced into its parent, so that a power cut
// cannot remove a folder of an object that was reported as stored.
func (s *Objects) makeFolder(dir string) error {
	if dir == "." {
		return nil
	}
	if _, err := s.root.Stat(dir); err == nil {
		return nil
	}
	if err := s.makeFolder(path.Dir(dir)); err != nil {
		return err
	}
	if err := s.root.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return disk.Explain(err)
	}
	return s.sync(path.Dir(dir))
}

func (s *Objects) sync(dir string) error {
	f, err := s.root.Open(dir)
	if err != nil {
		return err
	}
	return disk.Explain(errors.Join(f.Sync(), f.Close()))
}

// writerOnly hides ReadFrom, which would bypass the copy buffer and the check for cancellation.
type writerOnly struct{ io.Writer }
