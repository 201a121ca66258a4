package playback

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"

	"millwright.dev/millwright/adapters/portal"
	"millwright.dev/millwright/core/cam/stock/inprocess"
)

// page runs the worker of the portal. setup() opens one, ask() asks it, and both return its answer.
const page = `<!doctype html><script type="module">
const read = async (at) => (await fetch(at)).arrayBuffer();
let worker, next = 0;
const waiting = new Map();
window.setup = async (n) => {
  worker?.terminate();
  worker = new Worker("/playback.js", { type: "module" });
  const [moves, stock] = await Promise.all([read("/moves"), read("/stock?setup=" + n)]);
  return new Promise((done, fail) => {
    worker.onerror = (e) => fail(new Error(e.message));
    worker.onmessage = (e) => {
      const m = e.data;
      if (m.type === "ready") done((window.ready = { ...m, tools: null }));
      if (m.type === "failed") fail(new Error(m.text));
      if (m.type === "at") { waiting.get(m.id)(m); waiting.delete(m.id); }
    };
    worker.postMessage({ type: "open", moves, stock, setup: n, findings: [] }, [moves, stock]);
  });
};
window.ask = (what) => new Promise((done) => {
  const id = ++next;
  waiting.set(id, done);
  worker.postMessage({ type: "go", id, ...what });
});
window.text = (words) => {
  const bytes = new Uint8Array(words.buffer);
  let s = "";
  for (let i = 0; i < bytes.length; i += 32768) s += String.fromCharCode(...bytes.subarray(i, i + 32768));
  return btoa(s);
};
window.loaded = true;
</script>`

// Serve serves a page with the worker of the portal and the files of a program. cells is the resolution of the stock.
func Serve(p *Program, cells int) *httptest.Server {
	worker, err := portal.Assets().Open("playback.js")
	var script []byte
	if err == nil {
		script, err = io.ReadAll(worker)
		_ = worker.Close()
	}
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		packed := func(data []byte) {
			z, err := gzip.NewReader(strings.NewReader(string(data)))
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			_, _ = io.Copy(w, z) // the browser has gone when this fails
		}
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, page)
		case "/playback.js":
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write(script)
		case "/moves":
			packed(p.Moves)
		case "/stock":
			setup, _ := strconv.Atoi(r.URL.Query().Get("setup"))
			_, record, err := inprocess.Find(p.Stock, setup, cells)
			if err != nil {
				http.Error(w, fmt.Sprint(err), http.StatusNotFound)
				return
			}
			packed(record)
		default:
			http.NotFound(w, r)
		}
	}))
}
