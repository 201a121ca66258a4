package main

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/objects/s3/s3test"
	"millwright.dev/millwright/adapters/queue/redis/redistest"
)

// production sets the environment of all commands that the test starts to private servers. It returns the secrets that
// must not appear in any log.
func production(t *testing.T) (secrets []string) {
	t.Helper()
	redis, s3 := redistest.New(t), s3test.New(t)
	const password = "redis-password-that-no-log-may-show"
	if err := redis.Do(t.Context(), "CONFIG", "SET", "requirepass", password); err != nil {
		t.Fatal(err)
	}
	t.Setenv("MILLWRIGHT_QUEUE", strings.Replace(redis.URL, "://", "://:"+password+"@", 1))
	t.Setenv("MILLWRIGHT_OBJECTS", "s3://test?create=true&endpoint="+url.QueryEscape(s3.Endpoint))
	t.Setenv("AWS_ACCESS_KEY_ID", s3test.AccessKey)
	t.Setenv("AWS_SECRET_ACCESS_KEY", s3test.Secret)
	return []string{password, s3test.Secret}
}

// TestProductionQueueAndObjects runs the API and the workers in separate processes.
func TestProductionQueueAndObjects(t *testing.T) {
	secrets, data := production(t), t.TempDir()
	p := serve(t, data, "--workers", "0")
	c := p.client(newKey(t, data))
	first, second := start(t, "worker", "--data", data), start(t, "worker", "--data", data)
	id := submit(t, c, exampleName, examplePart)
	oneResult(t, c, id)
	var result struct{ MeshStlURL, ThumbnailURL string }
	if _, err := c.call(t.Context(), http.MethodGet, "/v1/parts/"+id, nil, &result); err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{result.MeshStlURL, result.ThumbnailURL} {
		res, err := http.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if strings.HasPrefix(address, p.base) || res.StatusCode != http.StatusOK || res.ContentLength < 100 {
			t.Errorf("%s: %s, %d bytes", address, res.Status, res.ContentLength)
		}
	}
	if res, err := http.Get(p.base + objectsPath + "/test-results/x"); err != nil || res.StatusCode != http.StatusNotFound ||
		res.Body.Close() != nil {
		t.Errorf("the service hands out objects itself: %v, %v", res, err)
	}
	if _, err := os.Stat(filepath.Join(data, "objects")); err == nil {
		t.Error("there is a folder of objects")
	}
	first.kill()
	oneResult(t, c, submit(t, c, exampleName, examplePart))
	for _, log := range []string{p.log.String(), first.log.String(), second.log.String()} {
		for _, secret := range secrets {
			if strings.Contains(log, secret) {
				t.Errorf("a log holds a secret:\n%s", log)
			}
		}
	}
}

// TestEachOnItsOwn mixes: one of the two in production, the other embedded.
func TestEachOnItsOwn(t *testing.T) {
	whole(t)
	production(t)
	for _, absent := range []string{"MILLWRIGHT_QUEUE", "MILLWRIGHT_OBJECTS"} {
		t.Run("no "+absent, func(t *testing.T) {
			t.Setenv(absent, "")
			data := t.TempDir()
			p := serve(t, data)
			c := p.client(newKey(t, data))
			oneResult(t, c, submit(t, c, exampleName, examplePart))
		})
	}
}

func TestQueueAndObjectsThatCannotBeOpened(t *testing.T) {
	whole(t)
	const secret = "s3cr3t"
	server := s3test.New(t)
	there := "?create=true&endpoint=" + url.QueryEscape(server.Endpoint)
	t.Setenv("AWS_ACCESS_KEY_ID", "nobody")
	t.Setenv("AWS_SECRET_ACCESS_KEY", secret)
	dir := t.TempDir()
	half := filepath.Join(dir, "half")
	if err := os.WriteFile(half, []byte("[default]\naws_secret_access_key = "+secret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"not redis", []string{"--queue", "amqp://h"}, "redis, rediss or unix"},
		{"two addresses", []string{"--queue", "redis://h", "--queue-file", half}, "give one of them"},
		{"no file", []string{"--queue-file", filepath.Join(dir, "none")}, "--queue-file: "},
		{"not s3", []string{"--objects", "gs://u:" + secret + "@bucket"}, "must look like s3://PREFIX"},
		{"secret in the address", []string{"--objects", "s3://k:" + secret + "@bucket"}, "must look like s3://PREFIX"},
		{"misspelt", []string{"--objects", "s3://test?regin=eu"}, `no setting "regin"`},
		{"not a name", []string{"--objects", "s3://Te.st" + there}, "not a bucket name"},
		{"create what", []string{"--objects", "s3://test?create=perhaps"}, "true or false"},
		{"refused", []string{"--objects", "s3://test" + there}, "403"},
		{"half of the credentials", []string{"--objects", "s3://test" + there, "--objects-credentials-file", half},
			"access key"},
		{"credentials for nothing", []string{"--objects-credentials-file", half}, "without --objects"},
		{"too large", []string{"--objects", "s3://test" + there, "--max-upload", "6000"}, "--max-upload"},
	} {
		for _, command := range [][]string{{"worker"}, {"serve", "--listen", "127.0.0.1:0"}} {
			args := append(append(command, "--data", t.TempDir()), c.args...)
			stdout, stderr, status := millwright(t, args...)
			if status != exitFailed || stdout != "" || !strings.Contains(stderr, c.want) ||
				strings.Contains(stderr, secret) {
				t.Errorf("%s: %s: status %d, %q; want a sentence with %q", command[0], c.name, status, stderr, c.want)
			}
		}
	}
}

// TestCredentialsInAFile starts with credentials that only the file has.
func TestCredentialsInAFile(t *testing.T) {
	whole(t)
	server := s3test.New(t)
	file, data := filepath.Join(t.TempDir(), "credentials"), t.TempDir()
	text := "[default]\naws_access_key_id = " + s3test.AccessKey + "\naws_secret_access_key=" + s3test.Secret + "\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_ACCESS_KEY_ID", "nobody")
	t.Setenv("MILLWRIGHT_OBJECTS", "s3://test?create=true&endpoint="+url.QueryEscape(server.Endpoint))
	t.Setenv("MILLWRIGHT_OBJECTS_CREDENTIALS_FILE", file)
	p := serve(t, data)
	c := p.client(newKey(t, data))
	oneResult(t, c, submit(t, c, exampleName, examplePart))
}
