package post

import (
	"fmt"
	"strings"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/motion"
)

// Dialect is the G-code syntax of one family of controls. Its texts are blocks of one or more lines. A name in braces
// is replaced by a word: {X}, {Y}, {Z} and {F} with their letters and only when they have changed, with "!" always. The
// code that fills in the other names documents them (words, point, arc, cycleWords, dwell).
type Dialect struct {
	Name      string // as cut configs and clients call it
	Title     string // as its maker does
	Extension string // of files

	Comment     [2]string // before and after
	LineNumbers bool      // every line has its number, from 0
	Point       bool      // whole numbers have a point
	Plus        bool      // positive numbers have a sign

	Head, Setup, Foot string
	Retract           string // before a tool is changed
	ToolChange        string
	Approach          string // to the start of the first operation of a tool: level first, then down with its length
	Spindle           string // another speed of the same tool
	Coolant           map[motion.Coolant]Switch
	Dwell             string

	Rapid, Line, Arc string
	Helix            string          // where it is not an Arc with a Z
	Turn             map[bool]string // of arcs: true counter-clockwise

	Cycles   map[motion.CycleKind]Cycle // cycles that the control supports
	CycleEnd string
	Returns  map[bool]string // the code that returns to where the tip came from (true), or to the retract plane

	Table Table
}

// Cycle is a canned cycle: the block that defines the holes, if the control has one, and the block that makes one hole.
type Cycle struct {
	Call, At string
	Modal    bool // further positions repeat it until CycleEnd
}

// Switch is the pair of blocks that switch a function on and off.
type Switch struct{ On, Off string }

// Dialects are the dialects of machining.Posts, in that order.
var Dialects = []*Dialect{&fanuc, &grbl, &haas, &heidenhain, &linuxcnc, &siemens}

// ByName returns the dialect of a name, or nil if there is no such dialect.
func ByName(name string) *Dialect {
	for _, d := range Dialects {
		if d.Name == name {
			return d
		}
	}
	return nil
}

// Find returns the dialect of a name, or an error that lists the names.
func Find(name string) (*Dialect, error) {
	if d := ByName(name); d != nil {
		return d, nil
	}
	return nil, fmt.Errorf("unknown post %q; use one of %s", name, strings.Join(machining.Posts, ", "))
}

var (
	coolants = map[motion.Coolant]Switch{
		motion.Flood: {"M8", "M9"}, motion.Mist: {"M7", "M9"}, motion.ThroughTool: {"M8", "M9"},
	}
	isoTurns = map[bool]string{true: "G3", false: "G2"}
	isoBack  = map[bool]string{true: "G98", false: "G99"}
)

// isoCycles returns the canned cycles of RS274, with the word of a dwell and the dialect's tapping cycle.
func isoCycles(dwell string, tap Cycle) map[motion.CycleKind]Cycle {
	return map[motion.CycleKind]Cycle{
		motion.Drill:     {At: "{return} {G81}{X!}{Y!} Z{bottom} R{retract}" + dwell + "{F!}", Modal: true},
		motion.Peck:      {At: "{return} G83{X!}{Y!} Z{bottom} R{retract} Q{peck}{F!}", Modal: true},
		motion.ChipBreak: {At: "{return} G73{X!}{Y!} Z{bottom} R{retract} Q{peck}{F!}", Modal: true},
		motion.Ream:      {At: "{return} G85{X!}{Y!} Z{bottom} R{retract}{F!}", Modal: true},
		motion.Tap:       tap,
	}
}

// LinuxCNC reads RS274/NGC. G64 sets the tolerance of rounded corners, which the timing takes into account. Taps run
// synchronized with the spindle (G33.1), because not all versions support G84.
var linuxcnc = Dialect{
	Name: "linuxcnc", Title: "LinuxCNC", Extension: ".ngc", Comment: [2]string{"(", ")"},
	Head:       "%",
	Setup:      "G21 G17 G90 G94 G40 G49 G80\nG64 P0.01 Q0.002\n{G5x}",
	Retract:    "M5\nG53 G0 Z0",
	ToolChange: "T{T} M6\nS{S} M3",
	Approach:   "G0{X!}{Y!}\nG43 H{T}\nG0{Z!}",
	Spindle:    "S{S} M3",
	Coolant:    coolants,
	Dwell:      "G4{s}",
	Rapid:      "G0{X}{Y}{Z}", Line: "G1{X}{Y}{Z}{F}", Arc: "{turn}{X!}{Y!}{Z}{I}{J}{F}", Turn: isoTurns,
	Cycles:   isoCycles("{s}", Cycle{At: "G0{X!}{Y!}\nG0 Z{retract}\nG33.1 Z{bottom} K{pitch}\nG0 Z{back}"}),
	CycleEnd: "G80", Returns: isoBack,
	Foot:  "M5\nG53 G0 Z0\nM2\n%",
	Table: Table{File: "tool.tbl", Row: "T{T} P{T} Z{length} D{diameter} ;{name}"},
}

// GRBL 1.1 has neither cycles nor tool changes: a person changes the tool and resets Z while the program waits.
var grbl = Dialect{
	Name: "grbl", Title: "GRBL", Extension: ".nc", Comment: [2]string{"(", ")"},
	Setup:      "G21 G17 G90 G94\n{G5x}",
	Retract:    "M5\nG53 G0 Z0",
	ToolChange: "M0 (LOAD T{T} AND SET Z)\nS{S} M3",
	Approach:   "G0{X!}{Y!}\nG0{Z!}",
	Spindle:    "S{S} M3",
	Coolant:    coolants,
	Dwell:      "G4{s}",
	Rapid:      "G0{X}{Y}{Z}", Line: "G1{X}{Y}{Z}{F}", Arc: "{turn}{X!}{Y!}{Z}{I}{J}{F}", Turn: isoTurns,
	Foot:  "M5\nG53 G0 Z0\nM2",
	Table: Table{File: "tools.txt", Row: "(T{T} D{diameter} L{length} {name})"},
}

// Fanuc 0i and its likes: dwells in ms, G28 only as an incremental move of Z, rigid tapping by M29.
var fanuc = Dialect{
	Name: "fanuc", Title: "Fanuc", Extension: ".nc", Comment: [2]string{"(", ")"}, Point: true,
	Head:       "%\nO{number}",
	Setup:      "G21 G17 G90 G94 G40 G49 G80\n{G5x}",
	Retract:    "M5\nG91 G28 Z0.\nG90",
	ToolChange: "T{T} M6\nS{S} M3",
	Approach:   "G0{X!}{Y!}\nG43 H{T}{Z!}",
	Spindle:    "S{S} M3",
	Coolant:    coolants, // through the tool it has the code of the builder of the machine; M8 is the safe one
	Dwell:      "G4{ms}",
	Rapid:      "G0{X}{Y}{Z}", Line: "G1{X}{Y}{Z}{F}", Arc: "{turn}{X!}{Y!}{Z}{I}{J}{F}", Turn: isoTurns,
	Cycles: isoCycles("{ms}",
		Cycle{Call: "M29 S{S}", At: "{return} G84{X!}{Y!} Z{bottom} R{retract}{F!}", Modal: true}),
	CycleEnd: "G80", Returns: isoBack,
	Foot: "M5\nG91 G28 Z0.\nG90\nM30\n%",
	Table: Table{
		File: "tools.nc", Head: "%\nO9001 (TOOL OFFSETS. MEASURE BEFORE USE)\nG21 G90",
		Row:  "G10 L10 P{T} R{length} (TOOL {name})\nG10 L12 P{T} R{radius}",
		Foot: "M30\n%",
	},
}

// Haas taps rigidly without a mode, and returns by G53.
var haas = Dialect{
	Name: "haas", Title: "Haas", Extension: ".nc", Comment: [2]string{"(", ")"}, Point: true,
	Head:       "%\nO0{number}",
	Setup:      "G21 G17 G90 G94 G40 G49 G80\n{G5x}",
	Retract:    "M5\nG53 G0 Z0.",
	ToolChange: "T{T} M6\nS{S} M3",
	Approach:   "G0{X!}{Y!}\nG43 H{T}{Z!}",
	Spindle:    "S{S} M3",
	Coolant: map[motion.Coolant]Switch{
		motion.Flood: {"M8", "M9"}, motion.Mist: {"M8", "M9"}, motion.ThroughTool: {"M88", "M89"},
	},
	Dwell: "G4{ms}",
	Rapid: "G0{X}{Y}{Z}", Line: "G1{X}{Y}{Z}{F}", Arc: "{turn}{X!}{Y!}{Z}{I}{J}{F}", Turn: isoTurns,
	Cycles:   isoCycles("{ms}", Cycle{At: "{return} G84{X!}{Y!} Z{bottom} R{retract}{F!}", Modal: true}),
	CycleEnd: "G80", Returns: isoBack,
	Foot: "M5\nG53 G0 Z0.\nM30\n%",
	Table: Table{
		File: "tools.nc", Head: "%\nO09001 (TOOL OFFSETS. MEASURE BEFORE USE)\nG21 G90",
		Row:  "G10 L10 P{T} R{length} (TOOL {name})\nG10 L12 P{T} R{diameter}",
		Foot: "M30\n%",
	},
}

// HEIDENHAIN conversational: centers are absolute, helices turn by an angle, cycles are called hole by hole (M99).
var heidenhain = Dialect{
	Name: "heidenhain", Title: "HEIDENHAIN", Extension: ".h", Comment: [2]string{"; ", ""},
	LineNumbers: true, Plus: true,
	Head:       "BEGIN PGM {name} MM\nBLK FORM 0.1 Z {minX} {minY} {minZ}\nBLK FORM 0.2 {maxX} {maxY} {maxZ}",
	Setup:      "CYCL DEF 247 DATUM SETTING ~\nQ339=+{offset} ;DATUM NUMBER",
	Retract:    "M5\nL Z+0 R0 FMAX M91",
	ToolChange: "TOOL CALL {T} Z S{S}\nM3",
	Approach:   "L{X!}{Y!} R0 FMAX\nL{Z!} R0 FMAX",
	Spindle:    "TOOL CALL S{S}",
	Coolant:    coolants,
	Dwell:      "CYCL DEF 9.0 DWELL TIME\nCYCL DEF 9.1 DWELL {in}",
	Rapid:      "L{X}{Y}{Z} R0 FMAX", Line: "L{X}{Y}{Z} R0{F!}",
	Arc:   "CC{CX}{CY}\nC{X!}{Y!} {turn} R0{F!}",
	Helix: "CC{CX}{CY}\nCP IPA{angle} IZ{dZ} {turn} R0{F!}",
	Turn:  map[bool]string{true: "DR+", false: "DR-"},
	Cycles: map[motion.CycleKind]Cycle{
		motion.Drill: {Call: drilling("200 DRILLING"), At: heidenhainAt},
		motion.Peck:  {Call: drilling("200 DRILLING"), At: heidenhainAt},
		motion.Ream: {Call: "CYCL DEF 201 REAMING ~\nQ200=+0 ~\nQ201={depth} ~\nQ206={feed} ~\nQ211={dwell} ~\nQ208=+0 ~\n" +
			"Q203={retract} ~\nQ204={backOver}", At: heidenhainAt},
		motion.Tap: {Call: "CYCL DEF 207 RIGID TAPPING ~\nQ200=+0 ~\nQ201={depth} ~\nQ239=+{pitch} ~\nQ203={retract} ~\n" +
			"Q204={backOver}", At: heidenhainAt},
	},
	Foot: "M5\nL Z+0 R0 FMAX M91\nM30\nEND PGM {name} MM",
	Table: Table{
		File: "tool.t", Head: "BEGIN TOOL.T MM\nT     NAME                             L            R            R2",
		Row: "{T:6}{name:32} {length:12} {radius:12} {corner}", Foot: "[END]",
	},
}

const heidenhainAt = "L{X!}{Y!} R0 FMAX M99"

// drilling is a peck drilling cycle. Its set-up clearance is 0, because the retract plane is its surface.
func drilling(name string) string {
	return "CYCL DEF " + name + " ~\nQ200=+0 ~\nQ201={depth} ~\nQ206={feed} ~\nQ202={peck} ~\nQ210=+0 ~\n" +
		"Q203={retract} ~\nQ204={backOver} ~\nQ211={dwell}"
}

// SINUMERIK 840D: cycles are called modally with heights that are absolute, dwells with F.
var siemens = Dialect{
	Name: "siemens", Title: "SINUMERIK 840D", Extension: ".mpf", Comment: [2]string{"; ", ""},
	Setup:      "G710 G17 G90 G94 G40\n{G5x}",
	Retract:    "M5\nSUPA G0 Z0 D0",
	ToolChange: "T{T}\nM6\nD1\nS{S} M3",
	Approach:   "G0{X!}{Y!}\nG0{Z!}",
	Spindle:    "S{S} M3",
	Coolant:    coolants,
	Dwell:      "G4{F}",
	Rapid:      "G0{X}{Y}{Z}", Line: "G1{X}{Y}{Z}{F}", Arc: "{turn}{X!}{Y!}{Z}{I}{J}{F}", Turn: isoTurns,
	Cycles: map[motion.CycleKind]Cycle{
		motion.Drill: {Call: "F{feed}\nMCALL CYCLE82({back},{retract},0,{bottom},,{dwell})", At: "G0{X!}{Y!}",
			Modal: true},
		motion.Peck: {Call: "F{feed}\nMCALL CYCLE83({back},{retract},0,{bottom},,,{peck},0,{dwell},0,1,1)",
			At:    "G0{X!}{Y!}",
			Modal: true},
		motion.ChipBreak: {Call: "F{feed}\nMCALL CYCLE83({back},{retract},0,{bottom},,,{peck},0,{dwell},0,1,0)",
			At: "G0{X!}{Y!}", Modal: true},
		motion.Ream: {Call: "MCALL CYCLE85({back},{retract},0,{bottom},,{dwell},{feed},{feed})", At: "G0{X!}{Y!}",
			Modal: true},
		motion.Tap: {Call: "MCALL CYCLE84({back},{retract},0,{bottom},,{dwell},5,,{pitch},0,{S},{S})", At: "G0{X!}{Y!}",
			Modal: true},
	},
	CycleEnd: "MCALL",
	Foot:     "M5\nSUPA G0 Z0 D0\nM30",
	Table: Table{
		File: "tools.mpf",
		Row: "$TC_TP1[{T}]=1\n$TC_TP2[{T}]=\"{name}\"\n$TC_DP1[{T},1]={type}\n$TC_DP3[{T},1]={length}\n" +
			"$TC_DP6[{T},1]={radius}\n$TC_DP7[{T},1]={corner}", Foot: "M30", Types: siemensTypes, Other: "120",
	},
}
