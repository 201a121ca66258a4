package catalog

import (
	"context"
	"errors"
	"fmt"
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

// CutConfig is a cut config of a team. IsDefault refers to the user who asks.
type CutConfig struct {
	machining.CutConfig
	TeamID    string    // "" for a built-in cut config
	CreatedAt time.Time // zero for a built-in cut config
	UpdatedAt time.Time
}

// CreateCutConfig creates a cut config. Fields that the change omits, at any depth, come from the first built-in one.
// Error code: invalid_request; its sentences list every defect.
func (s *Service) CreateCutConfig(ctx context.Context, c account.Caller, ch machining.Change) (CutConfig, error) {
	find := func(id string) (CutConfig, error) { return s.GetCutConfig(ctx, c, id) }
	return idempotency.WithFixedID(c, find, func(id string) (CutConfig, error) {
		config, err := ch.Make(id)
		if err := s.refused(ctx, c, config, ch, err); err != nil {
			return CutConfig{}, err
		}
		now := s.now()
		made := CutConfig{CutConfig: config, TeamID: c.TeamID, CreatedAt: now, UpdatedAt: now}
		return made, librariesDeleted(s.configs.CreateCutConfig(ctx, made, c.UserID))
	})
}

// ListCutConfigs returns a page of the team's cut configs, newest first and the built-in ones last. With a tool
// library, it lists those that use the library ("": all). Error code: invalid_request.
func (s *Service) ListCutConfigs(
	ctx context.Context, c account.Caller, toolLibraryID string, p record.Page,
) (record.List[CutConfig], error) {
	builtIn, err := s.builtInCutConfigs(ctx, c)
	if err != nil {
		return record.List[CutConfig]{}, err
	}
	if toolLibraryID != "" {
		builtIn = slices.DeleteFunc(builtIn, func(b CutConfig) bool {
			return !slices.Contains(b.ToolLibraryIDs, toolLibraryID)
		})
	}
	return record.Paginate(p, builtIn, func(p record.Page) ([]CutConfig, int, error) {
		return s.configs.ListCutConfigs(ctx, c.TeamID, c.UserID, toolLibraryID, p)
	})
}

// GetCutConfig returns a cut config of the team or a built-in one. Error code: not_found.
func (s *Service) GetCutConfig(ctx context.Context, c account.Caller, id string) (CutConfig, error) {
	if at := slices.Index(machining.BuiltInCutConfigIDs, id); at >= 0 {
		builtIn, err := s.builtInCutConfigs(ctx, c)
		if err != nil {
			return CutConfig{}, err
		}
		return builtIn[at], nil
	}
	found, err := s.configs.CutConfigsByID(ctx, c.TeamID, c.UserID, []string{id})
	if err != nil {
		return CutConfig{}, err
	}
	if len(found) == 0 {
		return CutConfig{}, noCutConfig(id)
	}
	return found[0], nil
}

// UpdateCutConfig changes a cut config that passes the check. Error codes: not_found, invalid_request, whose sentences
// list every defect, method_not_allowed (a built-in one), and those of the check.
func (s *Service) UpdateCutConfig(
	ctx context.Context, c account.Caller, id string, ch machining.Change, check Check[CutConfig],
) (CutConfig, error) {
	if slices.Contains(machining.BuiltInCutConfigIDs, id) {
		return CutConfig{}, apierr.Errorf(apierr.NotAllowed, "A built-in cut config cannot be changed; create one of "+
			"your own. To make the first built-in one your default, set isDefault of your default to false.")
	}
	before, err := s.GetCutConfig(ctx, c, id)
	if err != nil {
		return CutConfig{}, err
	}
	if err := check.of(before); err != nil {
		return CutConfig{}, err
	}
	after, err := ch.Apply(before.CutConfig)
	if err := s.refused(ctx, c, after, ch, err); err != nil {
		return CutConfig{}, err
	}
	changed, err := s.configs.UpdateCutConfig(ctx, c.TeamID, c.UserID, id, func(config *CutConfig) (err error) {
		if err := check.of(*config); err != nil {
			return err
		}
		config.UpdatedAt = s.now()
		config.CutConfig, err = ch.Apply(config.CutConfig) // which others may have changed
		return Refused(err)
	})
	if errors.Is(err, record.ErrNotFound) {
		return CutConfig{}, noCutConfig(id)
	}
	if err != nil {
		return CutConfig{}, librariesDeleted(err)
	}
	return changed, nil
}

// DeleteCutConfig removes a cut config. Projects with this default lose it; users with this default get the built-in
// one. Error codes: not_found, method_not_allowed (a built-in one), and those of the check.
func (s *Service) DeleteCutConfig(ctx context.Context, c account.Caller, id string, check Check[CutConfig]) error {
	if slices.Contains(machining.BuiltInCutConfigIDs, id) {
		return apierr.Errorf(apierr.NotAllowed, "A built-in cut config cannot be deleted.")
	}
	err := s.configs.DeleteCutConfig(ctx, c.TeamID, c.UserID, id, check)
	if errors.Is(err, record.ErrNotFound) {
		return noCutConfig(id)
	}
	return err
}

// builtInCutConfigs returns the built-in cut configs for the caller: the first is the default unless the caller has
// another.
func (s *Service) builtInCutConfigs(ctx context.Context, c account.Caller) ([]CutConfig, error) {
	chosen, err := s.configs.DefaultCutConfig(ctx, c.UserID)
	if err != nil {
		return nil, err
	}
	var out []CutConfig
	for _, config := range machining.BuiltInCutConfigs() {
		config.IsDefault = chosen == "" && config.ID == machining.BuiltInCutConfigID
		out = append(out, CutConfig{CutConfig: config})
	}
	return out, nil
}

// DefaultCutConfig returns the id of the cut config to use when a request names no cut config. It is the default of the
// project (projectID "" = no project), else of the caller, else the built-in one. Error code: not_found (project).
func (s *Service) DefaultCutConfig(ctx context.Context, c account.Caller, projectID string) (string, error) {
	if projectID != "" {
		p, err := s.GetProject(ctx, c, projectID)
		if err != nil || p.CutConfigID != "" {
			return p.CutConfigID, err
		}
	}
	id, err := s.configs.DefaultCutConfig(ctx, c.UserID)
	if id == "" {
		id = machining.BuiltInCutConfigID
	}
	return id, err
}

// ToolsOf returns the current tools of a cut config, in search order. A library that was just deleted contributes no
// tools.
func (s *Service) ToolsOf(ctx context.Context, c account.Caller, config machining.CutConfig) ([]machining.Tool, error) {
	tools := []machining.Tool{}
	for _, id := range config.ToolLibraryIDs {
		l, err := s.GetToolLibrary(ctx, c, id)
		var gone *apierr.Error
		if err != nil && !errors.As(err, &gone) {
			return nil, err
		}
		tools = append(tools, l.Tools...)
	}
	return tools, nil
}

// CheckCutConfigs returns an error that names all given cut configs that the team does not have. Error code: not_found.
func (s *Service) CheckCutConfigs(ctx context.Context, c account.Caller, ids []string) error {
	own := without(ids, machining.BuiltInCutConfigIDs...)
	if len(own) == 0 {
		return nil
	}
	found, err := s.configs.CutConfigsByID(ctx, c.TeamID, c.UserID, own)
	if err != nil {
		return err
	}
	for _, f := range found {
		own = without(own, f.ID)
	}
	if len(own) > 0 {
		return noCutConfig(own...)
	}
	return nil
}

// refused lists the defects of a changed cut config, and the tool libraries in the change that the team does not have.
func (s *Service) refused(
	ctx context.Context, c account.Caller, made machining.CutConfig, ch machining.Change, err error,
) error {
	var invalid *machining.ValidationError
	if err != nil && !errors.As(err, &invalid) {
		return err
	}
	var unknown []string
	if ch.Names("toolLibraryIds") {
		var failed error
		if unknown, failed = s.unknownToolLibraries(ctx, c, made.ToolLibraryIDs); failed != nil {
			return failed
		}
	}
	if invalid == nil && len(unknown) == 0 {
		return nil
	}
	all := &machining.ValidationError{}
	if invalid != nil {
		all.Faults = slices.Clone(invalid.Faults)
	}
	for _, id := range unknown {
		near := "; the list of tool libraries has those that there are."
		if meant := usertext.Nearest(id, machining.BuiltInToolLibraryIDs); meant != "" {
			near = "; is " + meant + " meant?"
		}
		at := fmt.Sprintf("/toolLibraryIds/%d", slices.Index(made.ToolLibraryIDs, id))
		all.Faults = append(all.Faults, machining.Fault{Pointer: at,
			Message: "toolLibraryIds names no tool library of the team by " + usertext.Quote(id) + near})
	}
	return Refused(all)
}

// unknownToolLibraries returns the given tool libraries that the team does not have.
func (s *Service) unknownToolLibraries(ctx context.Context, c account.Caller, ids []string) ([]string, error) {
	unknown := without(ids, machining.BuiltInToolLibraryIDs...)
	ask := slices.DeleteFunc(slices.Clone(unknown), func(id string) bool { return uuid.Validate(id) != nil })
	if len(ask) == 0 {
		return unknown, nil
	}
	known, err := s.libraries.KnownToolLibraries(ctx, c.TeamID, ask)
	return without(unknown, known...), err
}

// without returns a copy of the ids that lacks some.
func without(ids []string, some ...string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return slices.Contains(some, id) })
}

func noCutConfig(ids ...string) error {
	return apierr.Errorf(apierr.NotFound, "There is no cut config %s.", usertext.QuoteList(ids))
}

// cutConfigDeleted names the cut config that was deleted between being looked up and being named.
func cutConfigDeleted(err error, id string) error {
	if errors.Is(err, record.ErrNoReference) {
		return noCutConfig(id)
	}
	return err
}

// librariesDeleted is the error for a tool library deleted between its look-up and its use.
func librariesDeleted(err error) error {
	if errors.Is(err, record.ErrNoReference) {
		return apierr.Errorf(apierr.InvalidRequest, "One of the tool libraries has just been deleted.")
	}
	return err
}

// Refused converts errors of a value into the error for clients. Its sentence has the first ones, its faults have all.
func Refused(err error) error {
	const most = 20
	var invalid *machining.ValidationError
	if !errors.As(err, &invalid) {
		return err
	}
	sentences := invalid.Sentences()
	text := strings.Join(sentences[:min(len(sentences), most)], " ")
	if more := len(sentences) - most; more > 0 {
		text += fmt.Sprintf(" %d more things are wrong.", more)
	}
	out := apierr.Errorf(apierr.InvalidRequest, "%s", text)
	for _, f := range invalid.Faults {
		out.Faults = append(out.Faults, apierr.Fault(f))
	}
	return out
}
