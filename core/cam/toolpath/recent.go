package toolpath

import (
	"context"
	"crypto/sha256"
	"fmt"

	"millwright.dev/millwright/core/cam/toolpath/adaptive"
	"millwright.dev/millwright/core/parallel"
)

// mostCleared is the number of moves of cleared levels that are kept: some 40 MB.
const mostCleared = 1 << 19

// cleared are the recent levels of all programs: the levels of a pocket repeat one another, and so do the revisions of
// a program.
var cleared = parallel.NewRecent[[sha256.Size]byte](mostCleared,
	func(r *adaptive.Result) int { return 1 + len(r.Moves) })

// clearLevel is adaptive.Clear. The caller must not change the result.
func clearLevel(ctx context.Context, l *adaptive.Level) (*adaptive.Result, error) {
	return cleared.Get(levelDigest(l), func() (*adaptive.Result, error) { return adaptive.Clear(ctx, *l) })
}

// levelDigest returns a digest of a level.
func levelDigest(l *adaptive.Level) [sha256.Size]byte {
	rest := *l
	rest.Allowed, rest.Stock, rest.Target = nil, nil, nil
	return sha256.Sum256(fmt.Appendf(nil, "%v %x %x %x", rest, l.Allowed.Digest(), l.Stock.Digest(), l.Target.Digest()))
}
