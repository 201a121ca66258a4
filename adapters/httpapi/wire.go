package httpapi

import (
	"time"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/pipeline"
)

// The wire types define the contract: field names, nullability and allowed values for clients. They are separate from
// the records so that a change of a record cannot change the API.

// KeyValidation is the result of validating a key.
type KeyValidation struct {
	Valid  bool   `json:"valid" doc:"True when the key is usable now."`
	Status string `json:"status" enum:"active,revoked,expired,invalid" doc:"invalid: no key of this service."`
}

// Health is the result of the health check.
type Health struct {
	Status string `json:"status" enum:"ok,error" doc:"Overall health."`
	DB     string `json:"db" enum:"up,down" doc:"Whether the database answers."`
}

// ReportUnits states the units of a part result.
type ReportUnits struct {
	Length string `json:"length" enum:"mm" doc:"Unit of lengths."`
	Angle  string `json:"angle" enum:"deg" doc:"Unit of angles."`
}

// Region is one face of the part in the mesh of the result.
type Region struct {
	Idx           int     `json:"idx" minimum:"0" doc:"Stable region index, see features[].regionIdxs."`
	SplitOrigin   int     `json:"splitOrigin" minimum:"0" doc:"Equal: regions split from one B-rep face."`
	ShapeKind     string  `json:"shapeKind" doc:"Plane, Cylinder, Cone, Sphere, Torus, Freeform, …"`
	Area          float64 `json:"area" doc:"mm², exact"`
	TriangleStart int     `json:"triangleStart" minimum:"0" doc:"Inclusive start of the triangle range."`
	TriangleEnd   int     `json:"triangleEnd" minimum:"0" doc:"Exclusive end; the start for a sheet face."`
}

// PartFeature is one recognized feature.
type PartFeature struct {
	FeatureID          string     `json:"featureId" format:"uuid" doc:"Unique within the part result."`
	FeatureTag         string     `json:"featureTag" pattern:"^[0-9a-f]+$" doc:"Stable kernel tag."`
	RegionIdxs         []int      `json:"regionIdxs" doc:"Joins to regions[].idx."`
	FeatureType        string     `json:"featureType" doc:"Open-ended: Hole, Pocket, Face, Boss, Chamfer, …"`
	MachiningDirection geom.Vec3  `json:"machiningDirection" doc:"Unit vector from the part towards the spindle."`
	Axis               *geom.Vec3 `json:"axis" doc:"Feature-local machining axis."`
	AlternativeOf      []string   `json:"alternativeOf,omitempty" doc:"featureIds that make some of the same faces: one is enough."`
}

// DirectionZBounds is the part's extent along one candidate direction.
type DirectionZBounds struct {
	Direction geom.Vec3 `json:"direction" doc:"Candidate direction, +z of its tool-axis frame."`
	ZMin      float64   `json:"zMin" doc:"Lowest z of the part in that frame, mm."`
	ZMax      float64   `json:"zMax" doc:"Highest z of the part in that frame, mm."`
}

// Geometry is the geometric properties of a part, from its faces.
type Geometry struct {
	Volume     float64   `json:"volume" doc:"mm³ of the solids, not of the mesh."`
	Area       float64   `json:"area" doc:"mm² of all faces, not of the mesh."`
	Centroid   geom.Vec3 `json:"centroid" doc:"Of the volume."`
	Bounds     Box       `json:"bounds" doc:"Smallest box around the faces along the axes of the file."`
	Solids     int       `json:"solids" minimum:"0" doc:"Bodies of the part."`
	Faces      int       `json:"faces" minimum:"0" doc:"Faces of the part, those of sheets included."`
	Watertight bool      `json:"watertight" doc:"Whether the mesh is closed."`
	Exact      bool      `json:"exact" doc:"Whether the faces are exact. They are approximate in files with display data only."`
	Sag        *float64  `json:"sag,omitempty" minimum:"0" doc:"Largest deviation of approximate faces, mm; absent if the file does not state it."`
}

// Process is the manufacturing process of a part.
type Process struct {
	Kind    string      `json:"kind" enum:"milled,turned,millTurn,sheet,cast,freeform" doc:"millTurn: turned, then milled or drilled beside the axis; cast: or moulded."`
	Reasons []string    `json:"reasons" doc:"One sentence each."`
	Turned  *Turned     `json:"turned,omitempty" doc:"Of turned and millTurn."`
	Sheet   *SheetBlank `json:"sheet,omitempty" doc:"Of sheet."`
}

// Turned is the axis and the bar stock of a turned part.
type Turned struct {
	Origin        geom.Vec3 `json:"origin" doc:"A point of the axis."`
	Axis          geom.Vec3 `json:"axis" doc:"Unit vector along it."`
	StockDiameter float64   `json:"stockDiameter" doc:"Diameter of the bar that encloses the part, mm."`
	Length        float64   `json:"length" doc:"Of the part along the axis, mm."`
	FeatureIDs    []string  `json:"featureIds" format:"uuid" doc:"Features made by turning; the others are milled or drilled."`
}

// SheetBlank is the thickness and the bends of a sheet metal part.
type SheetBlank struct {
	Thickness float64 `json:"thickness" doc:"mm"`
	Bends     int     `json:"bends" minimum:"0" doc:"Bends of the sheet."`
	Flats     int     `json:"flats" minimum:"0" doc:"Plane legs between the bends."`
}

// Setup is the work from one direction.
type Setup struct {
	Index      int       `json:"index" minimum:"1" doc:"From 1, the best first."`
	Direction  geom.Vec3 `json:"direction" doc:"Unit vector from the part towards the spindle."`
	FeatureIDs []string  `json:"featureIds" format:"uuid" doc:"Each feature is in one setup. Empty: needed for areas of curved faces that no single direction sees."`
}

// FeatureGroup is features that are equal.
type FeatureGroup struct {
	FeatureIDs []string `json:"featureIds" format:"uuid" minItems:"2" doc:"The features."`
	Label      string   `json:"label" doc:"As a drawing would call them out: 30 × ⌀14, csk 20 × 90°; mm."`
	Pattern    string   `json:"pattern,omitempty" enum:"linear,circular,grid" doc:"Arrangement, seen along their direction; absent: no pattern."`
}

// Unmachined is faces, or parts of them, that no feature covers.
type Unmachined struct {
	RegionIdxs []int   `json:"regionIdxs" doc:"Joins to regions[].idx."`
	FeatureID  string  `json:"featureId,omitempty" format:"uuid" doc:"The feature with the faces, which machines them partly; absent for faces without a feature."`
	Area       float64 `json:"area" doc:"Remaining area, mm²."`
	Reason     string  `json:"reason" doc:"not_visible, undercut, other_direction, sheet, no_mesh, …"`
	Detail     string  `json:"detail" doc:"One sentence for a machinist."`
}

// PartResult is the immutable outcome of one analysis run.
type PartResult struct {
	PartID              string             `json:"partId" format:"uuid" doc:"The part."`
	ReportID            string             `json:"reportId" format:"uuid" doc:"This result; it never changes."`
	JobID               string             `json:"jobId" format:"uuid" doc:"The job that made it."`
	KernelVersion       string             `json:"kernelVersion" doc:"Version of the kernel that made it."`
	Units               ReportUnits        `json:"units" doc:"Units of the result."`
	Regions             []Region           `json:"regions" doc:"By region index."`
	Features            []PartFeature      `json:"features" doc:"Features recognized in this run."`
	CandidateDirections []geom.Vec3        `json:"candidateDirections" doc:"Unit vectors towards the spindle."`
	DirectionZBounds    []DirectionZBounds `json:"directionZBounds" nullable:"true" doc:"Null: not enriched."`
	Geometry            Geometry           `json:"geometry" doc:"Exact figures of the part, from its faces."`
	Process             Process            `json:"process" doc:"Manufacturing process, inferred from the shape."`
	Setups              []Setup            `json:"setups" doc:"Smallest set of directions that see all reachable faces, best first. Only plans check the tools."`
	FeatureGroups       []FeatureGroup     `json:"featureGroups" doc:"Equal features, by their first members."`
	Unmachined          []Unmachined       `json:"unmachined" doc:"Every face, or portion of a face, that no feature machines from its direction."`
	Warnings            []Warning          `json:"warnings" doc:"Repairs, assumptions and omissions."`
	MeshPointCount      int                `json:"meshPointCount" minimum:"0" doc:"Points of the mesh."`
	MeshTriangleCount   int                `json:"meshTriangleCount" minimum:"0" doc:"Triangles of the mesh."`
	ThumbnailURL        *string            `json:"thumbnailUrl" format:"uri" doc:"15-minute address or null."`
	MeshStlURL          *string            `json:"meshStlUrl" format:"uri" doc:"15-minute address or null."`
	MeshGlbURL          *string            `json:"meshGlbUrl" format:"uri" doc:"15-minute address or null."`
	DownloadMs          int64              `json:"downloadMs" minimum:"0" doc:"Worker time on the download, ms."`
	RecognitionMs       int64              `json:"recognitionMs" minimum:"0" doc:"Kernel time up to the features, ms."`
	EnrichmentMs        int64              `json:"enrichmentMs" minimum:"0" doc:"Kernel time on datasheets, ms."`
	TotalMs             int64              `json:"totalMs" minimum:"0" doc:"Total worker time, ms."`
}

// Part is the part record of the upload flow.
type Part struct {
	ID               string    `json:"id" format:"uuid" doc:"The part."`
	FileName         string    `json:"fileName" doc:"As given at creation."`
	Format           *string   `json:"format" doc:"Format detected from the content, also after a failure; null until a job has ended, or if unknown."`
	SizeBytes        *int64    `json:"sizeBytes" minimum:"0" doc:"Bytes; null until the file was uploaded."`
	Status           string    `json:"status" enum:"pending,processing,ready,failed" doc:"State of the part."`
	FailureCode      *string   `json:"failureCode" doc:"Why it failed, for programs; else null."`
	FailureReason    *string   `json:"failureReason" doc:"Why it failed, in a sentence; else null."`
	Warnings         []Warning `json:"warnings" doc:"Repairs, assumptions and omissions of its latest result."`
	ProjectID        *string   `json:"projectId" format:"uuid" doc:"The project it is in, or null."`
	CurrentProgramID *string   `json:"currentProgramId" format:"uuid" doc:"The first of the programs that were made with the part, or null."`
	ProgramIDs       []string  `json:"programIds" doc:"Programs of the part."`
	JobID            *string   `json:"jobId" format:"uuid" doc:"The latest job on this part."`
	CreatedAt        time.Time `json:"createdAt" doc:"Time of creation."`
	UpdatedAt        time.Time `json:"updatedAt" doc:"Time of the last change."`
}

// Warning is something that was repaired, guessed or left out.
type Warning struct {
	Code    string `json:"code" doc:"For programs; open-ended, and no code changes its meaning."`
	Message string `json:"message" doc:"One sentence for a machinist."`
	Entity  string `json:"entity,omitempty" doc:"What it is about, the first of several: #12 is an instance of a STEP file, D12 a directory entry of an IGES file; without a number in the file, what it is and its index (face 7 is region 7); of a feature, its tag."`
}

// Upload is the address and method for sending the file.
type Upload struct {
	URL       string            `json:"url" format:"uri" doc:"Signed address, live 15 minutes."`
	Method    string            `json:"method" enum:"PUT" doc:"HTTP method to send the file."`
	Headers   map[string]string `json:"headers" doc:"Headers that must be sent along."`
	ExpiresAt time.Time         `json:"expiresAt" doc:"Time when the address expires."`
}

// PartCreated is the v0 answer to creating a part.
type PartCreated struct {
	Data   Part   `json:"data" doc:"The new part."`
	Upload Upload `json:"upload" doc:"Upload of its file."`
}

// PartRead is the v0 answer to reading a part.
type PartRead data[Part]

// CreatePartResponse is the v1 answer to creating a part.
type CreatePartResponse struct {
	PartID       string `json:"partId" format:"uuid" doc:"The new part."`
	UploadURL    string `json:"uploadUrl" format:"uri" doc:"PUT the file here within 15 minutes."`
	SourceBucket string `json:"sourceBucket" doc:"Bucket that receives the file."`
	SourceS3Key  string `json:"sourceS3Key" doc:"Key of the file in the bucket."`
}

// CreatePartRequest is the request for a new part.
type CreatePartRequest struct {
	FileName          string   `json:"fileName" minLength:"1" maxLength:"255" doc:"With the extension of a CAD format, followed by .gz if the file is gzipped."`
	ProjectID         string   `json:"projectId,omitempty" format:"uuid" doc:"Project to upload into."`
	CutConfigIDs      []string `json:"cutConfigIds,omitempty" format:"uuid" maxItems:"20" doc:"One program each, not metered; without any, one with the default of the project, else of the caller, else the built-in."`
	AutoCreateProgram *bool    `json:"autoCreateProgram,omitempty" doc:"Default true: the programs exist, processing, as soon as the part is ready. False makes none."`
}

// FeatureDetailRequest names features to be measured.
type FeatureDetailRequest struct {
	FeatureIDs []string `json:"featureIds" minItems:"1" format:"uuid" doc:"Features of one run of the part."`
}

// PartFeatures are features with their datasheets.
type PartFeatures struct {
	Datasheets []PartFeatureEntry `json:"datasheets" doc:"In the requested order, else in run order."`
	NotFound   []string           `json:"notFound" doc:"Requested ids without a feature of the part."`
}

// PartFeatureEntry is one feature with its datasheet.
type PartFeatureEntry struct {
	FeatureID   string            `json:"featureId" format:"uuid" doc:"The feature."`
	FeatureTag  string            `json:"featureTag" pattern:"^[0-9a-f]+$" doc:"Stable kernel tag."`
	FeatureType string            `json:"featureType" doc:"Open-ended: Hole, Pocket, Face, Boss, Chamfer, …"`
	Datasheet   *FeatureDatasheet `json:"datasheet" doc:"Null: not measured yet."`
}

// PartExport is the address of a part's file.
type PartExport struct {
	URL       string    `json:"url" format:"uri" doc:"Signed address, live 15 minutes."`
	ExpiresAt time.Time `json:"expiresAt" doc:"Time when the address expires."`
}

// AnalysisOptions is the mesh tolerance of an analysis, and its additional files.
type AnalysisOptions struct {
	ChordTolerance float64         `json:"chordTolerance,omitempty" minimum:"0" maximum:"100" doc:"Largest deviation of the result's mesh from the part, mm; 0 or absent: the smaller of 0.1 mm and 1/2000 of the part's diagonal. A mesh that would have too many triangles is coarser, and a warning gives the tolerance that it keeps. Features and directions do not depend on it."`
	AngleTolerance float64         `json:"angleTolerance,omitempty" minimum:"0" maximum:"90" doc:"Largest angle between surface normals across an edge of the result's mesh, degrees; 0 or absent: 20. Features and directions do not depend on it."`
	Exports        []pipeline.Name `json:"exports,omitempty" enum:"3mf" doc:"Additional files; 3mf: the mesh in mm with a named material for each kind of feature."`
}

// QueuedJob is the answer to an operation that queues work.
type QueuedJob struct {
	JobID  string `json:"jobId" format:"uuid" doc:"The queued job."`
	PartID string `json:"partId" format:"uuid" doc:"The part it works on."`
	Status string `json:"status" enum:"queued" doc:"Always queued."`
}

// JobSummary is a job in a list.
type JobSummary struct {
	PartUUID    string    `json:"partUuid" format:"uuid" doc:"The part it works on."`
	JobUUID     string    `json:"jobUuid" format:"uuid" doc:"The job."`
	ProductType string    `json:"productType" doc:"The product operation, for example part_processing."`
	Status      string    `json:"status" enum:"queued,running,succeeded,failed" doc:"State of the job."`
	Progress    *int      `json:"progress" minimum:"0" maximum:"100" doc:"Null before progress is known."`
	CreatedAt   time.Time `json:"createdAt" doc:"Time when it was queued."`
}

// JobDetail is one job.
type JobDetail struct {
	JobSummary
	Error    *string   `json:"error" doc:"Failure reason of a failed job."`
	ReportID *string   `json:"reportId" format:"uuid" doc:"The part result the job produced."`
	Warnings []Warning `json:"warnings" doc:"Repairs, assumptions and omissions of its result."`
}

// JobList is one page of jobs, newest first.
type JobList listing[JobSummary]
