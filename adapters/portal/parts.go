package portal

import (
	"compress/gzip"
	"io"
	"net/http"
	"strconv"
	"strings"

	"millwright.dev/millwright/adapters/httpapi"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/session"
)

// Example is a part that a person can try the service with.
type Example struct {
	Name string // of the file
	Data []byte
}

// kept is for answers that never change. Only the browser of the session may keep them.
const kept = "private, max-age=31536000, immutable"

// limitsBody is the conditions that a file is checked against before it is sent.
type limitsBody struct {
	Extensions []string `json:"extensions"`
	MaxUpload  int64    `json:"maxUpload"` // bytes
	Example    string   `json:"example"`   // file name of the bundled part, "" without one
}

func (p *portal) readLimits(w http.ResponseWriter, _ *http.Request, _ session.Current) {
	answer(w, http.StatusOK, limitsBody{part.Extensions, p.use.Parts.MaxUpload(), p.config.Example.Name})
}

// readExample answers with the bundled part, which the page then uploads as any other file.
func (p *portal) readExample(w http.ResponseWriter, r *http.Request, _ session.Current) {
	if len(p.config.Example.Data) == 0 {
		p.refuse(w, r, notFound, "This service has no bundled part.")
		return
	}
	w.Header().Set("Content-Type", "model/step")
	_, _ = w.Write(p.config.Example.Data) // the client has gone when this fails
}

// readSource redirects to an address of the file that was sent for a part.
func (p *portal) readSource(w http.ResponseWriter, r *http.Request, c session.Current) {
	signed, err := p.use.Parts.Source(r.Context(), c.Key.Caller(), r.PathValue("id"))
	if err != nil {
		p.fail(w, r, err)
		return
	}
	w.Header().Set("Location", signed.URL)
	w.WriteHeader(http.StatusSeeOther)
}

// readMesh streams the display mesh of a report. Its address never changes, unlike those that the API signs, so
// the browser keeps it.
func (p *portal) readMesh(w http.ResponseWriter, r *http.Request, c session.Current) {
	mesh, err := p.use.Parts.Mesh(r.Context(), c.Key.Caller(), r.PathValue("id"))
	if err != nil {
		p.fail(w, r, err)
		return
	}
	defer func() { _ = mesh.Close() }()
	h := w.Header()
	h.Set("Content-Type", part.TypeGLB)
	h.Set("Cache-Control", kept)
	h.Set("X-Uncompressed-Length", strconv.FormatInt(mesh.Size, 10))
	h.Add("Vary", "Accept-Encoding")
	if r.Method == http.MethodHead {
		return
	}
	if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Length", strconv.FormatInt(mesh.Size, 10))
		p.copy(w, r, mesh)
		return
	}
	h.Set("Content-Encoding", "gzip")
	packed, _ := gzip.NewWriterLevel(w, gzip.BestSpeed) // the level is valid
	if p.copy(packed, r, mesh) {
		_ = packed.Close() // the client has gone when this fails
	}
}

// copy reports whether it sent everything. A response that is cut off stays incomplete, so that the browser does not
// keep it.
func (p *portal) copy(w io.Writer, r *http.Request, from io.Reader) bool {
	_, err := io.Copy(w, from)
	if err != nil && r.Context().Err() == nil {
		p.config.Logger.Warn("file was cut off", "request", httpapi.RequestID(r.Context()), "error", err)
		panic(http.ErrAbortHandler)
	}
	return err == nil
}

// whyBody is the evidence of a feature.
type whyBody struct {
	Rule    string   `json:"rule"`
	Reasons []string `json:"reasons"`
}

func (p *portal) readWhy(w http.ResponseWriter, r *http.Request, c session.Current) {
	e, err := p.use.Parts.Evidence(r.Context(), c.Key.Caller(), r.PathValue("id"))
	if err != nil {
		p.fail(w, r, err)
		return
	}
	answer(w, http.StatusOK, whyBody{e.Rule, append([]string{}, e.Reasons...)})
}
