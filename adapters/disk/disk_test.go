package disk_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"millwright.dev/millwright/adapters/disk"
	"millwright.dev/millwright/core/service/record"
)

func TestExplain(t *testing.T) {
	write := func(err error) error { return &fs.PathError{Op: "write", Path: "f", Err: err} }
	for _, c := range []struct {
		name   string
		err    error
		passes bool
	}{
		{"nothing", nil, false},
		{"full", write(syscall.ENOSPC), true},
		{"over the quota", write(syscall.EDQUOT), true},
		{"one of several", errors.Join(errors.New("close"), write(syscall.ENOSPC)), true},
		{"read only", write(syscall.EROFS), false},
	} {
		got := disk.Explain(c.err)
		if errors.Is(got, record.ErrUnavailable) != c.passes || !errors.Is(got, c.err) {
			t.Errorf("%s: Explain = %v, want it to pass: %t", c.name, got, c.passes)
		}
		if again := disk.Explain(got); c.err != nil && again.Error() != got.Error() {
			t.Errorf("%s: explained twice it is %v", c.name, again)
		}
	}
}

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	if err := disk.Check(dir); err != nil {
		t.Errorf("Check of a disk with room: %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("Check left %v, %v", left, err)
	}
	err := disk.Check(filepath.Join(dir, "missing"))
	if !errors.Is(err, fs.ErrNotExist) || errors.Is(err, record.ErrUnavailable) {
		t.Errorf("Check of no folder: %v, want that it is not there", err)
	}
}
