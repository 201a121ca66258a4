package local

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"syscall"

	"millwright/core/service"
)

const (
	minBucket  = 3
	maxBucket  = 63
	maxKey     = 1024 // bytes
	maxSegment = 255  // bytes; the longest file name of common file systems
)

// fileOf returns the file of an object below the root, or says what is wrong with its name.
func fileOf(ref service.ObjectRef) (string, error) {
	if !validBucket(ref.Bucket) {
		return "", fmt.Errorf("objects: %q is not a bucket name", ref.Bucket)
	}
	if len(ref.Key) > maxKey {
		return "", fmt.Errorf("objects: key of %d bytes is too long", len(ref.Key))
	}
	for segment := range strings.SplitSeq(ref.Key, "/") {
		if !validSegment(segment) {
			return "", fmt.Errorf("objects: %q is not a key", ref.Key)
		}
	}
	return path.Join(dataDir, ref.Bucket, ref.Key), nil
}

// validBucket holds S3's rules: 3 to 63 lower-case letters, digits and hyphens, no hyphen at the ends.
func validBucket(name string) bool {
	if len(name) < minBucket || len(name) > maxBucket || name[0] == '-' || name[len(name)-1] == '-' {
		return false
	}
	for _, c := range []byte(name) {
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-') {
			return false
		}
	}
	return true
}

func validSegment(s string) bool {
	if s == "" || s == "." || s == ".." || len(s) > maxSegment {
		return false
	}
	for _, c := range []byte(s) {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
			c == '.' || c == '_' || c == '-') {
			return false
		}
	}
	return true
}

// absent turns the ways in which a file system says that a file is not there into the port's error.
func absent(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return service.ErrNoObject
	}
	return err
}
