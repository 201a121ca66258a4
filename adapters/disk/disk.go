// Package disk distinguishes a full disk, which is temporary, from other file errors.
package disk

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"millwright.dev/millwright/core/service/record"
)

// Explain adds record.ErrUnavailable to an error about a full disk or an exceeded quota.
func Explain(err error) error {
	if errors.Is(err, record.ErrUnavailable) || !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EDQUOT) {
		return err
	}
	return fmt.Errorf("%w: %w", record.ErrUnavailable, err)
}

// probe is the number of bytes that Check writes. It exceeds a small change to the records, so that a disk counts as
// ready only if it has space for several changes.
const probe = 256 << 10 // bytes

// Check reports why a folder takes no more files: record.ErrUnavailable where the disk is full. It leaves nothing
// behind.
func Check(folder string) error {
	f, err := os.CreateTemp(folder, ".room-")
	if err != nil {
		return Explain(err)
	}
	removed := os.Remove(f.Name()) // before anything else, so that a crash leaves no more than an empty file
	_, err = f.Write(make([]byte, probe))
	return Explain(errors.Join(err, removed, f.Close()))
}
