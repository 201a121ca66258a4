package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"millwright.dev/millwright/core/service/account"
)

// purgeInterval is the time between two removals of old sessions.
const purgeInterval = time.Hour

// keepUses writes the collected uses of keys and sessions in batches until ctx ends, and removes old sessions.
func keepUses(ctx context.Context, b *backend, log *slog.Logger) {
	ticks, stop := b.clock.Ticker(account.UseBatchInterval)
	defer stop()
	for purged := b.clock.Now(); ; {
		select {
		case <-ctx.Done():
			return
		case <-ticks:
		}
		storeUses(ctx, b, log)
		if now := b.clock.Now(); now.Sub(purged) >= purgeInterval {
			purged = now
			if err := b.sessions.Purge(ctx); err != nil && ctx.Err() == nil {
				log.Warn("old sessions of the portal are kept", "error", err)
			}
		}
	}
}

// storeUses writes one batch, also when the process stops. Uses that a failed write leaves out come with the next one.
func storeUses(ctx context.Context, b *backend, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(ctx, measureTime)
	defer cancel()
	if err := errors.Join(b.use.Accounts.StoreUses(ctx), b.sessions.StoreSeen(ctx)); err != nil && ctx.Err() == nil {
		log.Warn("the last use of keys and sessions is not stored yet", "error", err)
	}
}
