package deck

import "bytes"

// The compressed form begins with a card that has a C in column 73. The cards of the sections S, G and T are as in the
// fixed form. Instead of D and P there is, for each entity, a line
//
// 	D<sequence>@<field>_<value>@<field>_<value>…;
//
// with the fields of the directory entry (1 to 20, as in the fixed form) that differ from the entry before, and the
// parameters in lines of 64 columns without a suffix. The line may continue in lines that begin with @.

// carried are the directory fields that stay valid until they are changed.
type carried struct {
	fields [21][]byte // 1 to 20
}

// compressed reads the lines behind the C card.
func (p *parser) compressed() error {
	var fields carried
	p.file.IsCutOff = true
	inData := false
	for {
		line, ok, err := p.line()
		if err != nil {
			return err
		}
		if !ok {
			return nil
		}
		section := sectionOf(line)
		switch {
		case isDataLine(line):
			if !inData {
				inData = true
				p.file.Global.read(p.global)
			}
			if err := p.data(&fields, line); err != nil {
				return err
			}
		case section == 'T':
			p.file.IsCutOff = false
			return nil
		case section == 'G' && !inData:
			p.global = append(p.global, p.padded(line, sectionColumn)...)
		case section == 'S' || len(bytes.TrimSpace(line)) == 0:
		case inData: // comments behind the parameters of an entity
			p.file.Garbage++
		}
	}
}

// isDataLine recognizes the line that begins an entity.
func isDataLine(line []byte) bool {
	if len(line) < 2 || line[0]|0x20 != 'd' {
		return false
	}
	i := 1
	for i < len(line) && line[i]-'0' <= 9 {
		i++
	}
	return i > 1 && i < len(line) && (line[i] == '@' || i < len(line) && !isWordByte(line[i]))
}

func isWordByte(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '.' || c == '+' || c == '-'
}

// data reads the entity that begins with line.
func (p *parser) data(c *carried, line []byte) error {
	record := append([]byte(nil), bytes.TrimRight(line, " ")...)
	stop := p.file.Global.RecordDelimiter
	for !bytes.Contains(record, []byte{stop}) {
		next, ok, err := p.line()
		if err != nil {
			return err
		}
		if !ok || len(next) == 0 || next[0] != '@' {
			p.dir.broken++
			return nil
		}
		record = append(record, bytes.TrimRight(next, " ")...)
	}
	record, _, _ = bytes.Cut(record, []byte{stop})
	head, rest, _ := bytes.Cut(record, []byte{'@'})
	var a, b [cardWidth]byte
	c.set(rest)
	c.cards(&a, &b, head[1:])
	p.dir.counted = true
	p.dir.begun = true
	p.dir.entry(a[:], b[:])
	e := &p.dir.entities[len(p.dir.entities)-1]
	if e.Type == 0 {
		return nil // a null entity has no parameters
	}
	return p.parameters(e)
}

// set sets the fields in specs, "3_0@4_1…".
func (c *carried) set(specs []byte) {
	for _, spec := range bytes.Split(specs, []byte{'@'}) {
		field, value, ok := bytes.Cut(spec, []byte{'_'})
		i, isNumber := number(field)
		if ok && isNumber && i >= 1 && int(i) < len(c.fields) {
			c.fields[i] = append([]byte(nil), value...)
		}
	}
}

// cards writes the fields as the two cards of the fixed form. Fields 10 and 20, the sequence numbers, are
// redundant here, and so are 2 and 11.
func (c *carried) cards(a, b *[cardWidth]byte, sequence []byte) {
	for i := range a {
		a[i], b[i] = ' ', ' '
	}
	put := func(card *[cardWidth]byte, at int, value []byte, width int) {
		value = value[max(0, len(value)-width):]
		copy(card[at+width-len(value):], value)
	}
	for i := 0; i < 9; i++ {
		put(a, 8*i, c.fields[1+i], 8)
		put(b, 8*i, c.fields[11+i], 8)
	}
	put(b, 0, c.fields[1], 8)
	put(a, sectionColumn+1, sequence, 7)
}

// parameters joins the lines up to the record delimiter to the text and gives them to e.
func (p *parser) parameters(e *Entity) error {
	f := p.file
	e.start = uint32(len(f.text))
	v := values{comma: f.Global.ParameterDelimiter, stop: f.Global.RecordDelimiter, pos: int(e.start)}
	for {
		line, ok, err := p.line()
		if err != nil || !ok {
			e.end = uint32(len(f.text))
			return err
		}
		f.text = append(f.text, p.padded(line, max(dataWidth, min(len(line), sectionColumn)))...)
		if v.reachesEnd(f.text) {
			e.end = uint32(len(f.text))
			return nil
		}
	}
}

// reachesEnd skips the complete values in buf and reports whether the record delimiter is among them. Call it again
// when buf has grown.
func (v *values) reachesEnd(buf []byte) bool {
	v.buf, v.end = buf, len(buf)
	for v.pos < v.end {
		from := v.pos
		switch c := buf[v.pos]; {
		case c <= ' ' || c == v.comma:
			v.pos++
			continue
		case c == v.stop:
			return true
		}
		if _, ok := v.hollerith(); ok {
			continue
		}
		if v.isHollerithCut() {
			return false
		}
		for v.pos < v.end && buf[v.pos] != v.comma && buf[v.pos] != v.stop {
			v.pos++
		}
		if v.pos == v.end {
			v.pos = from
			return false
		}
	}
	return false
}

// isHollerithCut reports whether a string begins at pos that continues beyond the end.
func (v *values) isHollerithCut() bool {
	at := v.pos
	for at < v.end && v.buf[at]-'0' <= 9 {
		at++
	}
	return at > v.pos && at < v.end && v.buf[at]|0x20 == 'h'
}
