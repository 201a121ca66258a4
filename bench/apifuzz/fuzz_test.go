package apifuzz

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/httpapi"
	"millwright.dev/millwright/adapters/httpapi/contract"
)

// TestLeaksAreFound has a server tell one team the names and ids of another.
func TestLeaksAreFound(t *testing.T) {
	for _, c := range []struct{ name, says, want string }{
		{"an id", `{"partUuid":"0198c1c0-7d3a-7e21-9f55-5f3c2ad4b001"}`, "an id of team first"},
		{"a name", `{"fileName":"first.step"}`, "a name of team first"},
	} {
		w := testWatch(t)
		e := exchange("GET", "/v1/jobs", 200, c.says)
		w.secrets(attempt{team: 0}, e)
		if len(w.report.Findings) != 0 {
			t.Errorf("%s of its own: %v", c.name, w.report.Findings)
		}
		w.secrets(attempt{team: 1}, e)
		if got := strings.Join(w.report.Findings, "\n"); !strings.Contains(got, c.want) {
			t.Errorf("%s: found %q, want %s", c.name, got, c.want)
		}
	}
}

func TestEchoesAreNoLeaks(t *testing.T) {
	w := testWatch(t)
	const id = "0198c1c0-7d3a-7e21-9f55-5f3c2ad4b001"
	w.secrets(attempt{team: 0}, exchange("GET", "/v1/parts", 200, `{"id":"`+id+`"}`))
	w.secrets(attempt{team: 1}, exchange("GET", "/v1/parts/"+id, 404, `{"detail":"There is no part `+id+`."}`))
	if len(w.report.Findings) != 0 {
		t.Errorf("found %v", w.report.Findings)
	}
}

// TestBrokenServerIsFound runs against a server that answers everything with an undescribed error.
func TestBrokenServerIsFound(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "oops", http.StatusInternalServerError)
	}))
	defer server.Close()
	w := testWatch(t)
	o := w.Options
	o.Base, o.Requests, o.Findings = server.URL, 100, 3
	report, err := Run(t.Context(), o)
	if err != nil || len(report.Findings) < 3 || !strings.Contains(report.Findings[0], "unexpected error") {
		t.Errorf("found %v, %v; want unexpected errors", report, err)
	}
}

func testWatch(t *testing.T) *watch {
	t.Helper()
	description, err := httpapi.Description("http://127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	c, err := contract.Load(description)
	if err != nil {
		t.Fatal(err)
	}
	_, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	return newWatch(Options{
		Contract: c, Teams: []Team{{"first", []string{"a"}}, {"second", []string{"b"}}}, Findings: 100,
	}, stop)
}

func exchange(method, path string, status int, body string) contract.Exchange {
	r := httptest.NewRequest(method, path, nil)
	return contract.Exchange{
		Request: r, Body: []byte(body),
		Response: &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))},
	}
}

// TestRunningServer is a short run against the program itself.
func TestRunningServer(t *testing.T) {
	if testing.Short() {
		t.Skip("NOT TESTED in short mode: requests to a running server")
	}
	file, err := os.ReadFile("../../adapters/cad/step/testdata/through_hole.step")
	if err != nil {
		t.Fatal(err)
	}
	report, err := OnServer(t.Context(), t.TempDir(), Live{Stack: "embedded", Requests: 2000, Seed: 1, File: file})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		t.Error(f)
	}
	if report.Requests < 2000 || len(report.Succeeded) < report.Offered*3/4 {
		t.Errorf("%d requests, %d of %d operations succeeded", report.Requests, len(report.Succeeded), report.Offered)
	}
	var met []string // of those that need a whole plan or program; few requests may miss one or two of them
	for _, id := range []string{
		"read-program", "list-programs", "read-gcode", "read-estimate", "read-plan", "list-plans", "read-toolpaths",
		"read-machining-time",
	} {
		if report.Succeeded[id]+report.Succeeded[id+"-v0"] > 0 {
			met = append(met, id)
		}
	}
	if len(met) < 6 {
		t.Errorf("of the operations on plans and programs only %v succeeded", met)
	}
}
