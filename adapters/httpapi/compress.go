package httpapi

import (
	"mime"
	"net/http"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"

	"millwright.dev/millwright/adapters/problem"
)

// minCompressed is the size from which an answer is compressed, in bytes; a smaller one fits one packet anyway.
const minCompressed = 1024

// Compressed compresses the text responses of a handler for clients that accept it. Files stay uncompressed, so that
// clients can request ranges of them.
func Compressed(next http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(
		gzhttp.MinSize(minCompressed), gzhttp.CompressionLevel(gzip.BestSpeed), gzhttp.EnableZstd(false),
		gzhttp.SetContentType(false), gzhttp.ContentTypeFilter(isText),
	)
	if err != nil {
		panic(err) // the options contradict each other
	}
	return wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(&unlessStream{ResponseWriter: w}, r)
	}))
}

// unlessStream keeps streams of events from being compressed: the wrapper would hold the first of them back.
type unlessStream struct{ http.ResponseWriter }

// Unwrap lets http.ResponseController reach the connection.
func (u *unlessStream) Unwrap() http.ResponseWriter { return u.ResponseWriter }

// Write implements io.Writer.
func (u *unlessStream) Write(p []byte) (int, error) {
	if h := u.Header(); h.Get("Content-Type") == typeEvents {
		h.Set(gzhttp.HeaderNoCompression, "yes")
	}
	return u.ResponseWriter.Write(p)
}

func isText(contentType string) bool {
	kind, _, _ := mime.ParseMediaType(contentType)
	switch kind {
	case "application/json", problem.ContentType, "text/html", "text/javascript", "text/css", "image/svg+xml":
		return true
	}
	return false
}
