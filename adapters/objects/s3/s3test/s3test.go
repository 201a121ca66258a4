// Package s3test runs a private S3 server for tests: versitygw on a folder. It checks signatures, times and
// sizes; servers that take everything prove nothing.
package s3test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"millwright.dev/millwright/adapters/testserver"
)

// Credentials of every test server.
const (
	AccessKey = "test-access"
	Secret    = "test-secret-that-no-log-may-show"
	Region    = "us-east-1"
)

// Server is an S3 server on a free port.
type Server struct {
	*testserver.Server
	Endpoint string // http://127.0.0.1:port
	Folder   string // contains a folder for each bucket
}

// program finds versitygw: where .ci/setup test puts it, in the folder of this module, or on the PATH.
func program() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			if built := filepath.Join(dir, ".tools", "versitygw"); isFile(built) {
				return built, nil
			}
		}
		if dir == filepath.Dir(dir) {
			return exec.LookPath("versitygw")
		}
	}
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// Run starts a server that keeps its buckets in dir; they survive a restart.
func Run(ctx context.Context, dir string) (*Server, error) {
	program, err := program()
	if err != nil {
		return nil, err
	}
	port, err := testserver.FreePort()
	if err != nil {
		return nil, err
	}
	buckets, iam := filepath.Join(dir, "buckets"), filepath.Join(dir, "iam")
	if err := errors.Join(os.MkdirAll(buckets, 0o700), os.MkdirAll(iam, 0o700)); err != nil {
		return nil, err
	}
	s := &Server{Endpoint: fmt.Sprintf("http://127.0.0.1:%d", port), Folder: buckets}
	s.Server, err = testserver.Start(ctx, testserver.Command{
		Argv: []string{
			program, "--quiet", "--port", "127.0.0.1:" + strconv.Itoa(port), "--region", Region,
			"--keep-alive", "--iam-dir", iam, "--health", health, "posix", buckets,
		},
		Env: []string{"ROOT_ACCESS_KEY=" + AccessKey, "ROOT_SECRET_KEY=" + Secret, "HOME=" + dir},
		Dir: dir, Log: filepath.Join(dir, "versitygw.log"),
		Ready: s.ready,
	})
	return s, err
}

// health is a path that the server answers when it works.
const health = "/health"

func (s *Server) ready(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.Endpoint+health, nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	if err := res.Body.Close(); err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("health: %s", res.Status)
	}
	return nil
}

// New is Run for a test, which is skipped if no server is installed.
func New(t testing.TB) *Server {
	t.Helper()
	Require(t)
	return testserver.ForTest(t, Run)
}

// Require skips a test where the server is not installed.
func Require(t testing.TB) {
	t.Helper()
	if err := Installed(); err != nil {
		t.Skip("NOT TESTED on an S3 server: ", err)
	}
}

// Installed returns an error with installation instructions if the server is missing; the error is exec.ErrNotFound.
func Installed() error {
	if _, err := program(); err != nil {
		return fmt.Errorf("%w (.ci/versitygw builds it)", err)
	}
	return nil
}
