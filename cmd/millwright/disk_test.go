//go:build linux

package main

import (
	"bytes"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// smallDisk is a folder on a separate disk. fill uses up its space, and free releases the space.
type smallDisk struct {
	t   *testing.T
	dir string
}

const smallDiskBytes = "size=24m"

func newSmallDisk(t *testing.T) smallDisk {
	t.Helper()
	d := smallDisk{t, t.TempDir()}
	if err := syscall.Mount("tmpfs", d.dir, "tmpfs", 0, smallDiskBytes); err != nil {
		t.Skipf("NOT TESTED: what happens on a full disk; mounting a small one takes root: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(d.dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return d
}

func (d smallDisk) filler() string { return filepath.Join(d.dir, "filler") }

func (d smallDisk) fill() {
	d.t.Helper()
	f, err := os.Create(d.filler())
	if err != nil {
		d.t.Fatal(err)
	}
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	if closed := f.Close(); !errors.Is(err, syscall.ENOSPC) || closed != nil {
		d.t.Fatalf("filling the disk: %v, %v", err, closed)
	}
}

func (d smallDisk) free() {
	d.t.Helper()
	if err := os.Remove(d.filler()); err != nil {
		d.t.Fatal(err)
	}
}

// files counts the files below a folder of the data folder.
func (d smallDisk) files(folder string) (n int) {
	d.t.Helper()
	err := filepath.WalkDir(filepath.Join(d.dir, "objects", folder), func(_ string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			n++
		}
		return err
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return n
}

// TestFullDisk runs a service until its disk is full, and then frees space.
func TestFullDisk(t *testing.T) {
	whole(t)
	disk := newSmallDisk(t)
	p := serve(t, disk.dir, "--admin", "127.0.0.1:0")
	c := p.client(newKey(t, disk.dir))
	await(t, c, submit(t, c, exampleName, examplePart), "ready")
	var open struct {
		Data   struct{ ID string }
		Upload struct {
			URL     string
			Headers map[string]string
		}
	}
	create := map[string]any{"fileName": exampleName, "autoCreateProgram": false}
	if _, err := c.call(t.Context(), http.MethodPost, "/parts", create, &open); err != nil {
		t.Fatal(err)
	}
	stored := disk.files("data")

	disk.fill()
	status, refused := http.StatusCreated, error(nil)
	for range 1000 { // the reserve of the records is small
		if status, refused = c.call(t.Context(), http.MethodPost, "/parts", create, nil); refused != nil {
			break
		}
	}
	if status != http.StatusServiceUnavailable || !strings.Contains(refused.Error(), `"unavailable"`) {
		t.Errorf("creating a part: %d, %v; want 503 unavailable", status, refused)
	}
	err := c.upload(t.Context(), open.Upload.URL, open.Upload.Headers, bytes.Repeat(examplePart, 100))
	if err == nil || !strings.Contains(err.Error(), "503") || !strings.Contains(err.Error(), `"unavailable"`) {
		t.Errorf("an upload: %v; want 503 unavailable", err)
	}
	for _, address := range []string{p.base + "/health", p.admin() + "/readyz"} {
		if status, body := fetch(t, address); status != http.StatusServiceUnavailable {
			t.Errorf("%s = %d %s; want 503", address, status, body)
		}
	}
	if status, body := fetch(t, p.admin()+"/healthz"); status != http.StatusOK {
		t.Errorf("healthz = %d %s: the process itself lives", status, body)
	}
	for _, cause := range []string{"database or disk is full", "no space left on device"} {
		if !strings.Contains(p.log.String(), cause) {
			t.Errorf("the log does not say %q:\n%s", cause, p.log)
		}
	}
	if n := disk.files("data"); n != stored || disk.files("tmp") != 0 {
		t.Errorf("%d objects and %d halves of some, want %d and none", n, disk.files("tmp"), stored)
	}

	disk.free()
	for _, address := range []string{p.base + "/health", p.admin() + "/readyz"} {
		if status, body := fetch(t, address); status != http.StatusOK {
			t.Errorf("%s = %d %s with room again; want 200", address, status, body)
		}
	}
	if err := c.upload(t.Context(), open.Upload.URL, open.Upload.Headers, examplePart); err != nil {
		t.Fatal(err)
	}
	if _, err := c.call(t.Context(), http.MethodPost, "/parts/"+open.Data.ID+"/complete", nil, nil); err != nil {
		t.Fatal(err)
	}
	await(t, c, open.Data.ID, "ready")
}
