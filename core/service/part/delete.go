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

// slowestUpload is how long an upload that began at an address in time may take: the service gives a slow client no
// longer.
const slowestUpload = 24 * time.Hour

// Delete ends the jobs of a part, and deletes its files and records. What was metered stays. Error code: not_found.
//
// The part is marked first and cannot be read from then on. What cannot be deleted at once, since a worker is at it or
// the objects cannot be reached, the reaper deletes as soon as it can (worker.Retention). The mark itself stays until no
// upload address can bring an object any more, so that one that comes late is found.
func (s *Service) Delete(ctx context.Context, c account.Caller, partID string) error {
	now := s.now()
	d, err := s.store.Discard(ctx, c.TeamID, partID, now, now.Add(s.config.AddressLife+slowestUpload))
	if err != nil {
		return gone(err, partID)
	}
	if err := s.jobs.EndAll(ctx, c, partID, "The part was deleted."); err != nil {
		return err
	}
	_ = Purge(ctx, s.objects, s.store, d, now) // what is left is the reaper's
	return nil
}

// Purger deletes the records of marked parts.
type Purger interface {
	// DeletePart removes the records of a marked part that no worker is at; one that is not marked, or not there, is no
	// error and stays. Nothing but the mark is left of a part that late uploads may come for, until they no longer can.
	// What was metered stays.
	DeletePart(ctx context.Context, partID string, now time.Time) error
}

// Purge deletes the objects of a marked part and then its records, so that what a crash leaves is found again.
func Purge(ctx context.Context, objects object.Store, records Purger, d DeletedPart, now time.Time) error {
	for _, ref := range append(SourceObjects(d.Part), d.Results...) {
		if err := objects.Delete(ctx, ref); err != nil {
			return fmt.Errorf("delete %s: %w", ref.Key, err)
		}
	}
	return records.DeletePart(ctx, d.ID, now)
}
