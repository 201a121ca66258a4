-- Versions and meanings are those of the SQLite tables: times are microseconds since 1970 UTC, 0 in a NOT NULL time
-- column means "none"; text columns that the API shows as null hold ''.
--
-- Ids are ordered by their bytes (COLLATE "C"): cheaper than by a language, and the same on every server.

-- +goose Up
CREATE TABLE teams (
    id         TEXT COLLATE "C" PRIMARY KEY,
    name       TEXT COLLATE "C" NOT NULL UNIQUE,
    created_at BIGINT NOT NULL
);

CREATE TABLE users (
    id         TEXT COLLATE "C" PRIMARY KEY,
    team_id    TEXT COLLATE "C" NOT NULL REFERENCES teams (id),
    name       TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (team_id, name)
);

CREATE TABLE keys (
    seq             BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id              TEXT COLLATE "C" NOT NULL UNIQUE,
    team_id         TEXT COLLATE "C" NOT NULL REFERENCES teams (id),
    creator_id      TEXT COLLATE "C" NOT NULL REFERENCES users (id),
    name            TEXT NOT NULL,
    prefix          TEXT NOT NULL,
    hash            BYTEA NOT NULL UNIQUE,
    access_core     TEXT NOT NULL,
    access_dfm      TEXT NOT NULL,
    access_quoting  TEXT NOT NULL,
    allowed_origins JSON NOT NULL,
    expires_at      BIGINT,
    revoked_at      BIGINT,
    created_at      BIGINT NOT NULL
);

CREATE INDEX keys_of_team ON keys (team_id, created_at, seq);

CREATE TABLE parts (
    id                  TEXT COLLATE "C" PRIMARY KEY,
    team_id             TEXT COLLATE "C" NOT NULL REFERENCES teams (id),
    file_name           TEXT NOT NULL,
    format              TEXT NOT NULL,
    size_bytes          BIGINT,
    status              TEXT NOT NULL CHECK (status IN ('pending', 'processing', 'ready', 'failed')),
    failure_code        TEXT NOT NULL,
    failure_reason      TEXT NOT NULL,
    project_id          TEXT COLLATE "C" NOT NULL,
    current_program_id  TEXT COLLATE "C" NOT NULL,
    auto_create_program BOOLEAN NOT NULL,
    job_id              TEXT COLLATE "C" NOT NULL,
    report_id           TEXT COLLATE "C" NOT NULL,
    source_bucket       TEXT NOT NULL,
    source_key          TEXT NOT NULL,
    created_at          BIGINT NOT NULL,
    updated_at          BIGINT NOT NULL
) WITH (fillfactor = 80); -- room on the page for the changes of a part's state

-- lease_until is in no index, so that heartbeats change no index; running jobs are few and found by jobs_running.
CREATE TABLE jobs (
    seq            BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id             TEXT COLLATE "C" NOT NULL UNIQUE,
    team_id        TEXT COLLATE "C" NOT NULL REFERENCES teams (id),
    part_id        TEXT COLLATE "C" NOT NULL REFERENCES parts (id),
    product        TEXT COLLATE "C" NOT NULL,
    status         TEXT COLLATE "C" NOT NULL CHECK (status IN ('queued', 'running', 'succeeded', 'failed')),
    progress       INTEGER CHECK (progress BETWEEN 0 AND 100),
    failure_code   TEXT NOT NULL,
    failure_reason TEXT NOT NULL,
    report_id      TEXT COLLATE "C" NOT NULL,
    warnings       JSON NOT NULL, -- array
    attempt        INTEGER NOT NULL,
    token          BIGINT NOT NULL,
    worker         TEXT NOT NULL,
    lease_until    BIGINT NOT NULL,
    due_at         BIGINT NOT NULL,
    woken_at       BIGINT NOT NULL, -- when its newest outbox row was written
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02,
        autovacuum_vacuum_insert_scale_factor = 0.02); -- lists are read from indexes alone where vacuum has been

-- Pages of lists: each kind of filter finds its jobs side by side and in order.
CREATE INDEX jobs_newest ON jobs (team_id, created_at DESC, seq DESC) INCLUDE (product);
CREATE INDEX jobs_by_status ON jobs (team_id, status, created_at DESC, seq DESC) INCLUDE (product);
CREATE INDEX jobs_of_part ON jobs (part_id, created_at DESC, seq DESC) INCLUDE (team_id, status, product);
CREATE INDEX jobs_running ON jobs (seq) WHERE status = 'running';
CREATE INDEX jobs_queued ON jobs (woken_at, seq) WHERE status = 'queued';

CREATE TABLE reports (
    seq        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id         TEXT COLLATE "C" NOT NULL UNIQUE,
    team_id    TEXT COLLATE "C" NOT NULL REFERENCES teams (id),
    part_id    TEXT COLLATE "C" NOT NULL REFERENCES parts (id),
    job_id     TEXT COLLATE "C" NOT NULL UNIQUE REFERENCES jobs (id), -- a job has at most one result
    body       JSON NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE INDEX reports_of_part ON reports (part_id);

-- Leases that have not committed: running ones (ended_at 0), and ended ones whose objects may still lie around.
CREATE TABLE open_attempts (
    job_id   TEXT COLLATE "C" NOT NULL REFERENCES jobs (id),
    token    BIGINT NOT NULL,
    ended_at BIGINT NOT NULL,
    PRIMARY KEY (job_id, token)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

CREATE INDEX open_attempts_ended ON open_attempts (ended_at, job_id, token) WHERE ended_at > 0;

-- An id is never used twice, so that a slow relay cannot delete a row it did not publish.
CREATE TABLE outbox (
    id      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    job_id  TEXT COLLATE "C" NOT NULL,
    product TEXT COLLATE "C" NOT NULL,
    due_at  BIGINT NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000); -- rows come and go

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
