package service

import (
	"time"

	"millwright/core/machining"
)

// ToolLibrary is a list of tools of a team.
type ToolLibrary struct {
	ID        string
	TeamID    string // "" for the built-in one
	Name      string
	Format    ToolFormat // what it was read from
	ToolCount int
	Tools     []machining.Tool // in the order of the file
	Report    ToolReport
	CreatedAt time.Time // zero for the built-in one
}

// ToolFormat is what a tool library was read from.
type ToolFormat string

// The formats of tool libraries.
const (
	ToolsMillwright ToolFormat = "millwright" // tools as this service writes them
	ToolsFusion     ToolFormat = "fusion"     // Autodesk Fusion's JSON, plain or zipped
	ToolsFreeCAD    ToolFormat = "freecad"    // FreeCAD's tool bits
	ToolsLinuxCNC   ToolFormat = "linuxcnc"   // a tool table of LinuxCNC
	ToolsBuiltIn    ToolFormat = "builtin"    // what every team has
)

// ToolReport says what became of the entries of a file of tools.
type ToolReport struct {
	Entries int        `json:"entries"` // in the file
	Skipped []ToolNote `json:"skipped"` // entries that gave no tool, and why
	Guessed []ToolNote `json:"guessed"` // what the file does not say of a tool, and what was taken instead
}

// ToolNote is one sentence about one entry.
type ToolNote struct {
	Entry  string `json:"entry"` // as the file names it
	Detail string `json:"detail"`
}
