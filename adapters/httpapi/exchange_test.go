package httpapi

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// notes is an observer that stores its calls.
type notes struct{ ended []Exchange }

type noteKey struct{}

func (n *notes) Begin(r *http.Request) context.Context {
	return context.WithValue(r.Context(), noteKey{}, RequestID(r.Context()))
}

func (n *notes) End(ctx context.Context, e Exchange) {
	if ctx.Value(noteKey{}) != e.RequestID {
		e.RequestID = "the context of Begin did not reach End"
	}
	n.ended = append(n.ended, e)
}

func TestRequestIDs(t *testing.T) {
	h := Observe(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, RequestID(r.Context()))
	}))
	for _, c := range []struct {
		name, sent string
		taken      bool
	}{
		{"sane", "4bf92f35-77b3.4da_6a", true},
		{"none", "", false},
		{"too short", "1234567", false},
		{"too long", strings.Repeat("a", 129), false},
		{"line feed", "12345678\nfoo=bar", false},
		{"space", "12345678 9", false},
		{"not ASCII", "12345678ü", false},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set(requestIDHeader, c.sent)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		got := w.Body.String()
		if (got == c.sent) != c.taken || len(got) < 8 || w.Header().Get("X-Request-ID") != got {
			t.Errorf("%s: id %q, header %q; want the client's taken: %v", c.name, got, w.Header(), c.taken)
		}
	}
}

func TestObserversSeeExchanges(t *testing.T) {
	n := &notes{}
	h := Observe(At("/things/{id}", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/missing":
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, "gone")
		case "/broken":
			panic(http.ErrAbortHandler)
		}
	})), n)
	for _, c := range []struct {
		method, path string
		want         Exchange
	}{
		{http.MethodGet, "/missing", Exchange{Method: "GET", Status: 404, Bytes: 4}},
		{http.MethodPost, "/empty", Exchange{Method: "POST", Status: 200}},
		{"INVENTED", "/empty", Exchange{Method: "other", Status: 200}},
		{http.MethodPut, "/broken", Exchange{Method: "PUT", Status: 200}},
	} {
		n.ended = nil
		func() {
			defer func() { _ = recover() }()
			h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(c.method, c.path, nil))
		}()
		if len(n.ended) != 1 {
			t.Fatalf("%s %s: %d exchanges", c.method, c.path, len(n.ended))
		}
		got := n.ended[0]
		c.want.Route, c.want.RequestID, c.want.Took = "/things/{id}", got.RequestID, got.Took
		if got != c.want || len(got.RequestID) < 8 || got.Took <= 0 {
			t.Errorf("%s %s: %+v, want %+v", c.method, c.path, got, c.want)
		}
	}
}
