package part

import (
	"errors"

	"millwright/core/fault"
	"millwright/core/object"
)

// Artefact is what a stage made for a part, and where it lies.
type Artefact struct {
	Key    string // of what it was made by and from, the same for the same
	Stage  string
	Object object.Ref // no two attempts make the same one; parts of a team may share one
	Size   int64      // bytes
}

// Outcome is what the end of a job writes.
type Outcome struct {
	Report       *Report // nil: the job adds to the report ReportID, which it takes as its own
	ReportID     string  // with Report nil
	Details      []FeatureDetail
	SourceDigest string     // hex SHA-256 of the part's file; "" says nothing
	Made         []Artefact // stored by this attempt
	Used         []Artefact // found stored
}

// Of is the id of the report that the outcome is or adds to.
func (o Outcome) Of() string {
	if o.Report != nil {
		return o.Report.ID
	}
	return o.ReportID
}

// Warnings are those of the report that the outcome is, never nil.
func (o Outcome) Warnings() []fault.Warning {
	if o.Report == nil {
		return []fault.Warning{}
	}
	return append([]fault.Warning{}, o.Report.Analysis.Warnings...)
}

// ErrGone: a part that was to name an object found it gone, or about to go, with the last part that named it.
var ErrGone = errors.New("an object that was found stored is being deleted")
