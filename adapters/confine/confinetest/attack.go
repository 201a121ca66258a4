// Package confinetest tests confinement with forbidden operations. The test of an adapter that starts programs runs
// Attack in one of them.
package confinetest

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Target is the resources of a service: its secrets, its process, and its listeners.
type Target struct {
	Folder string // with the file "secret", whose text is Secret, of mode 0600
	Parent int    // the process of the service, as seen from outside
	TCP    string // address of a listener
	Socket string // path of a listener
	Name   string // abstract name of a listener
}

// Secret is the data that a program must not read: the text of a file, and the value of the variable SecretVar.
const (
	Secret    = "of the service"
	SecretVar = "CONFINETEST_SECRET"
)

// NewTarget makes one of the process of the test.
func NewTarget(t *testing.T) Target {
	t.Helper()
	// The program may have access to TMPDIR.
	dir, err := os.MkdirTemp("", "service-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	target := Target{
		Folder: dir, Parent: os.Getpid(), Socket: filepath.Join(dir, "socket"), Name: "@" + filepath.Base(dir),
	}
	if err := os.WriteFile(target.secret(), []byte(Secret), 0o600); err != nil {
		t.Fatal(err)
	}
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_CORE, &limit); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Setrlimit(unix.RLIMIT_CORE, &limit) }) // which it was
	for _, l := range []struct{ network, address string }{
		{"tcp", "127.0.0.1:0"}, {"unix", target.Socket}, {"unix", target.Name},
	} {
		listener, err := net.Listen(l.network, l.address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = listener.Close() })
		if l.network == "tcp" {
			target.TCP = listener.Addr().String()
		}
	}
	return target
}

// Check reports the effects of an attack.
func (g Target) Check(t *testing.T) {
	t.Helper()
	text, err := os.ReadFile(g.secret())
	if err != nil || string(text) != Secret {
		t.Errorf("the secret after the attack: %q, %v", text, err)
	}
	if info, err := os.Stat(g.secret()); err != nil || info.Mode() != 0o600 {
		t.Errorf("the mode of the secret after the attack: %v, %v", info.Mode(), err)
	}
	entries, err := os.ReadDir(g.Folder)
	if err != nil || len(entries) != 2 {
		t.Errorf("the folder after the attack: %v, %v; want the secret and the socket", entries, err)
	}
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_CORE, &limit); err != nil || limit.Cur == oddLimit {
		t.Errorf("the limit of core files after the attack: %d, %v", limit.Cur, err)
	}
}

func (g Target) secret() string { return filepath.Join(g.Folder, "secret") }

// oddLimit is a limit in bytes that no other code sets.
const oddLimit = 12_345

// Attack makes all attempts, from a program with its own folder, and returns the names of those that succeeded.
func (g Target) Attack(own string) []string {
	var done []string
	for name, try := range g.attempts(own) {
		// The previous attempt may have changed it. If these calls fail, so should the next attempt.
		_, _ = os.Remove(g.secret()), os.WriteFile(g.secret(), []byte(Secret), 0o600)
		if err := try(); err == nil {
			done = append(done, name)
		}
	}
	slices.Sort(done)
	return done
}

// Attempts returns the names of the attempts in Attack.
func (g Target) Attempts() []string {
	var names []string
	for name := range g.attempts("") {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

var errRefused = errors.New("refused")

func (g Target) attempts(own string) map[string]func() error {
	proc := func(name string) string { return fmt.Sprintf("/proc/%d/%s", g.Parent, name) }
	in := func(name string) string { return filepath.Join(g.Folder, name) }
	shell := func(script string) error { return exec.Command("/bin/sh", "-c", script).Run() }
	holds := func(path, what string) error {
		text, err := os.ReadFile(path)
		if err == nil && !strings.Contains(string(text), what) {
			err = errRefused
		}
		return err
	}
	connect := func(network, address string) error {
		c, err := net.DialTimeout(network, address, time.Second)
		if err != nil {
			return err
		}
		return c.Close()
	}
	return map[string]func() error{
		"read a secret":           func() error { return holds(g.secret(), Secret) },
		"read a secret by a link": func() error { return g.byLink(own, os.Symlink) },
		"link to a secret":        func() error { return g.byLink(own, os.Link) },
		"move a secret":           func() error { return os.Rename(g.secret(), filepath.Join(own, "moved")) },
		"read it in another program": func() error {
			return shell("grep -q '" + Secret + "' " + g.secret())
		},
		"read the environment": func() error { return holds(proc("environ"), SecretVar+"="+Secret) },
		"read memory": func() error {
			_, err := os.Open(proc("mem"))
			return err
		},
		"read through the root": func() error { return holds(proc("root")+g.secret(), Secret) },
		"list a folder":         func() error { _, err := os.ReadDir(g.Folder); return err },
		"list its own parent":   func() error { _, err := os.ReadDir(filepath.Dir(own)); return err },
		"write a file":          func() error { return os.WriteFile(in("written"), nil, 0o600) },
		"write to a temporary": func() error {
			return temporary(filepath.Dir(g.Folder))
		},
		"write it in a program": func() error { return shell("echo >" + in("written")) },
		"append to a file": func() error {
			_, err := os.OpenFile(g.secret(), os.O_APPEND|os.O_WRONLY, 0)
			return err
		},
		"truncate a file":     func() error { return os.Truncate(g.secret(), 0) },
		"remove a file":       func() error { return os.Remove(g.secret()) },
		"make a folder":       func() error { return os.Mkdir(in("made"), 0o700) },
		"watch a folder":      func() error { return watch(g.Folder) },
		"change a mode":       g.changeMode,
		"set an attribute":    func() error { return unix.Setxattr(g.secret(), "user.taken", []byte("x"), 0) },
		"connect over TCP":    func() error { return connect("tcp", g.TCP) },
		"connect to a socket": func() error { return connect("unix", g.Socket) },
		"connect to a name":   func() error { return connect("unix", g.Name) },
		"send datagrams":      func() error { return connect("udp", g.TCP) },
		"send from a pair": func() error {
			_, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
			return err
		},
		"signal the parent":      func() error { return unix.Kill(g.Parent, unix.SIGURG) }, // Go ignores it
		"signal by another call": func() error { return unix.Tgkill(g.Parent, g.Parent, unix.SIGURG) },
		"signal in a program":    func() error { return shell(fmt.Sprintf("kill -URG %d", g.Parent)) },
		"trace the parent":       func() error { return unix.PtraceSeize(g.Parent) },
		"limit the parent": func() error {
			return unix.Prlimit(g.Parent, unix.RLIMIT_CORE, &unix.Rlimit{Cur: oddLimit, Max: unix.RLIM_INFINITY}, nil)
		},
		"use rings": func() error {
			var params [120]byte // struct io_uring_params
			return ring(params[:])
		},
	}
}

// byLink reads a secret through a link in the own folder.
func (g Target) byLink(own string, link func(old, new string) error) error {
	name := filepath.Join(own, "link")
	defer func() { _ = os.Remove(name) }() // where there is one
	if err := link(g.secret(), name); err != nil {
		return err
	}
	_, err := os.ReadFile(name)
	return err
}

// changeMode checks the mode afterward, since the call may report success without an effect.
func (g Target) changeMode() error {
	if err := os.Chmod(g.secret(), 0o644); err != nil {
		return err
	}
	if info, err := os.Stat(g.secret()); err != nil || info.Mode() == 0o600 {
		return errRefused
	}
	return nil
}

// temporary makes a file in a shared folder for temporary files.
func temporary(folder string) error {
	f, err := os.CreateTemp(folder, "written-")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
