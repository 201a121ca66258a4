package containertest

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"encoding/binary"
	"math/bits"
	"slices"
)

// Parasolid returns the beginning of a Parasolid stream of a kind, "(partition)", "(deltas)" or "", without a body.
func Parasolid(kind string) []byte {
	if kind != "" {
		kind += " "
	}
	said := ": TRANSMIT FILE " + kind + "created by modeller version 3000280"
	out := []byte("PS\x00\x00")
	out = binary.BigEndian.AppendUint16(out, uint16(len(said)))
	return append(out, said...)
}

// Deflate packs without a header.
func Deflate(content []byte) []byte {
	var out bytes.Buffer
	w, _ := flate.NewWriter(&out, flate.DefaultCompression) // errs for unknown levels only
	_, _ = w.Write(content)                                 // into memory
	_ = w.Close()
	return out.Bytes()
}

// Zlib packs with the header of zlib.
func Zlib(content []byte) []byte {
	var out bytes.Buffer
	w, _ := zlib.NewWriterLevel(&out, zlib.BestSpeed)
	_, _ = w.Write(content)
	_ = w.Close()
	return out.Bytes()
}

// Section frames a stream as SolidWorks does, behind its length word, in packed pieces of 1 MiB.
func Section(content []byte) []byte {
	const piece = 1 << 20
	body := []byte("\x23\x1D\xD5\x71\xDA\x81\x48\xA2\xA8\x58\x98\xB2\x1B\x89\xEF\x99")
	for unpacked := range slices.Chunk(content, piece) {
		packed := Zlib(unpacked)
		body = binary.LittleEndian.AppendUint32(body, uint32(len(unpacked)))
		body = binary.LittleEndian.AppendUint32(body, uint32(len(packed)))
		body = append(body, packed...)
	}
	body = append(body, make([]byte, 8)...)
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(body))), body...)
}

// Chunks returns a chunk container of SolidWorks 2015 and later, with its directory behind the streams.
func Chunks(streams ...Stream) []byte {
	const turn = 4 // bits by which names are rotated back
	out := []byte{1, 2, 3, 4, 0, 0, 0, turn, 9, 9, 9, 9}
	directory := []byte("directory")
	for _, s := range streams {
		packed := Deflate(s.Content)
		var header []byte
		header = append(header, 7, 7, 7, 7, 0x14, 0, 6, 0, 8, 0, 0x1C, 1, 2, 3, 0xAA, 0xBB, 0xCC, 0xDD)
		for _, n := range []int{len(packed), len(s.Content), len(s.Name)} {
			header = binary.LittleEndian.AppendUint32(header, uint32(n))
		}
		for _, c := range []byte(s.Name) {
			header = append(header, bits.RotateLeft8(c, -turn))
		}
		out = append(append(out, header...), packed...)
		directory = append(directory, header...)
	}
	return append(out, directory...)
}

// Directories returns a container of NX 12 and later. The first half of the files, and their folders, are listed after
// the header, the other files at the end.
func Directories(files ...Stream) []byte {
	half := (len(files) + 1) / 2
	headerSize := 25 + directorySize(files[:half])
	at := headerSize
	var places []int
	var content []byte
	for _, f := range files {
		places = append(places, at)
		content = append(content, f.Content...)
		at += len(f.Content)
	}
	out := []byte("SPLMSSTR\x06\x87\xD8\x01\x00\x00\x00\x00\x00")
	out = append(binary.LittleEndian.AppendUint32(out, uint32(at)), 0, 0, 0, 0)
	out = appendDirectory(out, "HEADER", files[:half], places)
	out = append(out, content...)
	out = appendDirectory(out, "FOOTER", files[half:], places[half:])
	return append(out, 1, 2, 3, 4) // a fingerprint
}

const (
	rootName   = "/Root/"
	entrySpace = 4 + 16 // bytes of an entry without its name
)

// directorySize returns the number of entries with the root's entry, which is not a file.
func directorySize(files []Stream) int {
	n := 6 + 4 + entrySpace + len(rootName)
	for _, f := range files {
		n += entrySpace + len(rootName) + len(f.Name)
	}
	return n
}

func appendDirectory(out []byte, word string, files []Stream, places []int) []byte {
	le := binary.LittleEndian
	out = le.AppendUint32(append(out, word...), uint32(len(files)+1))
	entry := func(name string, at, size uint64) {
		out = append(le.AppendUint32(out, uint32(len(name))), name...)
		out = le.AppendUint64(le.AppendUint64(out, at), size)
	}
	entry(rootName, 0x11D160FAB3C91E61, 0x2B32F360008D98A) // ids instead of offset and size
	for i, f := range files {
		entry(rootName+f.Name, uint64(places[i]), uint64(len(f.Content)))
	}
	return out
}

// Implode packs in the format of PKWARE's library with literals alone, nine bits each.
func Implode(content []byte) []byte {
	out, bit := []byte{0, 6}, 0
	put := func(value, n int) {
		for i := range n {
			if bit%8 == 0 {
				out = append(out, 0)
			}
			out[len(out)-1] |= byte(value>>i&1) << (bit % 8)
			bit++
		}
	}
	for _, b := range content {
		put(0, 1)
		put(int(b), 8)
	}
	put(1, 1)    // a copy
	put(0, 7)    // of the longest kind,
	put(0xFF, 8) // the longest copy marks the end
	return out
}
