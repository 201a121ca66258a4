// Package objecttest is the suite for every object.Store: objects are complete or absent, signed addresses allow
// exactly their signed conditions, and names cannot escape the store.
package objecttest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"millwright.dev/millwright/core/service/object"
)

// Harness is an empty object store that can be reached over HTTP at its signed addresses.
type Harness struct {
	Objects object.Store
	Client  *http.Client
	// Shift moves the clock that addresses are signed with, forward or backward.
	Shift func(time.Duration)
	// LimitsAtSeal reports that an upload address accepts a body of any declared length, and that Seal refuses a body
	// over the limit.
	LimitsAtSeal bool
	// OneMethod: a download address is for GET and not for HEAD.
	OneMethod bool
	// FirstCounts: of a parameter that an address has twice the first counts, so that the second is not
	// signed and changes nothing.
	FirstCounts bool
}

// Run runs the suite.
func Run(t *testing.T, open func(t *testing.T) Harness) {
	for _, c := range []struct {
		name string
		test func(*fixture)
	}{
		{"PutGet", testPutGet},
		{"Absent", testAbsent},
		{"PutReplaces", testPutReplaces},
		{"FailedPutLeavesNothing", testFailedPutLeavesNothing},
		{"FailedPutKeepsOld", testFailedPutKeepsOld},
		{"CancelledPut", testCancelledPut},
		{"PutsAtOnce", testPutsAtOnce},
		{"Delete", testDelete},
		{"Names", testNames},
		{"Seal", testSeal},
		{"SealAbsent", testSealAbsent},
		{"SealTooLarge", testSealTooLarge},
		{"SealAgain", testSealAgain},
		{"SealedAddress", testSealedAddress},
		{"SealDuringUploads", testSealDuringUploads},
		{"Upload", testUpload},
		{"UploadSizes", testUploadSizes},
		{"UploadCutOff", testUploadCutOff},
		{"UploadType", testUploadType},
		{"Download", testDownload},
		{"DownloadRange", testDownloadRange},
		{"DownloadAbsent", testDownloadAbsent},
		{"AddressesAllowOneThing", testAddressesAllowOneThing},
		{"AddressesCannotBeChanged", testAddressesCannotBeChanged},
		{"AddressesExpire", testAddressesExpire},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.test(&fixture{T: t, ctx: t.Context(), Harness: open(t)})
		})
	}
}

type fixture struct {
	*testing.T
	Harness
	ctx context.Context
}

const (
	bucket = "suite-bucket"
	life   = 15 * time.Minute
)

func at(key string) object.Ref { return object.Ref{Bucket: bucket, Key: key} }

// noise is n bytes that no encoding or truncation could turn into others unnoticed.
func noise(seed uint64, n int) []byte {
	source := rand.New(rand.NewPCG(seed, 1))
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(source.Uint32())
	}
	return out
}

func (f *fixture) put(ref object.Ref, content []byte) {
	f.Helper()
	if err := f.Objects.Put(f.ctx, ref, bytes.NewReader(content)); err != nil {
		f.Fatalf("Put(%s) = %v", ref.Key, err)
	}
}

// contains checks that the object has exactly this content; nil = absent.
func (f *fixture) contains(ref object.Ref, want []byte) {
	f.Helper()
	info, headErr := f.Objects.Head(f.ctx, ref)
	body, _, err := f.Objects.Get(f.ctx, ref)
	if want == nil {
		if !errors.Is(headErr, object.ErrNotFound) || !errors.Is(err, object.ErrNotFound) {
			f.Errorf("%s: Head = %v, Get = %v; want ErrNoObject", ref.Key, headErr, err)
		}
		return
	}
	if headErr != nil || err != nil {
		f.Errorf("%s: Head = %v, Get = %v", ref.Key, headErr, err)
		return
	}
	got, err := io.ReadAll(body)
	if err := errors.Join(err, body.Close()); err != nil {
		f.Errorf("%s: read: %v", ref.Key, err)
	}
	if !bytes.Equal(got, want) || info.Size != int64(len(want)) {
		f.Errorf("%s holds %d bytes (Head says %d); want the %d given", ref.Key, len(got), info.Size, len(want))
	}
}

func testPutGet(f *fixture) {
	for _, n := range []int{0, 1, 4096, 3 << 20} {
		ref := at(fmt.Sprintf("put/get/%d.bin", n))
		f.put(ref, noise(uint64(n), n))
		f.contains(ref, noise(uint64(n), n))
	}
}

func testAbsent(f *fixture) {
	f.put(at("a/b/c"), []byte("x"))
	for _, ref := range []object.Ref{
		at("nothing"), at("a/b"), at("a"), at("a/b/c/d"),
		{Bucket: "other-bucket", Key: "a/b/c"},
	} {
		f.contains(ref, nil)
	}
}

func testPutReplaces(f *fixture) {
	ref := at("replaced")
	f.put(ref, noise(1, 5000))
	old, _, err := f.Objects.Get(f.ctx, ref)
	if err != nil {
		f.Fatal(err)
	}
	f.put(ref, noise(2, 100))
	f.contains(ref, noise(2, 100))
	got, err := io.ReadAll(old)
	if err := errors.Join(err, old.Close()); err != nil || !bytes.Equal(got, noise(1, 5000)) {
		f.Errorf("a reader of the old content got %d bytes, %v; want the old 5000", len(got), err)
	}
}

var errBroken = errors.New("the source broke")

// breaking gives n bytes and then an error.
func breaking(n int) io.Reader {
	return io.MultiReader(bytes.NewReader(noise(9, n)), &failingReader{})
}

type failingReader struct{}

func (*failingReader) Read([]byte) (int, error) { return 0, errBroken }

func testFailedPutLeavesNothing(f *fixture) {
	ref := at("broken/put")
	if err := f.Objects.Put(f.ctx, ref, breaking(100_000)); !errors.Is(err, errBroken) {
		f.Errorf("Put from a broken source = %v, want its error", err)
	}
	f.contains(ref, nil)
}

func testFailedPutKeepsOld(f *fixture) {
	ref := at("kept")
	f.put(ref, noise(3, 777))
	if err := f.Objects.Put(f.ctx, ref, breaking(10)); err == nil {
		f.Error("Put from a broken source succeeded")
	}
	f.contains(ref, noise(3, 777))
}

func testCancelledPut(f *fixture) {
	ctx, cancel := context.WithCancel(f.ctx)
	cancel()
	ref := at("cancelled")
	if err := f.Objects.Put(ctx, ref, bytes.NewReader(noise(1, 10))); !errors.Is(err, context.Canceled) {
		f.Errorf("Put with an ended context = %v, want context.Canceled", err)
	}
	f.contains(ref, nil)
}

func testPutsAtOnce(f *fixture) {
	const writers, size = 8, 200_000
	ref := at("contended")
	errs := make(chan error, writers)
	for i := range writers {
		go func() { errs <- f.Objects.Put(f.ctx, ref, bytes.NewReader(noise(uint64(i), size))) }()
	}
	for range writers {
		if err := <-errs; err != nil {
			f.Errorf("Put = %v", err)
		}
	}
	body, _, err := f.Objects.Get(f.ctx, ref)
	if err != nil {
		f.Fatal(err)
	}
	got, err := io.ReadAll(body)
	if err := errors.Join(err, body.Close()); err != nil {
		f.Fatal(err)
	}
	for i := range writers {
		if bytes.Equal(got, noise(uint64(i), size)) {
			return
		}
	}
	f.Errorf("the object (%d bytes) is none of the %d written", len(got), writers)
}

func testDelete(f *fixture) {
	gone, stays := at("d/gone"), at("d/stays")
	f.put(gone, []byte("1"))
	f.put(stays, []byte("2"))
	for range 2 { // the second finds nothing, which is no error
		if err := f.Objects.Delete(f.ctx, gone); err != nil {
			f.Errorf("Delete = %v", err)
		}
	}
	f.contains(gone, nil)
	f.contains(stays, []byte("2"))
	f.put(gone, []byte("3"))
	f.contains(gone, []byte("3"))
}

func testNames(f *fixture) {
	f.put(at("names/upload"), []byte("x"))
	for _, ref := range []object.Ref{
		at(""), at("/"), at("/a"), at("a/"), at("a//b"), at("."), at(".."),
		at("../x"), at("a/../../x"), at("a/./b"), at(`a\b`), at("a b"), at("a\x00b"),
		at("a\nb"), at("ä"), at(strings.Repeat("k", 2000)),
		{Bucket: "", Key: "k"}, {Bucket: "..", Key: "k"}, {Bucket: "a/b", Key: "k"},
		{Bucket: "UPPER", Key: "k"}, {Bucket: "-edge", Key: "k"},
	} {
		_, headErr := f.Objects.Head(f.ctx, ref)
		_, _, getErr := f.Objects.Get(f.ctx, ref)
		_, signPutErr := f.Objects.SignPut(f.ctx, ref, object.PutConditions{Life: life, MaxBytes: 1})
		_, sealFromErr := f.Objects.Seal(f.ctx, ref, at("names/sealed"), 1)
		_, sealToErr := f.Objects.Seal(f.ctx, at("names/upload"), ref, 1)
		_, signGetErr := f.Objects.SignGet(f.ctx, ref, object.GetConditions{Life: life})
		for name, err := range map[string]error{
			"Put": f.Objects.Put(f.ctx, ref, strings.NewReader("x")), "Delete": f.Objects.Delete(f.ctx, ref),
			"Head": headErr, "Get": getErr, "SignPut": signPutErr, "SignGet": signGetErr,
			"Seal from": sealFromErr, "Seal to": sealToErr,
		} {
			if err == nil {
				f.Errorf("%s accepts %q / %.40q", name, ref.Bucket, ref.Key)
			}
		}
	}
}
