package portal_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/export/paths"
	"millwright.dev/millwright/adapters/sql/storematrix"
	"millwright.dev/millwright/core/cam/estimate"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/cam/stock/inprocess"
	"millwright.dev/millwright/core/cam/stock/inprocess/inprocesstest"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/program"
)

func TestPlaybackOnPostgreSQL(t *testing.T) { storematrix.OnPostgreSQL(t, "^TestPlaybackFiles") }

// playedFiles are the moves and the stock of a program of one setup, whose operation lowers the top by 1 mm.
func playedFiles(
	t *testing.T, plan *program.PlanSummary, set *toolpath.Set, config *machining.CutConfig,
) (moves, stock []byte) {
	t.Helper()
	var timed, file bytes.Buffer
	err := paths.WriteTimed(&timed, &plan.Plan, set, estimate.Clock(set, &config.Machine))
	l := dexel.Lattice{Origin: geom.Vec3{X: -1, Y: -1, Z: -21}, Step: 1, Count: [3]int{62, 42, 22}}
	record := inprocess.NewRecorder(l, geom.World)
	box := plan.Stock
	for _, state := range []string{"part", "start", "1.1"} {
		box.Max.Z = plan.Stock.Max.Z
		if state == "1.1" {
			box.Max.Z--
		}
		block, e := dexel.NewBlock(l, box)
		err = errors.Join(err, e)
		record.Add(state, block)
	}
	err = errors.Join(err, inprocess.Write(&file, motion.Digest(set.Setups), []*inprocess.Recorder{record}))
	if err != nil {
		t.Fatal(err)
	}
	return timed.Bytes(), file.Bytes()
}

// TestPlaybackFiles reads moves, stock and lines of a program. All name the same motion; other teams, other parts and
// programs of an earlier release have none.
func TestPlaybackFiles(t *testing.T) {
	w := newWorld(t, "")
	p, b := w.readyPart(w.Acme), w.signedIn("acme", "ann")
	made, old := w.program(w.Acme, p, "", true), w.program(w.Acme, p, "", false)
	at := func(p part.Part, made program.Created, rest string) string {
		return "/portal/api/parts/" + p.ID + "/programs/" + made.ID + rest
	}
	_, set := onePlan()
	digest := motion.Digest(set.Setups)

	var moves struct {
		Motion string
		Setups []struct {
			Operations []struct {
				Seconds []float64
				Moves   []json.RawMessage
			}
		}
	}
	r := b.want(http.StatusOK, "", b.do("GET", at(p, made, "/moves"), nil)) // the client decompresses
	r.decode(t, &moves)
	if o := moves.Setups[0].Operations[0]; moves.Motion != digest || len(o.Seconds) != len(o.Moves) ||
		!strings.HasPrefix(r.Header.Get("Cache-Control"), "private, max-age=") ||
		!strings.HasSuffix(r.Header.Get("Cache-Control"), "immutable") {
		t.Errorf("moves %s with %v", r.body, r.Header)
	}
	if size := r.Header.Get("X-Uncompressed-Length"); size != strconv.Itoa(len(r.body)) {
		t.Errorf("the size of %d bytes of moves is given as %q", len(r.body), size)
	}
	plain := b.want(http.StatusOK, "", b.do("GET", at(p, made, "/moves"), nil, "Accept-Encoding", "identity"))
	if !bytes.Equal(plain.body, r.body) || plain.Header.Get("Content-Encoding") != "" {
		t.Errorf("without compression %s with %v", plain.body, plain.Header)
	}

	r = b.want(http.StatusOK, "", b.do("GET", at(p, made, "/stock?setup=1&cells=512"), nil, "Accept-Encoding", "gzip"))
	h, states, err := inprocesstest.Read(r.body)
	names := []string{"part", "start", "1.1"}
	if err != nil || h.Motion != digest || !slices.Equal(h.States, names) || len(states) != 3 {
		t.Errorf("stock %+v, %v, %v", h, err, r.Header)
	}
	b.want(http.StatusNotFound, "no_setup", b.do("GET", at(p, made, "/stock?setup=2"), nil))
	b.want(http.StatusBadRequest, "invalid_request", b.do("GET", at(p, made, "/stock?setup=x"), nil))
	b.want(http.StatusBadRequest, "invalid_request", b.do("GET", at(p, made, "/stock?cells=0"), nil))

	var lines struct {
		Motion, Gcode, Post string
		Operations          [][][2]int
	}
	b.want(http.StatusOK, "", b.do("GET", at(p, made, "/lines?setup=1&post=heidenhain"), nil)).decode(t, &lines)
	if lines.Motion != digest || lines.Post != "heidenhain" || len(lines.Gcode) != 64 || len(lines.Operations) != 1 {
		t.Errorf("lines %+v", lines)
	}
	text := b.want(http.StatusOK, "", b.do("GET",
		"/portal/api/v1/parts/"+p.ID+"/programs/"+made.ID+"/gcode?post=heidenhain", nil)).body
	if n := lines.Operations[0][0][1]; !strings.Contains(strings.Split(string(text), "\n")[n-1], "L X+10") {
		t.Errorf("move 0 has line %d of\n%s", n, text)
	}
	b.want(http.StatusNotFound, "no_setup", b.do("GET", at(p, made, "/lines?setup=9"), nil))
	b.want(http.StatusBadRequest, "invalid_request", b.do("GET", at(p, made, "/lines?post=mach3"), nil))

	rival, theirs := w.signedIn("rival", "eve"), w.readyPart(w.Rival)
	guest := browser{world: w}
	for _, rest := range []string{"/moves", "/stock", "/lines"} {
		rival.want(http.StatusNotFound, "not_found", rival.do("GET", at(p, made, rest), nil))
		b.want(http.StatusNotFound, "not_found", b.do("GET", at(theirs, made, rest), nil))
		guest.want(http.StatusUnauthorized, "no_session", guest.do("GET", at(p, made, rest), nil))
		if rest != "/lines" { // the post writes them today
			r := b.want(http.StatusConflict, "program_not_ready", b.do("GET", at(p, old, rest), nil))
			if !strings.Contains(string(r.body), "Plan the part again.") {
				t.Errorf("an old program: %s", r.body)
			}
		}
	}
}
