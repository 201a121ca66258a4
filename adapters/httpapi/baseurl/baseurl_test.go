package baseurl

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

// serveAs sends a request to a handler over a real connection, as a client that reached it at mill.example.
func serveAs(t *testing.T, method string, rule Rule, h http.HandlerFunc) (*http.Response, string) {
	t.Helper()
	server := httptest.NewServer(Handler(h, rule))
	t.Cleanup(server.Close)
	req, err := http.NewRequest(method, server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = "mill.example"
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(body)
}

func TestResponseContainsRequestBase(t *testing.T) {
	text := `{"url":"` + Placeholder + `/objects/x","type":"` + Placeholder + `/problems/y"}`
	for _, kind := range []string{"application/json", "application/problem+json", "application/json; charset=utf-8"} {
		resp, body := serveAs(t, http.MethodGet, trusting, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.Header().Set("Location", Placeholder+"/parts/1")
			w.Header().Set("Content-Length", strconv.Itoa(len(text)))
			w.WriteHeader(http.StatusCreated)
			for _, b := range []byte(text) { // the placeholder may come in pieces
				_, _ = w.Write([]byte{b})
			}
		})
		want := `{"url":"http://mill.example/objects/x","type":"http://mill.example/problems/y"}`
		if resp.StatusCode != http.StatusCreated || body != want || resp.ContentLength != int64(len(want)) ||
			resp.Header.Get("Location") != "http://mill.example/parts/1" ||
			!strings.Contains(strings.Join(resp.Header.Values("Vary"), ","), "X-Forwarded-Host") {
			t.Errorf("%s: %s %v %s, want %s", kind, resp.Status, resp.Header, body, want)
		}
	}
}

func TestOtherBodiesPassUnchanged(t *testing.T) {
	const bytes = "\x00\x01http://x.invalid"
	resp, body := serveAs(t, http.MethodGet, Rule{}, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "model/stl")
		_, _ = io.WriteString(w, bytes)
	})
	if body != bytes || len(resp.Header.Values("Vary")) > 0 {
		t.Errorf("body %q, Vary %q; want %q and none", body, resp.Header.Values("Vary"), bytes)
	}
	resp, body = serveAs(t, http.MethodGet, Rule{}, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	})
	if resp.StatusCode != http.StatusNoContent || body != "" {
		t.Errorf("no content: %s %q", resp.Status, body)
	}
	resp, _ = serveAs(t, http.MethodHead, Rule{}, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `"`+Placeholder+`"`)
	})
	if want := int64(len(`"http://mill.example"`)); resp.ContentLength != want {
		t.Errorf("HEAD: Content-Length %d, want %d", resp.ContentLength, want)
	}
}

func TestRequestWithoutABaseIsRefused(t *testing.T) {
	w := httptest.NewRecorder()
	Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("the request was carried out")
	}), Rule{}).ServeHTTP(w, asked(stranger, "mill.example/x"))
	var p struct{ Type, Code, Detail string }
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || w.Code != http.StatusBadRequest ||
		p.Code != "invalid_request" || p.Type != "http://127.0.0.1:8080/problems/invalid-request" ||
		!strings.Contains(p.Detail, `"mill.example/x"`) {
		t.Errorf("%d %s, %v; want 400 with the host in the sentence", w.Code, w.Body, err)
	}
}

// TestSealedTextRestoresBase checks that a sealed text contains no base of this process, and that client text that
// resembles the base stays unchanged.
func TestSealedTextRestoresBase(t *testing.T) {
	written, err := json.Marshal(map[string]string{"name": "\x00 http://mill.example", "url": Placeholder + "/x"})
	if err != nil {
		t.Fatal(err)
	}
	stored := Seal(written)
	if strings.Contains(string(stored), Placeholder) || strings.Count(string(stored), sealed) != 1 {
		t.Errorf("Seal(%s) = %q", written, stored)
	}
	if got := Unseal(stored, Placeholder); string(got) != string(written) {
		t.Errorf("Unseal = %s, want %s", got, written)
	}
	var read map[string]string
	if err := json.Unmarshal(Unseal(stored, "https://shop.example"), &read); err != nil ||
		read["name"] != "\x00 http://mill.example" || read["url"] != "https://shop.example/x" {
		t.Errorf("Unseal for another base = %q, %v", read, err)
	}
	if Seal(nil) == nil {
		t.Error("Seal(nil) = nil, want an empty text")
	}
}
