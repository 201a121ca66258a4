package catalog

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/idempotency"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/usertext"
)

// ToolLibrary is a list of tools of a team.
type ToolLibrary struct {
	ID        string
	TeamID    string // "" for a built-in library
	Name      string
	Format    ToolFormat // source format
	ToolCount int
	Tools     []machining.Tool // in the order of the file
	Report    ToolReport
	CreatedAt time.Time // zero for a built-in library
}

// ToolFormat is the source format of a tool library.
type ToolFormat string

// The formats of tool libraries.
const (
	ToolsMillwright ToolFormat = "millwright" // tools as this service writes them
	ToolsFusion     ToolFormat = "fusion"     // Autodesk Fusion's JSON, plain or zipped
	ToolsFreeCAD    ToolFormat = "freecad"    // FreeCAD's tool bits
	ToolsLinuxCNC   ToolFormat = "linuxcnc"   // a tool table of LinuxCNC
	ToolsBuiltIn    ToolFormat = "builtin"    // built-in, for every team
)

// ToolReport is the result of reading each entry of a tool file.
type ToolReport struct {
	Entries int        `json:"entries"` // in the file
	Skipped []ToolNote `json:"skipped"` // entries that gave no tool, and why; never nil
	Guessed []ToolNote `json:"guessed"` // values missing from the file, with their assumed values; never nil
}

// ToolNote is a remark of one or two sentences about one entry.
type ToolNote struct {
	Entry  string `json:"entry"` // name of the entry in the file; "" for the whole file
	Detail string `json:"detail"`
}

// ToolReader reads files of tools.
type ToolReader interface {
	// ReadTools returns the tools of a file. Their ids may be empty. Errors that are about the file are
	// *Error: invalid_request, payload_too_large (unpacked).
	ReadTools(data []byte, o ToolFileOptions) (ToolFile, error)
}

// ToolFileOptions are the client's statements about a file.
type ToolFileOptions struct {
	Format ToolFormat // "": the content decides
	Unit   LengthUnit // for formats without a unit; "" = mm
}

// LengthUnit is a unit of lengths.
type LengthUnit string

// The units.
const (
	UnitMM   LengthUnit = "mm"
	UnitInch LengthUnit = "in"
)

// ToolFile is the content of a tool file.
type ToolFile struct {
	Name   string // of the library, if the file states it
	Format ToolFormat
	Tools  []machining.Tool
	Report ToolReport
}

// MaxToolFile is the size of the largest file of tools, bytes.
const MaxToolFile = 5 << 20

// MaxTools is the maximum number of entries in a tool file.
const MaxTools = machining.MaxListed

// CreateToolLibraryInput is the request for a library from a file.
type CreateToolLibraryInput struct {
	Name string // "" = the name in the file, else a name from the format
	Data []byte
	ToolFileOptions
}

// CreateToolLibrary makes a tool library from a file. Error codes: invalid_request, payload_too_large.
func (s *Service) CreateToolLibrary(
	ctx context.Context, c account.Caller, in CreateToolLibraryInput,
) (ToolLibrary, error) {
	if len(in.Data) > MaxToolFile {
		return ToolLibrary{}, apierr.Errorf(apierr.PayloadTooLarge,
			"A file of tools has at most %d bytes.", MaxToolFile)
	}
	if in.Name != "" {
		if err := checkName(in.Name); err != nil {
			return ToolLibrary{}, err
		}
	}
	if s.tools == nil {
		return ToolLibrary{}, errors.New("the service was started without a reader of tool files")
	}
	file, err := s.tools.ReadTools(in.Data, in.ToolFileOptions)
	if err != nil {
		return ToolLibrary{}, err
	}
	if len(file.Tools) == 0 {
		return ToolLibrary{}, noTools(file.Report)
	}
	s.identify(file.Tools)
	l := ToolLibrary{
		TeamID: c.TeamID, Name: in.Name, Format: file.Format, ToolCount: len(file.Tools),
		Tools: file.Tools, Report: file.Report, CreatedAt: s.now(),
	}
	if l.Name == "" {
		l.Name = file.Name
	}
	if checkName(l.Name) != nil {
		l.Name = "Tools from " + string(file.Format)
	}
	find := func(id string) (ToolLibrary, error) { return s.GetToolLibrary(ctx, c, id) }
	return idempotency.WithFixedID(c, find, func(id string) (ToolLibrary, error) {
		l.ID = id
		return l, s.libraries.CreateToolLibrary(ctx, l)
	})
}

// identify gives an id to each tool that lacks a valid, unique one.
func (s *Service) identify(tools []machining.Tool) {
	seen := make(map[string]bool, len(tools))
	for i := range tools {
		id := strings.ToLower(tools[i].ID)
		if uuid.Validate(id) != nil || seen[id] {
			id = record.NewID()
		}
		tools[i].ID, seen[id] = id, true
	}
}

// noTools is the error for a file without usable tools; it quotes the first reasons.
func noTools(r ToolReport) error {
	const most = 5
	if len(r.Skipped) == 0 {
		return apierr.Errorf(apierr.InvalidRequest, "The file holds no tools.")
	}
	var why []string
	for _, n := range r.Skipped[:min(len(r.Skipped), most)] {
		why = append(why, n.Entry+": "+n.Detail)
	}
	return apierr.Errorf(apierr.InvalidRequest, "None of the %d entries of the file is a tool that can be used. %s",
		r.Entries, strings.Join(why, " "))
}

// ListToolLibraries returns a page of the team's tool libraries without their tools, newest first and the
// built-in ones last. Error code: invalid_request.
func (s *Service) ListToolLibraries(
	ctx context.Context, c account.Caller, p record.Page,
) (record.List[ToolLibrary], error) {
	builtIn := builtInToolLibraries()
	for i := range builtIn {
		builtIn[i].Tools, builtIn[i].Report = nil, ToolReport{}
	}
	return record.Paginate(p, builtIn, func(p record.Page) ([]ToolLibrary, int, error) {
		return s.libraries.ListToolLibraries(ctx, c.TeamID, p)
	})
}

// GetToolLibrary returns a tool library of the team or a built-in one. Error code: not_found.
func (s *Service) GetToolLibrary(ctx context.Context, c account.Caller, id string) (ToolLibrary, error) {
	if at := slices.Index(machining.BuiltInToolLibraryIDs, id); at >= 0 {
		return builtInToolLibraries()[at], nil
	}
	l, err := s.libraries.ToolLibrary(ctx, c.TeamID, id)
	return l, noToolLibrary(err, id)
}

// UpdateToolLibrary replaces the tools of a tool library, and its name where the JSON form has one. The sender has seen
// the tools, so no value counts as guessed afterwards. Existing plans keep their tools. Error codes: not_found,
// invalid_request, whose faults are all errors of the form, method_not_allowed (a built-in one), and the check's.
func (s *Service) UpdateToolLibrary(
	ctx context.Context, c account.Caller, id string, document []byte, check Check[ToolLibrary],
) (ToolLibrary, error) {
	if slices.Contains(machining.BuiltInToolLibraryIDs, id) {
		return ToolLibrary{}, apierr.Errorf(apierr.NotAllowed,
			"A built-in tool library cannot be changed; copy it: create one of your own from what reading it gives.")
	}
	before, err := s.GetToolLibrary(ctx, c, id)
	if err == nil {
		err = check.of(before)
	}
	if err != nil {
		return ToolLibrary{}, err
	}
	list, err := machining.ReadToolList(document)
	if err != nil {
		return ToolLibrary{}, Refused(err)
	}
	s.identify(list.Tools)
	changed, err := s.libraries.UpdateToolLibrary(ctx, c.TeamID, id, func(l *ToolLibrary) error {
		if err := check.of(*l); err != nil {
			return err
		}
		if list.Name != "" {
			l.Name = list.Name
		}
		l.Tools, l.ToolCount = list.Tools, len(list.Tools)
		return nil
	})
	return changed, noToolLibrary(err, id)
}

// DeleteToolLibrary removes a tool library, also from the cut configs that use it. Error codes: not_found,
// method_not_allowed (a built-in one), and those of the check.
func (s *Service) DeleteToolLibrary(ctx context.Context, c account.Caller, id string, check Check[ToolLibrary]) error {
	if slices.Contains(machining.BuiltInToolLibraryIDs, id) {
		return apierr.Errorf(apierr.NotAllowed, "A built-in tool library cannot be deleted.")
	}
	return noToolLibrary(s.libraries.DeleteToolLibrary(ctx, c.TeamID, id, check), id)
}

func builtInToolLibraries() []ToolLibrary {
	var out []ToolLibrary
	for _, l := range machining.BuiltInToolLibraries() {
		out = append(out, ToolLibrary{
			ID: l.ID, Name: l.Name, Format: ToolsBuiltIn, ToolCount: len(l.Tools), Tools: l.Tools,
			Report: ToolReport{Entries: len(l.Tools), Skipped: []ToolNote{}, Guessed: []ToolNote{}},
		})
	}
	return out
}

func noToolLibrary(err error, id string) error {
	if errors.Is(err, record.ErrNotFound) {
		return apierr.Errorf(apierr.NotFound, "There is no tool library %s.", usertext.Quote(id))
	}
	return err
}
