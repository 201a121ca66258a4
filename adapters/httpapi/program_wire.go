package httpapi

import (
	"time"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/kernel/geom"
)

// Box is an axis-aligned box between two corners.
type Box struct {
	Min geom.Vec3 `json:"min" doc:"Corner with the smallest coordinates."`
	Max geom.Vec3 `json:"max" doc:"Corner with the largest coordinates."`
}

// Frame is a right-handed coordinate system within the part's coordinate system.
type Frame struct {
	Origin geom.Vec3 `json:"origin" doc:"Its origin, mm."`
	X      geom.Vec3 `json:"x" doc:"Its x axis, a unit vector."`
	Y      geom.Vec3 `json:"y" doc:"Its y axis, a unit vector."`
	Z      geom.Vec3 `json:"z" doc:"Its z axis, a unit vector."`
}

// PlanStock is the block from which a part is planned. For a round bar, with which verification starts, or a casting,
// it is the enclosing box.
type PlanStock struct {
	Box
	Frame Frame `json:"frame" doc:"In which the corners are given; the sides of the block lie along its axes."`
}

// PlanHold is the clamping of the part.
type PlanHold struct {
	Kind  string `json:"kind" doc:"vise, fixture or none."`
	Text  string `json:"text" doc:"One sentence for a machinist."`
	Solid []Box  `json:"solid" doc:"What no tool may touch, in the frame of the setup: jaws."`

	Figures *HoldFigures `json:"figures,omitempty" doc:"Strength of the clamping; absent: it has no model."`
	Device  *string      `json:"device" doc:"Open-ended: vise, bed, chuck, plates (two plates drawn together on a base), base (a base plate with screws or straps); null: none is designed."`
	Making  Making       `json:"making" doc:"What the device takes beyond setting up a vise."`
}

// Making is the time and material to make and set up a device.
type Making struct {
	Seconds float64 `json:"seconds" minimum:"0" doc:"For a batch, s."`
	Cents   int     `json:"cents" minimum:"0" doc:"For a batch, US cents."`
}

// HoldFigures is the strength of a clamping.
type HoldFigures struct {
	Jaw       string         `json:"jaw" doc:"Jaws: serrated, soft, formed with a pocket of the part's outline, or bored; empty: a bed or a base plate."`
	Opening   float64        `json:"opening" doc:"Between the jaws, mm; 0: a bed."`
	Depth     float64        `json:"depth" doc:"Of the contact with the jaws, mm."`
	Length    float64        `json:"length" doc:"Of the contact with the jaws, mm."`
	StandOut  float64        `json:"standOut" doc:"Of the workpiece over the jaws, mm."`
	Parallels float64        `json:"parallels" doc:"Height of the parallels in a vise, over its bed, mm; 0: none."`
	FixedJaw  *string        `json:"fixedJaw" doc:"Side of the setup at the fixed jaw of a vise, +x, -x, +y or -y; null: a formed pocket or another device."`
	Stop      *string        `json:"stop" doc:"Side of the setup at a stop in a vise, +x, -x, +y or -y; null: a formed pocket or another device."`
	Area      float64        `json:"area" doc:"Of the contact with a bed, mm²; 0: a vise."`
	Least     float64        `json:"least" doc:"Least force of each jaw, or of the bed, that holds against all operations, N."`
	Set       float64        `json:"set" doc:"Force to set, N."`
	Most      float64        `json:"most" doc:"Largest force that the device gives and the workpiece bears, N."`
	Torque    float64        `json:"torque" doc:"Of the handle of a vise for the force to set, N·m."`
	Governing *GoverningLoad `json:"governing,omitempty" doc:"Cut that needs the most force; absent: none pushes the part."`
	Uses      []HoldUse      `json:"uses" doc:"Use of each limit at the force to set; at most 1 where it holds."`
}

// GoverningLoad is the cut that needs the most force.
type GoverningLoad struct {
	OperationID string  `json:"operationId" doc:"The operation."`
	Horizontal  float64 `json:"horizontal" doc:"Force across the tool, N."`
	Axial       float64 `json:"axial" doc:"Force that lifts the part, N."`
	Height      float64 `json:"height" doc:"Over the middle of the grip, mm."`
}

// HoldUse is the use of one limit.
type HoldUse struct {
	Check string  `json:"check" doc:"Open-ended: slip and rock, tip, push, bend, crush, bow, opening, stand-out, lift and tip."`
	Value float64 `json:"value" doc:"Share of the limit."`
}

// PlanOperation is the work of one tool in one operation.
type PlanOperation struct {
	OperationID        string   `json:"operationId" doc:"Unique in the plan."`
	Index              int      `json:"index" minimum:"1" doc:"Place in the setup, from 1."`
	Strategy           string   `json:"strategy" doc:"How it cuts; open-ended: face, pocket, contour, drill, …"`
	FeatureIDs         []string `json:"featureIds" format:"uuid" doc:"Features that it makes."`
	RegionIdxs         []int    `json:"regionIdxs" doc:"Faces of the part that it makes; none: it clears the way."`
	ToolID             string   `json:"toolId" doc:"Tool of the library."`
	ToolNumber         int      `json:"toolNumber" minimum:"0" doc:"T number in the program."`
	Top                float64  `json:"top" doc:"It cuts below this height in the frame of the setup, mm."`
	Bottom             float64  `json:"bottom" doc:"It cuts above this height in the frame of the setup, mm."`
	SpindleRpm         float64  `json:"spindleRpm" doc:"Revolutions per minute."`
	Feed               float64  `json:"feed" doc:"mm/min."`
	PlungeFeed         float64  `json:"plungeFeed" doc:"Along the axis into material, mm/min; 0: it does not."`
	AxialDepth         float64  `json:"axialDepth" doc:"Stepdown, of drills the peck, mm."`
	RadialDepth        float64  `json:"radialDepth" doc:"Stepover, mm."`
	StockToLeaveRadial float64  `json:"stockToLeaveRadial" doc:"For a later operation, mm."`
	StockToLeaveAxial  float64  `json:"stockToLeaveAxial" doc:"For a later operation, mm."`
	Coolant            string   `json:"coolant" enum:"dry,flood,mist,throughTool" doc:"What is switched on."`
	Provenance         []string `json:"provenance" doc:"Where its cutting data come from, and what limits them."`
	Notes              []string `json:"notes" doc:"For people."`
}

// PlanSetup is the operations in one clamping of the part.
type PlanSetup struct {
	Index       int             `json:"index" minimum:"1" doc:"From 1, in the order of the work."`
	Direction   geom.Vec3       `json:"direction" doc:"Unit vector from the part towards the spindle, z of the setup."`
	Origin      geom.Vec3       `json:"origin" doc:"Work offset, in coordinates of the part, mm."`
	XAxis       geom.Vec3       `json:"xAxis" doc:"x of the setup, a unit vector in coordinates of the part."`
	WorkOffset  int             `json:"workOffset" minimum:"1" doc:"Number of its work offset on the machine."`
	Stock       Box             `json:"stock" doc:"What encloses the stock when it begins, in its own frame."`
	Workholding PlanHold        `json:"workholding" doc:"How the part is held."`
	Operations  []PlanOperation `json:"operations" doc:"In machining order."`
	Choice      *SetupChoice    `json:"choice" doc:"What the setup costs, and what other choices would; null in older records."`
}

// SetupChoice is the price of a setup, and of the choices in its place. The other setups stay as they are. What is not
// made then is priced by hand.
type SetupChoice struct {
	Cents   int          `json:"cents" doc:"For each part of the batch: preparing, loading, the device and roughing, US cents."`
	Held    *Alternative `json:"held" doc:"Held in the next best way; null: nothing else holds the part."`
	Without *Alternative `json:"without" doc:"Without the setup; null: it is the only one."`
}

// Alternative is a choice that was not taken.
type Alternative struct {
	Text  string `json:"text" doc:"One sentence."`
	Cents int    `json:"cents" doc:"For each part of the batch, more than the choice that was taken, US cents."`
}

// Unmachinable is something that a plan does not make.
type Unmachinable struct {
	FeatureID  *string `json:"featureId" format:"uuid" doc:"The feature; null: faces without a feature."`
	RegionIdxs []int   `json:"regionIdxs" doc:"Its faces that stay unmachined."`
	Reason     string  `json:"reason" doc:"Open-ended: no_tool_fits, out_of_reach, not_accessible, needs_more_axes, held_there, unheld, setup_costs_more, undercut, sharp_corner, exceeds_travel, thread_not_stated, turned, path_left, edge_not_broken."`
	Detail     string  `json:"detail" doc:"One sentence for a machinist."`
	Remedy     *string `json:"remedy" doc:"Remedy, one sentence; null: unknown."`
	Price      *Price  `json:"price" doc:"Price of the cheapest way to make it, which leaving it saves; null: unknown."`
}

// PlanRecord is the machining plan of a part.
type PlanRecord struct {
	PlanID        string         `json:"planId" format:"uuid" doc:"The plan."`
	PartID        string         `json:"partId" format:"uuid" doc:"The part."`
	ReportID      string         `json:"reportId" format:"uuid" doc:"The part result whose features it names."`
	JobID         *string        `json:"jobId" format:"uuid" doc:"The job that makes it; null: it failed before."`
	CutConfigID   string         `json:"cutConfigId" doc:"The cut config that it was made with, as it was then."`
	SnapshotHash  string         `json:"snapshotHash" doc:"SHA-256 of that cut config with its tools and holders."`
	Name          *string        `json:"name" doc:"As given in the request."`
	Status        string         `json:"status" enum:"processing,ready,failed" doc:"State of the plan."`
	FailureCode   *string        `json:"failureCode" doc:"Why it failed, for programs; else null."`
	FailureReason *string        `json:"failureReason" doc:"Why it failed, in a sentence; else null."`
	CreatedAt     time.Time      `json:"createdAt" doc:"Time of the request."`
	Stock         *PlanStock     `json:"stock" doc:"The block that it is planned from; of a round bar, which proofs begin with, or a casting the box around it. Null until it is ready."`
	Setups        []PlanSetup    `json:"setups" doc:"In machining order; empty until it is ready."`
	Tools         []ProgramTool  `json:"tools" doc:"By number; empty until it is ready."`
	Unmachinable  []Unmachinable `json:"unmachinable" doc:"Features that it does not machine, with reasons."`
	Warnings      []Warning      `json:"warnings" doc:"Assumptions and omissions."`
	Account
}

// PlanRead is the v0 answer with a plan.
type PlanRead data[PlanRecord]

// PlanList is one page of plans.
type PlanList listing[PlanRecord]

// QueuedToolpaths is the answer to a request that was accepted.
type QueuedToolpaths struct {
	JobID  string `json:"jobId" format:"uuid" doc:"Poll it."`
	PlanID string `json:"planId" format:"uuid" doc:"The plan."`
	PartID string `json:"partId" format:"uuid" doc:"The part."`
	Status string `json:"status" enum:"queued" doc:"It waits for a worker."`
}

// Residue is material that an operation leaves.
type Residue struct {
	Volume     float64 `json:"volume" doc:"mm³"`
	MaxHeight  float64 `json:"maxHeight" doc:"mm"`
	Reason     string  `json:"reason" doc:"Reason for the largest piece, as in unmachinable of a plan."`
	RegionIdxs []int   `json:"regionIdxs" doc:"Faces next to it."`
}

// Toolpath is the motion of one operation.
type Toolpath struct {
	ToolpathID       string   `json:"toolpathId" format:"uuid" doc:"The toolpath."`
	OperationID      string   `json:"operationId" doc:"The operation of the plan."`
	SetupIndex       int      `json:"setupIndex" minimum:"1" doc:"From 1."`
	ToolID           string   `json:"toolId" doc:"Tool of the library."`
	Outcome          string   `json:"outcome" enum:"cleared,residue" doc:"cleared: it leaves only the material that its plan predicts."`
	Residue          *Residue `json:"residue" doc:"Rest material; null: nothing left."`
	MoveCount        int      `json:"moveCount" minimum:"0" doc:"Moves."`
	CutLength        float64  `json:"cutLength" doc:"At a feed, mm."`
	RapidLength      float64  `json:"rapidLength" doc:"mm"`
	CuttingSeconds   float64  `json:"cuttingSeconds" doc:"At a feed."`
	RapidSeconds     float64  `json:"rapidSeconds" doc:"At rapid."`
	MaxEngagementDeg *float64 `json:"maxEngagementDeg" doc:"Largest front arc in material; null: not measured, as nothing bounds it: rings that begin in material have all of it, 180, at half the feed."`
	Bounds           Box      `json:"bounds" doc:"Of the tip, in the frame of the setup."`
	GeometryURL      *string  `json:"geometryUrl" format:"uri" doc:"15-minute address of the file that shows it, as that of the set; a node for each setup."`
	GeometryFormat   string   `json:"geometryFormat" enum:"glb" doc:"Line strips."`
}

// Finding is something that is wrong with a program.
type Finding struct {
	Kind        string    `json:"kind" doc:"Open-ended: gouge, rapid, shank, holder, fixture, travel."`
	SetupIndex  int       `json:"setupIndex" minimum:"1" doc:"From 1."`
	OperationID *string   `json:"operationId" doc:"The operation; null: the finding concerns the stock."`
	Move        int       `json:"move" minimum:"0" doc:"Index into the moves of the operation."`
	Position    geom.Vec3 `json:"position" doc:"In coordinates of the part, mm."`
	Depth       float64   `json:"depth" doc:"gouge: depth, mm; travel: missing travel, mm; other kinds: volume of the material met, mm³, 0 when it was not measured, as for fixtures and the finished part."`
	RegionIdxs  []int     `json:"regionIdxs" doc:"Faces concerned."`
}

// Verification is the result of the verification of toolpaths.
type Verification struct {
	StockVolume       float64   `json:"stockVolume" doc:"Of the block of the plan, mm³."`
	PartVolume        float64   `json:"partVolume" doc:"mm³"`
	RemovedVolume     float64   `json:"removedVolume" doc:"mm³"`
	UncutVolume       float64   `json:"uncutVolume" doc:"Remaining outside the part, mm³."`
	MaxGouge          float64   `json:"maxGouge" doc:"Deepest cut into the part, mm."`
	MaxUncut          float64   `json:"maxUncut" doc:"Height of remaining material that the plan did not predict, mm."`
	RapidCollisions   int       `json:"rapidCollisions" minimum:"0" doc:"Moves."`
	HolderCollisions  int       `json:"holderCollisions" minimum:"0" doc:"Moves, of shanks too."`
	FixtureCollisions int       `json:"fixtureCollisions" minimum:"0" doc:"Moves."`
	Findings          []Finding `json:"findings" doc:"Defects that fail the program; the worst of each operation and kind."`
	MotionHash        string    `json:"motionHash" doc:"SHA-256 of the motion that was replayed."`
}

// ToolpathSet is the result of one job on a plan.
type ToolpathSet struct {
	PlanID string `json:"planId" format:"uuid" doc:"The plan."`
	JobID  string `json:"jobId" format:"uuid" doc:"The job that calculated them."`
	Account
	Toolpaths    []Toolpath   `json:"toolpaths" doc:"In machining order."`
	Verification Verification `json:"verification" doc:"Result of their verification."`
	GeometryURL  *string      `json:"geometryUrl" format:"uri" doc:"15-minute address of a GLB of all moves, a node for each setup."`
	MovesURL     *string      `json:"movesUrl" format:"uri" doc:"15-minute address of all moves as JSON."`
	StockURL     *string      `json:"stockUrl" format:"uri" doc:"15-minute address of a GLB of the stock after each setup."`
	ResidueURL   *string      `json:"residueUrl" format:"uri" doc:"15-minute address of a GLB of the excess material at the end."`
}

// OperationTime is the duration of an operation, without the tool change before it.
type OperationTime struct {
	OperationID string  `json:"operationId" doc:"The operation of the plan."`
	Seconds     float64 `json:"seconds" doc:"Total."`
}

// SetupTime is the share of one setup.
type SetupTime struct {
	Index             int             `json:"index" minimum:"1" doc:"From 1."`
	TotalSeconds      float64         `json:"totalSeconds" doc:"Total."`
	CuttingSeconds    float64         `json:"cuttingSeconds" doc:"At a feed."`
	RapidSeconds      float64         `json:"rapidSeconds" doc:"At rapid."`
	ToolChanges       int             `json:"toolChanges" minimum:"0" doc:"Number of tool changes."`
	ToolChangeSeconds float64         `json:"toolChangeSeconds" doc:"Duration of the tool changes."`
	LoadSeconds       float64         `json:"loadSeconds" doc:"To put the part in and take it out."`
	Operations        []OperationTime `json:"operations" doc:"In machining order."`
}

// TimeModel is the machine parameters of the time calculation.
type TimeModel struct {
	Acceleration    float64 `json:"acceleration" doc:"mm/s²"`
	Jerk            float64 `json:"jerk" doc:"mm/s³; 0: acceleration starts at once."`
	CornerTolerance float64 `json:"cornerTolerance" doc:"Largest deviation at corners, mm."`
	Lookahead       int     `json:"lookahead" doc:"Blocks."`
}

// MachiningTime is the duration of a plan's toolpaths for one part.
type MachiningTime struct {
	PlanID            string      `json:"planId" format:"uuid" doc:"The plan."`
	TotalSeconds      float64     `json:"totalSeconds" doc:"On a typical control, without preparation of the setups: all of the times below except setupSeconds."`
	LowSeconds        float64     `json:"lowSeconds" doc:"On a control with unlimited lookahead."`
	HighSeconds       float64     `json:"highSeconds" doc:"On a control that stops at every corner."`
	CuttingSeconds    float64     `json:"cuttingSeconds" doc:"At a feed."`
	RapidSeconds      float64     `json:"rapidSeconds" doc:"At rapid."`
	DwellSeconds      float64     `json:"dwellSeconds" doc:"Waiting, as at the bottom of holes."`
	SpindleSeconds    float64     `json:"spindleSeconds" doc:"Until the spindle has its speed."`
	ToolChangeSeconds float64     `json:"toolChangeSeconds" doc:"Changing tools."`
	LoadSeconds       float64     `json:"loadSeconds" doc:"Putting the part in and taking it out."`
	SetupSeconds      float64     `json:"setupSeconds" doc:"Preparing the setups, once for all parts."`
	Setups            []SetupTime `json:"setups" doc:"In machining order."`
	Model             TimeModel   `json:"model" doc:"Assumed parameters of the machine."`
}

// ProgramTool is a tool of a program with its data for setting it up.
type ProgramTool struct {
	Number         int               `json:"number" minimum:"0" doc:"T number."`
	LengthOffset   int               `json:"lengthOffset" minimum:"0" doc:"Number of its length offset."`
	DiameterOffset int               `json:"diameterOffset" minimum:"0" doc:"Number of its diameter offset."`
	ToolID         string            `json:"toolId" doc:"Tool of the library."`
	Name           string            `json:"name" doc:"Empty: unnamed."`
	Kind           string            `json:"kind" doc:"Shape, as of tools."`
	Diameter       float64           `json:"diameter" doc:"mm"`
	Stickout       float64           `json:"stickout" doc:"From the tip to the holder, mm."`
	Holder         *machining.Holder `json:"holder" doc:"Its holder; null: not known."`
	Fallback       string            `json:"fallback,omitempty" doc:"Why it is made up: the reason for which the libraries cannot cut something; absent: of a library."`
}

// GcodeFile is the g-code of one setup.
type GcodeFile struct {
	Setup  int    `json:"setup" minimum:"1" doc:"From 1."`
	Post   string `json:"post" doc:"The dialect of the cut config."`
	URL    string `json:"url" format:"uri" doc:"Address to read it with a key; the parameter post selects another dialect."`
	SHA256 string `json:"sha256" doc:"Of its text."`
}

// ProgramRecord is the complete machining program of a part.
type ProgramRecord struct {
	ID            string         `json:"id" format:"uuid" doc:"The program."`
	PartID        string         `json:"partId" format:"uuid" doc:"The part."`
	ProjectID     *string        `json:"projectId" format:"uuid" doc:"The project that the part was in, or null."`
	PlanID        string         `json:"planId" format:"uuid" doc:"Its plan."`
	ReportID      string         `json:"reportId" format:"uuid" doc:"The part result whose features it names."`
	JobID         *string        `json:"jobId" format:"uuid" doc:"The job that makes it; null: it failed before."`
	ToolpathJobID *string        `json:"toolpathJobId" format:"uuid" doc:"The job of its toolpaths, for reading them; null until they are there."`
	CutConfigID   string         `json:"cutConfigId" doc:"The cut config that it was made with, as it was then."`
	Status        string         `json:"status" enum:"processing,ready,failed" doc:"State of the program."`
	FailureCode   *string        `json:"failureCode" doc:"Why it failed, for programs; else null."`
	FailureReason *string        `json:"failureReason" doc:"Why it failed, in a sentence; else null."`
	Warnings      []Warning      `json:"warnings" doc:"Assumptions and omissions."`
	Setups        []PlanSetup    `json:"setups" doc:"As of its plan."`
	Unmachinable  []Unmachinable `json:"unmachinable" doc:"Features that it does not machine, with reasons."`
	Account
	Tools            []ProgramTool `json:"tools" doc:"By their numbers."`
	MachiningSeconds *float64      `json:"machiningSeconds" doc:"For one part; null until it is known."`
	Gcode            []GcodeFile   `json:"gcode" doc:"One for each setup; empty until it is ready."`
	SetupSheetURL    *string       `json:"setupSheetUrl" format:"uri" doc:"15-minute address of a page to print; null until it is ready."`
	ToolTableURL     *string       `json:"toolTableUrl" format:"uri" doc:"15-minute address of the tools in the form of the control of the cut config; null until it is ready, and for programs of earlier releases."`
	ProgramJSONURL   *string       `json:"programJsonUrl" format:"uri" doc:"15-minute address of JSON with which other software can replay it: frames, stock, jaws, tools; null until it is ready, and for programs of earlier releases."`
	DevicesURL       *string       `json:"devicesUrl" format:"uri" doc:"15-minute address of a zip of the devices that are made for the part: a STEP and an STL file of each piece, named in the setup sheet; null until it is ready, where none is designed, and for programs of earlier releases."`
	BundleURL        *string       `json:"bundleUrl" format:"uri" doc:"15-minute address of a zip of all its files: g-code of each setup, tool table, program.json, setup sheet with its pictures, devices, account of the remaining material; null until it is ready, and for programs of earlier releases."`
	Verification     *Verification `json:"verification" doc:"Result of the verification; null before it."`
	CreatedAt        time.Time     `json:"createdAt" doc:"Time of the request."`
	UpdatedAt        time.Time     `json:"updatedAt" doc:"Time of the last change."`
}

// ProgramRead is the v0 answer with a program.
type ProgramRead data[ProgramRecord]

// ProgramList is one page of programs.
type ProgramList listing[ProgramRecord]

// Bill is time and cost of one part.
type Bill struct {
	TimeSeconds int64 `json:"timeSeconds" minimum:"0" doc:"Of the machine."`
	CostCents   int64 `json:"costCents" minimum:"0" doc:"US cents."`
}

// CostBreakdown is the components of a cost.
type CostBreakdown struct {
	MaterialCents   int64 `json:"materialCents" minimum:"0" doc:"Stock."`
	SetupCents      int64 `json:"setupCents" minimum:"0" doc:"Preparing setups, and programming."`
	MachiningCents  int64 `json:"machiningCents" minimum:"0" doc:"Cutting and rapids."`
	ToolChangeCents int64 `json:"toolChangeCents" minimum:"0" doc:"Changing tools."`
	HandlingCents   int64 `json:"handlingCents" minimum:"0" doc:"Putting the part in and taking it out."`
}

// Estimate is time and cost of one part in a batch.
type Estimate struct {
	Quality     string        `json:"quality" enum:"fast,refined" doc:"fast: from the features of the part; refined: from the moves of the program."`
	Quantity    int           `json:"quantity" minimum:"1" doc:"Parts in the batch."`
	TimeSeconds int64         `json:"timeSeconds" minimum:"0" doc:"Of the machine, for one part."`
	CostCents   int64         `json:"costCents" minimum:"0" doc:"US cents, for one part."`
	Low         Bill          `json:"low" doc:"Lower bound of the expected range."`
	High        Bill          `json:"high" doc:"Upper bound of the expected range."`
	Breakdown   CostBreakdown `json:"breakdown" doc:"Of costCents."`
	Assumptions []string      `json:"assumptions" doc:"Assumptions, one sentence each."`
	Account
}
