package worker

import (
	"path"
	"strconv"

	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
)

// AttemptObject returns the location of a stage's artifact for one attempt. No two attempts share an object, so a late
// attempt cannot change the objects of a later one.
func AttemptObject(bucket, teamID, partID string, f job.FencingToken, n pipeline.Name) object.Ref {
	return object.Ref{Bucket: bucket, Key: path.Join(
		"teams", teamID, "parts", partID, "jobs", f.JobID, strconv.FormatInt(f.Token, 10), string(n))}
}
