package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	record "millwright/adapters/sql"
	"millwright/core/service"
)

// Artefacts implements service.Parts.
func (s *Store) Artefacts(ctx context.Context, teamID string, keys []string) ([]service.Artefact, error) {
	return readRows(ctx, s, record.ScanArtefact, `SELECT `+record.ArtefactColumns+`
		FROM unnest($1::text[]) WITH ORDINALITY asked (key, place) CROSS JOIN LATERAL (
			SELECT n.* FROM artefacts n JOIN parts p ON p.id = n.part_id
			WHERE n.team_id = $2 AND n.key = asked.key AND p.expired_at = 0 ORDER BY n.seq LIMIT 1) a
		ORDER BY asked.place`, texts(keys), teamID)
}

// nameArtefacts makes the part of a job name what the job made and used, and keeps what it says of the source.
func nameArtefacts(ctx context.Context, tx pgx.Tx, j service.Job, o service.Outcome) error {
	if err := holdObjects(ctx, tx, j, o.Used); err != nil {
		return err
	}
	if err := insertArtefacts(ctx, tx, j, append(o.Made[:len(o.Made):len(o.Made)], o.Used...)); err != nil {
		return err
	}
	if o.SourceDigest == "" {
		return nil
	}
	_, err := tx.Exec(ctx, `UPDATE parts SET source_digest = $2 WHERE id = $1 AND source_digest <> $2`,
		j.PartID, o.SourceDigest)
	return err
}

// holdObjects checks that unmarked parts name the objects, and keeps one of them each from being marked until the
// transaction ends. A part that somebody is about to mark is passed over: another may name the object. Writers of the
// part do not wait for this lock, nor this for theirs.
func holdObjects(ctx context.Context, tx pgx.Tx, j service.Job, used []service.Artefact) error {
	if len(used) == 0 {
		return nil
	}
	buckets, objects := make([]string, len(used)), make([]string, len(used))
	for i, a := range used {
		buckets[i], objects[i] = a.Object.Bucket, a.Object.Key
	}
	held, err := collect(ctx, tx, scanValue[int], `SELECT used.place
		FROM unnest($1::text[], $2::text[]) WITH ORDINALITY used (bucket, object, place) CROSS JOIN LATERAL (
			SELECT 1 FROM artefacts n JOIN parts p ON p.id = n.part_id
			WHERE n.object = used.object AND n.bucket = used.bucket AND n.team_id = $3 AND p.expired_at = 0
			LIMIT 1 FOR KEY SHARE OF p SKIP LOCKED) held`, buckets, objects, j.TeamID)
	if err == nil && len(held) < len(used) {
		err = fmt.Errorf("%d objects of part %s: %w", len(used)-len(held), j.PartID, service.ErrGone)
	}
	return err
}

func insertArtefacts(ctx context.Context, tx pgx.Tx, j service.Job, list []service.Artefact) error {
	if len(list) == 0 {
		return nil
	}
	var keys, stages, buckets, objects []string
	var sizes []int64
	for _, a := range list {
		keys, stages, sizes = append(keys, a.Key), append(stages, a.Stage), append(sizes, a.Size)
		buckets, objects = append(buckets, a.Object.Bucket), append(objects, a.Object.Key)
	}
	_, err := tx.Exec(ctx, `INSERT INTO artefacts (part_id, team_id, key, stage, bucket, object, size)
		SELECT $1, $2, a.* FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[]) a
		ON CONFLICT DO NOTHING`, j.PartID, j.TeamID, keys, stages, buckets, objects, sizes)
	return err
}
