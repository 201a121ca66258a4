package apifuzz

import (
	"context"
	"fmt"
	"net/http"

	"millwright.dev/millwright/adapters/httpapi/contract"
)

// prepare creates and keeps, for each team with permission, a ready part with a program, a plan, toolpaths and a 3MF.
// So random requests find complete records during the whole run.
func (f *fuzzer) prepare(ctx context.Context) {
	for team := range f.Teams {
		ask := func(method, path, body string) contract.Exchange {
			a := attempt{team: team, method: method, path: path, headers: http.Header{}, kind: "valid"}
			a.headers.Set("Authorization", "Bearer "+f.Teams[team].Keys[0])
			if body != "" {
				a.headers.Set("Content-Type", "application/json")
				a.body = []byte(body)
			}
			e, _ := f.exchange(ctx, a)
			return e
		}
		made := ask(http.MethodPost, "/v1/parts", fmt.Sprintf(`{"fileName":"%s.step"}`, f.Teams[team].Name))
		id, to := uploadOf(made.Body)
		if !f.upload(ctx, attempt{team: team}, to, f.File) {
			continue
		}
		part := "/v1/parts/" + id
		ask(http.MethodPost, part+"/complete", "")
		ask(http.MethodGet, part+"/record?wait=30", "")
		ask(http.MethodGet, part, "")
		f.watch.mu.Lock()
		program := f.watch.with[id]["programs"]
		f.watch.mu.Unlock()
		ask(http.MethodGet, part+"/programs/"+program+"?wait=30", "")
		ask(http.MethodPost, part+"/plans", `{"name":"`+f.Teams[team].Name+`"}`)
		ask(http.MethodPost, part+"/toolpaths", "{}")
		ask(http.MethodPatch, part, `{"exports":["3mf"]}`)
		f.watch.mu.Lock()
		f.watch.keep(team)
		f.watch.mu.Unlock()
	}
}
