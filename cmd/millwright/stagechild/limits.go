package stagechild

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"millwright.dev/millwright/adapters/cad/converter"
	"millwright.dev/millwright/adapters/confine"
)

// Limits bound a child process that reads untrusted geometry, and name its help.
type Limits struct {
	Timeout   time.Duration `default:"300s" help:"Time limit of one file, as in 90s (a bare number is seconds)."`
	Memory    int64         `default:"4096" help:"Memory limit of one file, MB."`
	Converter string        `type:"path" placeholder:"FILE" help:"Configuration (JSON) of a program that converts formats that are not read: see go doc millwright.dev/millwright/adapters/cad/converter.Config."`
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
	if _, err := l.converter(); err != nil {
		errs = append(errs, fmt.Errorf("--converter: %w", err))
	}
	return errors.Join(errs...)
}

// Apart reports which files and folders of the service a child, which computes on a device, or the converter could
// read.
func (l Limits) Apart(on Device, private ...string) error {
	read, write := on.files()
	err := confine.Apart("the process that reads a file", slices.Concat(confine.Base(), read, write), private...)
	c, loading := l.converter()
	if loading != nil || c == nil {
		return errors.Join(err, loading)
	}
	return errors.Join(err, c.Apart(private...))
}

// converter is nil where none is configured.
func (l Limits) converter() (*converter.Converter, error) {
	if l.Converter == "" {
		return nil, nil
	}
	return converter.Load(l.Converter)
}
