package gcode

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"millwright.dev/millwright/adapters/export/programjson"
	"millwright.dev/millwright/adapters/post"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
)

// File is one file of a program.
type File struct {
	Name string
	Data []byte
}

// Files returns the files of a program: the g-code of each setup and the tool table for the machine, and program.json,
// from which other software replays it. It fails as Setup does. digest is the digest of the verified motion.
func Files(
	d *post.Dialect, title string, p *planning.Plan, set *toolpath.Set, c *machining.CutConfig, digest string,
) ([]File, error) {
	var files []File
	for i := range p.Setups {
		text, err := Setup(d, title, p, set, i)
		if err != nil {
			return nil, err
		}
		files = append(files, File{fileOf(d, i), []byte(text)})
	}
	name, table := Tools(d, p)
	document, err := Document(d, title, p, c, digest)
	if err != nil {
		return nil, err
	}
	return append(files, File{name, []byte(table)}, File{"program.json", document}), nil
}

// Document returns program.json.
func Document(
	d *post.Dialect, title string, p *planning.Plan, c *machining.CutConfig, digest string,
) ([]byte, error) {
	facts := programjson.Facts{Part: title, Post: d.Name, Digest: digest}
	for i := range p.Setups {
		facts.GCode = append(facts.GCode, fileOf(d, i))
	}
	document, err := programjson.Of(p, c, facts)
	if err != nil {
		return nil, err
	}
	return Indented(document)
}

// Indented returns a value as readable JSON.
func Indented(v any) ([]byte, error) {
	data, err := json.MarshalIndent(v, "", "  ")
	return append(data, '\n'), err
}

func fileOf(d *post.Dialect, setup int) string { return fmt.Sprintf("setup%d%s", setup+1, d.Extension) }

// packed is the time of every file in a zip: the first that zip knows, so that the same files give the same bytes.
var packed = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// Pack writes files as a zip.
func Pack(w io.Writer, files []File) error {
	container := zip.NewWriter(w)
	for _, f := range files {
		to, err := container.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Deflate, Modified: packed})
		if err != nil {
			return err
		}
		if _, err := to.Write(f.Data); err != nil {
			return err
		}
	}
	return container.Close()
}
