package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// reached is a client that knows the service by a host only, as if that were the name of this machine: it fails at
// addresses of any other.
func (p *process) reached(host, key string) *exampleClient {
	listening := strings.TrimPrefix(p.base, "http://")
	transport := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		if address != host {
			return nil, errors.New("no host " + address)
		}
		return new(net.Dialer).DialContext(ctx, network, listening)
	}}
	p.t.Cleanup(transport.CloseIdleConnections)
	return &exampleClient{base: "http://" + host, key: key, http: &http.Client{Transport: transport}}
}

// send sends a write with an Idempotency-Key and returns the status and the text of the answer.
func send(t *testing.T, c *exampleClient, path, body, idempotencyKey string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.base+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+c.key)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Idempotency-Key", idempotencyKey)
	resp, err := c.http.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

// download follows an address of a result.
func (c *exampleClient) download(address string) error {
	resp, err := c.http.Get(address)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK || len(body) == 0 {
		return fmt.Errorf("%s: %s with %d bytes, %w", address, resp.Status, len(body), err)
	}
	return nil
}

// TestClientsGetAddressesOfTheHostTheyReached has two clients that use the same part through different host names. A
// stored response to one client never shows its host name to the other.
func TestClientsGetAddressesOfTheHostTheyReached(t *testing.T) {
	whole(t)
	t.Parallel()
	data := t.TempDir()
	p := serve(t, data)
	key := newKey(t, data)
	a, b := p.reached("a.example:80", key), p.reached("b.example:8443", key)
	var parts []*exampleResult
	for _, c := range []*exampleClient{a, b} {
		made, err := c.push(t.Context(), exampleName, examplePart) // with an upload to the address that it gets
		if err != nil {
			t.Fatalf("%s: %v", c.base, err)
		}
		parts = append(parts, made)
	}
	for range 2 { // made, and from memory
		for _, part := range parts {
			for _, c := range []*exampleClient{a, b} {
				result := get[exampleResult](t, c, "/v1/parts/"+part.PartID)
				for _, address := range []string{result.MeshStlURL, result.MeshGlbURL, result.ThumbnailURL} {
					if err := c.download(address); err != nil {
						t.Errorf("%s: %v", c.base, err)
					}
				}
			}
		}
	}
	printed, _, _ := millwright(t, "openapi", "--public-url", b.base)
	resp, err := b.http.Get(b.base + "/v1/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if served, err := io.ReadAll(resp.Body); err != nil || string(served) != printed {
		t.Errorf("%v: the description served to %s is not that printed for it", err, b.base)
	}
}

// TestRepeatedRequestThroughAnotherHost repeats a creation through another host, also after the process has died: the
// same part, with an upload address of the host that is asked now.
func TestRepeatedRequestThroughAnotherHost(t *testing.T) {
	whole(t)
	t.Parallel()
	data := t.TempDir()
	p := serve(t, data)
	key := newKey(t, data)
	const missing = `{"fileName":"part.step","projectId":"0198c1c0-7d3a-7e21-9f55-5f3c2ad4b001"}`
	upload := regexp.MustCompile(`"partId":"([^"]+)","uploadUrl":"([^"]+)"`)
	first := ""
	for i, host := range []string{"a.example:80", "b.example:8443", "c.example:80"} {
		if i == 2 {
			p.kill()
			p = serve(t, data)
		}
		c := p.reached(host, key)
		status, text := send(t, c, "/v1/parts", `{"fileName":"`+exampleName+`"}`, "creation")
		made := upload.FindStringSubmatch(text)
		if status != http.StatusCreated || made == nil {
			t.Fatalf("%s: %d %s", host, status, text)
		}
		if first == "" {
			first = made[1]
		}
		address, err := strconv.Unquote(`"` + made[2] + `"`) // of JSON that escapes &
		if err != nil || made[1] != first {
			t.Errorf("%s: part %s, %v; want %s again", host, made[1], err, first)
		}
		if err := c.upload(t.Context(), address, nil, examplePart); err != nil {
			t.Errorf("%s: upload to %s: %v", host, address, err)
		}
		status, text = send(t, c, "/parts", missing, "refused")
		want := `"type":"` + c.base + `/problems/not-found"`
		if status != http.StatusNotFound || !strings.Contains(text, want) {
			t.Errorf("%s: %d %s, want 404 with %s", host, status, text, want)
		}
	}
}

// TestProxiesThatAreTrusted sends requests as a proxy to a service that trusts it, and to one that does not.
func TestProxiesThatAreTrusted(t *testing.T) {
	whole(t)
	t.Parallel()
	for _, c := range []struct {
		name, want string // want: "" is the listener's own address
		args       []string
	}{
		{"trusted", "https://shop.example", []string{"--trusted-proxies", "10.0.0.0/8,127.0.0.0/8"}},
		{"not trusted", "", []string{"--trusted-proxies", "10.0.0.0/8"}},
		{"one address for all", "https://mill.example", []string{"--public-url", "https://mill.example/"}},
	} {
		data := t.TempDir()
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		own := "http://" + listener.Addr().String()
		if err := listener.Close(); err != nil {
			t.Fatal(err)
		}
		p := serving(t, slices.Concat(
			[]string{"serve", "--listen", strings.TrimPrefix(own, "http://"), "--data", data}, c.args)...)
		req, err := http.NewRequest(http.MethodGet, own+"/nothing", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Forwarded-Host", "shop.example")
		req.Header.Set("X-Forwarded-Proto", "https")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		var problem struct{ Type string }
		err = json.NewDecoder(resp.Body).Decode(&problem)
		_ = resp.Body.Close()
		want := c.want
		if want == "" {
			want = own
		}
		if err != nil || problem.Type != want+"/problems/not-found" {
			t.Errorf("%s: type %q, %v; want that of %s\n%s", c.name, problem.Type, err, want, p.log)
		}
	}
	for text, args := range map[string][]string{
		`"10.0.0.1" is not a network`: {"--trusted-proxies", "10.0.0.1"},
		"beside --public-url":         {"--trusted-proxies", "10.0.0.0/8", "--public-url", "https://mill.example"},
	} {
		_, stderr, status := millwright(t, append([]string{"serve"}, args...)...)
		if status == 0 || !strings.Contains(stderr, text) {
			t.Errorf("serve %q: status %d, %s; want %s", args, status, stderr, text)
		}
	}
}

// fromElsewhere carries the address of a service and a key to the test that runs in another network namespace.
const fromElsewhere = "MILLWRIGHT_TEST_FROM_ELSEWHERE"

// TestFromAnotherNetwork reaches a service that listens on every address, as in the container image, from another
// network namespace, where the loopback addresses of this machine do not lead to it.
func TestFromAnotherNetwork(t *testing.T) {
	whole(t)
	if at, key, ok := strings.Cut(os.Getenv(fromElsewhere), " "); ok {
		c := &exampleClient{base: at, key: key, http: http.DefaultClient}
		result, err := c.push(t.Context(), exampleName, examplePart)
		if err != nil {
			t.Fatal(err)
		}
		for _, address := range []string{result.MeshStlURL, result.MeshGlbURL, result.ThumbnailURL} {
			if err := c.download(address); err != nil || !strings.HasPrefix(address, at+"/") {
				t.Errorf("%s is not below %s, or %v", address, at, err)
			}
		}
		return
	}
	space := "mill" + strconv.Itoa(os.Getpid())
	link, subnet := space[:min(len(space), 13)], "169.254."+strconv.Itoa(1+os.Getpid()%254)
	t.Cleanup(func() { _ = exec.Command("ip", "netns", "delete", space).Run() }) // the link goes with it
	for _, command := range []string{
		"netns add " + space,
		"link add " + link + "a type veth peer name " + link + "b netns " + space,
		"address add " + subnet + ".1/30 dev " + link + "a",
		"link set " + link + "a up",
		"-n " + space + " address add " + subnet + ".2/30 dev " + link + "b",
		"-n " + space + " link set " + link + "b up",
	} {
		if out, err := exec.Command("ip", strings.Fields(command)...).CombinedOutput(); err != nil {
			t.Skipf("NOT TESTED from another network: that needs root and ip: ip %s: %v %s", command, err, out)
		}
	}
	data := t.TempDir()
	p := serving(t, "serve", "--listen", "0.0.0.0:0", "--data", data, "--create-interval", "0")
	at := strings.Replace(p.base, "localhost", subnet+".1", 1)
	test := exec.Command("ip", "netns", "exec", space, os.Args[0], "-test.run=^TestFromAnotherNetwork$", "-test.v")
	test.Env = append(os.Environ(), fromElsewhere+"="+at+" "+newKey(t, data))
	if out, err := test.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS") {
		t.Errorf("from another network, at %s: %v\n%s\n%s", at, err, out, p.log)
	}
}
