-- Times are microseconds since 1970 UTC; 0 in a NOT NULL time column means "none". Text columns that
-- the API shows as null hold ''.

-- +goose Up
CREATE TABLE teams (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE users (
    id         TEXT PRIMARY KEY,
    team_id    TEXT NOT NULL REFERENCES teams (id),
    name       TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (team_id, name)
) STRICT;

CREATE TABLE keys (
    seq             INTEGER PRIMARY KEY,
    id              TEXT NOT NULL UNIQUE,
    team_id         TEXT NOT NULL REFERENCES teams (id),
    creator_id      TEXT NOT NULL REFERENCES users (id),
    name            TEXT NOT NULL,
    prefix          TEXT NOT NULL,
    hash            BLOB NOT NULL UNIQUE,
    access_core     TEXT NOT NULL,
    access_dfm      TEXT NOT NULL,
    access_quoting  TEXT NOT NULL,
    allowed_origins TEXT NOT NULL, -- JSON array
    expires_at      INTEGER,
    revoked_at      INTEGER,
    created_at      INTEGER NOT NULL
) STRICT;

CREATE TABLE parts (
    id                  TEXT PRIMARY KEY,
    team_id             TEXT NOT NULL REFERENCES teams (id),
    file_name           TEXT NOT NULL,
    format              TEXT NOT NULL,
    size_bytes          INTEGER,
    status              TEXT NOT NULL CHECK (status IN ('pending', 'processing', 'ready', 'failed')),
    failure_code        TEXT NOT NULL,
    failure_reason      TEXT NOT NULL,
    project_id          TEXT NOT NULL,
    current_program_id  TEXT NOT NULL,
    auto_create_program INTEGER NOT NULL,
    job_id              TEXT NOT NULL,
    report_id           TEXT NOT NULL,
    source_bucket       TEXT NOT NULL,
    source_key          TEXT NOT NULL,
    created_at          INTEGER NOT NULL,
    updated_at          INTEGER NOT NULL
) STRICT;

CREATE TABLE jobs (
    seq            INTEGER PRIMARY KEY,
    id             TEXT NOT NULL UNIQUE,
    team_id        TEXT NOT NULL REFERENCES teams (id),
    part_id        TEXT NOT NULL REFERENCES parts (id),
    product        TEXT NOT NULL,
    status         TEXT NOT NULL CHECK (status IN ('queued', 'running', 'succeeded', 'failed')),
    progress       INTEGER CHECK (progress BETWEEN 0 AND 100),
    failure_code   TEXT NOT NULL,
    failure_reason TEXT NOT NULL,
    report_id      TEXT NOT NULL,
    warnings       TEXT NOT NULL, -- JSON array
    attempt        INTEGER NOT NULL,
    token          INTEGER NOT NULL,
    worker         TEXT NOT NULL,
    lease_until    INTEGER NOT NULL,
    due_at         INTEGER NOT NULL,
    woken_at       INTEGER NOT NULL, -- when its newest outbox row was written
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL
) STRICT;

CREATE INDEX jobs_newest ON jobs (team_id, created_at DESC, seq DESC);
CREATE INDEX jobs_of_part ON jobs (part_id, status);
CREATE INDEX jobs_running ON jobs (lease_until) WHERE status = 'running';
CREATE INDEX jobs_queued ON jobs (woken_at) WHERE status = 'queued';

CREATE TABLE reports (
    seq        INTEGER PRIMARY KEY,
    id         TEXT NOT NULL UNIQUE,
    team_id    TEXT NOT NULL REFERENCES teams (id),
    part_id    TEXT NOT NULL REFERENCES parts (id),
    job_id     TEXT NOT NULL UNIQUE REFERENCES jobs (id), -- a job has at most one result
    body       BLOB NOT NULL,                             -- the report as JSON
    created_at INTEGER NOT NULL
) STRICT;

-- Leases that have not committed: running ones (ended_at 0), and ended ones whose objects may still lie around.
CREATE TABLE open_attempts (
    job_id   TEXT NOT NULL REFERENCES jobs (id),
    token    INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    PRIMARY KEY (job_id, token)
) STRICT, WITHOUT ROWID;

CREATE INDEX open_attempts_ended ON open_attempts (ended_at) WHERE ended_at > 0;

-- AUTOINCREMENT: an id is never used twice, so that a slow relay cannot delete a row it did not publish.
CREATE TABLE outbox (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    job_id  TEXT NOT NULL,
    product TEXT NOT NULL,
    due_at  INTEGER NOT NULL
) STRICT;

CREATE INDEX outbox_due ON outbox (due_at, id);
CREATE INDEX outbox_of_job ON outbox (job_id);

-- +goose Down
DROP TABLE outbox;
DROP TABLE open_attempts;
DROP TABLE reports;
DROP TABLE jobs;
DROP TABLE parts;
DROP TABLE keys;
DROP TABLE users;
DROP TABLE teams;
