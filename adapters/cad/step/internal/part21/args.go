package part21

import "math"

// Args reads the parameters of an instance, or the elements of a list, in order. A value of the wrong kind reads as
// zero and is recorded: check Problem once, after the last read. The zero Args is an empty list.
type Args struct {
	blk     *block
	at, end uint32
	left    int32 // elements not yet read
	read    int32 // elements read
	wrong   int32 // ordinal of the first element of the wrong kind; 0: no such element
	absent  int64 // number of the first absent instance referred to; 0: no such instance
}

// Len returns the number of remaining elements.
func (a *Args) Len() int { return int(a.left) }

// More reports whether an element is left.
func (a *Args) More() bool { return a.left > 0 }

// next returns the token of the next element and moves behind it.
func (a *Args) next() (k kind, val uint64, at uint32) {
	a.read++
	if a.left <= 0 {
		a.mistake()
		return kUnset, 0, a.end
	}
	a.left--
	at = a.at
	k, val = a.blk.kinds[at], a.blk.vals[at]
	a.at++
	if k >= kList {
		a.at += uint32(val)
	}
	return k, val, at
}

func (a *Args) mistake() {
	if a.wrong == 0 {
		a.wrong = max(a.read, 1)
	}
}

// Skip skips n elements of any kind.
func (a *Args) Skip(n int) {
	for ; n > 0; n-- {
		a.next()
	}
}

// Real returns the next element as a number. Integers and typed parameters count as numbers too.
func (a *Args) Real() float64 {
	k, val, at := a.next()
	if k == kTyped {
		k, val = a.inner(at)
	}
	switch k {
	case kReal:
		return math.Float64frombits(val)
	case kInt:
		return float64(int64(val))
	}
	a.mistake()
	return 0
}

// inner returns the single value of the typed parameter at token at.
func (a *Args) inner(at uint32) (kind, uint64) {
	for a.blk.kinds[at] == kTyped {
		if a.blk.vals[at+1]>>32 != 1 {
			return kUnset, 0
		}
		at += 2
	}
	return a.blk.kinds[at], a.blk.vals[at]
}

// OptReal is Real for an optional attribute: ok is false when it is unset.
func (a *Args) OptReal() (x float64, ok bool) {
	if a.IsUnset() {
		a.Skip(1)
		return 0, false
	}
	return a.Real(), true
}

// Int returns the next element as an integer; a real with an integral value will do.
func (a *Args) Int() int64 {
	k, val, at := a.next()
	if k == kTyped {
		k, val = a.inner(at)
	}
	switch k {
	case kInt:
		return int64(val)
	case kReal:
		const exact = 1 << 53
		if f := math.Float64frombits(val); f == math.Trunc(f) && math.Abs(f) <= exact {
			return int64(f)
		}
	}
	a.mistake()
	return 0
}

// Ref returns the instance that the next element refers to. A reference to an instance that is not in
// the file is a problem, and so is an unset attribute.
func (a *Args) Ref() Ref {
	r, unset := a.ref()
	if unset {
		a.mistake()
	}
	return r
}

// OptRef is Ref for an optional attribute: unset gives Missing.
func (a *Args) OptRef() Ref {
	r, _ := a.ref()
	return r
}

// Link is like OptRef, but an instance that is not in the file gives a distinct Ref without an instance. Entities that
// share this Ref can still be joined. Numbers over 31 bits give Missing.
func (a *Args) Link() Ref {
	if a.left > 0 && a.blk.kinds[a.at] == kDangling {
		if id := a.blk.vals[a.at]; id <= math.MaxInt32 {
			a.ref()
			return Ref{-int32(id)}
		}
	}
	return a.OptRef()
}

func (a *Args) ref() (r Ref, unset bool) {
	k, val, at := a.next()
	if k == kTyped {
		k, val = a.inner(at)
	}
	switch k {
	case kRef:
		return refTo(int32(val)), false
	case kDangling:
		if val == 0 {
			a.mistake() // no instance can have this number
		} else if a.absent == 0 {
			a.absent = int64(val)
		}
		return Missing, false
	case kUnset, kDerived:
		return Missing, true
	}
	a.mistake()
	return Missing, false
}

// Enum returns the next element as an enumeration value, NoKeyword when unset or not in the vocabulary.
func (a *Args) Enum() Keyword {
	k, val, _ := a.next()
	switch k {
	case kEnum:
		return Keyword(val)
	case kUnset, kDerived:
		return NoKeyword
	}
	a.mistake()
	return NoKeyword
}

// Text returns the next element as a decoded string, "" when unset.
func (a *Args) Text() string {
	k, val, at := a.next()
	if k == kTyped {
		k, val = a.inner(at)
	}
	switch k {
	case kString:
		from, n := val>>32, val&0xFFFFFFFF
		return Decode(a.blk.text[from : from+n])
	case kUnset, kDerived:
		return ""
	}
	a.mistake()
	return ""
}

func (a *Args) texts() []string {
	list := a.List()
	out := make([]string, 0, list.Len())
	for list.More() {
		out = append(out, list.Text())
	}
	return out
}

// List returns the elements of the next element, which is a list; an unset element gives an empty list.
func (a *Args) List() Args {
	k, val, at := a.next()
	switch k {
	case kList:
		return a.listAt(at, val)
	case kUnset, kDerived:
		return Args{}
	}
	a.mistake()
	return Args{}
}

func (a *Args) listAt(at uint32, val uint64) Args {
	return Args{blk: a.blk, at: at + 1, end: at + 1 + uint32(val), left: int32(val >> 32)}
}

// Typed returns the name and the parameters of the next element, which is a typed parameter.
func (a *Args) Typed() (Keyword, Args) {
	k, val, at := a.next()
	if k != kTyped {
		a.mistake()
		return NoKeyword, Args{}
	}
	return Keyword(val >> 32), a.listAt(at+1, a.blk.vals[at+1])
}

// IsUnset reports whether the next element is unset, derived or not there.
func (a *Args) IsUnset() bool {
	return a.left <= 0 || a.blk.kinds[a.at] == kUnset || a.blk.kinds[a.at] == kDerived
}

// IsTyped reports whether the next element is a typed parameter.
func (a *Args) IsTyped() bool { return a.left > 0 && a.blk.kinds[a.at] == kTyped }

// IsList reports whether the next element is a list.
func (a *Args) IsList() bool { return a.left > 0 && a.blk.kinds[a.at] == kList }

// IsRef reports whether the next element refers to an instance, present or not.
func (a *Args) IsRef() bool {
	return a.left > 0 && (a.blk.kinds[a.at] == kRef || a.blk.kinds[a.at] == kDangling)
}

// Problem returns the ordinal of the first element of a wrong kind and the number of the first referenced instance that
// is not in the file, or 0.
func (a *Args) Problem() (ordinal int, absent int64) { return int(a.wrong), a.absent }

// Join adds the problems of a list that was an element of a.
func (a *Args) Join(list Args) {
	if list.wrong != 0 {
		a.mistake()
	}
	if a.absent == 0 {
		a.absent = list.absent
	}
}
