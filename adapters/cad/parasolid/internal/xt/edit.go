package xt

// layout returns the layout of a type at its first node. Where the schema is embedded, that node states it: the base
// layout unchanged, edits of it, or a full list of fields.
func (d *decoder) layout(kind int) (*layout, error) {
	_, names := baseFields()
	fields, known := d.fields[kind]
	name := names[kind]
	if !d.isEmbedded {
		if !known {
			return nil, d.fail("node type %d is not known", kind)
		}
		return newLayout(kind, name, fields)
	}
	const unchanged = 255
	n := d.byte()
	switch {
	case d.isShort():
		return nil, d.fail("")
	case n == unchanged && known:
		return baseLayouts()[kind], nil
	case known:
		var err error
		if fields, err = d.edit(name, fields); err != nil {
			return nil, err
		}
	case n == unchanged:
		return nil, d.fail("node type %d is not known", kind)
	case n > maxFields:
		return nil, d.fail("node type %d has %d fields, which are too many", kind, n)
	default:
		name, _ = d.word(), d.word() // and its description
		fields = nil
		for range n {
			if f, ok := d.field(); ok {
				fields = append(fields, f)
			}
		}
	}
	if n != len(fields) && known {
		return nil, d.fail("the schema edits of %s give %d fields, not %d", name, len(fields), n)
	}
	l, err := newLayout(kind, name, fields)
	if err != nil {
		return nil, d.fail("%v", err)
	}
	return l, nil
}

// edit applies the edits that follow to the fields of the base layout. Base fields after the last edit are dropped.
func (d *decoder) edit(name string, base []Field) ([]Field, error) {
	const usual = 8 // edits
	out := make([]Field, 0, len(base)+usual)
	for len(out) <= maxFields {
		switch op := d.character(); {
		case d.isShort():
			return nil, d.fail("")
		case (op == 'C' || op == 'D') && len(base) == 0:
			return nil, d.fail("the schema edits of %s go on behind its last field", name)
		case op == 'C':
			out, base = append(out, base[0]), base[1:]
		case op == 'D':
			base = base[1:]
		case op == 'I' || op == 'A':
			if f, ok := d.field(); ok {
				out = append(out, f)
			}
		case op == 'Z':
			return out, nil
		default:
			return nil, d.fail("the schema edits of %s have the unknown letter %q", name, rune(op))
		}
	}
	return nil, d.fail("the schema edits of %s give too many fields", name)
}

// field reads the definition of a field. transmitted is false if nodes contain no data of the field.
func (d *decoder) field() (f Field, transmitted bool) {
	f.Name = d.word()
	class := d.short()
	f.Count = d.index()
	f.Kind = 'p'
	if class == 0 {
		if kind := d.word(); len(kind) == 1 {
			f.Kind = kind[0]
		} else {
			f.Kind = '?'
		}
	}
	return f, f.Count != Variable || d.logical() == 1
}
