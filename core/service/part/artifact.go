package part

import (
	"errors"

	"millwright.dev/millwright/core/service/object"
)

// Artifact is the output of a stage for a part, with its location.
type Artifact struct {
	Key    string // hash of the inputs and parameters; equal for equal outputs
	Stage  string
	Object object.Ref // unique for each attempt; parts of a team may share one
	Size   int64      // bytes
}

// ErrObjectDeleted: a part that was to name an object found it gone, or about to go, with the last part that named it.
var ErrObjectDeleted = errors.New("an object that was found stored is being deleted")
