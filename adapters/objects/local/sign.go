package local

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"millwright.dev/millwright/core/service/object"
)

// An address is BaseURL/bucket/key?expires=…&max=…&name=…&sealed=…&type=…&signature=…. The signature is HMAC-SHA256
// over the method, the path and every other parameter in encoded, sorted form. So no parameter can be changed, added,
// doubled or removed.
const (
	paramExpires   = "expires"   // seconds since 1970
	paramMax       = "max"       // bytes, uploads only
	paramSealed    = "sealed"    // bucket/key where the upload will be sealed, uploads only
	paramType      = "type"      // content type that an upload must declare or a download declares
	paramName      = "name"      // file name to save under, downloads only
	paramSignature = "signature" // hexadecimal
)

var (
	errSignature = errors.New("the address is not one that this service signed")
	errExpired   = errors.New("the address has expired")
)

// SignPut implements object.Store.
func (s *Objects) SignPut(_ context.Context, ref object.Ref, t object.PutConditions,
) (object.SignedURL, error) {
	q, headers := url.Values{paramMax: {strconv.FormatInt(t.MaxBytes, 10)}}, map[string]string{}
	if t.ContentType != "" {
		q.Set(paramType, t.ContentType)
		headers["Content-Type"] = t.ContentType
	}
	if t.Sealed.Key != "" {
		if _, err := fileOf(t.Sealed); err != nil {
			return object.SignedURL{}, err
		}
		q.Set(paramSealed, t.Sealed.Bucket+"/"+t.Sealed.Key)
	}
	signed, err := s.sign(http.MethodPut, ref, t.Life, q)
	if err == nil {
		signed.Headers = headers
	}
	return signed, err
}

// SignGet implements object.Store.
func (s *Objects) SignGet(_ context.Context, ref object.Ref, t object.GetConditions,
) (object.SignedURL, error) {
	q := url.Values{}
	if t.ContentType != "" {
		q.Set(paramType, t.ContentType)
	}
	if t.FileName != "" {
		q.Set(paramName, t.FileName)
	}
	return s.sign(http.MethodGet, ref, t.Life, q)
}

func (s *Objects) sign(method string, ref object.Ref, life time.Duration, q url.Values,
) (object.SignedURL, error) {
	if _, err := fileOf(ref); err != nil {
		return object.SignedURL{}, err
	}
	expires := s.clock.Now().Add(life).Truncate(time.Second)
	q.Set(paramExpires, strconv.FormatInt(expires.Unix(), 10))
	q.Set(paramSignature, hex.EncodeToString(s.mac(method, ref, q)))
	address := s.base.JoinPath(ref.Bucket, ref.Key)
	address.RawQuery = q.Encode()
	return object.SignedURL{
		URL: address.String(), Method: method, Headers: map[string]string{}, ExpiresAt: expires.UTC(),
	}, nil
}

// mac signs a method, an object and all parameters but the signature.
func (s *Objects) mac(method string, ref object.Ref, q url.Values) []byte {
	signed := url.Values{}
	for name, values := range q {
		if name != paramSignature {
			signed[name] = values
		}
	}
	h := hmac.New(sha256.New, s.secret)
	// Bucket, key and the encoded parameters contain no line feed, so the fields are unambiguous.
	_, _ = h.Write([]byte(method + "\n" + ref.Bucket + "\n" + ref.Key + "\n" + signed.Encode())) // never fails
	return h.Sum(nil)
}

// verify checks that an address permits this use.
func (s *Objects) verify(method string, ref object.Ref, q url.Values) error {
	given, err := hex.DecodeString(q.Get(paramSignature))
	if err != nil || len(q[paramSignature]) != 1 || !hmac.Equal(given, s.mac(method, ref, q)) {
		return errSignature
	}
	expires, err := strconv.ParseInt(q.Get(paramExpires), 10, 64)
	if err != nil {
		return errSignature
	}
	if s.clock.Now().Unix() >= expires {
		return errExpired
	}
	return nil
}
