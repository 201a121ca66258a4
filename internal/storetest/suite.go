// Package storetest is the suite that every store of records must pass: each transition of the state
// machines, fencing, isolation of teams, atomicity, order of lists, and concurrent callers.
package storetest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/catalog"
	"millwright.dev/millwright/core/service/idempotency"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/program"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/session"
	"millwright.dev/millwright/core/service/worker"
)

// Store is all ports that a database implements.
type Store interface {
	record.Pinger
	record.Timekeeper
	account.Store
	account.KeyStore
	session.Store
	idempotency.Store
	job.Store
	catalog.CutConfigs
	catalog.ToolLibraries
	catalog.Holders
	catalog.Projects
	part.Store
	program.Store
	worker.Attempts
	worker.Records
	worker.Retention
}

// Run runs the suite. open returns an empty store, closed by the test's clean-up.
func Run(t *testing.T, open func(t *testing.T) Store) {
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			f := &fixture{t: t, ctx: t.Context(), store: open(t), now: epoch}
			f.team = f.newTeam("acme")
			c.test(t, f)
		})
	}
}

// tests is the suite; each test gets a new store.
var tests = []struct {
	name string
	test func(*testing.T, *fixture)
}{
	{"Ping", testPing},
	{"Time", testTime},
	{"TeamsAndUsers", testTeamsAndUsers},
	{"Keys", testKeys},
	{"RevokeKey", testRevokeKey},
	{"EditKey", testEditKey},
	{"KeyOfTeam", testKeyOfTeam},
	{"RollKey", testRollKey},
	{"RollAtOnce", testRollAtOnce},
	{"KeyUses", testKeyUses},
	{"OriginAllowed", testOriginAllowed},
	{"SignIn", testSignIn},
	{"SignInAgain", testSignInAgain},
	{"SignInAtOnce", testSignInAtOnce},
	{"Sessions", testSessions},
	{"PurgeSessions", testPurgeSessions},
	{"RequestIsAnsweredOnce", testRequestIsAnsweredOnce},
	{"RequestIsTakenOver", testRequestIsTakenOver},
	{"RequestIsReleased", testRequestIsReleased},
	{"RequestIsHeld", testRequestIsHeld},
	{"RequestsAtOnce", testRequestsAtOnce},
	{"PurgeRequests", testPurgeRequests},
	{"Pace", testPace},
	{"PaceOfKnownPart", testPaceOfKnownPart},
	{"PaceAtOnce", testPaceAtOnce},
	{"Usage", testUsage},
	{"UsageByDay", testUsageByDay},
	{"Held", testHeld},
	{"QuotaOfBytes", testQuotaOfBytes},
	{"QuotaOfProjects", testQuotaOfProjects},
	{"QuotaOfQueued", testQuotaOfQueued},
	{"QuotaAtOnce", testQuotaAtOnce},
	{"Parts", testParts},
	{"PartOfAnotherTeam", testPartOfAnotherTeam},
	{"PartWithProject", testPartWithProject},
	{"ListParts", testListParts},
	{"UpdatePart", testUpdatePart},
	{"Discard", testDiscard},
	{"DiscardOrCommit", testDiscardOrCommit},
	{"DiscardOrEnqueue", testDiscardOrEnqueue},
	{"Projects", testProjects},
	{"ListProjects", testListProjects},
	{"ProjectOfAnotherTeam", testProjectOfAnotherTeam},
	{"ProjectUpdatesAtOnce", testProjectUpdatesAtOnce},
	{"CutConfigs", testCutConfigs},
	{"CutConfigOfAnotherTeam", testCutConfigOfAnotherTeam},
	{"DefaultCutConfig", testDefaultCutConfig},
	{"DeleteCutConfig", testDeleteCutConfig},
	{"DeleteAfterCheck", testDeleteAfterCheck},
	{"CutConfigDeletedAtOnce", testCutConfigDeletedAtOnce},
	{"ToolLibraries", testToolLibraries},
	{"UpdateToolLibrary", testUpdateToolLibrary},
	{"DeleteToolLibrary", testDeleteToolLibrary},
	{"ToolingOfAnotherTeam", testToolingOfAnotherTeam},
	{"Holders", testHolders},
	{"EnqueueFirstJob", testEnqueueFirstJob},
	{"EnqueueOnlyIfPending", testEnqueueOnlyIfPending},
	{"EnqueueAtOnce", testEnqueueAtOnce},
	{"EnqueueIsAtomic", testEnqueueIsAtomic},
	{"EnqueueForAnotherTeam", testEnqueueForAnotherTeam},
	{"JobOfAnotherTeam", testJobOfAnotherTeam},
	{"ListJobsPages", testListJobsPages},
	{"ListJobsFilters", testListJobsFilters},
	{"TeamVersion", testTeamVersion},
	{"Lease", testLease},
	{"LeaseNotAvailable", testLeaseNotAvailable},
	{"LeaseAtOnce", testLeaseAtOnce},
	{"Heartbeat", testHeartbeat},
	{"ProgressNeverFalls", testProgressNeverFalls},
	{"Commit", testCommit},
	{"CommitClearsEarlierFailure", testCommitClearsEarlierFailure},
	{"ReportsAreKept", testReportsAreKept},
	{"Features", testFeatures},
	{"FeaturesOfAnotherTeam", testFeaturesOfAnotherTeam},
	{"CommitDetails", testCommitDetails},
	{"CommitDetailsIsAtomic", testCommitDetailsIsAtomic},
	{"Place", testPlace},
	{"PlaceRefused", testPlaceRefused},
	{"ProgramEnds", testProgramEnds},
	{"ProgramDisproved", testProgramDisproved},
	{"ProgramFails", testProgramFails},
	{"Follow", testFollow},
	{"ProgramsOfAnotherTeam", testProgramsOfAnotherTeam},
	{"ExpireProgram", testExpireProgram},
	{"SharedCuttings", testSharedCuttings},
	{"CuttingHeldAtOnce", testCuttingHeldAtOnce},
	{"Artefacts", testArtifacts},
	{"ArtefactMadeTwice", testArtifactMadeTwice},
	{"ArtefactAdopted", testArtifactAdopted},
	{"ExpireSharedArtefact", testExpireSharedArtifact},
	{"AdoptOrExpire", testAdoptOrExpire},
	{"ExpireAtOnce", testExpireAtOnce},
	{"JobInput", testJobInput},
	{"Fail", testFail},
	{"JudgedJob", testJudgedJob},
	{"FailLeavesReadyPart", testFailLeavesReadyPart},
	{"FailWaitsForOtherJobs", testFailWaitsForOtherJobs},
	{"Retry", testRetry},
	{"GiveBack", testGiveBack},
	{"Fencing", testFencing},
	{"LateCommitLeavesNoTrace", testLateCommitLeavesNoTrace},
	{"CommitAtOnce", testCommitAtOnce},
	{"TakeBack", testTakeBack},
	{"TakeBackLastAttempt", testTakeBackLastAttempt},
	{"Order", testOrder},
	{"TeamsTakeTurns", testTeamsTakeTurns},
	{"FewestRunningFirst", testFewestRunningFirst},
	{"LeaseFilter", testLeaseFilter},
	{"PlaceIsKept", testPlaceIsKept},
	{"Cancel", testCancel},
	{"CancelRunning", testCancelRunning},
	{"CancelEnded", testCancelEnded},
	{"Requeue", testRequeue},
	{"RequeueNotFailed", testRequeueNotFailed},
	{"Counts", testCounts},
	{"Expire", testExpire},
	{"ExpireOrRequeue", testExpireOrRequeue},
	{"LostAttempts", testLostAttempts},
	{"OddText", testOddText},
	{"PartsThatFailAtOnce", testPartsThatFailAtOnce},
	{"TakenBackAtOnce", testTakenBackAtOnce},
	{"Crowd", testCrowd},
}

// epoch has a fraction of a second, so that a store that drops it is found out.
var epoch = time.Date(2026, 11, 3, 9, 30, 0, 123456000, time.UTC)

const (
	leaseTime   = 30 * time.Second
	maxAttempts = 3
)

var serial atomic.Int64

// fixture is an empty store with one team and a clock that the test moves.
type fixture struct {
	t     *testing.T
	ctx   context.Context
	store Store
	now   time.Time
	team  account.Team
}

func (f *fixture) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatalf("unexpected error: %v", err)
	}
}

// tick moves the clock by a second and returns the new time.
func (f *fixture) tick() time.Time { return f.after(time.Second) }

func (f *fixture) after(d time.Duration) time.Time {
	f.now = f.now.Add(d)
	return f.now
}

func (f *fixture) newTeam(name string) account.Team {
	f.t.Helper()
	team := account.Team{ID: uuid.NewString(), Name: name, CreatedAt: f.now}
	f.must(f.store.CreateTeam(f.ctx, team))
	return team
}

func (f *fixture) newKey(team account.Team, user account.User) account.Key {
	f.t.Helper()
	n := serial.Add(1)
	key := account.Key{
		ID: uuid.NewString(), TeamID: team.ID, CreatorID: user.ID, Name: fmt.Sprintf("key %d", n),
		Prefix: "mw_live_abcdefgh", Hash: sha256.Sum256(fmt.Append(nil, n)), Access: account.FullAccess,
		AllowedOrigins: []string{}, CreatedAt: f.tick(), Kind: account.KeyOrdinary,
	}
	f.must(f.store.CreateKey(f.ctx, key))
	return key
}

func (f *fixture) newUser(team account.Team, name string) account.User {
	f.t.Helper()
	user := account.User{ID: uuid.NewString(), TeamID: team.ID, Name: name, CreatedAt: f.now}
	f.must(f.store.CreateUser(f.ctx, user))
	return user
}

// pendingPart adds a part that waits for its upload.
func (f *fixture) pendingPart(team account.Team) part.Part {
	f.t.Helper()
	id := uuid.NewString()
	p := part.Part{
		ID: id, TeamID: team.ID, FileName: "bracket.step", Status: part.Pending,
		Warnings: []fault.Warning{}, ProgramIDs: []string{}, CutConfigIDs: []string{}, AutoCreateProgram: true,
		Source:    object.Ref{Bucket: "sources", Key: "parts/" + id + "/source.step"},
		CreatedAt: f.tick(), UpdatedAt: f.now,
	}
	f.must(f.store.CreatePart(f.ctx, p, part.CreateTerms{}))
	return p
}

const partSize = 4711

func (f *fixture) job(part part.Part, product job.Product) job.Job {
	return job.Job{
		ID: uuid.NewString(), TeamID: part.TeamID, PartID: part.ID, Product: product, Status: job.Queued,
		Warnings: []fault.Warning{}, DueAt: f.now, CreatedAt: f.now, UpdatedAt: f.now,
	}
}

// queued adds a job to a part.
func (f *fixture) queued(p part.Part) job.Job {
	f.t.Helper()
	f.tick()
	job := f.job(p, job.PartAnalysis)
	_, err := f.store.Enqueue(f.ctx, job, part.EnqueueOptions{SourceSize: partSize})
	f.must(err)
	return job
}

// leased adds a part with a job and takes it.
func (f *fixture) leased() (part.Part, job.Job, job.FencingToken) {
	f.t.Helper()
	part := f.pendingPart(f.team)
	job, fence := f.lease(f.queued(part).ID)
	return part, job, fence
}

// lease takes the next job, which has to be the given one.
func (f *fixture) lease(jobID string) (job.Job, job.FencingToken) {
	f.t.Helper()
	j, _, err := f.store.LeaseNext(f.ctx, job.WorkFilter{}, f.newLease())
	f.must(err)
	if j.ID != jobID {
		f.t.Fatalf("LeaseNext = %+v, want job %s", j, jobID)
	}
	return j, job.FencingToken{JobID: j.ID, Token: j.Token}
}

func (f *fixture) newLease() job.Lease {
	now := f.tick()
	return job.Lease{Worker: "worker-1", Now: now, Until: now.Add(leaseTime)}
}

func (f *fixture) getJob(id string) job.Job {
	f.t.Helper()
	j, err := f.store.Job(f.ctx, f.team.ID, id)
	f.must(err)
	return j
}

func (f *fixture) getPart(id string) part.Part {
	f.t.Helper()
	p, err := f.store.Part(f.ctx, f.team.ID, id)
	f.must(err)
	return p
}

func (f *fixture) report(job job.Job) part.AnalysisReport {
	folder := fmt.Sprintf("parts/%s/%d/", job.PartID, job.Token)
	return part.AnalysisReport{
		ID: uuid.NewString(), TeamID: job.TeamID, PartID: job.PartID, JobID: job.ID,
		Analysis: pipeline.Analysis{
			KernelVersion: "1.2.3", Warnings: []fault.Warning{{Code: "edge_way", Message: "#12 PLANE is skewed.", Entity: "#12"}},
			Shape:     pipeline.Shape{Format: "step", Solids: 1, Faces: 6, Volume: 1000.0625, Exact: new(false), Sag: new(0.2)},
			MeshFacts: pipeline.MeshFacts{Watertight: true, MeshPointCount: 8, MeshTriangleCount: 12},
			Regions:   []pipeline.Region{{Idx: 0, ShapeKind: "Plane", Area: 100, TriangleEnd: 2}},
			Recognition: pipeline.Recognition{
				Features: []pipeline.PartFeature{{
					FeatureID: uuid.NewString(), FeatureTag: "ab12", RegionIdxs: []int{0}, FeatureType: "Face",
					MachiningDirection: geom.Vec3{Z: 1}, Axis: &geom.Vec3{Z: 1},
				}},
				Holes: []pipeline.HoleSummary{},
				PartSummary: pipeline.PartSummary{
					CandidateDirections: []geom.Vec3{{Z: 1}, {X: -1}},
					Setups:              []pipeline.Setup{{Index: 1, Direction: geom.Vec3{Z: 1}, FeatureTags: []string{"ab12"}}},
				},
			},
		},
		Objects:    map[pipeline.Name]object.Ref{pipeline.STL: {Bucket: "results", Key: folder + "mesh.stl"}},
		DownloadMs: 3, RecognitionMs: 40,
		TotalMs: 50, CreatedAt: f.now,
	}
}

// atOnce runs do(0) … do(n-1) on a goroutine each and fails the test on any error.
func (f *fixture) atOnce(n int, do func(i int) error) {
	f.t.Helper()
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { errs[i] = do(i) })
	}
	all.Wait()
	f.must(errors.Join(errs...))
}
