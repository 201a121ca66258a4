package s3

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"

	"millwright.dev/millwright/adapters/objects/s3/s3test"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/record/recordtest"
	"millwright.dev/millwright/internal/objecttest"
)

const bucket = "suite-bucket" // of the suite

func at(key string) object.Ref { return object.Ref{Bucket: bucket, Key: key} }

func options(server *s3test.Server) Options {
	return Options{
		Endpoint: server.Endpoint, Region: s3test.Region, AccessKey: s3test.AccessKey, Secret: s3test.Secret,
		Buckets: []string{bucket}, Create: true, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	}
}

// start does the first steps of a service.
func start(ctx context.Context, o Options) (*Objects, error) {
	s, err := New(o)
	if err != nil {
		return nil, err
	}
	return s, s.Check(ctx)
}

func open(t *testing.T, o Options) *Objects {
	t.Helper()
	s, err := start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// client keeps no connection: a server that answers before it has read the body closes it.
func client() *http.Client { return &http.Client{Transport: &http.Transport{DisableKeepAlives: true}} }

func TestObjects(t *testing.T) {
	objecttest.Run(t, func(t *testing.T) objecttest.Harness {
		clock := recordtest.NewClock(time.Now())
		o := options(s3test.New(t))
		o.Clock = clock
		return objecttest.Harness{
			Objects: open(t, o), Client: client(), Shift: clock.Advance,
			LimitsAtSeal: true, OneMethod: true, FirstCounts: true,
		}
	})
}

// zeros is an endless body.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func put(t *testing.T, s *Objects, ref object.Ref, content string) {
	t.Helper()
	if err := s.Put(t.Context(), ref, strings.NewReader(content)); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, s *Objects, ref object.Ref) []byte {
	t.Helper()
	body, _, err := s.Get(t.Context(), ref)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(body)
	if err := errors.Join(err, body.Close()); err != nil {
		t.Fatal(err)
	}
	return got
}

func TestPutInParts(t *testing.T) {
	s := open(t, options(s3test.New(t)))
	for _, size := range []int{partSize - 1, partSize, partSize + 1, 2 * partSize, 2*partSize + 12345} {
		want := make([]byte, size)
		for i := range want {
			want[i] = byte(i * 7 / 3)
		}
		if err := s.Put(t.Context(), at("large"), bytes.NewReader(want)); err != nil {
			t.Fatalf("%d bytes: Put = %v", size, err)
		}
		if !bytes.Equal(content(t, s, at("large")), want) {
			t.Errorf("%d bytes: the content differs", size)
		}
	}
}

func TestPutTakesConstantMemory(t *testing.T) {
	const size, most = 8 * partSize, 3 * partSize
	s := open(t, options(s3test.New(t)))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := s.Put(t.Context(), at("large"), io.LimitReader(zeros{}, size)); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > most {
		t.Errorf("storing %d bytes allocated %d, want at most %d", size, got, most)
	}
	if info, err := s.Head(t.Context(), at("large")); err != nil || info.Size != size {
		t.Errorf("Head = %+v, %v", info, err)
	}
}

// breaking ends with an error after n bytes, and does something just before.
type breaking struct {
	n    int
	then func()
	err  error
}

func (b *breaking) Read(p []byte) (int, error) {
	if b.n <= 0 {
		b.then()
		return 0, b.err
	}
	n := min(b.n, len(p))
	b.n -= n
	return n, nil
}

func TestPutInPartsThatFails(t *testing.T) {
	s := open(t, options(s3test.New(t)))
	put(t, s, at("kept"), "old")
	broken := errors.New("the source broke")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, c := range []struct {
		name   string
		source *breaking
		want   error
	}{
		{"source breaks", &breaking{2*partSize + 5, func() {}, broken}, broken},
		{"source breaks between parts", &breaking{2 * partSize, func() {}, broken}, broken},
		{"context ends", &breaking{2*partSize + 5, cancel, io.EOF}, context.Canceled},
	} {
		for _, key := range []string{"kept", "new"} {
			source := *c.source
			if err := s.Put(ctx, at(key), &source); !errors.Is(err, c.want) {
				t.Errorf("%s: Put = %v, want %v", c.name, err, c.want)
			}
		}
		if got := content(t, s, at("kept")); string(got) != "old" {
			t.Errorf("%s: the old object holds %d bytes", c.name, len(got))
		}
		if _, err := s.Head(t.Context(), at("new")); !errors.Is(err, object.ErrNotFound) {
			t.Errorf("%s: Head of the new object = %v", c.name, err)
		}
	}
	name := bucket
	left, err := s.client.ListMultipartUploads(t.Context(), &s3.ListMultipartUploadsInput{Bucket: &name})
	if err != nil || len(left.Uploads) > 0 {
		t.Errorf("%d transfers were not taken back, %v", len(left.Uploads), err)
	}
}

// TestSealAtOnce has several calls seal one upload: all say the same.
func TestSealAtOnce(t *testing.T) {
	s := open(t, options(s3test.New(t)))
	for round := range 2 {
		from, to := at(fmt.Sprint("up/", round)), at(fmt.Sprint("sealed/", round))
		put(t, s, from, "the file")
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if info, err := s.Seal(t.Context(), from, to, 100); err != nil || info.Size != 8 {
					t.Errorf("Seal = %+v, %v", info, err)
				}
			})
		}
		all.Wait()
		if got := content(t, s, to); string(got) != "the file" {
			t.Errorf("sealed is %q", got)
		}
	}
}

func TestTooLongUploadIsRemoved(t *testing.T) {
	s := open(t, options(s3test.New(t)))
	put(t, s, at("up"), "eleven bytes")
	if _, err := s.Seal(t.Context(), at("up"), at("sealed"), 10); !errors.Is(err, object.ErrTooLarge) {
		t.Errorf("Seal = %v, want ErrTooLarge", err)
	}
	if _, err := s.Head(t.Context(), at("up")); !errors.Is(err, object.ErrNotFound) {
		t.Errorf("Head of the upload = %v, want it removed", err)
	}
}

func TestServerOutageAndRecovery(t *testing.T) {
	server := s3test.New(t)
	s := open(t, options(server))
	put(t, s, at("a"), "1")
	server.Kill()
	short, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if err := s.Put(short, at("b"), strings.NewReader("2")); err == nil || secretIn(err.Error()) {
		t.Errorf("Put without a server = %v", err)
	}
	if _, err := s.Head(short, at("a")); err == nil || errors.Is(err, object.ErrNotFound) {
		t.Errorf("Head without a server = %v; it is not known that there is no object", err)
	}
	if err := s.Ping(short); err == nil {
		t.Error("Ping without a server succeeds")
	}
	stored := make(chan error)
	go func() { stored <- s.Put(t.Context(), at("c"), strings.NewReader("3")) }()
	if err := server.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-stored; err != nil {
		t.Errorf("Put while the server comes back = %v", err)
	}
	if got := content(t, s, at("a")); string(got) != "1" {
		t.Errorf("after the restart a is %q", got)
	}
}

func secretIn(text string) bool {
	return strings.Contains(text, s3test.Secret) || strings.Contains(text, "Signature=")
}

func TestStartRefuses(t *testing.T) {
	server := s3test.New(t)
	wrong, other, none := options(server), options(server), options(server)
	wrong.Secret += "x"
	other.AccessKey = "nobody"
	none.Create = false
	for _, c := range []struct {
		name string
		o    Options
		want string
	}{
		{"wrong secret", wrong, "403"},
		{"unknown key", other, "403"},
		{"no bucket", none, "there is no bucket " + bucket},
		{"half of the credentials", Options{AccessKey: "a"}, "one is missing"},
		{"no address", Options{Endpoint: "host:1", AccessKey: "a", Secret: "b"}, "the endpoint"},
		{"secret in the address", Options{Endpoint: "http://u:" + s3test.Secret + "@h", AccessKey: "a", Secret: "b"},
			"the endpoint"},
		{"address with a query", Options{PublicEndpoint: "http://h?x", AccessKey: "a", Secret: "b"},
			"the public endpoint"},
		{"bucket name", Options{Buckets: []string{"A"}, AccessKey: "a", Secret: "b"}, "not a bucket name"},
	} {
		_, err := start(t.Context(), c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) || secretIn(err.Error()) {
			t.Errorf("%s: start = %v, want an error with %q and without the secret", c.name, err, c.want)
		}
	}
	open(t, options(server))
	none.Buckets = []string{bucket}
	open(t, none) // the bucket exists now
}

// TestStartWithoutAServer: the server may come later, and then gets its buckets.
func TestStartWithoutAServer(t *testing.T) {
	server := s3test.New(t)
	server.Stop()
	log := &bytes.Buffer{}
	o := options(server)
	o.Log = slog.New(slog.NewTextHandler(log, nil))
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	s, err := start(ctx, o)
	if err != nil {
		t.Fatalf("start = %v", err)
	}
	if strings.Count(log.String(), "\n") != 1 || secretIn(log.String()) {
		t.Errorf("log %q", log)
	}
	if err := server.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	put(t, s, at("a"), "1")
}

// TestPublicAddress has clients reach the store by another name than the service does.
func TestPublicAddress(t *testing.T) {
	server := s3test.New(t)
	inner, err := url.Parse(server.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = inner.Scheme, inner.Host, r.In.Host
	}})
	defer proxy.Close()
	o := options(server)
	o.PublicEndpoint = proxy.URL + "/"
	s := open(t, o)
	up, err := s.SignPut(t.Context(), at("a/b"), object.PutConditions{Life: time.Minute, MaxBytes: 10})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(up.URL, proxy.URL+"/"+bucket+"/a/b?") {
		t.Errorf("upload address %s", up.URL)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, up.URL, strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	res, err := client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusOK || string(content(t, s, at("a/b"))) != "x" {
		t.Errorf("upload: %s", res.Status)
	}
}

// TestAmazonAddresses only signs addresses: it needs no buckets and no server.
func TestAmazonAddresses(t *testing.T) {
	s := open(t, Options{Region: "eu-central-1", AccessKey: "AKIA", Secret: "hidden"})
	down, err := s.SignGet(t.Context(), at("a/b.stl"), object.GetConditions{Life: 15 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(down.URL)
	if err != nil {
		t.Fatal(err)
	}
	if want := bucket + ".s3.eu-central-1.amazonaws.com"; u.Scheme != "https" || u.Host != want ||
		u.Path != "/a/b.stl" {
		t.Errorf("address %s, want host %s", down.URL, want)
	}
	if q := u.Query(); q.Get("X-Amz-Expires") != "900" || strings.Contains(down.URL, "hidden") {
		t.Errorf("address %s", down.URL)
	}
}
