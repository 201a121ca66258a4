package httpapi

import (
	"mime"
	"net/http"
	"strings"

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
	compressed := wrap(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, eventsPath) { // the wrapper would hold the first events back
			next.ServeHTTP(w, r)
			return
		}
		compressed.ServeHTTP(w, r)
	})
}

func isText(contentType string) bool {
	kind, _, _ := mime.ParseMediaType(contentType)
	switch kind {
	case "application/json", problem.ContentType, "text/html", "text/javascript", "text/css", "image/svg+xml":
		return true
	}
	return false
}
