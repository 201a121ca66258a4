package object

import (
	"fmt"
	"strings"
)

// Rules for object names: S3's bucket rules without dots, since a dot breaks the certificate of an address, and keys
// that are valid file paths.
const (
	minBucket  = 3
	maxBucket  = 63
	maxKey     = 1024 // bytes
	maxSegment = 255  // bytes; the longest file name of common file systems
)

// Validate reports the defects of the name, so that adapters need not handle invalid ones.
func (r Ref) Validate() error {
	if !validBucket(r.Bucket) {
		return fmt.Errorf("objects: %q is not a bucket name", r.Bucket)
	}
	if len(r.Key) > maxKey {
		return fmt.Errorf("objects: key of %d bytes is too long", len(r.Key))
	}
	for segment := range strings.SplitSeq(r.Key, "/") {
		if !validSegment(segment) {
			return fmt.Errorf("objects: %q is not a key", r.Key)
		}
	}
	return nil
}

// validBucket reports whether a name has 3 to 63 lower-case letters, digits and hyphens, with no hyphen at the ends.
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
