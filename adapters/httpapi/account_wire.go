package httpapi

import (
	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/service/program"
)

// MadeShare is the completed share of the work, from 0 to 1.
type MadeShare struct {
	VolumeShare float64 `json:"volumeShare" minimum:"0" maximum:"1" doc:"Share of the material to remove: 1 minus the remaining volume over the difference of stock and part."`
	AreaShare   float64 `json:"areaShare" minimum:"0" maximum:"1" doc:"Share of the area of the part with at most 0.1 mm of material above it."`
}

// Left is material that is left on the part for one reason.
type Left struct {
	FeatureID  *string   `json:"featureId" format:"uuid" doc:"The feature; null: faces without a feature."`
	RegionIdxs []int     `json:"regionIdxs" doc:"Faces of the part next to it."`
	Volume     float64   `json:"volume" minimum:"0" doc:"mm³"`
	MaxHeight  float64   `json:"maxHeight" minimum:"0" doc:"Distance of its farthest point from the part, mm."`
	Area       float64   `json:"area" minimum:"0" doc:"Area of these faces with more than 0.1 mm of material above, mm²."`
	Position   geom.Vec3 `json:"position" doc:"Its farthest point, in coordinates of the part, mm."`
	Reason     string    `json:"reason" doc:"Open-ended: the reasons of unmachinable, path_left (planned to be removed, but left), not_requested."`
	Detail     string    `json:"detail" doc:"One sentence for a machinist."`
	Remedy     *string   `json:"remedy" doc:"Remedy, one sentence; null: unknown."`
	Price      *Price    `json:"price" doc:"Price of the cheapest way to make it, which leaving it saves; null: unknown."`
}

// Price is the price of the cheapest way to make what a program leaves.
type Price struct {
	Cents int    `json:"cents" minimum:"0" doc:"For each part of the batch, US cents."`
	Way   string `json:"way" doc:"Open-ended: bench (by hand), setup (one setup more), tool (a tool that is bought), axes (a machine with rotary axes), lathe."`
}

func wirePrice(p *completeness.Price) *Price {
	if p == nil {
		return nil
	}
	return &Price{p.Cents, string(p.Way)}
}

// Account is the completeness of a program. It is null in records older than accounts.
type Account struct {
	Completeness      *string    `json:"completeness" doc:"complete: nothing left is above both 5 mm³ and 0.1 mm; complete_but_named: only sharp corners, threads that the file does not state, and features that were not requested; incomplete. Null: not known."`
	CompletenessBasis *string    `json:"completenessBasis" doc:"predicted: from the reach of the planned tools; found: by the simulation of the program. Null: not known."`
	Made              *MadeShare `json:"made" doc:"Completed share of the work; null: not known."`
	Left              []Left     `json:"left" doc:"Remaining material over 5 mm³ or 0.1 mm, the largest first."`
}

// wireAccount is the account of a plan; nil: it is not made.
func wireAccount(m *program.PlanSummary) Account {
	if m == nil {
		return Account{Left: []Left{}}
	}
	return accountOf(m.Account, m.FeatureIDs)
}

func accountOf(a *completeness.Account, featureIDs []string) Account {
	out := Account{Left: []Left{}}
	if a == nil {
		return out
	}
	level, side, made := string(a.Completeness), string(a.Side), MadeShare(a.Made)
	out.Completeness, out.CompletenessBasis, out.Made = &level, &side, &made
	for _, e := range a.Left {
		l := Left{
			RegionIdxs: indices(e.Regions), Volume: e.Volume, MaxHeight: e.Height, Area: e.Area, Position: e.At,
			Reason: string(e.Reason), Detail: e.Detail, Remedy: optional(e.Remedy), Price: wirePrice(e.Price),
		}
		if e.Feature >= 0 {
			l.FeatureID = &featureIDs[e.Feature]
		}
		out.Left = append(out.Left, l)
	}
	return out
}
