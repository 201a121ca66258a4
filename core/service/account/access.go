package account

import (
	"fmt"
	"strings"

	"millwright.dev/millwright/core/service/apierr"
)

// Area is a part of the API that keys are granted access to.
type Area string

// The areas; public operations need no key.
const (
	AreaCore    Area = "core"
	AreaDFM     Area = "dfm"
	AreaQuoting Area = "quoting"
)

// Level is the permission of a key in an area. Each level includes the lower ones.
type Level int

// The levels.
const (
	LevelNone Level = iota
	LevelRead
	LevelWrite
)

var levelNames = [...]string{"none", "read", "write"}

func (l Level) String() string {
	if l < LevelNone || l > LevelWrite {
		return fmt.Sprintf("level(%d)", int(l))
	}
	return levelNames[l]
}

// MarshalText returns "none", "read" or "write".
func (l Level) MarshalText() ([]byte, error) {
	if l < LevelNone || l > LevelWrite {
		return nil, fmt.Errorf("access level %d does not exist", int(l))
	}
	return []byte(levelNames[l]), nil
}

// UnmarshalText parses "none", "read" or "write".
func (l *Level) UnmarshalText(text []byte) error {
	for i, name := range levelNames {
		if string(text) == name {
			*l = Level(i)
			return nil
		}
	}
	return fmt.Errorf("access level %q is none of none, read, write", text)
}

// AccessGrid is the level of a key in each area.
type AccessGrid struct {
	Core    Level `json:"core"`
	DFM     Level `json:"dfm"`
	Quoting Level `json:"quoting"`
}

// FullAccess is the grid of a new key: every box ticked.
var FullAccess = AccessGrid{Core: LevelWrite, DFM: LevelWrite, Quoting: LevelWrite}

// In returns the level in one area. Core is never below read: a key can always follow its jobs.
func (g AccessGrid) In(a Area) Level {
	switch a {
	case AreaCore:
		return max(g.Core, LevelRead)
	case AreaDFM:
		return g.DFM
	case AreaQuoting:
		return g.Quoting
	}
	return LevelNone
}

// settled is the grid as a key keeps it: core at least readable.
func (g AccessGrid) settled() AccessGrid {
	g.Core = g.In(AreaCore)
	return g
}

// Caller is the sender of a request, identified by its key.
type Caller struct {
	TeamID         string
	KeyID          string
	UserID         string // the key's creator
	Access         AccessGrid
	AllowedOrigins []string
	RecordID       string // id of the record that this request creates (see package idempotency); "" = a new id
	// TeamVersion is the version of the team at the key's look-up. While it does not change, the team's jobs, their
	// lists and their results do not change either.
	TeamVersion int64
	Again       bool // the request was claimed before, so the record may exist already
}

// Allow returns an error unless the caller may read or write in an area. Error codes: product_mismatch, read_only_key.
// Both sentences name the area and the permissions of the key.
func (c Caller) Allow(area Area, write bool) error {
	switch level := c.Access.In(area); {
	case level == LevelNone:
		return apierr.Errorf(apierr.ProductMismatch, "This key has no access to %s; it may %s.", area, c.Access)
	case write && level < LevelWrite:
		return apierr.Errorf(apierr.ReadOnlyKey, "This key may only read in %s; it may %s.", area, c.Access)
	}
	return nil
}

// String lists the permissions of the grid as the end of the sentence "it may …".
func (g AccessGrid) String() string {
	var read, write []string
	for _, a := range []Area{AreaCore, AreaDFM, AreaQuoting} {
		switch g.In(a) {
		case LevelRead:
			read = append(read, string(a))
		case LevelWrite:
			write = append(write, string(a))
		}
	}
	var parts []string
	if len(write) > 0 {
		parts = append(parts, "read and write in "+strings.Join(write, ", "))
	}
	if len(read) > 0 {
		parts = append(parts, "read in "+strings.Join(read, ", "))
	}
	return strings.Join(parts, " and ")
}
