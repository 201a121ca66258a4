package deck

// More reports whether another value, or a delimiter that stands for one left out, follows in the record.
func (p *Params) More() bool {
	v := &p.v
	for v.pos < v.end && v.buf[v.pos] <= ' ' {
		v.pos++
	}
	return !v.ended && v.pos < v.end && v.buf[v.pos] != v.stop
}

// Left returns the number of values up to the end of the record. It costs a look at all of them.
func (p *Params) Left() int {
	rest := *p
	n := 0
	for rest.More() {
		rest.v.skip()
		n++
	}
	return n
}
