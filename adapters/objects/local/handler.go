package local

import (
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"

	"millwright.dev/millwright/adapters/problem"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/record"
)

// Handler serves the signed addresses: PUT stores an object, GET and HEAD return it. It is mounted at MountPath, which
// it expects in the request. Errors are problem details. The caller limits the duration of transfers.
func (s *Objects) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ref, ok := s.refOf(r.URL)
		if !ok {
			s.refuse(w, http.StatusNotFound, apierr.NotFound, "There is no such object address.")
			return
		}
		method := r.Method
		switch method {
		case http.MethodPut, http.MethodGet:
		case http.MethodHead:
			method = http.MethodGet
		default:
			w.Header().Set("Allow", "GET, HEAD, PUT")
			s.refuse(w, http.StatusMethodNotAllowed, apierr.NotAllowed,
				"Use PUT to store, GET or HEAD to read.")
			return
		}
		q, err := url.ParseQuery(r.URL.RawQuery)
		if err == nil {
			err = s.verify(method, ref, q)
		} else {
			err = errSignature
		}
		switch {
		case errors.Is(err, errExpired):
			s.refuse(w, http.StatusForbidden, apierr.AddressExpired, "This address has expired; ask for a new one.")
		case err != nil:
			s.refuse(w, http.StatusForbidden, apierr.InvalidSignature,
				"This address was not signed for this request.")
		case method == http.MethodPut:
			s.receive(w, r, ref, q)
		default:
			s.send(w, r, ref, q)
		}
	})
}

// refOf reads bucket and key from the path of an address.
func (s *Objects) refOf(u *url.URL) (object.Ref, bool) {
	rest, ok := strings.CutPrefix(u.Path, s.mount+"/")
	if !ok {
		return object.Ref{}, false
	}
	bucket, key, _ := strings.Cut(rest, "/")
	ref := object.Ref{Bucket: bucket, Key: key}
	_, err := fileOf(ref)
	return ref, err == nil
}

func (s *Objects) receive(w http.ResponseWriter, r *http.Request, ref object.Ref, q url.Values) {
	limit, err := strconv.ParseInt(q.Get(paramMax), 10, 64)
	if err != nil {
		s.refuse(w, http.StatusForbidden, apierr.InvalidSignature, "This address carries no size limit.")
		return
	}
	if kind := q.Get(paramType); kind != "" && r.Header.Get("Content-Type") != kind {
		s.refuse(w, http.StatusForbidden, apierr.InvalidSignature,
			"This address is for a file of Content-Type "+kind+"; send that header.")
		return
	}
	if r.ContentLength > limit {
		s.tooLarge(w, limit)
		return
	}
	body := &watched{Reader: http.MaxBytesReader(w, r.Body, limit)}
	bucket, key, _ := strings.Cut(q.Get(paramSealed), "/")
	err = s.upload(r.Context(), ref, object.Ref{Bucket: bucket, Key: key}, body)
	var long *http.MaxBytesError
	switch {
	case err == nil:
		w.WriteHeader(http.StatusOK)
	case errors.As(err, &long):
		s.tooLarge(w, limit)
	case errors.Is(err, errClosed):
		s.refuse(w, http.StatusConflict, apierr.UploadClosed,
			"The upload of this part was completed; its file cannot be replaced. Create another part.")
	case errors.Is(body.broken, os.ErrDeadlineExceeded):
		s.refuse(w, http.StatusRequestTimeout, apierr.InvalidRequest,
			"The upload stood still or was too slow; send it again.")
	case body.broken != nil:
		s.refuse(w, http.StatusBadRequest, apierr.InvalidRequest,
			"The upload ended before the file did; send it again.")
	case errors.Is(err, record.ErrUnavailable):
		w.Header().Set("Retry-After", retryAfter)
		s.fail(w, http.StatusServiceUnavailable, apierr.Unavailable,
			"The file cannot be stored now; send it again in a moment.", err)
	default:
		s.fail(w, http.StatusInternalServerError, apierr.Internal,
			"The file could not be stored; send it again.", err)
	}
}

func (s *Objects) tooLarge(w http.ResponseWriter, limit int64) {
	w.Header().Set("Connection", "close") // the rest of the body is not read
	s.refuse(w, http.StatusRequestEntityTooLarge, apierr.PayloadTooLarge,
		"The file is larger than the "+strconv.FormatInt(limit, 10)+" bytes this address accepts.")
}

// sandboxed is the Content-Security-Policy of objects. They have the origin of the service and can be HTML. In a
// sandbox they run no script, so they cannot use the session of a reader.
const sandboxed = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"

func (s *Objects) send(w http.ResponseWriter, r *http.Request, ref object.Ref, q url.Values) {
	f, info, err := s.open(ref)
	if errors.Is(err, object.ErrNotFound) {
		s.refuse(w, http.StatusNotFound, apierr.NotFound, "There is no object at this address.")
		return
	}
	if err != nil {
		s.fail(w, http.StatusInternalServerError, apierr.Internal, "The object could not be read.", err)
		return
	}
	defer func() { _ = f.Close() }()
	kind := q.Get(paramType)
	if kind == "" {
		kind = "application/octet-stream"
	}
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", sandboxed)
	h.Set("Cache-Control", "private")
	if name := q.Get(paramName); name != "" {
		h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	}
	http.ServeContent(w, r, "", info.ModTime(), f)
}

// watched is an upload's body that records its read error, to distinguish client errors from internal ones.
type watched struct {
	io.Reader
	broken error
}

func (b *watched) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err != nil && err != io.EOF {
		b.broken = err
	}
	return n, err
}

// refuse answers with an error body of the same shape as the API's.
func (s *Objects) refuse(w http.ResponseWriter, status int, code apierr.Code, detail string) {
	problem.New(status, string(code), detail).At(s.service).In(w.Header().Get(problem.RequestIDHeader)).Write(w)
}

// retryAfter is the wait before an upload is sent again after a full disk, in seconds: an operator must free space.
const retryAfter = "30"

// fail is refuse for internal errors, whose cause is only logged.
func (s *Objects) fail(w http.ResponseWriter, status int, code apierr.Code, detail string, cause error) {
	slog.Error("transfer failed", "request", w.Header().Get(problem.RequestIDHeader), "error", cause)
	s.refuse(w, status, code, detail)
}
