package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"millwright.dev/millwright/bench/leftover"
)

func TestAccountRows(t *testing.T) {
	result := &leftover.Result{StockVolume: 200, PartVolume: 100, Left: 10, Pieces: []leftover.Piece{
		{Volume: 10, Height: 2, Change: 0.01, Step: 0.25},
	}}
	good := accountRow{Part: "a", Config: "builtin", Result: result}
	good.Verdict = &leftover.Verdict{Pieces: 1, Named: 1, Worst: 0.5}
	for _, c := range []struct {
		name, want string
		spoil      func(*accountRow)
	}{
		{"ok", "ok", func(*accountRow) {}},
		{"no account", "no account", func(r *accountRow) { r.Verdict = nil }},
		{"an idle operation", "without cutting moves: 1.4", func(r *accountRow) { r.Idle = []string{"1.4"} }},
		{"a mismatch", "entry 0 is wrong", func(r *accountRow) {
			r.Verdict = &leftover.Verdict{Broken: []string{"entry 0 is wrong"}}
		}},
		{"no program", "no program", func(r *accountRow) { *r = accountRow{Part: "a", Failure: "no program"} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			row := good
			c.spoil(&row)
			var table, lines bytes.Buffer
			rows := []accountRow{good, row}
			if err := disagreement(rows); (err == nil) != (c.name == "ok") {
				t.Errorf("the error is %v", err)
			}
			if err := errors.Join(printAccounts(&table, rows), row.print(&lines)); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(table.String(), c.want) {
				t.Errorf("the table lacks %q:\n%s", c.want, table.String())
			}
			var read accountRow
			if err := json.Unmarshal(lines.Bytes(), &read); err != nil || read.Part != "a" {
				t.Errorf("JSON %s: %v", lines.String(), err)
			}
		})
	}
}

func TestAccountNeedsPrograms(t *testing.T) {
	for _, c := range []accountCmd{{Jobs: 1}, {Programs: "x"}, {Millwright: "x", Jobs: -1}} {
		if c.Validate() == nil {
			t.Errorf("%+v is valid", c)
		}
	}
	if err := (&accountCmd{Programs: "x", Jobs: 1}).Validate(); err != nil {
		t.Error(err)
	}
}
