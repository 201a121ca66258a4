package baseurl

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/usertext"
)

// Rule determines the address at which a request reached the service:
//
//   - The host is the Host header, the scheme http. Without a Host, which HTTP/1.0 allows, the host is the address at
//     which the connection arrived. A Host that is neither a name nor an address, with or without a port, is refused.
//   - If the address of a proxy is in Trusted, its headers Forwarded (RFC 7239: host, proto), X-Forwarded-Host and
//     X-Forwarded-Proto apply, each if present. Only the last entry of a list counts, since this proxy wrote it. The
//     proxy must set or remove all three headers, and forward the values of a proxy before it. If the headers
//     contradict each other or cannot be read, the request is refused.
//   - Headers from other peers are ignored.
type Rule struct{ Trusted []netip.Prefix }

// Base is scheme and host of the request without a trailing slash. Error code: invalid_request.
func (r Rule) Base(req *http.Request) (string, error) {
	scheme, host := "http", req.Host
	if r.trusts(req.RemoteAddr) {
		said, err := forwarded(req.Header)
		if err != nil {
			return "", err
		}
		if said.host != "" {
			host = said.host
		}
		if said.proto != "" {
			scheme = said.proto
		}
	}
	switch {
	case host == "":
		return own(req), nil
	case scheme != "http" && scheme != "https":
		return "", apierr.Errorf(apierr.InvalidRequest,
			"The proxy says that this request came by %s, not by http or https.", usertext.Quote(scheme))
	case !validHost(host):
		return "", apierr.Errorf(apierr.InvalidRequest,
			"The host %s is neither a name nor an address, with or without a port.", usertext.Quote(host))
	}
	return scheme + "://" + strings.ToLower(host), nil
}

// trusts reports whether a connection is from a trusted proxy.
func (r Rule) trusts(remote string) bool {
	at, err := netip.ParseAddrPort(remote)
	return err == nil && slices.ContainsFunc(r.Trusted, func(p netip.Prefix) bool {
		return p.Contains(at.Addr().Unmap().WithZone(""))
	})
}

// own is the base by the address at which the connection arrived.
func own(req *http.Request) string {
	if at, ok := req.Context().Value(http.LocalAddrContextKey).(net.Addr); ok {
		return "http://" + at.String()
	}
	return "http://localhost" // of a handler without a connection
}

// validHost reports whether a text is a name of letters, digits, '-', '_' and '.', an IPv4 address, or an IPv6 address
// in brackets, and maybe a port: nothing that would have to be escaped in an address or in JSON.
func validHost(text string) bool {
	name := text
	if i := strings.LastIndexByte(text, ':'); i >= 0 && !strings.HasSuffix(text, "]") {
		n, err := strconv.ParseUint(text[i+1:], 10, 16)
		if err != nil || n == 0 {
			return false
		}
		name = text[:i]
	}
	if inner, ok := strings.CutPrefix(name, "["); ok {
		inner, ok = strings.CutSuffix(inner, "]")
		at, err := netip.ParseAddr(inner)
		return ok && err == nil && at.Is6() && at.Zone() == ""
	}
	const longestName, longestLabel = 253, 63 // bytes (RFC 1035)
	if len(name) > longestName {
		return false
	}
	for label := range strings.SplitSeq(strings.TrimSuffix(name, "."), ".") {
		if label == "" || len(label) > longestLabel || strings.ContainsFunc(label, func(c rune) bool {
			return (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c != '-' && c != '_'
		}) {
			return false
		}
	}
	return true
}

// reached is the address that a proxy reports for a request; "" = not reported.
type reached struct{ host, proto string }

var errForwarded = apierr.Errorf(apierr.InvalidRequest,
	"The Forwarded header of the proxy cannot be read.")

// forwarded reads the last entries of the headers of a proxy.
func forwarded(h http.Header) (reached, error) {
	said, err := lastForwarded(h.Values("Forwarded"))
	if err != nil {
		return reached{}, err
	}
	for _, one := range []struct {
		header string
		value  *string
	}{{"X-Forwarded-Host", &said.host}, {"X-Forwarded-Proto", &said.proto}} {
		entries := strings.Split(strings.Join(h.Values(one.header), ","), ",")
		last := strings.TrimSpace(entries[len(entries)-1])
		if last != "" && *one.value != "" && !strings.EqualFold(last, *one.value) {
			return reached{}, apierr.Errorf(apierr.InvalidRequest,
				"The headers Forwarded and %s of the proxy contradict each other.", one.header)
		}
		if last != "" {
			*one.value = last
		}
	}
	said.proto = strings.ToLower(said.proto)
	return said, nil
}

// lastForwarded reads the last element of Forwarded headers.
func lastForwarded(lines []string) (reached, error) {
	if len(lines) == 0 {
		return reached{}, nil
	}
	elements, err := split(strings.Join(lines, ","), ',')
	if err != nil {
		return reached{}, err
	}
	pairs, err := split(elements[len(elements)-1], ';')
	if err != nil {
		return reached{}, err
	}
	said := map[string]string{}
	for _, pair := range pairs {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, ok := strings.Cut(pair, "=")
		name = strings.ToLower(strings.TrimSpace(name))
		if _, twice := said[name]; !ok || twice {
			return reached{}, errForwarded
		}
		said[name] = unquoted(strings.TrimSpace(value))
	}
	return reached{said["host"], said["proto"]}, nil
}

// split cuts a text at a separator that is in no quoted string.
func split(text string, at byte) ([]string, error) {
	var out []string
	start, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch {
		case quoted && text[i] == '\\':
			i++
		case text[i] == '"':
			quoted = !quoted
		case text[i] == at && !quoted:
			out, start = append(out, text[start:i]), i+1
		}
	}
	if quoted {
		return nil, errForwarded
	}
	return append(out, text[start:]), nil
}

// unquoted is the value of a token or of a quoted string.
func unquoted(value string) string {
	if len(value) < 2 || value[0] != '"' {
		return value
	}
	var out strings.Builder
	for i := 1; i < len(value)-1; i++ {
		if value[i] == '\\' && i+1 < len(value)-1 {
			i++
		}
		out.WriteByte(value[i])
	}
	return out.String()
}
