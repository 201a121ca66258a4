package httpapi

import (
	"net/http"

	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/catalog"
)

// Expected is the ETag of the record that the client means to change. (huma sees exported types only.)
type Expected struct {
	IfMatch string `header:"If-Match" maxLength:"1024" doc:"ETag under which the record was read: it is changed only if it is still the same. Compared as in If-None-Match. Absent: it is changed in any case."`
}

// only returns a check that the record is the expected one; nil without an expectation.
func only[R, W any](e Expected, kind string, wire func(R) W) catalog.Check[R] {
	if e.IfMatch == "" {
		return nil
	}
	return func(now R) error {
		body, err := encode(wire(now))
		if err == nil && !sameTag(e.IfMatch, contentTag(body.text)) {
			err = apierr.Errorf(apierr.Changed,
				"The %s has changed since it was read; read it again to see what it is now.", kind)
		}
		return err
	}
}

// renamed is the answer to a change: the record, and the ETag that reading it gives from now on.
type renamed[T any] struct {
	Status int
	ETag   string `header:"ETag" doc:"Identifies the record as it is now; absent from a replay."`
	Body   encoded[T]
}

func changed[T any](v T) (*renamed[T], error) {
	body, err := encode(v)
	return &renamed[T]{http.StatusOK, contentTag(body.text), body}, err
}
