package objecttest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"millwright.dev/millwright/core/service/object"
)

// upload and sealed are the two places of one source.
var upload, sealed = at("part/upload.step"), at("part/source.step")

// address signs an upload address that closes with the sealing.
func (f *fixture) address(limit int64) string {
	f.Helper()
	u, err := f.Objects.SignPut(f.ctx, upload, object.PutConditions{Life: life, MaxBytes: limit, Sealed: sealed})
	if err != nil {
		f.Fatal(err)
	}
	return u.URL
}

func (f *fixture) seal(limit int64) object.Info {
	f.Helper()
	info, err := f.Objects.Seal(f.ctx, upload, sealed, limit)
	if err != nil {
		f.Fatalf("Seal = %v", err)
	}
	return info
}

func testSeal(f *fixture) {
	f.status("upload", http.MethodPut, f.address(1000), bytes.NewReader(noise(1, 1000)), http.StatusOK)
	if info := f.seal(1000); info.Size != 1000 || info.Modified.IsZero() {
		f.Errorf("Seal = %+v, want 1000 bytes", info)
	}
	f.contains(sealed, noise(1, 1000))
	f.contains(upload, nil)
}

func testSealAbsent(f *fixture) {
	if _, err := f.Objects.Seal(f.ctx, upload, sealed, 1); !errors.Is(err, object.ErrNotFound) {
		f.Errorf("Seal of nothing = %v, want ErrNoObject", err)
	}
	f.put(upload, []byte("x"))
	if _, err := f.Objects.Seal(f.ctx, upload, upload, 1); err == nil {
		f.Error("an upload is sealed where it lies")
	}
	f.contains(upload, []byte("x"))
}

func testSealTooLarge(f *fixture) {
	f.put(upload, noise(1, 11))
	if _, err := f.Objects.Seal(f.ctx, upload, sealed, 10); !errors.Is(err, object.ErrTooLarge) {
		f.Errorf("Seal of 11 bytes of 10 = %v, want ErrTooLarge", err)
	}
	f.contains(sealed, nil)
	f.put(upload, noise(2, 10)) // the client may send a smaller one
	f.seal(10)
	f.contains(sealed, noise(2, 10))
}

// testSealAgain covers repeated calls, and the state after a crash between the steps of a sealing.
func testSealAgain(f *fixture) {
	f.put(upload, noise(1, 50))
	f.seal(100)
	if info := f.seal(100); info.Size != 50 {
		f.Errorf("second Seal = %+v, want the 50 bytes sealed", info)
	}
	f.put(upload, noise(2, 60)) // something arrives late
	if info := f.seal(100); info.Size != 50 {
		f.Errorf("Seal over a late upload = %+v, want the 50 bytes sealed", info)
	}
	f.contains(sealed, noise(1, 50))
	f.contains(upload, nil)
}

// testSealedAddress sends more data to an address whose upload is sealed. Any response is allowed, but no effect.
func testSealedAddress(f *fixture) {
	address := f.address(1000)
	f.status("upload", http.MethodPut, address, bytes.NewReader(noise(1, 100)), http.StatusOK)
	f.status("upload again", http.MethodPut, address, bytes.NewReader(noise(2, 100)), http.StatusOK)
	f.seal(1000)
	f.send(http.MethodPut, address, bytes.NewReader(noise(3, 100)))
	f.send(http.MethodPut, f.address(1000), bytes.NewReader(noise(3, 100)))
	f.seal(1000)
	f.contains(sealed, noise(2, 100))
}

// testSealDuringUploads seals while uploads arrive: the source is one complete upload, permanently the same for every
// caller.
func testSealDuringUploads(f *fixture) {
	const uploads, size = 8, 100_000
	address := f.address(size)
	f.status("upload", http.MethodPut, address, bytes.NewReader(noise(0, size)), http.StatusOK)
	var sending sync.WaitGroup
	answers := make([]error, uploads)
	for i := range uploads {
		sending.Go(func() {
			req, err := http.NewRequestWithContext(f.ctx, http.MethodPut, address,
				bytes.NewReader(noise(uint64(i+1), size)))
			if err != nil {
				answers[i] = err
				return
			}
			res, err := f.Client.Do(req)
			if err != nil {
				answers[i] = err
				return
			}
			_, _ = io.Copy(io.Discard, res.Body)
			_ = res.Body.Close()
			if res.StatusCode != http.StatusOK && res.StatusCode/100 != 4 {
				answers[i] = fmt.Errorf("status %d", res.StatusCode)
			}
		})
	}
	f.seal(size)
	first := f.content(sealed)
	sending.Wait()
	f.seal(size)
	for i, err := range answers {
		if err != nil {
			f.Errorf("upload %d: %v", i, err)
		}
	}
	f.contains(sealed, first)
	for i := range uploads + 1 {
		if bytes.Equal(first, noise(uint64(i), size)) {
			return
		}
	}
	f.Errorf("the source (%d bytes) is none of the files sent", len(first))
}

func (f *fixture) content(ref object.Ref) []byte {
	f.Helper()
	body, _, err := f.Objects.Get(f.ctx, ref)
	if err != nil {
		f.Fatal(err)
	}
	got, err := io.ReadAll(body)
	if err := errors.Join(err, body.Close()); err != nil {
		f.Fatal(err)
	}
	return got
}
