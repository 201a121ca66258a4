package deck

import (
	"bytes"
	"context"
	"io"
	"math"

	"millwright.dev/millwright/core/fault"
)

// checkEvery is the number of lines between checks of the context.
const checkEvery = 1 << 14

// parser is the state of reading one file.
type parser struct {
	ctx  context.Context
	in   *lines
	file *File
	seen int

	global []byte // columns 1 to 72 of the G section
	dir    directory
	owners []int32 // back pointers of the parameter cards
	card   [cardWidth]byte
}

// Parse reads the IGES file in the first size bytes of src. Errors that are the file's fault are
// *fault.Error.
func Parse(ctx context.Context, src io.ReaderAt, size int64) (*File, error) {
	if size > math.MaxUint32 {
		return nil, &fault.Error{Code: fault.TooComplex, Reason: "The IGES file is larger than 4 GB."}
	}
	p := &parser{ctx: ctx, in: newLines(src, size, chunkSize), file: &File{}}
	err := p.read()
	if err != nil {
		return nil, err
	}
	f := p.file
	f.Broken = p.dir.broken
	f.Entities = p.dir.entities
	f.text = append(f.text, 0)
	if len(f.Entities) == 0 {
		return nil, unreadable("The IGES file holds no entities.")
	}
	return f, nil
}

// read reads the first line, which determines the form, and then the other lines.
func (p *parser) read() error {
	line, ok, err := p.line()
	line = bytes.TrimPrefix(line, []byte("\xEF\xBB\xBF"))
	for err == nil && ok && len(bytes.TrimSpace(line)) == 0 {
		line, ok, err = p.line()
	}
	switch {
	case err != nil:
		return err
	case !ok:
		return unreadable("The file is empty.")
	case sectionOf(line) == 'B' || line[0] == 'B' && bytes.HasPrefix(line[1:], []byte{0, 0, 0, 75}):
		return ErrBinary
	case sectionOf(line) == 'C':
		return p.compressed()
	}
	p.file.text = make([]byte, 0, p.in.size/cardWidth*dataWidth+1)
	for ok {
		if p.take(line) {
			p.finish()
			return nil
		}
		if line, ok, err = p.line(); err != nil {
			return err
		}
	}
	p.file.IsCutOff = true
	p.finish()
	return nil
}

// ErrBinary is the failure of reading the binary form.
var ErrBinary error = &fault.Error{Code: fault.UnsupportedVersion,
	Reason: "The file is binary IGES, which cannot be read; export the part as ASCII IGES or as STEP."}

// line returns the next line.
func (p *parser) line() ([]byte, bool, error) {
	if p.seen++; p.seen%checkEvery == 0 {
		if err := p.ctx.Err(); err != nil {
			return nil, false, err
		}
	}
	return p.in.next()
}

// take reads one line of the fixed form; done is true at the Terminate section.
func (p *parser) take(line []byte) (done bool) {
	if bytes.IndexByte(line, '\t') >= 0 && !isCard(line) {
		line = expand(line)
	}
	section := sectionOf(line)
	if section == 0 || len(line) > cardWidth && !isCard(line) {
		if narrowed, ok := narrow(line); ok {
			line, section = narrowed, sectionOf(narrowed)
		}
	}
	card := p.padded(line, cardWidth)
	switch section {
	case 'G':
		p.global = append(p.global, card[:sectionColumn]...)
	case 'D':
		p.dir.add(card)
	case 'P':
		p.file.text = append(p.file.text, card[:dataWidth]...)
		owner, ok := number(card[dataWidth:sectionColumn])
		if !ok {
			owner = 0
		}
		p.owners = append(p.owners, owner)
	case 'T':
		return true
	case 'S':
	default:
		if len(bytes.TrimSpace(line)) > 0 {
			p.file.Garbage++
		}
	}
	return false
}

// expand returns a line with its tabs replaced by blanks, since some editors replace blanks by tabs. A tab ends before
// the next of the columns 9, 17, …
func expand(line []byte) []byte {
	const stop = 8 // columns between tab stops
	out := make([]byte, 0, cardWidth)
	for _, c := range line {
		if c != '\t' {
			out = append(out, c)
			continue
		}
		for out = append(out, ' '); len(out)%stop != 0; {
			out = append(out, ' ')
		}
	}
	return out
}

// padded returns the first width bytes of a line, with blanks where it is shorter.
func (p *parser) padded(line []byte, width int) []byte {
	if len(line) >= width {
		return line[:width]
	}
	n := copy(p.card[:], line)
	for i := n; i < width; i++ {
		p.card[i] = ' '
	}
	return p.card[:width]
}

// finish reads the global section and finds the parameters of each entity.
func (p *parser) finish() {
	p.file.IsCutOff = p.file.IsCutOff || p.dir.pending
	p.file.Global.read(p.global)
	p.assign()
}

// assign gives each entity its range of the parameter text.
//
// The pointer in the directory is valid if its card names the entity as owner, or no owner. Otherwise the first card
// that names the entity is used. The range consists of the consecutive cards with the same owner, or, if the cards name
// no owner, of the number of cards stated in the directory.
func (p *parser) assign() {
	owners := p.owners
	var first map[int32]int // first card by owner, created on demand
	for i := range p.dir.entities {
		e, at := &p.dir.entities[i], p.dir.places[i]
		card := int(at.line) - 1
		good := card >= 0 && card < len(owners) && (owners[card] == e.DE || owners[card] == 0)
		if !good {
			if first == nil {
				first = firstCards(owners)
			}
			found, ok := first[e.DE]
			if !ok {
				continue
			}
			card = found
			p.file.Misplaced++
		}
		owner, end := owners[card], card+1
		if owner != 0 && card > 0 && owners[card-1] == owner {
			p.file.Misplaced++
			for card > 0 && owners[card-1] == owner {
				card--
			}
		}
		for end < len(owners) && owners[end] == owner && (owner != 0 || end < card+int(at.count)) {
			end++
		}
		e.start, e.end = uint32(card*dataWidth), uint32(end*dataWidth)
	}
}

func firstCards(owners []int32) map[int32]int {
	first := make(map[int32]int)
	for i, owner := range owners {
		if i == 0 || owner != owners[i-1] {
			if _, ok := first[owner]; !ok {
				first[owner] = i
			}
		}
	}
	return first
}
