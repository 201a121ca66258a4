package program

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/stock/inprocess"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
)

// Lines is the lines of the g-code of one setup that end its moves.
type Lines struct {
	Motion string // digest of the motion
	Gcode  string // hex SHA-256 of the text
	Post   string
	// Ends are the numbers of the lines, from 1, by operation and move. The tip is at the end of the move after that
	// line. A move that needs no line has that of the move before it.
	Ends [][]int
}

// Lines returns the lines of the moves of one setup. Error codes: as Gcode.
func (s *Service) Lines(ctx context.Context, c account.Caller, in GcodeInput) (Lines, error) {
	of, err := s.setup(ctx, c, &in)
	if err != nil {
		return Lines{}, err
	}
	text, ends, err := s.Post.WriteLines(in.Post, of)
	if err != nil {
		return Lines{}, cannotSay(in.Post, err)
	}
	sum := sha256.Sum256([]byte(text))
	return Lines{motion.Digest(of.Paths.Setups), hex.EncodeToString(sum[:]), in.Post, ends}, nil
}

// InProcessStock returns the record of the stock of one setup (from 1), compressed, as package inprocess describes it:
// with about cells × cells rays at most. Error codes: as OpenFile, and no_setup (the setup has no record).
func (s *Service) InProcessStock(
	ctx context.Context, c account.Caller, partID, programID string, setup, cells int,
) ([]byte, error) {
	body, err := s.OpenFile(ctx, c, partID, programID, pipeline.InProcessStock)
	if err != nil {
		return nil, err
	}
	file, err := io.ReadAll(body)
	if err := errors.Join(err, body.Close()); err != nil {
		return nil, err
	}
	index, record, err := inprocess.Find(file, setup-1, cells)
	if errors.Is(err, inprocess.ErrNone) {
		return nil, apierr.Errorf(apierr.NoSetup, "The program has %d setups, and no stock was recorded for setup %d.",
			len(index.Setups), setup)
	}
	if err != nil {
		return nil, fmt.Errorf("program %s: %w", programID, err)
	}
	return record, nil
}
