package pgtest

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// The test binary is run again as a process that starts a server and waits to be killed.
const keeperVar = "PGTEST_KEEPER"

func TestMain(m *testing.M) {
	if os.Getenv(keeperVar) != "" {
		s, err := New(context.Background(), Options{})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(s.dir)
		select {}
	}
	os.Exit(m.Run())
}

// TestServerEndsWithItsProcess kills a process with a server and waits until the server is gone.
func TestServerEndsWithItsProcess(t *testing.T) {
	Require(t)
	keeper := exec.Command(os.Args[0])
	keeper.Env = append(os.Environ(), keeperVar+"=1")
	out, err := keeper.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := keeper.Start(); err != nil {
		t.Fatal(err)
	}
	dir, err := bufio.NewReader(out).ReadString('\n')
	dir = strings.TrimSpace(dir)
	if err != nil || !filepath.IsAbs(dir) {
		t.Fatalf("the process said %q, %v", dir, err)
	}
	pid, err := os.ReadFile(filepath.Join(dir, "data", "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	proc := filepath.Join("/proc", strings.SplitN(string(pid), "\n", 2)[0], "cmdline")
	if err := keeper.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = keeper.Wait() // it was killed
	for end := time.Now().Add(timeout); ; time.Sleep(10 * time.Millisecond) {
		_, folder := os.Stat(dir)
		command, _ := os.ReadFile(proc) // no file: the process has ended
		if os.IsNotExist(folder) && !strings.Contains(string(command), dir) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("folder %v, server %q are left", folder, command)
		}
	}
}

// TestStopAndStart checks that committed data survive each kind of stop.
func TestStopAndStart(t *testing.T) {
	s := Start(t, Options{TCP: true})
	name, err := s.Database(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, mode := range []Mode{Fast, Immediate, Kill} {
		for _, url := range []string{s.URL(name), s.TCP(name)} {
			conn, err := pgx.Connect(t.Context(), url)
			if err != nil {
				t.Fatal(err)
			}
			var n int
			_, err = conn.Exec(t.Context(), `CREATE TABLE IF NOT EXISTS seen (n int)`)
			if err == nil {
				_, err = conn.Exec(t.Context(), `INSERT INTO seen VALUES (1)`)
			}
			if err == nil {
				err = conn.QueryRow(t.Context(), `SELECT count(*) FROM seen`).Scan(&n)
			}
			if err != nil || n < 2*i+1 {
				t.Errorf("before stop %d: %d rows, %v", i, n, err)
			}
			if err := conn.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Stop(mode); err != nil {
			t.Fatal(err)
		}
		if err := s.Stop(mode); err == nil {
			t.Error("a stopped server stops again")
		}
		if err := s.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}
