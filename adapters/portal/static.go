package portal

import (
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// file is a static file in memory.
type file struct {
	kind string
	data []byte
}

// kinds are the media types of static files, by extension.
var kinds = map[string]string{
	".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
	".png": "image/png", ".txt": "text/plain; charset=utf-8",
}

// readFiles reads the files that the index names, by their address.
func readFiles(s Static) (map[string]file, error) {
	out := map[string]file{}
	if s.Index == nil || s.Files == nil {
		return out, nil
	}
	err := fs.WalkDir(s.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		kind := kinds[path.Ext(name)]
		if kind == "" {
			if path.Ext(name) == ".html" {
				return nil // the index
			}
			return fmt.Errorf("the media type of the portal's file %s is not known", name)
		}
		data, err := fs.ReadFile(s.Files, name)
		out[Root+"/assets/"+s.Hash+"/"+name] = file{kind, data}
		return err
	})
	return out, err
}

// page answers the addresses of pages and their files.
func (p *portal) page(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	switch f, found := p.files[r.URL.Path]; {
	case !isRead(r):
		h.Set("Allow", "GET, HEAD")
		p.refuse(w, r, notAllowed, "Pages can only be read.")
	case r.URL.Path == Root:
		h.Set("Location", Root+"/")
		w.WriteHeader(http.StatusPermanentRedirect)
	case found:
		h.Set("Cache-Control", "public, max-age=31536000, immutable") // the address changes with the content
		send(w, r, f)
	case p.config.Static.Index == nil, strings.HasPrefix(r.URL.Path, Root+"/assets/"):
		p.refuse(w, r, notFound, "There is nothing at this address.")
	default:
		h.Set("Cache-Control", "no-cache")
		send(w, r, file{"text/html; charset=utf-8", p.config.Static.Index})
	}
}

func send(w http.ResponseWriter, r *http.Request, f file) {
	w.Header().Set("Content-Type", f.kind)
	if r.Method == http.MethodGet {
		_, _ = w.Write(f.data) // the client has gone when this fails
	}
}
