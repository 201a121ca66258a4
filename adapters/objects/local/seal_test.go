package local

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"millwright.dev/millwright/core/service/object"
)

// source is the two places of a part's file.
var sourceUpload, source = object.Ref{Bucket: "bucket", Key: "p/upload.step"},
	object.Ref{Bucket: "bucket", Key: "p/source.step"}

func closingAddress(t *testing.T, s *Objects) string {
	t.Helper()
	up, err := s.SignPut(t.Context(), sourceUpload, object.PutConditions{
		Life: time.Minute, MaxBytes: 1000, Sealed: source,
	})
	if err != nil {
		t.Fatal(err)
	}
	return up.URL
}

func put(t *testing.T, url string, body io.Reader) (status int, answer string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, url, body)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

func TestSealedAddressIsRefused(t *testing.T) {
	s, _, _ := serve(t, t.TempDir())
	address := closingAddress(t, s)
	if status, answer := put(t, address, strings.NewReader("first")); status != http.StatusOK {
		t.Fatalf("upload: %d %s", status, answer)
	}
	if _, err := s.Seal(t.Context(), sourceUpload, source, 1000); err != nil {
		t.Fatal(err)
	}
	status, answer := put(t, address, strings.NewReader("second"))
	if status != http.StatusConflict || !strings.Contains(answer, `"upload_closed"`) {
		t.Errorf("upload after sealing: %d %s, want 409 upload_closed", status, answer)
	}
	if _, err := s.Head(t.Context(), sourceUpload); !errors.Is(err, object.ErrNotFound) {
		t.Errorf("the refused upload left something behind: %v", err)
	}
}

// TestUploadOvertakenBySealing seals during an upload. The source does not contain the upload's bytes, so the upload
// must fail.
func TestUploadOvertakenBySealing(t *testing.T) {
	s, _, _ := serve(t, t.TempDir())
	address := closingAddress(t, s)
	put(t, address, strings.NewReader("first"))
	body, feed := io.Pipe()
	go func() {
		_, err := feed.Write([]byte("sec"))
		if err == nil { // the server has begun to read
			_, err = s.Seal(t.Context(), sourceUpload, source, 1000)
		}
		if err == nil {
			_, err = feed.Write([]byte("ond"))
		}
		_ = feed.CloseWithError(err)
	}()
	status, answer := put(t, address, body)
	if status != http.StatusConflict {
		t.Errorf("overtaken upload: %d %s, want 409", status, answer)
	}
	f, _, err := s.Get(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if got, err := io.ReadAll(f); err != nil || string(got) != "first" {
		t.Errorf("source = %q, %v; want the upload that was sealed", got, err)
	}
	if _, err := s.Head(t.Context(), sourceUpload); !errors.Is(err, object.ErrNotFound) {
		t.Errorf("the overtaken upload left something behind: %v", err)
	}
}

// TestUploadSealedBeforeItsAnswer has the sealing take exactly the upload that is about to be answered.
func TestUploadSealedBeforeItsAnswer(t *testing.T) {
	s, _, _ := serve(t, t.TempDir())
	if err := s.Put(t.Context(), sourceUpload, strings.NewReader("mine")); err != nil {
		t.Fatal(err)
	}
	name, err := fileOf(sourceUpload)
	if err != nil {
		t.Fatal(err)
	}
	mine, err := s.root.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Seal(t.Context(), sourceUpload, source, 1000); err != nil {
		t.Fatal(err)
	}
	if err := s.stillOpen(t.Context(), sourceUpload, source, mine); err != nil {
		t.Errorf("the upload that was sealed is refused: %v", err)
	}
}
