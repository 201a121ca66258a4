package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	record "millwright/adapters/sql"
	"millwright/core/service"
)

// Features implements service.Parts.
func (s *Store) Features(ctx context.Context, teamID, reportID string) ([]service.FeatureRecord, error) {
	return readRows(ctx, s, record.ScanFeature,
		`SELECT `+record.FeatureColumns+` FROM features f WHERE f.report_id = $1 AND f.team_id = $2 ORDER BY f.seq`,
		reportID, teamID)
}

// FeaturesByID implements service.Parts.
func (s *Store) FeaturesByID(ctx context.Context, teamID string, featureIDs []string,
) ([]service.FeatureRecord, error) {
	return readRows(ctx, s, record.ScanFeature,
		`SELECT `+record.FeatureColumns+` FROM unnest($1::text[]) WITH ORDINALITY asked (id, place)
		JOIN features f ON f.id = asked.id WHERE f.team_id = $2 ORDER BY asked.place`, texts(featureIDs), teamID)
}

// insertFeatures adds the features of a report, without datasheets, in one statement.
func insertFeatures(ctx context.Context, tx pgx.Tx, r service.Report) error {
	list := r.Analysis.Features
	if len(list) == 0 {
		return nil
	}
	ids, tags, types := make([]string, len(list)), make([]string, len(list)), make([]string, len(list))
	for i, f := range list {
		ids[i], tags[i], types[i] = f.FeatureID, f.FeatureTag, f.FeatureType
	}
	_, err := tx.Exec(ctx, `INSERT INTO features (id, team_id, part_id, report_id, tag, type)
		SELECT f.id, $1, $2, $3, f.tag, f.type
		FROM unnest($4::text[], $5::text[], $6::text[]) WITH ORDINALITY f (id, tag, type, place) ORDER BY f.place`,
		r.TeamID, r.PartID, r.ID, ids, tags, types)
	return unique(err)
}

// setDatasheets gives features of a report their datasheets. Their rows are locked in the order of ids first, so
// that two jobs on one report do not wait for each other.
func setDatasheets(ctx context.Context, tx pgx.Tx, reportID string, details []service.FeatureDetail) error {
	if len(details) == 0 {
		return nil
	}
	ids, sheets := make([]string, len(details)), make([]string, len(details))
	for i := range details {
		sheet, err := json.Marshal(details[i].Datasheet)
		if err != nil {
			return fmt.Errorf("encode the datasheet of feature %s: %w", details[i].FeatureID, err)
		}
		ids[i], sheets[i] = details[i].FeatureID, string(sheet)
	}
	there, err := collect(ctx, tx, scanValue[string],
		`SELECT id FROM features WHERE id = ANY($1) AND report_id = $2 ORDER BY id FOR NO KEY UPDATE`, ids, reportID)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, ok := slices.BinarySearch(there, id); !ok {
			return fmt.Errorf("feature %s of report %s: %w", id, reportID, service.ErrNotFound)
		}
	}
	_, err = tx.Exec(ctx, `UPDATE features f SET datasheet = s.sheet::json
		FROM unnest($1::text[], $2::text[]) s (id, sheet) WHERE f.id = s.id`, ids, sheets)
	return err
}
