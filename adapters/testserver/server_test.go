package testserver

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Roles of this test binary when it is started as another program.
const (
	roleVariable = "TESTSERVER_ROLE"
	roleServer   = "server" // listens on the port of its argument
	roleParent   = "parent" // starts a server, prints its process and waits
	roleBroken   = "broken" // ends immediately
)

func TestMain(m *testing.M) {
	switch os.Getenv(roleVariable) {
	case roleServer:
		listen(os.Args[1])
	case roleParent:
		s, err := Start(context.Background(), command(os.Args[1], os.Args[2], roleServer))
		fmt.Println(s.cmd.Process.Pid, err)
		select {}
	case roleBroken:
		fmt.Println("no such setting")
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func listen(port string) {
	l, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for {
		c, err := l.Accept()
		if err == nil {
			_ = c.Close()
		}
	}
}

func command(dir, port, role string) Command {
	return Command{
		Argv: []string{os.Args[0], port}, Env: append(os.Environ(), roleVariable+"="+role),
		Log:   filepath.Join(dir, "log"),
		Ready: func(context.Context) error { return answers(port) },
	}
}

func answers(port string) error {
	c, err := net.Dial("tcp", "127.0.0.1:"+port)
	if err != nil {
		return err
	}
	return c.Close()
}

func freePort(t *testing.T) string {
	t.Helper()
	port, err := FreePort()
	if err != nil {
		t.Fatal(err)
	}
	return strconv.Itoa(port)
}

func TestStartStopKill(t *testing.T) {
	port := freePort(t)
	s, err := Start(t.Context(), command(t.TempDir(), port, roleServer))
	if err != nil {
		t.Fatal(err)
	}
	for name, end := range map[string]func(){"Stop": s.Stop, "Kill": s.Kill} {
		if !s.Running() || answers(port) != nil {
			t.Errorf("before %s: running %v, %v", name, s.Running(), answers(port))
		}
		end()
		if s.Running() || answers(port) == nil {
			t.Errorf("after %s: running %v", name, s.Running())
		}
		end() // a second time changes nothing
		if err := s.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	s.Kill()
}

func TestServerThatDoesNotStart(t *testing.T) {
	_, err := Start(t.Context(), command(t.TempDir(), freePort(t), roleBroken))
	if err == nil || !strings.Contains(err.Error(), "ended before") ||
		!strings.Contains(err.Error(), "no such setting") {
		t.Errorf("Start = %v, want the end of the log", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	c := command(t.TempDir(), freePort(t), roleServer)
	c.Ready = func(context.Context) error { return errors.New("still loading") }
	s, err := Start(ctx, c)
	if err == nil || !strings.Contains(err.Error(), "still loading") || s.Running() {
		t.Errorf("Start = %v, want what it waited for; running %v", err, s.Running())
	}
}

// TestServerDiesWithItsParent kills the program that started a server.
func TestServerDiesWithItsParent(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux ends the children of a killed program")
	}
	parent := exec.Command(os.Args[0], t.TempDir(), freePort(t))
	parent.Env = append(os.Environ(), roleVariable+"="+roleParent)
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	var pid int
	if n, _ := fmt.Sscan(line, &pid); err != nil || n != 1 || !strings.Contains(line, "<nil>") {
		t.Fatalf("the parent said %q, %v", line, err)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait() // killed
	for deadline := time.Now().Add(Timeout); ; time.Sleep(time.Millisecond) {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || strings.Contains(string(stat), ") Z ") { // gone, or waiting to be buried
			return
		}
		if time.Now().After(deadline) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			t.Fatal("the server outlives its parent")
		}
	}
}
