package worker

import (
	"path"
	"strconv"

	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
)

// AttemptObject is where one attempt puts the artifact of a stage. No two attempts share an object, so that a late
// one cannot touch what a later one committed.
func AttemptObject(bucket, teamID, partID string, f job.FencingToken, n pipeline.Name) object.Ref {
	return object.Ref{Bucket: bucket, Key: path.Join(
		"teams", teamID, "parts", partID, "jobs", f.JobID, strconv.FormatInt(f.Token, 10), string(n))}
}
