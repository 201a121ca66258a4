package local

import (
	"errors"
	"io/fs"
	"path"
	"syscall"

	"millwright.dev/millwright/core/service/object"
)

// fileOf returns the file of an object below the root, or an error for an invalid name.
func fileOf(ref object.Ref) (string, error) {
	if err := ref.Validate(); err != nil {
		return "", err
	}
	return path.Join(dataDir, ref.Bucket, ref.Key), nil
}

// absent converts the file system's errors for a missing file into object.ErrNotFound.
func absent(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return object.ErrNotFound
	}
	return err
}
