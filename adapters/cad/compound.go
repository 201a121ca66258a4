package cad

import (
	"encoding/binary"
	"io"
	"unicode/utf16"
)

// Compound documents (OLE2, [MS-CFB]) carry SolidWorks files up to 2014 and NX files up to 11; only
// the names in their directory tell which. The directory is a chain of sectors through the file
// allocation table. Only the first 109 table sectors, listed in the header, are followed: the
// directory of larger files still begins there.

const (
	compoundHeaderSize = 512
	directoryEntrySize = 128
	maxDirectorySector = 256 // directory sectors looked at; thousands of names
)

// detectCompound tells whose compound document it is from the names in its directory.
func detectCompound(src io.ReaderAt) Format {
	for _, name := range compoundNames(src) {
		switch name {
		case "UG_PART":
			return NX
		case "swXmlContents", "ISolidWorksInformation", "CMgr", "Definition":
			return SolidWorks
		}
	}
	return CompoundDocument
}

// compoundNames lists the storage and stream names of a compound document's directory; it returns
// what it can read of a damaged one.
func compoundNames(src io.ReaderAt) []string {
	var header [compoundHeaderSize]byte
	if _, err := src.ReadAt(header[:], 0); err != nil {
		return nil
	}
	le := binary.LittleEndian
	shift := le.Uint16(header[30:])
	if shift < 9 || shift > 16 {
		return nil
	}
	size := int64(1) << shift
	sectorAt := func(sector uint32) int64 { return (int64(sector) + 1) * size }
	next := func(sector uint32) (uint32, bool) {
		perTable := uint32(size / 4)
		index := sector / perTable
		if index >= 109 {
			return 0, false
		}
		table := le.Uint32(header[76+4*index:])
		var link [4]byte
		if _, err := src.ReadAt(link[:], sectorAt(table)+4*int64(sector%perTable)); err != nil {
			return 0, false
		}
		return le.Uint32(link[:]), true
	}
	const endOfChain = 0xFFFFFFF0 // and above: end, free and table markers
	var names []string
	buf := make([]byte, size)
	sector, ok := le.Uint32(header[48:]), true
	for n := 0; ok && sector < endOfChain && n < maxDirectorySector; n++ {
		if read, _ := src.ReadAt(buf, sectorAt(sector)); int64(read) < size {
			break
		}
		for at := 0; at < len(buf); at += directoryEntrySize {
			names = append(names, entryName(buf[at:at+directoryEntrySize]))
		}
		sector, ok = next(sector)
	}
	return names
}

// entryName decodes the UTF-16 name of a directory entry; its stored length counts the final NUL.
func entryName(entry []byte) string {
	n := int(binary.LittleEndian.Uint16(entry[64:]))
	if n < 2 || n > 64 {
		return ""
	}
	units := make([]uint16, n/2-1)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(entry[2*i:])
	}
	return string(utf16.Decode(units))
}
