package baseurl

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/service/apierr"
)

const (
	proxy    = "10.1.2.3:4711"
	stranger = "192.0.2.9:4711"
)

var trusting = Rule{Trusted: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}}

// asked is a request to a host with headers, given as name and value in turns, over a connection to 127.0.0.1:8080.
func asked(from, host string, headers ...string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/health", nil)
	r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey,
		net.Addr(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080})))
	r.RemoteAddr, r.Host = from, host
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	return r
}

func TestBaseOfARequest(t *testing.T) {
	for _, c := range []struct {
		name    string
		from    string
		host    string
		headers []string
		want    string // "": refused
	}{
		{"name", stranger, "mill.example", nil, "http://mill.example"},
		{"name with a port", stranger, "Mill.Example:8080", nil, "http://mill.example:8080"},
		{"name of the local network", stranger, "mill_1:80", nil, "http://mill_1:80"},
		{"name from the root", stranger, "mill.example.", nil, "http://mill.example."},
		{"IPv4", stranger, "192.0.2.1:8080", nil, "http://192.0.2.1:8080"},
		{"IPv6", stranger, "[2001:DB8::1]", nil, "http://[2001:db8::1]"},
		{"IPv6 with a port", stranger, "[::1]:8080", nil, "http://[::1]:8080"},
		{"none, as HTTP/1.0 may", stranger, "", nil, "http://127.0.0.1:8080"},

		{"no port", stranger, "mill.example:", nil, ""},
		{"port 0", stranger, "mill.example:0", nil, ""},
		{"port too large", stranger, "mill.example:65536", nil, ""},
		{"port no number", stranger, "mill.example:80a", nil, ""},
		{"only a port", stranger, ":8080", nil, ""},
		{"only a dot", stranger, ".", nil, ""},
		{"empty label", stranger, "mill..example", nil, ""},
		{"long label", stranger, strings.Repeat("a", 64) + ".example", nil, ""},
		{"long name", stranger, strings.Repeat("a.", 127), nil, ""},
		{"path", stranger, "mill.example/x", nil, ""},
		{"user", stranger, "me@mill.example", nil, ""},
		{"quote", stranger, `mill"example`, nil, ""},
		{"letters of no host name", stranger, "müll.example", nil, ""},
		{"IPv6 without brackets", stranger, "2001:db8::1", nil, ""},
		{"IPv6 with a zone", stranger, "[fe80::1%25eth0]", nil, ""},
		{"IPv4 in brackets", stranger, "[192.0.2.1]", nil, ""},
		{"bracket left open", stranger, "[::1", nil, ""},

		{"stranger's headers", stranger, "mill.example", []string{"Forwarded", "host=evil.example;proto=https",
			"X-Forwarded-Host", "evil.example", "X-Forwarded-Proto", "https"}, "http://mill.example"},
		{"stranger's unreadable header", stranger, "mill.example", []string{"Forwarded", `"`}, "http://mill.example"},
		{"proxy that says nothing", proxy, "mill.example", nil, "http://mill.example"},
		{"only the scheme", proxy, "mill.example", []string{"X-Forwarded-Proto", "HTTPS"}, "https://mill.example"},
		{"host and scheme", proxy, "inside:8080", []string{"X-Forwarded-Host", "Mill.example:8443",
			"X-Forwarded-Proto", "https"}, "https://mill.example:8443"},
		{"IPv6 proxy", "[fd00::7%eth0]:99", "inside", []string{"X-Forwarded-Host", "mill.example"}, "http://mill.example"},
		{"IPv4 as IPv6", "[::ffff:10.0.0.1]:99", "inside", []string{"X-Forwarded-Host", "a.example"}, "http://a.example"},
		{"last of a list", proxy, "inside", []string{"X-Forwarded-Host", "evil.example, mill.example"},
			"http://mill.example"},
		{"last of several headers", proxy, "inside", []string{"X-Forwarded-Host", "evil.example",
			"X-Forwarded-Host", "mill.example"}, "http://mill.example"},
		{"Forwarded", proxy, "inside", []string{"Forwarded", `for=192.0.2.9; Host="mill.example:8443" ;PROTO=https`},
			"https://mill.example:8443"},
		{"last of Forwarded", proxy, "inside", []string{"Forwarded", `host=evil.example;proto=https, host=mill.example`},
			"http://mill.example"},
		{"separators in quotes", proxy, "inside", []string{"Forwarded", `host=mill.example;by="a,b;host=c\"d"`},
			"http://mill.example"},
		{"escape in quotes", proxy, "inside", []string{"Forwarded", `host="mill\.example"`}, "http://mill.example"},
		{"Forwarded of others things", proxy, "mill.example", []string{"Forwarded", "for=192.0.2.9"}, "http://mill.example"},
		{"both headers agree", proxy, "inside", []string{"Forwarded", "host=mill.example;proto=https",
			"X-Forwarded-Host", "mill.example", "X-Forwarded-Proto", "https"}, "https://mill.example"},

		{"hosts contradict", proxy, "inside", []string{"Forwarded", "host=evil.example",
			"X-Forwarded-Host", "mill.example"}, ""},
		{"schemes contradict", proxy, "inside", []string{"Forwarded", "proto=http", "X-Forwarded-Proto", "https"}, ""},
		{"no scheme of ours", proxy, "inside", []string{"X-Forwarded-Proto", "javascript"}, ""},
		{"no host", proxy, "inside", []string{"X-Forwarded-Host", "mill.example/x"}, ""},
		{"quote left open", proxy, "inside", []string{"Forwarded", `host="evil.example, host=mill.example`}, ""},
		{"said twice", proxy, "inside", []string{"Forwarded", "host=a.example;host=b.example"}, ""},
		{"no pair", proxy, "inside", []string{"Forwarded", "mill.example"}, ""},
		{"text after quotes", proxy, "inside", []string{"Forwarded", `host="mill".example`}, ""},
	} {
		got, err := trusting.Base(asked(c.from, c.host, c.headers...))
		var refused *apierr.Error
		if c.want == "" && (!errors.As(err, &refused) || refused.Code != apierr.InvalidRequest) || got != c.want {
			t.Errorf("%s: host %q %q: base %q, %v; want %q", c.name, c.host, c.headers, got, err, c.want)
		}
	}
}

// For any input of clients and proxies, the result is the start of an address without characters that JSON escapes.
func TestBaseIsAddressPrefix(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z0-9.:\[\]"@/%,;=_-]{0,20}`),
		rapid.StringMatching(`[a-z]{1,4}(\.[a-z]{1,4}){0,2}(:[0-9]{1,5})?`))
	rapid.Check(t, func(t *rapid.T) {
		r := asked(proxy, text.Draw(t, "host"))
		for _, name := range []string{"Forwarded", "X-Forwarded-Host", "X-Forwarded-Proto"} {
			if rapid.Bool().Draw(t, name) {
				r.Header[name] = rapid.SliceOfN(text, 1, 2).Draw(t, name+" lines")
			}
		}
		base, err := trusting.Base(r)
		if err != nil {
			return
		}
		u, err := url.Parse(base)
		if err != nil || u.Scheme+"://"+u.Host != base || u.Hostname() == "" || strings.ContainsAny(base, "\"\\<>&\x00") {
			t.Fatalf("host %q, %q: base %q parses as %+v, %v", r.Host, r.Header, base, u, err)
		}
	})
}
