package part

import (
	"context"
	"fmt"
	"time"

	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/object"
)

// DeletedPart is a part that is marked as deleted, and the objects of its reports and artifacts that no other part has
// among its artifacts.
type DeletedPart struct {
	Part
	Results []object.Ref
}

// slowestUpload is the maximum duration of an upload that began before its address expired. The service closes slower
// connections.
const slowestUpload = 24 * time.Hour

// Delete ends the jobs of a part and deletes its files and records. Metered usage stays. Error code: not_found.
//
// The part is marked first and cannot be read from then on. The reaper deletes the rest as soon as it can
// (worker.Retention), for example while a worker still uses the part or the objects are unreachable. The mark stays
// until the last upload address has expired, so that a late upload is found.
func (s *Service) Delete(ctx context.Context, c account.Caller, partID string) error {
	now := s.now()
	d, err := s.store.Discard(ctx, c.TeamID, partID, now, now.Add(s.config.AddressLife+slowestUpload))
	if err != nil {
		return gone(err, partID)
	}
	if err := s.jobs.EndAll(ctx, c, partID, "The part was deleted."); err != nil {
		return err
	}
	_ = Purge(ctx, s.objects, s.store, d, now) // the reaper deletes the rest
	return nil
}

// Purger deletes the records of marked parts.
type Purger interface {
	// DeletePart removes the records of a marked part that no worker uses. A part that is unmarked or missing is left
	// unchanged without an error. While late uploads are possible, only the mark of the part stays. Metered usage
	// stays.
	DeletePart(ctx context.Context, partID string, now time.Time) error
}

// Purge deletes the objects of a marked part before its records, so that a crash loses no reference to an object.
func Purge(ctx context.Context, objects object.Store, records Purger, d DeletedPart, now time.Time) error {
	for _, ref := range append(SourceObjects(d.Part), d.Results...) {
		if err := objects.Delete(ctx, ref); err != nil {
			return fmt.Errorf("delete %s: %w", ref.Key, err)
		}
	}
	return records.DeletePart(ctx, d.ID, now)
}
