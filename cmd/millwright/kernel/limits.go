package kernel

import (
	"errors"
	"fmt"
	"time"

	"millwright/adapters/cad/converter"
)

// Limits bound a child process that reads untrusted geometry, and name its help.
type Limits struct {
	Timeout   time.Duration `default:"300s" help:"Time limit of one file, as in 90s (a bare number is seconds)."`
	Memory    int64         `default:"4096" help:"Memory limit of one file, MB."`
	Converter string        `type:"path" placeholder:"FILE" help:"Configuration (JSON) of a program that converts formats that are not read: see go doc millwright/adapters/cad/converter.Config."`
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

// Apart reports which files and folders of the service the converter could read.
func (l Limits) Apart(private ...string) error {
	c, err := l.converter()
	if err != nil || c == nil {
		return err
	}
	return c.Apart(private...)
}

// converter is nil where none is configured.
func (l Limits) converter() (*converter.Converter, error) {
	if l.Converter == "" {
		return nil, nil
	}
	return converter.Load(l.Converter)
}
