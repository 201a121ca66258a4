package objecttest

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"millwright.dev/millwright/core/service/object"
)

func (f *fixture) signPut(ref object.Ref, limit int64) object.SignedURL {
	f.Helper()
	u, err := f.Objects.SignPut(f.ctx, ref, object.PutConditions{Life: life, MaxBytes: limit})
	if err != nil {
		f.Fatal(err)
	}
	return u
}

func (f *fixture) signGet(ref object.Ref, kind, fileName string) object.SignedURL {
	f.Helper()
	u, err := f.Objects.SignGet(f.ctx, ref, object.GetConditions{Life: life, ContentType: kind, FileName: fileName})
	if err != nil {
		f.Fatal(err)
	}
	return u
}

// send makes a request and returns the answer with its whole body.
func (f *fixture) send(method, address string, body io.Reader, headers ...string) (*http.Response, []byte) {
	f.Helper()
	req, err := http.NewRequestWithContext(f.ctx, method, address, body)
	if err != nil {
		f.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i+1] != "" {
			req.Header.Set(headers[i], headers[i+1])
		}
	}
	res, err := f.Client.Do(req)
	if err != nil {
		f.Fatalf("%s: %v", method, err)
	}
	got, err := io.ReadAll(res.Body)
	if err != nil {
		f.Fatalf("%s: body: %v", method, err)
	}
	_ = res.Body.Close() // read to its end
	return res, got
}

func (f *fixture) status(what, method, address string, body io.Reader, want int) {
	f.Helper()
	if res, got := f.send(method, address, body); res.StatusCode != want {
		f.Errorf("%s: status %d, want %d: %.200s", what, res.StatusCode, want, got)
	}
}

func testUpload(f *fixture) {
	ref := at("teams/1/parts/2/source.step")
	up := f.signPut(ref, 1<<20)
	if up.Method != http.MethodPut || up.ExpiresAt.IsZero() {
		f.Errorf("SignPut = %+v", up)
	}
	f.contains(ref, nil) // signing creates no object
	f.status("first upload", http.MethodPut, up.URL, bytes.NewReader(noise(1, 300_000)), http.StatusOK)
	f.contains(ref, noise(1, 300_000))
	f.status("upload again", http.MethodPut, up.URL, bytes.NewReader(noise(2, 10)), http.StatusOK)
	f.contains(ref, noise(2, 10))
}

// unsized hides the length of a body, so that it is sent in chunks.
type unsized struct{ io.Reader }

func testUploadSizes(f *fixture) {
	const limit = 100_000
	for _, c := range []struct {
		name string
		size int
	}{
		{"empty", 0}, {"at the limit", limit}, {"one more", limit + 1}, {"far more", 20 * limit},
	} {
		for _, chunked := range []bool{false, true} {
			up, sealed := at(fmt.Sprintf("sizes/%d-%v", c.size, chunked)), at("sizes/sealed")
			var body io.Reader = bytes.NewReader(noise(5, c.size))
			if chunked {
				body = unsized{body}
			}
			fits, what := c.size <= limit, fmt.Sprintf("%s, chunked %v", c.name, chunked)
			address := f.signPut(up, limit).URL
			switch {
			case f.LimitsAtSeal && chunked:
				fits = f.mayTake(address, body) && fits
			case fits || f.LimitsAtSeal:
				f.status(what, http.MethodPut, address, body, http.StatusOK)
			default:
				f.status(what, http.MethodPut, address, body, http.StatusRequestEntityTooLarge)
			}
			_, err := f.Objects.Seal(f.ctx, up, sealed, limit)
			if fits {
				f.contains(sealed, noise(5, c.size))
			} else if f.contains(sealed, nil); err == nil {
				f.Errorf("%s: is sealed", what)
			}
			if err := f.Objects.Delete(f.ctx, sealed); err != nil {
				f.Fatal(err)
			}
		}
	}
}

// mayTake sends a body to a store that may insist on knowing its length, and may hang up when it does not.
func (f *fixture) mayTake(address string, body io.Reader) bool {
	f.Helper()
	req, err := http.NewRequestWithContext(f.ctx, http.MethodPut, address, body)
	if err != nil {
		f.Fatal(err)
	}
	res, err := f.Client.Do(req)
	if err != nil {
		return false
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusOK && res.StatusCode/100 != 4 {
		f.Errorf("a body of unknown length: status %d", res.StatusCode)
	}
	return res.StatusCode == http.StatusOK
}

// testUploadType signs for one media type. An upload with another type, or without a type, is refused.
func testUploadType(f *fixture) {
	ref := at("typed")
	u, err := f.Objects.SignPut(f.ctx, ref, object.PutConditions{
		Life: life, MaxBytes: 100, ContentType: "model/step",
	})
	if err != nil || u.Headers["Content-Type"] != "model/step" {
		f.Fatalf("SignPut = %+v, %v; want the media type among the headers", u, err)
	}
	for _, kind := range []string{"", "text/html", "model/step; charset=utf-8"} {
		res, _ := f.send(http.MethodPut, u.URL, strings.NewReader("x"), "Content-Type", kind)
		if res.StatusCode != http.StatusForbidden {
			f.Errorf("type %q: status %d, want 403", kind, res.StatusCode)
		}
		f.contains(ref, nil)
	}
	res, _ := f.send(http.MethodPut, u.URL, strings.NewReader("x"), "Content-Type", "model/step")
	if res.StatusCode != http.StatusOK {
		f.Errorf("the type signed for: status %d", res.StatusCode)
	}
	f.contains(ref, []byte("x"))
}

// testUploadCutOff announces more than it sends and hangs up.
func testUploadCutOff(f *fixture) {
	ref := at("cut/off")
	u, err := url.Parse(f.signPut(ref, 1<<20).URL)
	if err != nil {
		f.Fatal(err)
	}
	conn, err := net.Dial("tcp", u.Host)
	if err != nil {
		f.Fatal(err)
	}
	_, err = fmt.Fprintf(conn, "PUT %s HTTP/1.1\r\nHost: %s\r\nContent-Length: 1000\r\n\r\n%s",
		u.RequestURI(), u.Host, strings.Repeat("x", 500))
	if err != nil {
		f.Fatal(err)
	}
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		f.Fatal(err)
	}
	_, _ = io.ReadAll(conn) // until the server has dealt with it
	_ = conn.Close()
	f.contains(ref, nil)
}

func testDownload(f *fixture) {
	ref := at("mesh.stl")
	f.put(ref, noise(4, 70_000))
	for _, c := range []struct{ name, kind, fileName string }{
		{"plain", "model/stl", ""}, {"named", "model/gltf-binary", "bracket.glb"},
		{"awkward name", "image/png", `Größe Ø5 "b"; x=1.png`},
	} {
		down := f.signGet(ref, c.kind, c.fileName)
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			if method == http.MethodHead && f.OneMethod {
				continue
			}
			res, body := f.send(method, down.URL, nil)
			if kind := res.Header.Get("Content-Type"); res.StatusCode != http.StatusOK || kind != c.kind {
				f.Errorf("%s: %s: status %d, type %q", c.name, method, res.StatusCode, kind)
			}
			if res.ContentLength != 70_000 {
				f.Errorf("%s: %s: length %d, want 70000", c.name, method, res.ContentLength)
			}
			if method == http.MethodGet && !bytes.Equal(body, noise(4, 70_000)) {
				f.Errorf("%s: the bytes differ", c.name)
			}
			disposition, params, _ := mime.ParseMediaType(res.Header.Get("Content-Disposition"))
			if c.fileName != "" && (disposition != "attachment" || params["filename"] != c.fileName) {
				f.Errorf("%s: Content-Disposition %q", c.name, res.Header.Get("Content-Disposition"))
			}
			if c.fileName == "" && disposition == "attachment" {
				f.Errorf("%s: is offered as a file to save", c.name)
			}
		}
	}
}

func testDownloadRange(f *fixture) {
	ref := at("ranged")
	f.put(ref, noise(6, 1000))
	down := f.signGet(ref, "model/stl", "")
	res, body := f.send(http.MethodGet, down.URL, nil, "Range", "bytes=100-199")
	if res.StatusCode != http.StatusPartialContent || !bytes.Equal(body, noise(6, 1000)[100:200]) {
		f.Errorf("range 100-199: status %d, %d bytes", res.StatusCode, len(body))
	}
	res, _ = f.send(http.MethodGet, down.URL, nil, "Range", "bytes=1000-")
	if res.StatusCode != http.StatusRequestedRangeNotSatisfiable {
		f.Errorf("range behind the end: status %d, want 416", res.StatusCode)
	}
}

func testDownloadAbsent(f *fixture) {
	f.status("absent", http.MethodGet, f.signGet(at("absent"), "", "").URL, nil, http.StatusNotFound)
}

func testAddressesAllowOneThing(f *fixture) {
	ref := at("one/thing")
	f.put(ref, noise(1, 50))
	up, down := f.signPut(ref, 100).URL, f.signGet(ref, "model/stl", "").URL
	f.status("GET at an upload address", http.MethodGet, up, nil, http.StatusForbidden)
	f.status("PUT at a download address", http.MethodPut, down, strings.NewReader("x"), http.StatusForbidden)
	if res, _ := f.send(http.MethodDelete, up, nil); res.StatusCode < 400 {
		f.Errorf("DELETE at an upload address: status %d", res.StatusCode)
	}
	bare, _, _ := strings.Cut(down, "?")
	f.status("GET without a signature", http.MethodGet, bare, nil, http.StatusForbidden)
	f.status("PUT without a signature", http.MethodPut, bare, strings.NewReader("x"), http.StatusForbidden)
	f.contains(ref, noise(1, 50))
}

func testAddressesCannotBeChanged(f *fixture) {
	ref, other := at("signed/a"), at("signed/b")
	f.put(ref, noise(1, 50))
	f.put(other, noise(2, 50))
	closing, err := f.Objects.SignPut(f.ctx, ref, object.PutConditions{
		Life: life, MaxBytes: 100, Sealed: at("signed/sealed"),
	})
	if err != nil {
		f.Fatal(err)
	}
	for _, signed := range []object.SignedURL{
		f.signPut(ref, 100), closing, f.signGet(ref, "model/stl", "a.stl"),
	} {
		for what, changed := range mutations(signed.URL) {
			if f.FirstCounts && strings.HasPrefix(what, second) {
				continue
			}
			res, body := f.send(signed.Method, changed, strings.NewReader("forged"))
			if res.StatusCode/100 == 2 {
				f.Errorf("%s with %s: status %d: %.80s", signed.Method, what, res.StatusCode, body)
			}
		}
	}
	f.contains(ref, noise(1, 50))
	f.contains(other, noise(2, 50))
}

const second = "a second "

// mutations are addresses that differ from a signed one in one place each.
func mutations(address string) map[string]string {
	out := map[string]string{
		"another key":           strings.Replace(address, "signed/a", "signed/b", 1),
		"a longer key":          strings.Replace(address, "signed/a", "signed/a/c", 1),
		"a dotted key":          strings.Replace(address, "signed/a", "signed/../signed/b", 1),
		"an escaped dotted key": strings.Replace(address, "signed/a", "signed/%2e%2e/signed/b", 1),
		"another bucket":        strings.Replace(address, bucket, "other-bucket", 1),
	}
	u, err := url.Parse(address)
	if err != nil {
		panic(err) // the adapter signed an invalid address
	}
	for name := range u.Query() {
		q := u.Query()
		q.Set(name, q.Get(name)+"0")
		v := *u
		v.RawQuery = q.Encode()
		out["changed "+name] = v.String()
		q = u.Query()
		q.Del(name)
		v.RawQuery = q.Encode()
		out["no "+name] = v.String()
		v.RawQuery = u.RawQuery + "&" + name + "=" + url.QueryEscape(u.Query().Get(name)+"1")
		out[second+name] = v.String()
	}
	return out
}

func testAddressesExpire(f *fixture) {
	ref := at("expiring")
	f.put(ref, noise(1, 50))
	f.Shift(-life - time.Second)
	up, down := f.signPut(ref, 100), f.signGet(ref, "model/stl", "")
	f.Shift(life + time.Second)
	f.status("GET at an expired address", http.MethodGet, down.URL, nil, http.StatusForbidden)
	f.status("PUT at an expired address", http.MethodPut, up.URL, strings.NewReader("x"), http.StatusForbidden)
	f.contains(ref, noise(1, 50))
	f.Shift(-life + time.Minute)
	nearly := f.signGet(ref, "model/stl", "")
	f.Shift(life - time.Minute)
	f.status("GET a minute before the end", http.MethodGet, nearly.URL, nil, http.StatusOK)
}
