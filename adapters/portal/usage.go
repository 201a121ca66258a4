package portal

import (
	"net/http"
	"time"

	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/session"
)

// usageDays is the number of days of a usage without a first day.
const usageDays = 30

// dayBody is the number of metered calls of an operation by a key on a day.
type dayBody struct {
	Day       string `json:"day"`
	Operation string `json:"operation"`
	KeyID     string `json:"keyId"`
	Calls     int    `json:"calls"`
}

// usageBody is the metered calls of a team.
type usageBody struct {
	Days []dayBody `json:"days"`
}

// readUsage answers with the metered calls from one day to another, both included.
func (p *portal) readUsage(w http.ResponseWriter, r *http.Request, c session.Current) {
	last := p.now()
	days := map[string]*time.Time{"until": &last}
	if !p.readDays(w, r, days) {
		return
	}
	since := last.Add(-(usageDays - 1) * account.Day)
	if !p.readDays(w, r, map[string]*time.Time{"since": &since}) {
		return
	}
	uses, err := p.use.Accounts.UsageByDay(r.Context(), c.Team.ID, since, last)
	if err != nil {
		p.fail(w, r, err)
		return
	}
	out := make([]dayBody, len(uses))
	for i, u := range uses {
		out[i] = dayBody{u.Day.Format(time.DateOnly), u.Operation, u.KeyID, u.Count}
	}
	answer(w, http.StatusOK, usageBody{out})
}

// readDays reads the days of a query that are given.
func (p *portal) readDays(w http.ResponseWriter, r *http.Request, days map[string]*time.Time) bool {
	for name, day := range days {
		text := r.URL.Query().Get(name)
		if text == "" {
			continue
		}
		at, err := time.Parse(time.DateOnly, text)
		if err != nil {
			p.refuse(w, r, apierr.InvalidRequest, "Give "+name+" as a day, for example 2026-11-30.")
			return false
		}
		*day = at
	}
	return true
}

// areaBody is one row of the grid of rights.
type areaBody struct {
	ID     account.Area    `json:"id"`
	Label  string          `json:"label"`
	Levels []account.Level `json:"levels"`
	Locked *account.Level  `json:"locked,omitempty"` // the level that a key always has
}

// areas is the grid of account.AccessGrid, with what the operations of each area do.
var areas = []areaBody{
	{ID: account.AreaCore, Label: "Parts, results, jobs and settings", Locked: new(account.LevelRead)},
	{ID: account.AreaDFM, Label: "Feature datasheets, design findings and plans"},
	{ID: account.AreaQuoting, Label: "Programs, toolpaths, times and prices"},
}

func init() {
	for i := range areas {
		areas[i].Levels = []account.Level{account.LevelNone, account.LevelRead, account.LevelWrite}
	}
}

// gridBody is the grid of rights.
type gridBody struct {
	Functions []areaBody `json:"functions"`
}

func (p *portal) readGrid(w http.ResponseWriter, _ *http.Request, _ session.Current) {
	answer(w, http.StatusOK, gridBody{areas})
}
