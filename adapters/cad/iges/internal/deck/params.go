package deck

import (
	"math"

	"millwright.dev/millwright/adapters/cad/internal/decimal"
)

// Params is a cursor over the parameters of one entity, from the first one after the entity type on. Omitted values,
// and values past the end of the record, have the defaults of the standard: 0, "" and false. Params stores the first
// error, and later values can still be read, so that one call of Err at the end is enough. A copy of a Params is a
// bookmark.
type Params struct {
	v      values
	entity *Entity
}

// Params returns the cursor over the parameters of e, an entity of this file.
func (f *File) Params(e *Entity) Params {
	p := Params{entity: e, v: values{
		buf: f.text, pos: int(e.start), end: int(e.end),
		comma: f.Global.ParameterDelimiter, stop: f.Global.RecordDelimiter,
	}}
	switch n := p.v.intOr(0); {
	case e.start == e.end:
		p.v.fault = "has no parameters in the file"
	case p.v.fault == "" && n != int(e.Type):
		p.v.fault = "has the parameters of another entity"
	}
	p.v.ordinal = 0
	p.v.missing = 0
	return p
}

// Int reads a whole number.
func (p *Params) Int() int { return p.v.intOr(0) }

// Real reads a number.
func (p *Params) Real() float64 { return p.v.realOr(0) }

// RealOr reads a number, or returns unset when it is left out.
func (p *Params) RealOr(unset float64) float64 { return p.v.realOr(unset) }

// Text reads a string as UTF-8.
func (p *Params) Text() string { return p.v.textOr("") }

// Bool reads a logical value.
func (p *Params) Bool() bool { return p.v.intOr(0) != 0 }

// Pointer reads the sequence number of another entity, or 0. It is negative where the standard uses the sign for the
// kind of pointer.
func (p *Params) Pointer() int { return p.v.intOr(0) }

// Skip passes over n values of any kind.
func (p *Params) Skip(n int) {
	for ; n > 0 && !p.v.ended; n-- {
		p.v.skip()
	}
}

// Count reads the number of items that follow, of at least perItem values each. A number above the capacity of the
// record is an error and read as 0, so that a count may be used to allocate.
func (p *Params) Count(perItem int) int {
	n := p.v.intOr(0)
	if n < 0 || n > p.Remaining()/max(perItem, 1) {
		if p.v.fault == "" {
			p.v.fault, p.v.faultAt = "counts more items than the entity has", p.v.ordinal
		}
		return 0
	}
	return n
}

// Remaining returns the largest possible number of values in the rest of the record, by its length.
func (p *Params) Remaining() int {
	if p.v.ended {
		return 0
	}
	return p.v.end - p.v.pos + 1
}

// Reals fills dst with numbers. A record that ends before is a mistake.
func (p *Params) Reals(dst []float64) {
	v := &p.v
	for i := range dst {
		k, bits, ok := v.num()
		switch {
		case k == decimal.Real:
			dst[i] = math.Float64frombits(bits)
		case ok:
			dst[i] = float64(int64(bits))
		default:
			dst[i] = 0
		}
		if v.missing > 0 {
			if v.fault == "" {
				v.fault, v.faultAt = "is missing: the record ends too early", v.ordinal
			}
			clear(dst[i:])
			return
		}
	}
}

// Err returns the first error as a *fault.Error that names the entity, or nil.
func (p *Params) Err() error {
	switch {
	case p.v.fault == "":
		return nil
	case p.v.faultAt == 0:
		return Fail(p.entity, "%s", p.v.fault)
	}
	return Fail(p.entity, "cannot be read: parameter %d %s", p.v.faultAt, p.v.fault)
}
