-- Requests with an Idempotency-Key, the pace of creations, metered use, and keys by origin.

-- +goose Up
CREATE TABLE requests (
    scope        BLOB PRIMARY KEY, -- hash of API key, method, path and Idempotency-Key
    fingerprint  BLOB NOT NULL,    -- hash of query and body
    record_id    TEXT NOT NULL,    -- of the record that the request makes
    token        INTEGER NOT NULL, -- of the newest claim
    lease_until  INTEGER NOT NULL, -- 0: nobody carries it out
    status       INTEGER NOT NULL, -- of the answer; 0: not answered
    content_type TEXT NOT NULL,
    body         BLOB NOT NULL,
    keep_until   INTEGER NOT NULL
) STRICT;

CREATE INDEX requests_old ON requests (keep_until);

CREATE TABLE budgets (
    team_id TEXT NOT NULL REFERENCES teams (id),
    budget  TEXT NOT NULL,
    next_at INTEGER NOT NULL, -- when the next slot opens
    PRIMARY KEY (team_id, budget)
) STRICT, WITHOUT ROWID;

CREATE TABLE usage (
    job_id    TEXT PRIMARY KEY REFERENCES jobs (id), -- a job is metered once
    team_id   TEXT NOT NULL REFERENCES teams (id),
    key_id    TEXT NOT NULL REFERENCES keys (id),
    operation TEXT NOT NULL,
    used_at   INTEGER NOT NULL
) STRICT;

CREATE INDEX usage_of_team ON usage (team_id, used_at, operation, key_id);

-- keys.allowed_origins the other way round.
CREATE TABLE key_origins (
    origin TEXT NOT NULL,
    key_id TEXT NOT NULL REFERENCES keys (id),
    PRIMARY KEY (origin, key_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX key_origins_of_key ON key_origins (key_id);

INSERT OR IGNORE INTO key_origins (origin, key_id)
SELECT o.value, k.id FROM keys k, json_each(k.allowed_origins) o;

-- +goose Down
DROP TABLE key_origins;
DROP TABLE usage;
DROP TABLE budgets;
DROP TABLE requests;
