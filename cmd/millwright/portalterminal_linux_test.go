package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// terminal opens a pseudo-terminal: what is written to the second file is read from the first.
func terminal(t *testing.T) (screen, program *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("NOT CHECKED: there are no pseudo-terminals: %v", err)
	}
	t.Cleanup(func() { _ = screen.Close() })
	fd := int(screen.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return screen, program
}

// serveOnTerminal starts a service whose standard output is a terminal. The text of the screen grows in the buffer; the
// channel is closed when the service has ended and all is read.
func serveOnTerminal(t *testing.T, data string) (p *process, text *lockedBuffer, read <-chan struct{}) {
	t.Helper()
	screen, program := terminal(t)
	log := &lockedBuffer{grown: make(chan struct{}, 1)}
	p = &process{t: t, log: log,
		cmd: exec.Command(os.Args[0], "serve", "--listen", "127.0.0.1:0", "--data", data, "--role", "api")}
	p.cmd.Stdout, p.cmd.Stderr = program, log
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = program.Close() // the service has its own
	text, done := &lockedBuffer{grown: make(chan struct{}, 1)}, make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(text, screen) // it ends with an error when the service does
	}()
	t.Cleanup(func() {
		p.kill()
		<-done
	})
	return p, text, done
}

// TestServeOnATerminalOffersALink: the first service of a data folder prints a link that signs in. Once somebody has
// signed in, none is printed.
func TestServeOnATerminalOffersALink(t *testing.T) {
	whole(t)
	t.Parallel()
	data := t.TempDir()
	p, text, _ := serveOnTerminal(t, data)
	p.base = p.says(servingLine)
	seen := process{t: t, log: text}
	link := seen.says(regexp.MustCompile(`(http://127\.0\.0\.1:\d+/portal/welcome#token=[\w-]+)\s`))
	if !strings.HasPrefix(link, p.base) {
		t.Errorf("the link is %s, the service at %s", link, p.base)
	}
	if status, body := newVisitor(t, p.base).signIn(link); status != http.StatusOK {
		t.Fatalf("sign-in: %d %s", status, body)
	}
	if strings.Contains(p.log.String(), "#token=") {
		t.Errorf("the log has the link:\n%s", p.log)
	}
	p.kill()

	p, text, read := serveOnTerminal(t, data)
	p.base = p.says(servingLine)
	if status, body := newVisitor(t, p.base).do(http.MethodGet, "/health", ""); status != http.StatusOK {
		t.Fatalf("health: %d %s", status, body)
	}
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-read
	if strings.Contains(text.String(), "#token=") || strings.Contains(p.log.String(), "portal link") {
		t.Errorf("after a sign-in the terminal has\n%s\nand the log\n%s", text, p.log)
	}
}
