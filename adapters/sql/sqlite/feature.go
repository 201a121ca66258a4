package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	record "millwright/adapters/sql"
	"millwright/core/service"
)

// Features implements service.Parts.
func (s *Store) Features(ctx context.Context, teamID, reportID string) ([]service.FeatureRecord, error) {
	rows, err := s.read.QueryContext(ctx,
		`SELECT `+record.FeatureColumns+` FROM features f WHERE f.report_id = ? AND f.team_id = ? ORDER BY f.seq`,
		reportID, teamID)
	return collect(rows, err, record.ScanFeature)
}

// FeaturesByID implements service.Parts.
func (s *Store) FeaturesByID(ctx context.Context, teamID string, featureIDs []string,
) ([]service.FeatureRecord, error) {
	list, err := json.Marshal(featureIDs)
	if err != nil {
		return nil, err
	}
	rows, err := s.read.QueryContext(ctx,
		`SELECT `+record.FeatureColumns+` FROM json_each(?) asked JOIN features f ON f.id = asked.value
		WHERE f.team_id = ? ORDER BY asked.key`, string(list), teamID)
	return collect(rows, err, record.ScanFeature)
}

// insertFeatures adds the features of a report, without datasheets.
func insertFeatures(ctx context.Context, tx *sql.Tx, r service.Report) error {
	insert, err := tx.PrepareContext(ctx, `INSERT INTO features (id, team_id, part_id, report_id, tag, type)
		VALUES (?, ?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	defer func() { _ = insert.Close() }()
	for _, f := range r.Analysis.Features {
		_, err := insert.ExecContext(ctx, f.FeatureID, r.TeamID, r.PartID, r.ID, f.FeatureTag, f.FeatureType)
		if err != nil {
			return unique(err)
		}
	}
	return nil
}

// setDatasheets gives features of a report their datasheets.
func setDatasheets(ctx context.Context, tx *sql.Tx, reportID string, details []service.FeatureDetail) error {
	set, err := tx.PrepareContext(ctx, `UPDATE features SET datasheet = ? WHERE id = ? AND report_id = ?`)
	if err != nil {
		return err
	}
	defer func() { _ = set.Close() }()
	for i := range details {
		sheet, err := json.Marshal(details[i].Datasheet)
		if err != nil {
			return fmt.Errorf("encode the datasheet of feature %s: %w", details[i].FeatureID, err)
		}
		done, err := set.ExecContext(ctx, sheet, details[i].FeatureID, reportID)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return fmt.Errorf("feature %s of report %s: %w", details[i].FeatureID, reportID, service.ErrNotFound)
		}
	}
	return nil
}
