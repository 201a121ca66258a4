package sql

import (
	"millwright/core/service"
)

// RequestColumns are the columns that ScanRequest reads.
const RequestColumns = `scope, fingerprint, record_id, token, lease_until, status, content_type, body, keep_until`

// ScanRequest reads a row of its columns.
func ScanRequest(r Row) (service.KnownRequest, error) {
	var k service.KnownRequest
	var scope, fingerprint []byte
	var lease, keep int64
	a := service.Answer{Body: []byte{}}
	err := r.Scan(&scope, &fingerprint, &k.RecordID, &k.Token, &lease, &a.Status, &a.ContentType, &a.Body, &keep)
	if err != nil {
		return service.KnownRequest{}, err
	}
	copy(k.Scope[:], scope)
	copy(k.Fingerprint[:], fingerprint)
	k.HeldUntil = Time(lease)
	if a.Status != 0 {
		k.Answer = &a
	}
	return k, nil
}
