package deck

// directory collects the entries of the D section.
type directory struct {
	entities []Entity
	places   []place // of the entities in the P section
	broken   int
	first    [cardWidth]byte // first card of an entry whose second card has not been read
	pending  bool
	counted  bool // the sequence numbers on the cards can be trusted
	begun    bool
}

// place is the location of an entity's parameters, as stated in the directory.
type place struct{ line, count int32 }

// field returns the i-th of the ten fields of 8 columns.
func field(card []byte, i int) []byte { return card[8*i : 8*i+8] }

// add adds a card of 80 columns.
func (d *directory) add(card []byte) {
	sequence, ok := number(card[sectionColumn+1 : cardWidth])
	if !d.begun {
		d.begun = true
		d.counted = ok && sequence == 1
	}
	isFirst := !d.pending
	if d.counted && ok && sequence > 0 {
		isFirst = sequence%2 == 1
	}
	switch {
	case isFirst && d.pending:
		d.broken++ // the second card is missing
	case !isFirst && !d.pending:
		d.broken++
		return
	case !isFirst:
		d.pending = false
		d.entry(d.first[:], card)
		return
	}
	copy(d.first[:], card)
	d.pending = true
}

// entry adds the entity of two cards.
func (d *directory) entry(a, b []byte) {
	bad := false
	read := func(card []byte, i int) int32 {
		n, ok := number(field(card, i))
		bad = bad || !ok
		return n
	}
	de := int32(1)
	if n := len(d.entities); n > 0 {
		de = d.entities[n-1].DE + 2
	}
	if sequence, ok := number(a[sectionColumn+1:]); d.counted && ok && sequence > de {
		de = sequence
	}
	e := Entity{
		DE: de, Type: read(a, 0), Structure: read(a, 2), LineFont: read(a, 3), Level: read(a, 4),
		View: read(a, 5), Transform: read(a, 6), LabelShown: read(a, 7), Status: status(field(a, 8)),
		LineWeight: read(b, 1), Color: read(b, 2), Form: read(b, 4), Subscript: read(b, 8),
	}
	copy(e.label[:], field(b, 7))
	at := place{line: read(a, 1), count: read(b, 3)}
	again := read(b, 0)
	if e.Type == 0 {
		e.Type = again
	}
	if bad {
		d.broken++
	}
	d.entities = append(d.entities, e)
	d.places = append(d.places, at)
}

// status reads the status number: four parts of two digits, blanks for zeros.
func status(field []byte) Status {
	var part [4]uint8
	for i := range part {
		for _, c := range field[2*i : 2*i+2] {
			if c >= '0' && c <= '9' {
				part[i] = part[i]*10 + c - '0'
			}
		}
	}
	return Status{Blank: part[0], Subordinate: Subordinate(part[1]), Use: part[2], Hierarchy: part[3]}
}
