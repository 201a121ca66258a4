package slowclient_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"millwright.dev/millwright/adapters/httpapi/slowclient"
)

const (
	idle = 300 * time.Millisecond
	// fixed is the server's own timeout; every transfer here that must succeed takes longer.
	fixed = 100 * time.Millisecond
	// buffered is the buffer size of a connection in each direction, bytes: small, so that a slow client has an effect.
	buffered = 64 << 10
	// patience is the time limit for events that must happen by themselves.
	patience = 30 * time.Second
)

// narrow creates connections with a small write buffer.
type narrow struct{ net.Listener }

func (l narrow) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil {
		err = c.(*net.TCPConn).SetWriteBuffer(buffered)
	}
	return c, err
}

// dial serves a handler and connects to it.
func dial(t *testing.T, rate int64, h http.HandlerFunc) *net.TCPConn {
	t.Helper()
	server := httptest.NewUnstartedServer(slowclient.Handler(h, slowclient.Limits{Idle: idle, Rate: rate}))
	server.Listener = narrow{server.Listener}
	server.Config.ReadTimeout, server.Config.WriteTimeout, server.Config.IdleTimeout = fixed, fixed, patience
	server.Start()
	t.Cleanup(server.Close)
	c, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	conn := c.(*net.TCPConn)
	if err := errors.Join(conn.SetReadBuffer(buffered), conn.SetDeadline(time.Now().Add(patience))); err != nil {
		t.Fatal(err)
	}
	return conn
}

// trickle sends parts of a body at a steady beat until all are sent or the server hangs up.
func trickle(conn io.Writer, part []byte, parts int, beat time.Duration) {
	ticker := time.NewTicker(beat)
	defer ticker.Stop()
	for range parts {
		<-ticker.C
		if _, err := conn.Write(part); err != nil {
			return
		}
	}
}

func TestUploads(t *testing.T) {
	const size = 4000 // bytes
	for _, c := range []struct {
		name  string
		rate  int64
		part  int // bytes at each beat
		parts int
		whole bool
	}{
		{"steady and fast enough", 1000, 100, 40, true}, // 10 kB/s for 0.4 s
		{"stands still", 1, 100, 3, false},
		{"never begins", 1, 0, 0, false},
		{"trickles", 5000, 1, size, false}, // 100 B/s: never idle, too slow on the average
	} {
		t.Run(c.name, func(t *testing.T) {
			type end struct {
				n   int
				err error
			}
			ended := make(chan end, 1)
			conn := dial(t, c.rate, func(w http.ResponseWriter, r *http.Request) {
				got, err := io.ReadAll(r.Body)
				ended <- end{len(got), err}
				w.WriteHeader(http.StatusTeapot)
			})
			_, err := fmt.Fprintf(conn, "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n", size)
			if err != nil {
				t.Fatal(err)
			}
			go trickle(conn, bytes.Repeat([]byte("x"), c.part), c.parts, 10*time.Millisecond)
			var got end
			select {
			case got = <-ended:
			case <-time.After(patience):
				t.Fatal("the upload holds its connection for good")
			}
			if c.whole && (got.err != nil || got.n != size) {
				t.Errorf("read %d bytes, %v; want all %d", got.n, got.err, size)
			}
			if !c.whole && !errors.Is(got.err, os.ErrDeadlineExceeded) {
				t.Errorf("read %d bytes, %v; want an exceeded deadline", got.n, got.err)
			}
			// A client that was too slow also gets a response.
			res, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil || res.StatusCode != http.StatusTeapot {
				t.Errorf("answer %v, %v; want the handler's", res, err)
			}
		})
	}
}

func TestDownloads(t *testing.T) {
	const size = 3 << 20
	for _, c := range []struct {
		name  string
		rate  int64
		steps bool // written by io.Copy instead of in one write
		part  int  // bytes read at each beat, 0 to read nothing
		whole bool
	}{
		{"one large write", 1000, false, 128 << 10, true},
		{"copied", 1000, true, 128 << 10, true},
		{"client that does not read", 1, false, 0, false},
		{"client that reads too slowly", 100 << 20, true, 1 << 10, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			ended := make(chan error, 1)
			conn := dial(t, c.rate, func(w http.ResponseWriter, _ *http.Request) {
				content := bytes.NewReader(make([]byte, size))
				var err error
				if c.steps {
					_, err = io.Copy(w, content)
				} else {
					_, err = w.Write(make([]byte, size))
				}
				ended <- err
			})
			if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
				t.Fatal(err)
			}
			received := 0
			if c.part > 0 {
				ticker := time.NewTicker(10 * time.Millisecond)
				defer ticker.Stop()
				buffer := make([]byte, c.part)
				for {
					<-ticker.C
					n, err := io.ReadFull(conn, buffer[:min(c.part, size+1-received)])
					if received += n; err != nil || received > size {
						break
					}
				}
			}
			select {
			case err := <-ended:
				if c.whole != (err == nil) {
					t.Errorf("the handler ended with %v after the client had %d bytes", err, received)
				}
				if !c.whole && !errors.Is(err, os.ErrDeadlineExceeded) {
					t.Errorf("the handler ended with %v, want an exceeded deadline", err)
				}
			case <-time.After(patience):
				t.Fatal("the download holds its connection for good")
			}
			if c.whole && received <= size { // headers come on top
				t.Errorf("the client got %d bytes, want %d and the headers", received, size)
			}
		})
	}
}

// TestNextRequestOnTheConnection shows that no deadline of one request ends the next.
func TestNextRequestOnTheConnection(t *testing.T) {
	conn := dial(t, 1000, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(w, r.Body)
	})
	in := bufio.NewReader(conn)
	pause := time.NewTicker(idle + fixed)
	defer pause.Stop()
	for i := range 3 {
		if i > 0 {
			<-pause.C
		}
		if _, err := io.WriteString(conn, "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nok"); err != nil {
			t.Fatal(err)
		}
		res, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Fatalf("request %d: %v", i, err)
		}
		if got, err := io.ReadAll(res.Body); err != nil || string(got) != "ok" {
			t.Errorf("request %d: %q, %v", i, got, err)
		}
	}
}
