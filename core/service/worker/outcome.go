package worker

import (
	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/program"
)

// Outcome is the records written at the end of a job.
type Outcome struct {
	Report       *part.AnalysisReport // nil: the job extends the report ReportID
	ReportID     string               // with Report nil
	Details      []part.FeatureDetail
	SourceDigest string          // hex SHA-256 of the part's file; "" = unchanged
	Made         []part.Artifact // stored by this attempt
	Used         []part.Artifact // found stored

	Follow  []program.JobOrder // placed if the report makes the part ready for the first time
	Program *program.Outcome   // of jobs about plans
}

// account returns the account of a program that may be run; nil for other jobs.
func (o Outcome) account() *completeness.Account {
	if o.Program == nil || o.Program.Verdict == nil || o.Program.Verdict.Failure != nil {
		return nil
	}
	return o.Program.Made.Account
}

// Of is the id of the report that the outcome is or adds to.
func (o Outcome) Of() string {
	if o.Report != nil {
		return o.Report.ID
	}
	return o.ReportID
}

// Warnings returns the warnings of the new report, never nil.
func (o Outcome) Warnings() []fault.Warning {
	if o.Report == nil {
		return []fault.Warning{}
	}
	return append([]fault.Warning{}, o.Report.Analysis.Warnings...)
}
