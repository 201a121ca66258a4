package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"text/tabwriter"
	"time"

	"millwright.dev/millwright/core/service/account"
)

// quotaFlags are the limits of each team's resources.
type quotaFlags struct {
	QuotaBytes    int64 `help:"Bytes of files and results that each team may have stored (0: no limit)." default:"0"`
	QuotaProjects int64 `help:"Projects that each team may have (0: no limit)." default:"0"`
	QuotaQueued   int64 `help:"Analyses and other jobs of each team that may wait for a worker (0: no limit)." default:"0"`
}

func (f quotaFlags) quota() account.Quota {
	return account.Quota{Bytes: f.QuotaBytes, Projects: f.QuotaProjects, Queued: f.QuotaQueued}
}

type usageCmd struct {
	dataFlags
	keyOutput
	Quota quotaFlags `embed:""`
	Team  string     `required:"" help:"Team whose use is added up."`
	Since sinceFlag  `required:"" placeholder:"TIME" help:"From when on: 2026-11-01, 2026-11-01T12:00:00Z, or 720h for the last 720 hours."`
	By    string     `enum:"operation,day" default:"operation" help:"What the uses are added up by: operation, or day (UTC), each with operation and key."`
}

// sinceFlag is a day (UTC), a time, or a duration back from now.
type sinceFlag struct{ time.Time }

// UnmarshalText reads it (kong calls it).
func (f *sinceFlag) UnmarshalText(text []byte) error {
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if at, err := time.Parse(layout, string(text)); err == nil {
			f.Time = at.UTC()
			return nil
		}
	}
	back, err := time.ParseDuration(string(text))
	if err != nil || back < 0 {
		return fmt.Errorf("%q is neither a day, nor a time, nor a duration: write 2026-11-01, "+
			"2026-11-01T12:00:00Z or 720h", text)
	}
	f.Time = time.Now().UTC().Add(-back)
	return nil
}

// usageRecord is a team's use as the command line shows it.
type usageRecord struct {
	Team       string           `json:"team"`
	Since      time.Time        `json:"since"`
	Count      int              `json:"count"`
	Operations []operationUsage `json:"operations"`
	Days       []dayUsage       `json:"days,omitempty"` // with --by day
	Quotas     []quotaUsage     `json:"quotas"`
}

// dayUsage is the use of one metered operation by one key on one day.
type dayUsage struct {
	Day       string `json:"day"` // UTC, 2026-11-30
	Operation string `json:"operation"`
	keyUsage
}

// quotaUsage is the team's current use of its quota.
type quotaUsage struct {
	Quota string `json:"quota"`
	Use   int64  `json:"use"`
	Limit *int64 `json:"limit"` // null: unlimited
}

func quotasOf(held account.Held, q account.Quota) []quotaUsage {
	out := []quotaUsage{{Quota: "bytes", Use: held.Bytes}, {Quota: "projects", Use: held.Projects},
		{Quota: "queued", Use: held.Queued}}
	for i, limit := range []int64{q.Bytes, q.Projects, q.Queued} {
		if limit > 0 {
			out[i].Limit = &limit
		}
	}
	return out
}

// operationUsage is the use of one metered operation, named after the product of its jobs.
type operationUsage struct {
	Operation string     `json:"operation"`
	Count     int        `json:"count"`
	Keys      []keyUsage `json:"keys"`
}

type keyUsage struct {
	ID     string `json:"id"`
	Prefix string `json:"prefix"`
	Name   string `json:"name"`
	Count  int    `json:"count"`
}

// keysOf is the keys of a report by id.
func keysOf(r account.UsageReport) map[string]account.Key {
	keys := map[string]account.Key{}
	for _, k := range r.Keys {
		keys[k.ID] = k
	}
	return keys
}

// daysOf adds the use of a report up by day. The first day counts from its begin on.
func daysOf(ctx context.Context, accounts *account.Service, r account.UsageReport) ([]dayUsage, error) {
	totals, err := accounts.UsageByDay(ctx, r.Team.ID, r.Since, time.Now())
	if err != nil {
		return nil, err
	}
	keys := keysOf(r)
	out := make([]dayUsage, len(totals))
	for i, t := range totals {
		key := keys[t.KeyID]
		out[i] = dayUsage{Day: t.Day.Format(time.DateOnly), Operation: t.Operation,
			keyUsage: keyUsage{ID: t.KeyID, Prefix: key.Prefix, Name: key.Name, Count: t.Count}}
	}
	return out, nil
}

func usageOf(r account.UsageReport) usageRecord {
	keys := keysOf(r)
	out := usageRecord{Team: r.Team.Name, Since: r.Since, Operations: []operationUsage{}}
	for _, t := range r.Totals {
		last := len(out.Operations) - 1
		if last < 0 || out.Operations[last].Operation != t.Operation {
			out.Operations = append(out.Operations, operationUsage{Operation: t.Operation})
			last++
		}
		op, key := &out.Operations[last], keys[t.KeyID]
		op.Keys = append(op.Keys, keyUsage{ID: t.KeyID, Prefix: key.Prefix, Name: key.Name, Count: t.Count})
		op.Count += t.Count
		out.Count += t.Count
	}
	return out
}

// Validate reports the errors in the quotas (kong calls it).
func (c *usageCmd) Validate() error { return c.Quota.quota().Validate() }

// Run adds up the metered requests, without replays and reads, and counts the team's current data. The quotas come from
// this command's flags or environment, as they do for the service.
func (c *usageCmd) Run(ctx context.Context) error {
	b, err := openExisting(ctx, c.dataFlags)
	if err != nil {
		return err
	}
	defer b.close()
	report, err := b.use.Accounts.Usage(ctx, c.Team, c.Since.Time)
	if err != nil {
		return err
	}
	held, err := b.use.Accounts.Held(ctx, c.Team)
	if err != nil {
		return err
	}
	record := usageOf(report)
	record.Quotas = quotasOf(held, c.Quota.quota())
	if c.By == "day" {
		if record.Days, err = daysOf(ctx, b.use.Accounts, report); err != nil {
			return err
		}
	}
	if c.Output == "json" {
		return json.NewEncoder(os.Stdout).Encode(record)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	if c.By == "day" {
		_, _ = fmt.Fprintln(w, "DAY\tOPERATION\tKEY\tNAME\tCOUNT")
		for _, d := range record.Days {
			_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\n", d.Day, d.Operation, d.Prefix, d.Name, d.Count)
		}
	} else {
		_, _ = fmt.Fprintln(w, "OPERATION\tKEY\tNAME\tCOUNT")
		for _, op := range record.Operations {
			for _, k := range op.Keys {
				_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%d\n", op.Operation, k.Prefix, k.Name, k.Count)
			}
		}
	}
	_, _ = fmt.Fprintf(w, "\ntotal since %s: %d\n", record.Since.Format(time.RFC3339), record.Count)
	_, _ = fmt.Fprintln(w, "\nQUOTA\tUSE NOW\tLIMIT")
	for _, q := range record.Quotas {
		limit := "none"
		if q.Limit != nil {
			limit = strconv.FormatInt(*q.Limit, 10)
		}
		_, _ = fmt.Fprintf(w, "%s\t%d\t%s\n", q.Quota, q.Use, limit)
	}
	return w.Flush()
}
