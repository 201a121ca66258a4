package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	record "millwright/adapters/sql"
	"millwright/core/service"
)

// Artefacts implements service.Parts.
func (s *Store) Artefacts(ctx context.Context, teamID string, keys []string) ([]service.Artefact, error) {
	list, err := json.Marshal(keys)
	if err != nil {
		return nil, err
	}
	rows, err := s.read.QueryContext(ctx, `SELECT `+record.ArtefactColumns+` FROM json_each(?) asked
		JOIN artefacts a ON a.seq = (SELECT n.seq FROM artefacts n JOIN parts p ON p.id = n.part_id
			WHERE n.team_id = ? AND n.key = asked.value AND p.expired_at = 0 ORDER BY n.seq LIMIT 1)
		ORDER BY asked.key`, string(list), teamID)
	return collect(rows, err, record.ScanArtefact)
}

// nameArtefacts makes the part of a job name what the job made and used, and keeps what it says of the source.
func nameArtefacts(ctx context.Context, tx *sql.Tx, j service.Job, o service.Outcome) error {
	for _, a := range o.Used {
		var named bool
		err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM artefacts n JOIN parts p ON p.id = n.part_id
			WHERE n.object = ? AND n.bucket = ? AND n.team_id = ? AND p.expired_at = 0)`,
			a.Object.Key, a.Object.Bucket, j.TeamID).Scan(&named)
		if err != nil {
			return err
		}
		if !named {
			return fmt.Errorf("%s of part %s: %w", a.Object.Key, j.PartID, service.ErrGone)
		}
	}
	for _, list := range [][]service.Artefact{o.Made, o.Used} {
		for _, a := range list {
			_, err := tx.ExecContext(ctx, `INSERT INTO artefacts (part_id, team_id, key, stage, bucket, object, size)
				VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
				j.PartID, j.TeamID, a.Key, a.Stage, a.Object.Bucket, a.Object.Key, a.Size)
			if err != nil {
				return err
			}
		}
	}
	if o.SourceDigest == "" {
		return nil
	}
	_, err := tx.ExecContext(ctx, `UPDATE parts SET source_digest = ?1 WHERE id = ?2 AND source_digest <> ?1`,
		o.SourceDigest, j.PartID)
	return err
}
