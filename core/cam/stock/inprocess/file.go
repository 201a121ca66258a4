package inprocess

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
)

// The file of a program is a line of JSON, the index, and the records of its setups, compressed each by itself: a
// service sends one of them as it is.

// Index is the first line of a file.
type Index struct {
	Motion string `json:"motion"` // digest of the motion
	// Setups are the extents of the records in the bytes after the index, in the order of Resolutions; none: the setup
	// has no record. A lattice of few rays has one record for all resolutions.
	Setups [][]Extent `json:"setups"`
}

// Extent is a part of a file.
type Extent struct {
	From int `json:"from"`
	Size int `json:"size"`
}

// Write writes the file of a program, a recorder for each setup.
func Write(w io.Writer, motion string, setups []*Recorder) error {
	index := Index{Motion: motion, Setups: make([][]Extent, len(setups))}
	var all bytes.Buffer
	for i, r := range setups {
		index.Setups[i] = []Extent{}
		if r == nil {
			continue
		}
		for _, c := range r.records {
			from := all.Len()
			text, err := c.Bytes(motion)
			if err != nil {
				return err
			}
			z := gzip.NewWriter(&all)
			if _, err := z.Write(text); err != nil {
				return err
			}
			if err := z.Close(); err != nil {
				return err
			}
			index.Setups[i] = append(index.Setups[i], Extent{from, all.Len() - from})
		}
	}
	head, err := json.Marshal(index)
	if err != nil {
		return err
	}
	if _, err := w.Write(append(head, '\n')); err != nil {
		return err
	}
	_, err = w.Write(all.Bytes())
	return err
}

// ErrNone reports that a file has no record of a setup.
var ErrNone = errors.New("there is no record of this setup")

// Find returns the compressed record of a setup (index) with at most about cells × cells rays, from a file.
func Find(file []byte, setup, cells int) (index Index, record []byte, err error) {
	line, rest, found := bytes.Cut(file, []byte("\n"))
	if !found {
		return index, nil, errors.New("in-process stock: the file has no index")
	}
	if err := json.Unmarshal(line, &index); err != nil {
		return index, nil, err
	}
	if setup < 0 || setup >= len(index.Setups) || len(index.Setups[setup]) == 0 {
		return index, nil, ErrNone
	}
	of := index.Setups[setup]
	e := of[0]
	if cells > Resolutions[0] {
		e = of[len(of)-1]
	}
	if e.From < 0 || e.Size < 0 || e.From+e.Size > len(rest) {
		return index, nil, errors.New("in-process stock: the file is too short")
	}
	return index, rest[e.From : e.From+e.Size], nil
}
