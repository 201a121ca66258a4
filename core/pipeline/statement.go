package pipeline

import "millwright.dev/millwright/core/kernel/geom"

// PMI is the statements of a CAD file about its faces, in the form of the command line's output. Lengths are mm, angles
// are degrees, faces are regions of the result. Words that the standards leave open are copied.
type PMI struct {
	Dimensions []PMIDimension `json:"dimensions,omitempty"`
	Tolerances []PMITolerance `json:"tolerances,omitempty"`
	Datums     []PMIDatum     `json:"datums,omitempty"`
	Notes      []PMINote      `json:"notes,omitempty"`
}

// PMIDimension is a size of faces, or a distance between two sets of faces. Lower and Upper are deviations from the
// nominal value; nil if there is no such limit.
type PMIDimension struct {
	Kind      string   `json:"kind"`
	Unit      string   `json:"unit"` // mm or deg
	Nominal   *float64 `json:"nominal,omitempty"`
	Lower     *float64 `json:"lower,omitempty"`
	Upper     *float64 `json:"upper,omitempty"`
	Fit       string   `json:"fit,omitempty"`
	Basic     bool     `json:"basic,omitempty"`
	Reference bool     `json:"reference,omitempty"`
	Modifiers []string `json:"modifiers,omitempty"`
	Decimals  *int     `json:"decimals,omitempty"`
	Text      string   `json:"text,omitempty"`
	Faces     []int    `json:"faces"`
	To        []int    `json:"to,omitempty"`
}

// PMITolerance is a geometric tolerance. Refines is the index of the tolerance of which it is a further line.
type PMITolerance struct {
	Kind          string              `json:"kind"`
	Name          string              `json:"name,omitempty"`
	Value         float64             `json:"value"`
	Zone          string              `json:"zone,omitempty"`
	Projected     float64             `json:"projected,omitempty"`
	ProjectedFrom []int               `json:"projectedFrom,omitempty"`
	Offset        *float64            `json:"offset,omitempty"`
	Max           float64             `json:"max,omitempty"`
	PerLength     float64             `json:"perLength,omitempty"`
	PerWidth      float64             `json:"perWidth,omitempty"`
	PerArea       string              `json:"perArea,omitempty"`
	AllOver       bool                `json:"allOver,omitempty"`
	AllAround     bool                `json:"allAround,omitempty"`
	Modifiers     []string            `json:"modifiers,omitempty"`
	Datums        []PMIDatumReference `json:"datums,omitempty"`
	Refines       *int                `json:"refines,omitempty"`
	Text          string              `json:"text,omitempty"`
	Faces         []int               `json:"faces"`
}

// PMIDatumReference is one compartment of a tolerance's frame.
type PMIDatumReference struct {
	Datums    []PMIDatumUse `json:"datums"`
	Modifiers []PMIModifier `json:"modifiers,omitempty"`
}

// PMIDatumUse is a datum in a compartment.
type PMIDatumUse struct {
	Letter    string        `json:"letter"`
	Modifiers []PMIModifier `json:"modifiers,omitempty"`
}

// PMIModifier is a modifier of a datum; some modifiers have a length.
type PMIModifier struct {
	Name  string  `json:"name"`
	Value float64 `json:"value,omitempty"`
}

// PMIDatum is a datum with its targets.
type PMIDatum struct {
	Letter  string           `json:"letter"`
	Faces   []int            `json:"faces"`
	Targets []PMIDatumTarget `json:"targets,omitempty"`
}

// PMIDatumTarget is a target of a datum; Axis is its z direction.
type PMIDatumTarget struct {
	Name   string     `json:"name"`
	Kind   string     `json:"kind"`
	Origin *geom.Vec3 `json:"origin,omitempty"`
	Axis   *geom.Vec3 `json:"axis,omitempty"`
	Length float64    `json:"length,omitempty"`
	Width  float64    `json:"width,omitempty"`
	Faces  []int      `json:"faces"`
}

// PMINote is a text about faces, or about the whole part if it has no faces.
type PMINote struct {
	Kind  string `json:"kind"`
	Name  string `json:"name,omitempty"`
	Text  string `json:"text"`
	Faces []int  `json:"faces"`
}
