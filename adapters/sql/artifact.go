package sql

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/worker"
)

// artifactColumns are the columns that scanArtifact reads.
const artifactColumns = `a.key, a.stage, a.bucket, a.object, a.size`

// scanArtifact reads a row of its columns.
func scanArtifact(r Row) (a part.Artifact, err error) {
	return a, r.Scan(&a.Key, &a.Stage, &a.Object.Bucket, &a.Object.Key, &a.Size)
}

// scanObject reads a bucket and a key.
func scanObject(r Row) (o object.Ref, err error) { return o, r.Scan(&o.Bucket, &o.Key) }

// reported returns the objects in the stored bodies of reports.
func reported(bodies [][]byte) ([]object.Ref, error) {
	objects := []object.Ref{}
	for _, body := range bodies {
		var r part.AnalysisReport
		if err := json.Unmarshal(body, &r); err != nil {
			return nil, fmt.Errorf("decode a report: %w", err)
		}
		objects = append(objects, slices.Collect(maps.Values(r.Objects))...)
	}
	return objects, nil
}

// Artifacts implements worker.Records.
func (s *Store) Artifacts(ctx context.Context, teamID string, keys []string) ([]part.Artifact, error) {
	asked, err := ids(keys)
	if err != nil {
		return nil, err
	}
	return ReadRows(ctx, s.DB, scanArtifact, `SELECT `+artifactColumns+`
		FROM `+s.DB.List("$1")+` asked JOIN artefacts a ON a.seq = (
			SELECT n.seq FROM artefacts n JOIN parts p ON p.id = n.part_id
			WHERE n.team_id = $2 AND n.key = asked.value ->> 0 AND p.expired_at = 0 ORDER BY n.seq DESC LIMIT 1)
		ORDER BY asked.key`, asked, teamID)
}

// nameArtifacts records the artifacts that the job made and used as artifacts of its part, and the digest of the
// source.
func nameArtifacts(ctx context.Context, q Querier, j job.Job, o worker.Outcome) error {
	if err := lockObjects(ctx, q, j, o.Used); err != nil {
		return err
	}
	if all := append(o.Made[:len(o.Made):len(o.Made)], o.Used...); len(all) > 0 {
		rows, err := list(all, func(a part.Artifact) []any {
			return []any{a.Key, a.Stage, a.Object.Bucket, a.Object.Key, a.Size}
		})
		if err == nil {
			err = change(ctx, q, `INSERT INTO artefacts (part_id, team_id, key, stage, bucket, object, size)
				SELECT $1, $2, value ->> 0, value ->> 1, value ->> 2, value ->> 3, CAST(value ->> 4 AS BIGINT)
				FROM `+q.List("$3")+` made WHERE true ORDER BY made.key
				ON CONFLICT DO NOTHING`, j.PartID, j.TeamID, rows)
		}
		if err != nil {
			return err
		}
	}
	if o.SourceDigest == "" {
		return nil
	}
	return change(ctx, q, `UPDATE parts SET source_digest = $2 WHERE id = $1 AND source_digest <> $2`,
		j.PartID, o.SourceDigest)
}

// lockObjects checks that unmarked parts name the objects. It locks one such part for each object, so that no one marks
// it before the transaction ends. It skips a part that another transaction is about to mark, since another part may
// name the object. This lock does not block writers of the part, and they do not block it.
func lockObjects(ctx context.Context, q Querier, j job.Job, used []part.Artifact) error {
	if len(used) == 0 {
		return nil
	}
	objects, err := list(used, func(a part.Artifact) []any { return []any{a.Object.Bucket, a.Object.Key} })
	if err != nil {
		return err
	}
	gone, err := One(ctx, q, Value[int], `SELECT count(*)
		FROM `+q.List("$1")+` used WHERE (
			SELECT 1 FROM artefacts n JOIN parts p ON p.id = n.part_id WHERE n.object = used.value ->> 1
			AND n.bucket = used.value ->> 0 AND n.team_id = $2 AND p.expired_at = 0
			LIMIT 1`+q.Lock("KEY SHARE OF p SKIP LOCKED")+`) IS NULL`, objects, j.TeamID)
	if err == nil && gone > 0 {
		err = fmt.Errorf("%d objects of part %s: %w", gone, j.PartID, part.ErrObjectDeleted)
	}
	return err
}
