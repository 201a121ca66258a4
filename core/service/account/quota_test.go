package account_test

import (
	"errors"
	"math"
	"testing"

	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
)

func TestQuotaAllow(t *testing.T) {
	const most = math.MaxInt64
	for _, c := range []struct {
		name       string
		quota      account.Quota
		held, more account.Held
		detail     string // "" = allowed
	}{
		{"no quota", account.Quota{}, account.Held{Bytes: most}, account.Held{Bytes: 1}, ""},
		{"up to it", account.Quota{Bytes: 10}, account.Held{Bytes: 7}, account.Held{Bytes: 3}, ""},
		{"one more", account.Quota{Bytes: 10}, account.Held{Bytes: 7}, account.Held{Bytes: 4},
			"The quota of the team is 10 bytes stored; it has 7, and this request needs 4 more. " +
				"Delete parts that are no longer needed, or ask for a larger quota."},
		{"not asked for", account.Quota{Bytes: 1}, account.Held{Bytes: 7}, account.Held{Queued: 1}, ""},
		{"beyond it already", account.Quota{Projects: 1}, account.Held{Projects: 2}, account.Held{Projects: 1},
			"The quota of the team is 1 projects; it has 2, and this request needs 1 more. " +
				"Put parts into the projects that there are, or ask for a larger quota."},
		{"the largest numbers", account.Quota{Queued: 5}, account.Held{Queued: most},
			account.Held{Queued: most}, "The " +
				"quota of the team is 5 analyses queued; it has 9223372036854775807, and this request needs " +
				"9223372036854775807 more. Wait until some have begun, or cancel some, or ask for a larger quota."},
	} {
		err := c.quota.Allow(c.held, c.more)
		if c.detail == "" {
			if err != nil {
				t.Errorf("%s: %v, want it allowed", c.name, err)
			}
			continue
		}
		var refused *apierr.Error
		if !errors.As(err, &refused) || refused.Code != apierr.QuotaExceeded || refused.Detail != c.detail {
			t.Errorf("%s: %v, want %q", c.name, err, c.detail)
		}
	}
	if err := (account.Quota{Projects: -1}).Validate(); err == nil {
		t.Error("a negative quota is valid")
	}
}
