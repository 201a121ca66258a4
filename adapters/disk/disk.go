// Package disk tells a full disk, which passes, from other trouble with files, for all who keep them.
package disk

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"millwright.dev/millwright/core/service/record"
)

// Explain makes an error that says that the disk, or what one may use of it, is full a record.ErrUnavailable too.
func Explain(err error) error {
	if errors.Is(err, record.ErrUnavailable) || !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EDQUOT) {
		return err
	}
	return fmt.Errorf("%w: %w", record.ErrUnavailable, err)
}

// probe is what Check writes: more than one small change to the records takes, so that a disk is not called ready that
// takes the next change and not the one after it.
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
