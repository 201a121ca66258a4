package httpapi

import (
	"context"
	"net/http"

	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/part"
)

// DesignFinding is something to be changed in the design of a part.
type DesignFinding struct {
	Kind       string   `json:"kind" doc:"deepHole, thinWall, deepPocket, sharpCorner, smallTool, unreachable, tightTolerance; new ones come."`
	Severity   string   `json:"severity" enum:"problem,advice" doc:"problem: beyond what is usually made at all; advice: makes the part dearer."`
	FeatureIDs []string `json:"featureIds" format:"uuid" doc:"The features; none where only faces are concerned."`
	RegionIdxs []int    `json:"regionIdxs" doc:"Joins to regions[].idx."`
	Value      float64  `json:"value" doc:"deepHole: depth over diameter; deepPocket: depth over the diameter of the tool that gets everywhere; unreachable: mm²; else mm: thickness, radius, diameter of the tool, width of the tolerance."`
	Limit      float64  `json:"limit" doc:"The bound that the value breaks, of design guides for machined metal."`
	Sentence   string   `json:"sentence" doc:"What was found."`
	Remedy     string   `json:"remedy" doc:"What would mend it."`
}

// DesignFindings are the findings of one analysis run.
type DesignFindings struct {
	Items []DesignFinding `json:"items" doc:"Problems first."`
}

func (a *api) registerFindings() {
	both(a, explained(operation(http.MethodGet, "/parts/{id}/findings", "read-findings",
		"Read what makes a part dear or impossible to machine", dfm, apierr.NotFound, apierr.NoResult),
		"Findings for design of a run, from what was measured of its features so far: without datasheets, from its "+
			"holes and from the faces that no direction reaches. Measure the features for the rest."), a.readFindings)
}

func (a *api) readFindings(ctx context.Context, in *RunOf) (*struct{ Body DesignFindings }, error) {
	found, err := a.use.Parts.Findings(ctx, caller(ctx), in.ID, in.JobID)
	if err != nil {
		return nil, a.fail(err)
	}
	return &struct{ Body DesignFindings }{wireFindings(found)}, nil
}

func wireFindings(found []part.Finding) DesignFindings {
	out := DesignFindings{Items: make([]DesignFinding, len(found))}
	for i, f := range found {
		out.Items[i] = DesignFinding{
			Kind: string(f.Kind), Severity: string(f.Severity), FeatureIDs: f.FeatureIDs, RegionIdxs: f.Regions,
			Value: f.Value, Limit: f.Limit, Sentence: f.Sentence, Remedy: f.Remedy,
		}
	}
	return out
}
