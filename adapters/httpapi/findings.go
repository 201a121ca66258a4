package httpapi

import (
	"context"
	"net/http"

	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/part"
)

// DesignFinding is something to be changed in the design of a part.
type DesignFinding struct {
	Kind       string   `json:"kind" doc:"deepHole, thinWall, deepPocket, sharpCorner, smallTool, unreachable, tightTolerance; open-ended."`
	Severity   string   `json:"severity" enum:"problem,advice" doc:"problem: beyond usual manufacturing limits; advice: makes the part more expensive."`
	FeatureIDs []string `json:"featureIds" format:"uuid" doc:"The features; empty if only faces are concerned."`
	RegionIdxs []int    `json:"regionIdxs" doc:"Joins to regions[].idx."`
	Value      float64  `json:"value" doc:"deepHole: depth over diameter; deepPocket: depth over the diameter of the tool that reaches all of it; unreachable: mm²; else mm: thickness, radius, diameter of the tool, width of the tolerance."`
	Limit      float64  `json:"limit" doc:"The limit that the value exceeds, from design guides for machined metal."`
	Sentence   string   `json:"sentence" doc:"The finding."`
	Remedy     string   `json:"remedy" doc:"Remedy."`
}

// DesignFindings are the findings of one analysis run.
type DesignFindings struct {
	Items []DesignFinding `json:"items" doc:"Problems first."`
}

func (a *api) registerFindings() {
	both(a, explained(operation(http.MethodGet, "/parts/{id}/findings", "read-findings",
		"Read the design findings of a part", dfm, apierr.NotFound, apierr.NoResult),
		"Design findings of a run, from the features measured so far. Without datasheets they cover its holes and the "+
			"faces that no direction reaches. Measure the features for the others."), a.readFindings)
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
