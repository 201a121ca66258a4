package portal

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"sync"
)

//go:embed assets/*
var embedded embed.FS

// indexName is the file of all page addresses. It names the others by their hash.
const indexName = "index.html"

// hashMark is the place of the hash in the index.
const hashMark = "{hash}"

// Assets returns the files that the index names: program, style, icon and licenses. Their address contains Hash, so
// that browsers may keep them for ever.
func Assets() fs.FS { return built().files }

// Hash returns 12 hexadecimal digits that change with any byte of the built files.
func Hash() string { return built().hash }

// Index returns the HTML of every page address.
func Index() []byte { return bytes.Clone(built().index) }

type pages struct {
	files fs.FS
	hash  string
	index []byte
}

var built = sync.OnceValue(func() pages {
	tree, err := fs.Sub(embedded, "assets")
	if err != nil {
		panic(err) // the name is valid
	}
	names, err := fs.Glob(tree, "*")
	if err != nil {
		panic(err) // the pattern is valid
	}
	sum := sha256.New()
	for _, name := range names { // sorted
		data, err := fs.ReadFile(tree, name)
		if err != nil {
			panic(err) // the file is in the program
		}
		content := sha256.Sum256(data)
		sum.Write([]byte(name + "\x00"))
		sum.Write(content[:])
	}
	hash := hex.EncodeToString(sum.Sum(nil))[:12]
	index, err := fs.ReadFile(tree, indexName)
	if err != nil {
		panic(err)
	}
	return pages{withoutIndex{tree}, hash, bytes.ReplaceAll(index, []byte(hashMark), []byte(hash))}
})

// withoutIndex hides the index, which is served at the addresses of pages.
type withoutIndex struct{ fs.FS }

// Open opens a file of the pages.
func (f withoutIndex) Open(name string) (fs.File, error) {
	if name == indexName {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return f.FS.Open(name)
}
