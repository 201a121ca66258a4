// Package object keeps large bytes under names: CAD sources, meshes, images. Store is the port to what keeps them.
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

// Info is what is known of a stored object.
type Info struct {
	Size     int64 // bytes
	Modified time.Time
}

// PutConditions are the conditions signed into an upload address.
type PutConditions struct {
	Life     time.Duration
	MaxBytes int64 // a longer body is refused there, or where the store cannot (S3) by Seal
	// ContentType is what the upload must say that it is; "" takes any. It comes back among the headers.
	ContentType string
	// Sealed is where Seal will put the upload. Once an object is there the address refuses uploads,
	// where the store can tell; where it cannot (S3), they land at a key that nobody reads any more.
	Sealed Ref
}

// GetConditions are the conditions signed into a download address.
type GetConditions struct {
	Life        time.Duration
	ContentType string
	FileName    string // offered as the name to save under; "" shows the bytes in place
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
	// SignPut and SignGet make addresses for clients; neither asks whether the object exists.
	SignPut(ctx context.Context, ref Ref, terms PutConditions) (SignedURL, error)
	SignGet(ctx context.Context, ref Ref, terms GetConditions) (SignedURL, error)
	// Head returns ErrNotFound when there is none.
	Head(ctx context.Context, ref Ref) (Info, error)
	// Get opens an object; the caller closes it. ErrNotFound when there is none.
	Get(ctx context.Context, ref Ref) (io.ReadCloser, Info, error)
	// Put stores r until EOF, or ends with ctx; it replaces what was there. After an error nothing new is visible.
	Put(ctx context.Context, ref Ref, r io.Reader) error
	// Seal makes an upload unchangeable: it puts what lies at from at to, a key for which no upload
	// address is ever signed, and removes from. An object that is at to already stays as it is, so that
	// of several calls, and of calls cut off by a crash, the first one that reached to decides. What is
	// sealed is the whole of one upload, however many arrive meanwhile. It returns the object at to.
	// ErrNotFound: there is none at either. ErrTooLarge: it has more than maxBytes and is not sealed; it may
	// be deleted.
	// (S3: CopyObject on the condition that from has the ETag seen by Head and that to does not exist.)
	Seal(ctx context.Context, from, to Ref, maxBytes int64) (Info, error)
	// Delete removes an object; one that is not there is no error.
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
