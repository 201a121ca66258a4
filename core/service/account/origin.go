package account

import (
	"net/url"
	"slices"
	"strings"

	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/usertext"
)

// maxOrigins bounds the allowlist of one key.
const maxOrigins = 50

// checkOrigins returns the origins in the form in which browsers send them, each once; nil stays nil.
func checkOrigins(origins []string) ([]string, error) {
	if origins == nil {
		return nil, nil
	}
	if len(origins) > maxOrigins {
		return nil, apierr.Errorf(apierr.InvalidRequest, "A key allows at most %d origins.", maxOrigins)
	}
	out := []string{}
	for _, o := range origins {
		origin, ok := canonicalOrigin(o)
		if !ok {
			return nil, apierr.Errorf(apierr.InvalidRequest,
				"%s is not an origin; write scheme, host and port as in https://shop.example:8443.", usertext.Quote(o))
		}
		if !slices.Contains(out, origin) {
			out = append(out, origin)
		}
	}
	return out, nil
}

// canonicalOrigin returns scheme://host[:port] in lower case without a default port. Browsers send this form (RFC 6454,
// section 6.2). A wildcard is not an origin: each origin is allowed by name.
func canonicalOrigin(text string) (string, bool) {
	u, err := url.Parse(strings.ToLower(text))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" ||
		u.User != nil || u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "" ||
		strings.ContainsFunc(u.Host, func(r rune) bool { return r <= ' ' || r > '~' || r == '*' || r == ',' }) ||
		strings.HasSuffix(u.Host, ":") {
		return "", false
	}
	host := u.Host
	if port := u.Port(); u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		host = strings.TrimSuffix(host, ":"+port)
	}
	return u.Scheme + "://" + host, true
}
