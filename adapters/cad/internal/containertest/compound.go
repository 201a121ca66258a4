// Package containertest packs streams into the containers of CAD systems, for tests of their readers.
package containertest

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"
)

// Stream is a named piece of a container; the name of a storage ends in a slash.
type Stream struct {
	Name    string
	Content []byte
}

const (
	sectorSize  = 512
	miniSector  = 64
	miniCutoff  = 4096
	endOfChain  = 0xFFFFFFFE
	tableSector = 0xFFFFFFFD
	listSector  = 0xFFFFFFFC
	noEntry     = 0xFFFFFFFF
	inHeader    = 109
)

// compoundWriter lays out a compound file: sectors in the order they are asked for, their table at the end.
type compoundWriter struct {
	data      []byte
	table     []uint32
	mini      []byte
	miniTable []uint32
	entries   []directoryEntry
}

type directoryEntry struct {
	name        string
	kind        byte
	right, down uint32
	start       uint32
	size        int
}

// Compound returns a compound file (OLE2, version 3) with the streams. A slash in a name separates storages.
func Compound(streams ...Stream) []byte {
	w := &compoundWriter{entries: []directoryEntry{{name: "Root Entry", kind: 5, right: noEntry, down: noEntry}}}
	for _, s := range streams {
		parent := 0
		names := strings.Split(s.Name, "/")
		for _, name := range names[:len(names)-1] {
			parent = w.storage(parent, name)
		}
		e := directoryEntry{name: names[len(names)-1], kind: 2, down: noEntry, size: len(s.Content)}
		if len(s.Content) < miniCutoff {
			e.start = w.putMini(s.Content)
		} else {
			e.start = w.put(s.Content)
		}
		w.link(parent, e)
	}
	w.entries[0].start, w.entries[0].size = w.put(w.mini), len(w.mini)
	miniTable := w.put(numbers(w.miniTable))
	directory := w.put(w.directory())
	return w.finish(directory, miniTable)
}

// storage returns the index of a storage below another, and adds it if it is missing.
func (w *compoundWriter) storage(parent int, name string) int {
	for at := w.entries[parent].down; at != noEntry; at = w.entries[at].right {
		if e := w.entries[at]; e.kind == 1 && e.name == name {
			return int(at)
		}
	}
	return w.link(parent, directoryEntry{name: name, kind: 1, down: noEntry, start: 0})
}

// link adds an entry before its siblings: the tree is a list.
func (w *compoundWriter) link(parent int, e directoryEntry) int {
	e.right = w.entries[parent].down
	w.entries[parent].down = uint32(len(w.entries))
	w.entries = append(w.entries, e)
	return len(w.entries) - 1
}

// put writes a stream into new sectors and returns the first one.
func (w *compoundWriter) put(content []byte) uint32 {
	return chained(&w.table, &w.data, content, sectorSize)
}

func (w *compoundWriter) putMini(content []byte) uint32 {
	return chained(&w.miniTable, &w.mini, content, miniSector)
}

// chained adds content to data in sectors, and their chain to the table, and returns the first.
func chained(table *[]uint32, data *[]byte, content []byte, sector int) uint32 {
	if len(content) == 0 {
		return endOfChain
	}
	first := uint32(len(*table))
	for at := 0; at < len(content); at += sector {
		*table = append(*table, uint32(len(*table)+1))
	}
	(*table)[len(*table)-1] = endOfChain
	*data = append(append(*data, content...), make([]byte, -len(content)&(sector-1))...)
	return first
}

func (w *compoundWriter) directory() []byte {
	const entrySize = 128
	le := binary.LittleEndian
	out := make([]byte, entrySize*len(w.entries))
	for i, e := range w.entries {
		at := out[entrySize*i:]
		units := utf16.Encode([]rune(e.name))
		for j, u := range units {
			le.PutUint16(at[2*j:], u)
		}
		le.PutUint16(at[64:], uint16(2*len(units)+2))
		at[66] = e.kind
		le.PutUint32(at[68:], noEntry)
		le.PutUint32(at[72:], e.right)
		le.PutUint32(at[76:], e.down)
		le.PutUint32(at[116:], e.start)
		le.PutUint32(at[120:], uint32(e.size))
	}
	return out
}

// finish adds the table and the lists of its sectors, and the header.
func (w *compoundWriter) finish(directory, miniTable uint32) []byte {
	const perSector = sectorSize / 4
	tables, lists := 0, 0
	for {
		needed := (len(w.table) + tables + lists + perSector - 1) / perSector
		extra := max(0, (needed-inHeader+perSector-2)/(perSector-1))
		if needed == tables && extra == lists {
			break
		}
		tables, lists = needed, extra
	}
	firstTable, firstList := len(w.table), len(w.table)+tables
	for range tables {
		w.table = append(w.table, tableSector)
	}
	for range lists {
		w.table = append(w.table, listSector)
	}
	for len(w.table)%perSector != 0 {
		w.table = append(w.table, noEntry)
	}
	w.data = append(w.data, numbers(w.table)...)
	header := make([]byte, sectorSize)
	le := binary.LittleEndian
	copy(header, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")
	le.PutUint16(header[26:], 3)
	le.PutUint16(header[28:], 0xFFFE)
	le.PutUint16(header[30:], 9)
	le.PutUint16(header[32:], 6)
	le.PutUint32(header[44:], uint32(tables))
	le.PutUint32(header[48:], directory)
	le.PutUint32(header[56:], miniCutoff)
	le.PutUint32(header[60:], miniTable)
	le.PutUint32(header[64:], uint32((4*len(w.miniTable)+sectorSize-1)/sectorSize))
	le.PutUint32(header[68:], endOfChain)
	le.PutUint32(header[72:], uint32(lists))
	for i := range inHeader {
		le.PutUint32(header[76+4*i:], sectorOr(i < tables, firstTable+i))
	}
	for i := range lists {
		if i == 0 {
			le.PutUint32(header[68:], uint32(firstList))
		}
		list := make([]uint32, perSector)
		for j := range perSector - 1 {
			n := inHeader + i*(perSector-1) + j
			list[j] = sectorOr(n < tables, firstTable+n)
		}
		list[perSector-1] = endOfChain
		if i+1 < lists {
			list[perSector-1] = uint32(firstList + i + 1)
		}
		w.data = append(w.data, numbers(list)...)
	}
	return append(header, w.data...)
}

func sectorOr(isUsed bool, n int) uint32 {
	if isUsed {
		return uint32(n)
	}
	return noEntry
}

func numbers(list []uint32) []byte {
	out := make([]byte, 0, 4*len(list))
	for _, n := range list {
		out = binary.LittleEndian.AppendUint32(out, n)
	}
	return out
}
