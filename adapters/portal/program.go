package portal

import (
	"io"
	"net/http"
	"strconv"
	"time"

	"millwright.dev/millwright/adapters/export/setupsheet"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/program"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/session"
)

// programBody is a program in the list of a part.
type programBody struct {
	ID            string           `json:"id"`
	Status        program.Status   `json:"status"`
	FailureReason string           `json:"failureReason"` // "" = none
	JobID         string           `json:"jobId"`         // "" = none
	ReportID      string           `json:"reportId"`      // of the part, whose faces the program names
	CutConfigID   string           `json:"cutConfigId"`
	CutConfigName string           `json:"cutConfigName"` // at the request
	Currency      program.Currency `json:"currency"`      // of that cut config
	Changes       []string         `json:"changes"`       // its fields that differ today, and "tools"
	CreatedAt     time.Time        `json:"createdAt"`
}

// programsBody is the programs of a part.
type programsBody struct {
	Programs []programBody `json:"programs"`
	Total    int           `json:"total"`
}

// mostPrograms bounds the list of the programs of a part.
const mostPrograms = 100

// listPrograms answers with the programs of a part, the newest first.
func (p *portal) listPrograms(w http.ResponseWriter, r *http.Request, c session.Current) {
	list, err := p.use.Programs.Origins(r.Context(), c.Key.Caller(), r.PathValue("id"),
		record.Page{Page: 1, PageSize: mostPrograms})
	if err != nil {
		p.fail(w, r, err)
		return
	}
	out := make([]programBody, len(list.Items))
	for i := range list.Items {
		o := &list.Items[i]
		out[i] = programBody{
			ID: o.ID, Status: o.Status, FailureReason: o.Failure.Reason, JobID: o.JobID, ReportID: o.Plan.ReportID,
			CutConfigID: o.Plan.CutConfigID, CutConfigName: o.ConfigName, Currency: o.Currency, Changes: o.Changes,
			CreatedAt: o.CreatedAt,
		}
	}
	answer(w, http.StatusOK, programsBody{out, list.Total})
}

// immutable is the Cache-Control of the files of programs, which never change.
const immutable = "private, max-age=31536000, immutable"

// openFile opens a file of the program that a request names, and answers where it cannot.
func (p *portal) openFile(
	w http.ResponseWriter, r *http.Request, c session.Current, name pipeline.Name,
) (io.ReadCloser, bool) {
	body, err := p.use.Programs.OpenFile(r.Context(), c.Key.Caller(), r.PathValue("id"), r.PathValue("program"), name)
	if err != nil {
		p.fail(w, r, err)
	}
	return body, err == nil
}

// readDocument answers with program.json: frames, stock, jaws, and the tools as they were.
func (p *portal) readDocument(w http.ResponseWriter, r *http.Request, c session.Current) {
	body, ok := p.openFile(w, r, c, pipeline.ProgramJSON)
	if !ok {
		return
	}
	defer func() { _ = body.Close() }()
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", immutable)
	if _, err := io.Copy(w, body); err != nil {
		p.config.Logger.Warn("a program was cut off", "error", err)
	}
}

// pictureSandbox is the policy of a picture, whose styles are inline.
const pictureSandbox = "sandbox; default-src 'none'; style-src 'unsafe-inline'"

// readPicture answers with the picture of a setup as its sheet has it.
func (p *portal) readPicture(w http.ResponseWriter, r *http.Request, c session.Current) {
	body, ok := p.openFile(w, r, c, pipeline.SetupSheet)
	if !ok {
		return
	}
	sheet, err := io.ReadAll(body)
	_ = body.Close()
	if err != nil {
		p.fail(w, r, err)
		return
	}
	pictures := setupsheet.Pictures(string(sheet))
	setup, err := strconv.Atoi(r.PathValue("setup"))
	if err != nil || setup < 1 || setup > len(pictures) {
		p.refuse(w, r, apierr.NoSetup, "The program has "+strconv.Itoa(len(pictures))+" setups, numbered from 1.")
		return
	}
	h := w.Header()
	h.Set("Content-Type", "image/svg+xml")
	h.Set("Content-Security-Policy", pictureSandbox)
	h.Set("Cache-Control", immutable)
	_, _ = io.WriteString(w, pictures[setup-1]) // the client has gone when this fails
}
