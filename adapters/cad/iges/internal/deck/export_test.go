package deck

// More reports whether the record contains another value, or a delimiter for an omitted one.
func (p *Params) More() bool {
	v := &p.v
	for v.pos < v.end && v.buf[v.pos] <= ' ' {
		v.pos++
	}
	return !v.ended && v.pos < v.end && v.buf[v.pos] != v.stop
}

// Left returns the number of values up to the end of the record. It scans all of them.
func (p *Params) Left() int {
	rest := *p
	n := 0
	for rest.More() {
		rest.v.skip()
		n++
	}
	return n
}
