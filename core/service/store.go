package service

import (
	"context"
	"time"

	"millwright/core/fault"
	"millwright/core/feature"
)

// Store keeps the records. Every method is one transaction: it happens whole or not at all, and what it
// returned without an error survives a crash of the process. Methods that take a team see only that
// team's records: another team's are ErrNotFound. Times are kept in microseconds.
type Store interface {
	Ping(ctx context.Context) error
	Accounts
	Parts
	Projects
	Catalog
	Jobs
	Attempts
	Requests
	Meter
	Operations
}

// Accounts keeps teams, users and keys.
type Accounts interface {
	CreateTeam(ctx context.Context, t Team) error // ErrExists: the name is taken
	TeamByName(ctx context.Context, name string) (Team, error)
	CreateUser(ctx context.Context, u User) error // ErrExists: the team has a user of that name
	UserByName(ctx context.Context, teamID, name string) (User, error)
	CreateKey(ctx context.Context, k Key) error // ErrExists: id or hash is taken
	KeyByHash(ctx context.Context, hash [32]byte) (Key, error)
	ListKeys(ctx context.Context, teamID string) ([]Key, error) // oldest first
	// RevokeKey sets the revocation time once; a key revoked before keeps its first time.
	RevokeKey(ctx context.Context, id string, at time.Time) (Key, error)
	// GrantKey replaces what a key may do, and from which origins.
	GrantKey(ctx context.Context, id string, g Grant) (Key, error)
	// OriginAllowed reports whether a key that is usable at the given time allows the origin.
	OriginAllowed(ctx context.Context, origin string, now time.Time) (bool, error)
}

// Parts keeps parts and the immutable reports of their analysis runs.
type Parts interface {
	// CreatePart adds a part and takes the slot of the team's pace that its CreatedAt falls into. ErrExists:
	// the id is taken; no slot is. *TooSoonError: the next slot is not open yet; nothing is written.
	CreatePart(ctx context.Context, p Part, pace Pace) error
	Part(ctx context.Context, teamID, partID string) (Part, error)
	// Report returns the part's latest report, or the one that jobID made or added details to. ErrNotFound:
	// there is none.
	Report(ctx context.Context, teamID, partID, jobID string) (Report, error)
	// Features returns the features of a report, in its order.
	Features(ctx context.Context, teamID, reportID string) ([]FeatureRecord, error)
	// FeaturesByID returns those of the given features that the team has, in the order of the list.
	FeaturesByID(ctx context.Context, teamID string, featureIDs []string) ([]FeatureRecord, error)
	// Artefacts returns those of the given keys, of which no two are equal, that unmarked parts of the team name: one
	// for each key, the one named last, in the order of the list.
	Artefacts(ctx context.Context, teamID string, keys []string) ([]Artefact, error)
}

// Projects keeps the groups of parts.
type Projects interface {
	// CreateProject adds a project. ErrNoReference: the team has no such cut config.
	CreateProject(ctx context.Context, p Project) error
	Project(ctx context.Context, teamID, projectID string) (Project, error)
	// UpdateProject stores what change makes of the project as it stands. An error of change is returned
	// and nothing is written. ErrNotFound: no such project; ErrNoReference as in CreateProject.
	UpdateProject(ctx context.Context, teamID, projectID string, change func(*Project) error) (Project, error)
}

// Catalog keeps what parts are cut with: cut configs, tool libraries and holders. Lists are newest first
// and come with how many there are in all. What every team has (machining.BuiltIn...) is not in the store
// and may be named without it.
type Catalog interface {
	// CreateCutConfig adds a cut config and makes it the user's default when it says so. ErrNoReference: the
	// team has not all of its tool libraries.
	CreateCutConfig(ctx context.Context, c CutConfig, userID string) error
	// CutConfigsByID returns those of the given cut configs that the team has, in the order of the list.
	// IsDefault is said of the user.
	CutConfigsByID(ctx context.Context, teamID, userID string, ids []string) ([]CutConfig, error)
	ListCutConfigs(ctx context.Context, teamID, userID string, p Page) ([]CutConfig, int, error)
	// UpdateCutConfig stores what change makes of the cut config as it stands, and with it whether it is the
	// user's default. An error of change is returned and nothing is written. ErrNotFound: no such cut
	// config; ErrNoReference as in CreateCutConfig.
	UpdateCutConfig(
		ctx context.Context, teamID, userID, cutConfigID string, change func(*CutConfig) error,
	) (CutConfig, error)
	// DeleteCutConfig removes a cut config; projects and users whose default it was have none any more.
	DeleteCutConfig(ctx context.Context, teamID, cutConfigID string) error
	// DefaultCutConfig returns the id of the user's default cut config, "" for none.
	DefaultCutConfig(ctx context.Context, userID string) (string, error)

	CreateToolLibrary(ctx context.Context, l ToolLibrary) error
	ToolLibrary(ctx context.Context, teamID, libraryID string) (ToolLibrary, error)
	// ListToolLibraries leaves Tools and Report of the libraries empty.
	ListToolLibraries(ctx context.Context, teamID string, p Page) ([]ToolLibrary, int, error)
	// KnownToolLibraries returns those of the given ids that are libraries of the team, in any order.
	KnownToolLibraries(ctx context.Context, teamID string, ids []string) ([]string, error)
	// DeleteToolLibrary removes a library, also from the cut configs that use it.
	DeleteToolLibrary(ctx context.Context, teamID, libraryID string) error

	CreateHolder(ctx context.Context, h Holder) error
	Holder(ctx context.Context, teamID, holderID string) (Holder, error)
	ListHolders(ctx context.Context, teamID string, p Page) ([]Holder, int, error)
	DeleteHolder(ctx context.Context, teamID, holderID string) error
}

// FeatureRecord is a feature of a report with the datasheet it has so far.
type FeatureRecord struct {
	ID        string
	PartID    string
	ReportID  string
	JobID     string // of the run that found it
	Tag       string
	Type      string
	Datasheet *feature.Datasheet // nil: not measured
}

// FeatureDetail is a datasheet to be stored.
type FeatureDetail struct {
	FeatureID string
	Datasheet feature.Datasheet
}

// EnqueueTerms are the circumstances of a new job.
type EnqueueTerms struct {
	SourceSize int64 // bytes of the part's file
	// OnlyIfPending returns a part that has left pending as it is, and writes nothing.
	OnlyIfPending bool
	MeterTo       string // id of the key whose use of the job's product is metered; "" = not metered
}

// Jobs keeps jobs as clients see them.
type Jobs interface {
	// Enqueue adds a queued job, with its usage row where it is metered, and makes it the
	// part's latest. A pending part becomes processing; every part takes the size. ErrExists: the id is
	// taken; ErrNotFound: the team has no such part, or it is marked as expired. Then nothing is written.
	Enqueue(ctx context.Context, j Job, terms EnqueueTerms) (Part, error)
	Job(ctx context.Context, teamID, jobID string) (Job, error)
	// ListJobs returns one page, newest first, and how many jobs match in all.
	ListJobs(ctx context.Context, q JobQuery) (items []Job, total int, err error)
	// JobsVersion grows with every commit that changes what ListJobs returns of the team's jobs: which there are,
	// their status and progress.
	JobsVersion(ctx context.Context, teamID string) (int64, error)
}

// Lease is a worker's claim on a job.
type Lease struct {
	Worker string // takes one job at a time; no other has the same name, so that a lease is known by it and Now
	Now    time.Time
	Until  time.Time
}

// Fence names one lease of one job. Tokens of a job only grow; each lease takes the next. A write
// with a token that is not the job's newest, or on a job that is not running, is ErrFenced.
type Fence struct {
	JobID string
	Token int64
}

// Attempts moves jobs through their states on behalf of workers and the reaper.
type Attempts interface {
	// LeaseNext makes the due, queued job running that WorkFilter.Order puts first (of the lane's jobs the one
	// due longest): attempt and token rise by one, progress starts again at null, and the team counts as
	// served. Callers at the same moment get different jobs. ErrNotAvailable: no job waits that passes the
	// filter and is due. It costs at most one index lookup for each lane (team, product type and class with
	// waiting jobs), however many jobs wait.
	LeaseNext(ctx context.Context, f WorkFilter, l Lease) (Job, Part, error)
	// Heartbeat extends the lease and raises the progress (percent, never lowered; nil leaves it).
	Heartbeat(ctx context.Context, f Fence, until time.Time, progress *int, now time.Time) error

	// Commit ends the job as succeeded, and its part names the artefacts from now on. With a report the part becomes
	// ready. With datasheets for features of an earlier one, those that the features had are replaced; the report
	// stays as it is. ErrNotFound: one of the features does not exist; ErrGone: no unmarked part of the team names one
	// of the used objects any more; nothing is written.
	Commit(ctx context.Context, f Fence, o Outcome, now time.Time) error
	// Fail ends the job as failed. Its part becomes failed when it is processing and no other job on it
	// is queued or running.
	Fail(ctx context.Context, f Fence, why fault.Error, now time.Time) error
	// Retry puts the job back into the queue, due at the given time.
	Retry(ctx context.Context, f Fence, due, now time.Time) error
	// GiveBack is Retry for a worker that stops in good order: the attempt is not counted, and the job keeps
	// its place, due when it was due before.
	GiveBack(ctx context.Context, f Fence, now time.Time) error

	// TakeBack ends leases that have expired: the job is queued again in its old place while it has had fewer
	// than maxAttempts attempts, else fails with why. Oldest leases first, at most limit.
	TakeBack(ctx context.Context, now time.Time, maxAttempts int, why fault.Error, limit int) ([]Job, error)

	// LostAttempts lists leases that ended without a commit before the given time and whose objects were
	// not deleted yet, oldest first.
	LostAttempts(ctx context.Context, endedBefore time.Time, limit int) ([]LostAttempt, error)
	// Forget says that the objects of a lost attempt are deleted.
	Forget(ctx context.Context, f Fence) error
}

// LostAttempt is a lease that ended without a result; objects may lie under its keys.
type LostAttempt struct {
	Fence
	TeamID string
	PartID string
}

// Operations is what operators see and do, across teams.
type Operations interface {
	// Cancel ends a queued or running job as failed with why, as Fail does; a worker that runs it finds its
	// lease fenced. ErrEnded: the job has ended; it is returned as it is.
	Cancel(ctx context.Context, jobID string, why fault.Error, now time.Time) (Job, error)
	// Requeue queues a failed job again, with all its attempts before it; its part, when it failed with it, is
	// processing again, and in any case has changed now. ErrNotFailed: the job has not failed; it is returned as it
	// is. ErrNotFound: there is no such job, or its part is marked as expired.
	Requeue(ctx context.Context, jobID string, now time.Time) (Job, error)
	// CountQueued counts the queued jobs of a team, or of all when teamID is "", as far as atMost.
	CountQueued(ctx context.Context, teamID string, atMost int) (int, error)
	// Backlog says how many jobs wait and since when, by product type and class in that order.
	Backlog(ctx context.Context) ([]Backlog, error)
	// Leases lists the running jobs, the one whose lease began first at the head; at most limit.
	Leases(ctx context.Context, limit int) ([]Job, error)
	// Expire marks at most limit parts as expired that have not changed since before and have no job that waits,
	// runs, or may have left objects, and returns at most limit of those that are marked, oldest mark first. A marked
	// part cannot be read, get jobs, or lend its artefacts any more.
	Expire(ctx context.Context, before, now time.Time, limit int) ([]ExpiredPart, error)
	// DeletePart removes a marked part with all its records; one that is not marked, or not there, is
	// no error and stays. What was metered stays.
	DeletePart(ctx context.Context, partID string) error
}

// ExpiredPart is a part that is to be deleted, and the objects of its reports and artefacts that no unmarked part has
// among its artefacts.
type ExpiredPart struct {
	Part
	Results []ObjectRef
}

// Backlog is how many jobs of one product type and class wait.
type Backlog struct {
	Product ProductType
	Class   WorkClass
	Queued  int
	Oldest  time.Time // when the one that has waited longest became due
}
