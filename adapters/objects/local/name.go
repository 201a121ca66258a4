package local

import (
	"errors"
	"io/fs"
	"path"
	"syscall"

	"millwright.dev/millwright/core/service/object"
)

// fileOf returns the file of an object below the root, or says what is wrong with its name.
func fileOf(ref object.Ref) (string, error) {
	if err := ref.Validate(); err != nil {
		return "", err
	}
	return path.Join(dataDir, ref.Bucket, ref.Key), nil
}

// absent turns the ways in which a file system says that a file is not there into the port's error.
func absent(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return object.ErrNotFound
	}
	return err
}
