package portal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"

	"millwright.dev/millwright/core/cam/stock/inprocess"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/program"
	"millwright.dev/millwright/core/service/session"
)

// What the playback of a program needs: its moves with their times, the in-process stock, and the lines of g-code. Each
// names the digest of the motion, so that a page refuses what does not fit.

// readMoves answers with the moves of a program and their times. The header X-Uncompressed-Length is their size: a page
// asks before it loads very many.
func (p *portal) readMoves(w http.ResponseWriter, r *http.Request, c session.Current) {
	body, ok := p.openFile(w, r, c, pipeline.TimedMoves)
	if !ok {
		return
	}
	stored, err := io.ReadAll(body)
	if err := errors.Join(err, body.Close()); err != nil {
		p.fail(w, r, err)
		return
	}
	if n := len(stored) - 4; n >= 0 { // gzip ends with the size
		size := binary.LittleEndian.Uint32(stored[n:])
		w.Header().Set("X-Uncompressed-Length", strconv.FormatUint(uint64(size), 10))
	}
	p.sendCompressed(w, r, "application/json", bytes.NewReader(stored))
}

// readStock answers with the in-process stock of the setup of a program, with about cells × cells rays.
func (p *portal) readStock(w http.ResponseWriter, r *http.Request, c session.Current) {
	setup, ok := p.queryNumber(w, r, "setup", 1)
	if !ok {
		return
	}
	cells, ok := p.queryNumber(w, r, "cells", inprocess.Resolutions[0])
	if !ok {
		return
	}
	record, err := p.use.Programs.InProcessStock(r.Context(), c.Key.Caller(), r.PathValue("id"), r.PathValue("program"),
		setup, cells)
	if err != nil {
		p.fail(w, r, err)
		return
	}
	p.sendCompressed(w, r, "application/octet-stream", bytes.NewReader(record))
}

// queryNumber returns a positive number of the query, or the number without it, and answers another query.
func (p *portal) queryNumber(w http.ResponseWriter, r *http.Request, name string, without int) (int, bool) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return without, true
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		p.refuse(w, r, apierr.InvalidRequest, name+" is a whole number from 1.")
		return 0, false
	}
	return n, true
}

// sendCompressed answers with a file that is stored compressed. It is decompressed for clients that do not accept gzip.
func (p *portal) sendCompressed(w http.ResponseWriter, r *http.Request, kind string, stored io.Reader) {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", immutable)
	h.Add("Vary", "Accept-Encoding")
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
	} else {
		plain, err := gzip.NewReader(stored)
		if err != nil {
			p.fail(w, r, err)
			return
		}
		stored = plain
	}
	if _, err := io.Copy(w, stored); err != nil {
		p.config.Logger.Warn("a file of a program was cut off", "error", err)
	}
}

// linesBody is the lines of the moves of a setup. An entry of an operation is [move, line]: the move, from 0, ends with
// the line, from 1. Moves without an entry end one line after the move before them.
type linesBody struct {
	Motion     string     `json:"motion"`
	Gcode      string     `json:"gcode"` // SHA-256 of the text
	Post       string     `json:"post"`
	Operations [][][2]int `json:"operations"`
}

// readLines answers with the lines of g-code of the moves of a setup.
func (p *portal) readLines(w http.ResponseWriter, r *http.Request, c session.Current) {
	setup, ok := p.queryNumber(w, r, "setup", 1)
	if !ok {
		return
	}
	lines, err := p.use.Programs.Lines(r.Context(), c.Key.Caller(), program.GcodeInput{
		PartID: r.PathValue("id"), ProgramID: r.PathValue("program"), Setup: setup, Post: r.URL.Query().Get("post"),
	})
	if err != nil {
		p.fail(w, r, err)
		return
	}
	out := linesBody{
		Motion: lines.Motion, Gcode: lines.Gcode, Post: lines.Post, Operations: make([][][2]int, len(lines.Ends)),
	}
	for i, ends := range lines.Ends {
		out.Operations[i] = [][2]int{}
		for k, line := range ends {
			if k == 0 || line != ends[k-1]+1 {
				out.Operations[i] = append(out.Operations[i], [2]int{k, line})
			}
		}
	}
	answer(w, http.StatusOK, out)
}
