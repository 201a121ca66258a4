// Package output writes the results of commands into folders, and reads the results of stages.
package output

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"

	"millwright.dev/millwright/core/pipeline"
)

// Into moves the files that fill creates in a temporary folder into dir, all or none: they are renamed when all are
// complete.
func Into(dir string, fill func(beside string) error) (err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	beside, err := os.MkdirTemp(dir, ".unfinished-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(beside)) }()
	if err := fill(beside); err != nil {
		return err
	}
	made, err := os.ReadDir(beside)
	if err != nil {
		return err
	}
	for _, f := range made {
		if err := os.Rename(filepath.Join(beside, f.Name()), filepath.Join(dir, f.Name())); err != nil {
			return err
		}
	}
	return nil
}

// WriteJSON writes a value to a file.
func WriteJSON(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}

// ReadJSON reads a value from a file.
func ReadJSON(path string, to any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, to)
}

// Copy copies a file.
func Copy(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // read only
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// Stem is the name of a file without folder and extension.
func Stem(file string) string {
	stem, _ := pipeline.SplitName(filepath.Base(file))
	return stem
}
