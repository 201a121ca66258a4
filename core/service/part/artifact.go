package part

import (
	"errors"

	"millwright.dev/millwright/core/service/object"
)

// Artifact is what a stage made for a part, and where it lies.
type Artifact struct {
	Key    string // of what it was made by and from, the same for the same
	Stage  string
	Object object.Ref // no two attempts make the same one; parts of a team may share one
	Size   int64      // bytes
}

// ErrObjectDeleted: a part that was to name an object found it gone, or about to go, with the last part that named it.
var ErrObjectDeleted = errors.New("an object that was found stored is being deleted")
