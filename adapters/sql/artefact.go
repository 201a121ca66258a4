package sql

import (
	"encoding/json"
	"fmt"

	"millwright/core/service"
)

// ArtefactColumns are the columns that ScanArtefact reads.
const ArtefactColumns = `a.key, a.stage, a.bucket, a.object, a.size`

// ScanArtefact reads a row of its columns.
func ScanArtefact(r Row) (a service.Artefact, err error) {
	return a, r.Scan(&a.Key, &a.Stage, &a.Object.Bucket, &a.Object.Key, &a.Size)
}

// ScanObject reads a bucket and a key.
func ScanObject(r Row) (o service.ObjectRef, err error) { return o, r.Scan(&o.Bucket, &o.Key) }

// Reported returns the objects of reports, as their rows hold them.
func Reported(bodies [][]byte) ([]service.ObjectRef, error) {
	objects := []service.ObjectRef{}
	for _, body := range bodies {
		var r service.Report
		if err := json.Unmarshal(body, &r); err != nil {
			return nil, fmt.Errorf("decode a report: %w", err)
		}
		objects = append(objects, r.Objects()...)
	}
	return objects, nil
}
