package sql

import (
	"encoding/json"
	"fmt"

	"millwright/core/feature"
	"millwright/core/service"
)

// FeatureColumns are the columns that ScanFeature reads.
const FeatureColumns = `f.id, f.part_id, f.report_id, f.tag, f.type, f.datasheet`

// ScanFeature reads a row of its columns.
func ScanFeature(r Row) (service.FeatureRecord, error) {
	var f service.FeatureRecord
	var sheet []byte
	if err := r.Scan(&f.ID, &f.PartID, &f.ReportID, &f.Tag, &f.Type, &sheet); err != nil {
		return service.FeatureRecord{}, err
	}
	if sheet != nil {
		f.Datasheet = new(feature.Datasheet)
		if err := json.Unmarshal(sheet, f.Datasheet); err != nil {
			return service.FeatureRecord{}, fmt.Errorf("datasheet of feature %s: %w", f.ID, err)
		}
	}
	return f, nil
}
