package sql

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
)

// featureColumns are the columns that scanFeature reads.
const featureColumns = `f.id, f.part_id, f.report_id, f.tag, f.type, f.datasheet,
	(SELECT r.job_id FROM reports r WHERE r.id = f.report_id)`

// scanFeature reads a row of its columns.
func scanFeature(r Row) (part.Feature, error) {
	var f part.Feature
	var sheet []byte
	if err := r.Scan(&f.ID, &f.PartID, &f.ReportID, &f.Tag, &f.Type, &sheet, &f.JobID); err != nil {
		return part.Feature{}, err
	}
	if sheet != nil {
		f.Datasheet = new(feature.Datasheet)
		if err := json.Unmarshal(sheet, f.Datasheet); err != nil {
			return part.Feature{}, fmt.Errorf("datasheet of feature %s: %w", f.ID, err)
		}
	}
	return f, nil
}

// Features implements part.Store.
func (s *Store) Features(ctx context.Context, teamID, reportID string) ([]part.Feature, error) {
	return ReadRows(ctx, s.DB, scanFeature,
		`SELECT `+featureColumns+` FROM features f WHERE f.report_id = $1 AND f.team_id = $2 ORDER BY f.seq`,
		reportID, teamID)
}

// FeaturesByID implements part.Store.
func (s *Store) FeaturesByID(ctx context.Context, teamID string, featureIDs []string,
) ([]part.Feature, error) {
	asked, err := ids(featureIDs)
	if err != nil {
		return nil, err
	}
	return ReadRows(ctx, s.DB, scanFeature, `SELECT `+featureColumns+`
		FROM `+s.DB.List("$1")+` asked JOIN features f ON f.id = asked.value ->> 0
		WHERE f.team_id = $2 ORDER BY asked.key`, asked, teamID)
}

// insertFeatures adds the features of a report, without datasheets.
func insertFeatures(ctx context.Context, q Querier, r part.AnalysisReport) error {
	if len(r.Analysis.Features) == 0 {
		return nil
	}
	rows, err := list(r.Analysis.Features, func(f pipeline.PartFeature) []any {
		return []any{f.FeatureID, f.FeatureTag, f.FeatureType}
	})
	if err != nil {
		return err
	}
	return change(ctx, q, `INSERT INTO features (id, team_id, part_id, report_id, tag, type)
		SELECT f.value ->> 0, $1, $2, $3, f.value ->> 1, f.value ->> 2
		FROM `+q.List("$4")+` f ORDER BY f.key`, r.TeamID, r.PartID, r.ID, rows)
}

// setDatasheets gives features of a report their datasheets. Their rows are locked in the order of ids first, so
// that two jobs on one report do not wait for each other.
func setDatasheets(ctx context.Context, q Querier, reportID string, details []part.FeatureDetail) error {
	if len(details) == 0 {
		return nil
	}
	rows := make([][2]string, len(details))
	for i := range details {
		sheet, err := jsonText(details[i].Datasheet)
		if err != nil {
			return fmt.Errorf("encode the datasheet of feature %s: %w", details[i].FeatureID, err)
		}
		rows[i] = [2]string{details[i].FeatureID, sheet}
	}
	sheets, err := list(rows, func(r [2]string) []any { return []any{r[0], r[1]} })
	if err != nil {
		return err
	}
	there, err := Collect(ctx, q, Value[string], `SELECT id FROM features WHERE report_id = $2 AND id IN (
			SELECT value ->> 0 FROM `+q.List("$1")+` s)
		ORDER BY id`+q.Lock("NO KEY UPDATE"), sheets, reportID)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if _, ok := slices.BinarySearch(there, row[0]); !ok {
			return fmt.Errorf("feature %s of report %s: %w", row[0], reportID, record.ErrNotFound)
		}
	}
	return change(ctx, q, `UPDATE features AS f SET datasheet = `+q.JSON("s.value ->> 1")+`
		FROM `+q.List("$1")+` s WHERE f.id = s.value ->> 0`, sheets)
}
