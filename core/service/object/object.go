// Package object stores large byte sequences by name: CAD sources, meshes, images. Store is the port to the storage.
package object

import (
	"context"
	"errors"
	"io"
	"time"
)

// Ref names an object. Keys are slash-separated segments of letters, digits, '.', '_' and '-'.
type Ref struct {
	Bucket string `json:"bucket"`
	Key    string `json:"key"`
}

// Info is the metadata of a stored object.
type Info struct {
	Size     int64 // bytes
	Modified time.Time
}

// PutConditions are the conditions signed into an upload address.
type PutConditions struct {
	Life     time.Duration
	MaxBytes int64 // a longer body is refused by the address, or by Seal if the store cannot do that (S3)
	// ContentType is the content type that the upload must declare; "" allows any. Headers includes it.
	ContentType string
	// Sealed is the destination of Seal. Once an object exists there, the address refuses uploads if the store can
	// check that. Otherwise (S3), later uploads go to a key that is never read again.
	Sealed Ref
}

// GetConditions are the conditions signed into a download address.
type GetConditions struct {
	Life        time.Duration
	ContentType string
	FileName    string // name for saving the file; "" shows the bytes in place
}

// SignedURL is an address that carries its own permission until it expires.
type SignedURL struct {
	URL       string
	Method    string            // PUT or GET
	Headers   map[string]string // must be sent along; may be empty
	ExpiresAt time.Time
}

// Store keeps large bytes. An object appears whole or not at all.
type Store interface {
	// SignPut and SignGet return addresses for clients; neither checks that the object exists.
	SignPut(ctx context.Context, ref Ref, terms PutConditions) (SignedURL, error)
	SignGet(ctx context.Context, ref Ref, terms GetConditions) (SignedURL, error)
	// Head returns ErrNotFound for a missing object.
	Head(ctx context.Context, ref Ref) (Info, error)
	// Get opens an object; the caller closes it. ErrNotFound: no such object.
	Get(ctx context.Context, ref Ref) (io.ReadCloser, Info, error)
	// Put stores r until EOF or until ctx ends, and replaces an existing object. After an error nothing new is visible.
	Put(ctx context.Context, ref Ref, r io.Reader) error
	// Seal makes an upload immutable: it moves the object from key from to key to, for which no upload address is ever
	// signed. An existing object at to stays unchanged, so the first call that reaches to decides, also after
	// concurrent calls and crashes. The sealed object is one complete upload, even if others arrive during the call.
	// Seal returns the object at to. ErrNotFound: neither key has an object. ErrTooLarge: the object has more than
	// maxBytes and is not sealed; the caller may delete it. (S3: CopyObject with the condition that from has the ETag
	// seen by Head and that to does not exist.)
	Seal(ctx context.Context, from, to Ref, maxBytes int64) (Info, error)
	// Delete removes an object; a missing object is not an error.
	Delete(ctx context.Context, ref Ref) error
}

// Errors that a Store returns, wrapped or not.
var (
	ErrNotFound = errors.New("no such object")
	ErrTooLarge = errors.New("the object is larger than allowed")
)

// Cancellable is a reader that ends with its context.
func Cancellable(ctx context.Context, r io.Reader) io.Reader { return cancellable{ctx, r} }

type cancellable struct {
	ctx context.Context
	io.Reader
}

func (c cancellable) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.Reader.Read(p)
}
