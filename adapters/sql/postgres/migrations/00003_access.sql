-- Requests with an Idempotency-Key, the pace of creations, metered use, and keys by origin.

-- +goose Up
CREATE TABLE requests (
    scope        BYTEA PRIMARY KEY, -- hash of API key, method, path and Idempotency-Key
    fingerprint  BYTEA NOT NULL,    -- hash of query and body
    record_id    TEXT COLLATE "C" NOT NULL, -- of the record that the request makes
    token        BIGINT NOT NULL,   -- of the newest claim
    lease_until  BIGINT NOT NULL,   -- 0: nobody carries it out
    status       INTEGER NOT NULL,  -- of the answer; 0: not answered
    content_type TEXT NOT NULL,
    body         BYTEA NOT NULL,
    keep_until   BIGINT NOT NULL
);

CREATE INDEX requests_old ON requests (keep_until);

CREATE TABLE budgets (
    team_id TEXT COLLATE "C" NOT NULL REFERENCES teams (id),
    budget  TEXT COLLATE "C" NOT NULL,
    next_at BIGINT NOT NULL, -- when the next slot opens
    PRIMARY KEY (team_id, budget)
) WITH (fillfactor = 50); -- changed with each creation

CREATE TABLE usage (
    job_id    TEXT COLLATE "C" PRIMARY KEY REFERENCES jobs (id), -- a job is metered once
    team_id   TEXT COLLATE "C" NOT NULL REFERENCES teams (id),
    key_id    TEXT COLLATE "C" NOT NULL REFERENCES keys (id),
    operation TEXT COLLATE "C" NOT NULL,
    used_at   BIGINT NOT NULL
);

CREATE INDEX usage_of_team ON usage (team_id, used_at, operation, key_id);

-- keys.allowed_origins the other way round.
CREATE TABLE key_origins (
    origin TEXT COLLATE "C" NOT NULL,
    key_id TEXT COLLATE "C" NOT NULL REFERENCES keys (id),
    PRIMARY KEY (origin, key_id)
);

CREATE INDEX key_origins_of_key ON key_origins (key_id);

INSERT INTO key_origins (origin, key_id)
SELECT DISTINCT o.origin, k.id FROM keys k CROSS JOIN json_array_elements_text(k.allowed_origins) o (origin);

-- +goose Down
DROP TABLE key_origins;
DROP TABLE usage;
DROP TABLE budgets;
DROP TABLE requests;
