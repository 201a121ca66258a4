package solidworks

import (
	"bytes"
	"encoding/binary"
	"errors"

	"millwright.dev/millwright/adapters/cad/internal/implode"
	"millwright.dev/millwright/adapters/cad/internal/inflate"
	"millwright.dev/millwright/core/fault"
)

// frame is a GUID at the start of a packed section of a stream. Pieces follow: the unpacked and the packed size in
// 32-bit words, and zlib data that unpack to at most 1 MiB. Two zero words end the section. In streams that contain
// other data too, the length of the remaining data precedes the GUID.
var frame = []byte("\x23\x1D\xD5\x71\xDA\x81\x48\xA2\xA8\x58\x98\xB2\x1B\x89\xEF\x99")

const pieceHeader = 8 // bytes: both sizes

// sections unpacks the sections of a stream that isWanted selects by their first bytes.
func sections(data []byte, budget *inflate.Budget, isWanted func(head []byte) bool) ([][]byte, error) {
	var out [][]byte
	for {
		at := bytes.Index(data, frame)
		if at < 0 {
			return out, nil
		}
		data = data[at+len(frame):]
		first, _, _ := cutPiece(data)
		if len(first) == 0 || !isWanted(inflate.Head(first, headSize)) {
			continue
		}
		content, rest, err := section(data, budget)
		if err != nil {
			return nil, err
		}
		if len(content) > 0 {
			out, data = append(out, content), rest
		}
	}
}

// cutPiece returns the piece at the start of data, and the data after it. packed is empty if there is no complete
// piece.
func cutPiece(data []byte) (packed []byte, unpacked int64, rest []byte) {
	if len(data) < pieceHeader {
		return nil, 0, data
	}
	size := int64(binary.LittleEndian.Uint32(data[4:]))
	if size == 0 || size > int64(len(data)-pieceHeader) {
		return nil, 0, data
	}
	end := pieceHeader + int(size)
	return data[pieceHeader:end], int64(binary.LittleEndian.Uint32(data)), data[end:]
}

// section unpacks the pieces at the start of data, up to the first damaged piece.
func section(data []byte, budget *inflate.Budget) (content, rest []byte, err error) {
	var pieces [][]byte
	for {
		packed, unpacked, behind := cutPiece(data)
		if len(packed) == 0 {
			break
		}
		piece, err := budget.Zlib(packed, unpacked)
		if errors.Is(err, inflate.ErrDamaged) {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		pieces, data = append(pieces, piece), behind
	}
	if len(pieces) == 1 {
		return pieces[0], data, nil
	}
	return bytes.Join(pieces, nil), data, nil
}

// plain returns the content of a stream of text or objects, which is either packed in sections or plain.
func plain(data []byte, budget *inflate.Budget) ([]byte, error) {
	if !bytes.HasPrefix(data, frame) {
		return data, nil
	}
	all, err := sections(data, budget, func([]byte) bool { return true })
	return bytes.Join(all, nil), err
}

// geometry returns the Parasolid streams in a stream of a SolidWorks file: packed in sections, imploded behind a length
// word (around 2001), or plain behind a length word (before).
func geometry(data []byte, budget *inflate.Budget) ([][]byte, error) {
	all, err := sections(data, budget, isBody)
	if err != nil || len(all) > 0 {
		return all, err
	}
	content, err := unframed(data, budget)
	if err != nil || !isBody(content) {
		return nil, err
	}
	return [][]byte{content}, nil
}

// unframed returns the data after the length word of an old stream, unpacked if it is packed.
func unframed(data []byte, budget *inflate.Budget) ([]byte, error) {
	const word = 4
	for _, skip := range []int{word, 0} {
		if len(data) < skip {
			continue
		}
		rest := data[skip:]
		if isBody(rest) {
			return rest, nil
		}
		if !implode.Looks(rest) {
			continue
		}
		content, _, err := implode.Unpack(rest, int(budget.Left()))
		switch {
		case errors.Is(err, implode.ErrTooLarge):
			return nil, budget.Spend(budget.Left() + 1)
		case err == nil && isBody(content):
			return content, budget.Spend(int64(len(content)))
		}
	}
	return nil, nil
}

const headSize = 96 // bytes of a Parasolid stream that identify it

// isBody reports whether data begin like a Parasolid stream of bodies. Streams of deltas, the changes that undo steps
// of a body's history, are not bodies.
func isBody(data []byte) bool {
	head := data[:min(len(data), headSize)]
	for _, form := range []string{"PS\x00\x00", "B", "T", "**ABCDEF"} {
		if bytes.HasPrefix(head, []byte(form)) {
			return bytes.Contains(head, []byte("TRANSMIT FILE")) &&
				!bytes.Contains(head, []byte("TRANSMIT FILE (deltas)"))
		}
	}
	return false
}

func unreadable(reason string) *fault.Error {
	return &fault.Error{Code: fault.UnreadableFile, Reason: reason}
}
