package main

import (
	"context"
	"log/slog"

	"millwright.dev/millwright/core/service/account"
)

// keepUses writes the collected uses of keys in batches until ctx ends.
func keepUses(ctx context.Context, b *backend, log *slog.Logger) {
	ticks, stop := b.clock.Ticker(account.UseBatchInterval)
	defer stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks:
		}
		storeUses(ctx, b, log)
	}
}

// storeUses writes one batch, also when the process stops. What a failed write leaves out comes with the next one.
func storeUses(ctx context.Context, b *backend, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(ctx, measureTime)
	defer cancel()
	if err := b.use.Accounts.StoreUses(ctx); err != nil && ctx.Err() == nil {
		log.Warn("the last use of keys is not stored", "error", err)
	}
}
