package program

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
)

// OpenFile opens a stored file of a program, also of one that failed verification. The caller closes it. Error codes:
// not_found (program), program_not_ready (no toolpaths yet, or an earlier release made the program without this file).
func (s *Service) OpenFile(
	ctx context.Context, c account.Caller, partID, programID string, name pipeline.Name,
) (io.ReadCloser, error) {
	p, err := s.Get(ctx, c, partID, programID)
	if err != nil {
		return nil, err
	}
	if p.Set == nil {
		return nil, apierr.Errorf(apierr.ProgramNotReady, "The program is %s and has no files.", p.Status)
	}
	ref, stored := p.Set.Result.Objects[name]
	if stored {
		var body io.ReadCloser
		if body, _, err = s.Objects.Get(ctx, ref); !errors.Is(err, object.ErrNotFound) {
			return body, err
		}
	}
	return nil, apierr.Errorf(apierr.ProgramNotReady,
		"An earlier release made this program without this file. Plan the part again.")
}

// Currency tells whether a cut config is still as a program used it.
type Currency string

// The values of Currency.
const (
	Current Currency = "current"
	Changed Currency = "changed"
	Deleted Currency = "deleted"
)

// Origin is a program with the cut config of its request.
type Origin struct {
	ProgramDetail
	ConfigName string // at the request
	Currency   Currency
	Changes    []string // fields of the cut config, and "tools", that differ today, ascending; never nil
}

// Origins returns a page of a part's programs, newest first, and compares their cut configs with the present ones.
// Error codes: not_found (part), invalid_request.
func (s *Service) Origins(ctx context.Context, c account.Caller, partID string,
	page record.Page,
) (record.List[Origin], error) {
	list, err := s.List(ctx, c, partID, page)
	if err != nil {
		return record.List[Origin]{}, err
	}
	out := record.List[Origin]{Items: []Origin{}, Page: list.Page, PageSize: list.PageSize, Total: list.Total}
	compared := map[string]Origin{} // by snapshot, which names its cut config
	for _, p := range list.Items {
		o, seen := compared[p.Plan.Snapshot]
		if !seen {
			if o, err = s.origin(ctx, c, &p); err != nil {
				return record.List[Origin]{}, err
			}
			compared[p.Plan.Snapshot] = o
		}
		o.ProgramDetail = p
		out.Items = append(out.Items, o)
	}
	return out, nil
}

func (s *Service) origin(ctx context.Context, c account.Caller, p *ProgramDetail) (Origin, error) {
	then, err := s.cuttingOf(ctx, c.TeamID, p.PlanID)
	if err != nil {
		return Origin{}, err
	}
	o := Origin{ConfigName: then.Config.Name, Currency: Current, Changes: []string{}}
	now, err := s.cutting(ctx, c, part.Part{}, p.Plan.CutConfigID)
	var refused *apierr.Error
	if errors.As(err, &refused) && refused.Code == apierr.NotFound {
		o.Currency = Deleted
		return o, nil
	}
	if err != nil {
		return Origin{}, err
	}
	if o.Changes, err = changes(then, now); err != nil {
		return Origin{}, err
	}
	if len(o.Changes) > 0 {
		o.Currency = Changed
	}
	return o, nil
}

// changes lists the fields of the cut config that differ, and "tools", ascending.
func changes(then, now *pipeline.PlanParams) ([]string, error) {
	before, err := fieldsOf(then)
	if err != nil {
		return nil, err
	}
	after, err := fieldsOf(now)
	if err != nil {
		return nil, err
	}
	out := []string{}
	for name, value := range after {
		if !slices.Contains(then.Replaced, name) && !bytes.Equal(before[name], value) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out, nil
}

func fieldsOf(p *pipeline.PlanParams) (map[string]json.RawMessage, error) {
	text, err := json.Marshal(p.Config)
	if err != nil {
		return nil, err
	}
	out := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &out); err != nil {
		return nil, err
	}
	delete(out, "toolLibraryIds") // the tools themselves are compared
	out["tools"], err = json.Marshal(p.Tools)
	return out, err
}
