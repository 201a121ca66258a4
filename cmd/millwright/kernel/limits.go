package kernel

import (
	"errors"
	"fmt"
	"time"
)

// Limits bound a child process that reads untrusted geometry.
type Limits struct {
	Timeout time.Duration `default:"300s" help:"Time limit of one file, as in 90s (a bare number is seconds)."`
	Memory  int64         `default:"4096" help:"Memory limit of one file, MB."`
}

// Check reports everything wrong with them at once.
func (l Limits) Check() error {
	var errs []error
	if l.Timeout <= 0 {
		errs = append(errs, fmt.Errorf("--timeout must be positive, got %s", l.Timeout))
	}
	if l.Memory < 64 {
		errs = append(errs, fmt.Errorf("--memory must be at least 64 MB, got %d", l.Memory))
	}
	return errors.Join(errs...)
}
