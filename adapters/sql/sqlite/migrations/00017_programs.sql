-- What parts are machined by.

-- +goose Up

-- Cut configs with their tools as they were when plans were asked for, never changed.
CREATE TABLE cuttings (
    part_id TEXT NOT NULL REFERENCES parts (id) ON DELETE CASCADE,
    digest  TEXT NOT NULL, -- SHA-256 of the body, hex
    body    BLOB NOT NULL, -- JSON
    PRIMARY KEY (part_id, digest)
) STRICT;

CREATE TABLE plans (
    seq            INTEGER PRIMARY KEY,
    id             TEXT NOT NULL UNIQUE,
    team_id        TEXT NOT NULL REFERENCES teams (id),
    part_id        TEXT NOT NULL REFERENCES parts (id) ON DELETE CASCADE,
    report_id      TEXT NOT NULL,
    job_id         TEXT NOT NULL,
    cut_config_id  TEXT NOT NULL,
    name           TEXT NOT NULL,
    snapshot       TEXT NOT NULL, -- the digest of a row of cuttings
    status         TEXT NOT NULL CHECK (status IN ('processing', 'ready', 'failed')),
    failure_code   TEXT NOT NULL,
    failure_reason TEXT NOT NULL,
    body           BLOB, -- what the plan says, JSON; NULL until it is ready
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL
) STRICT;

CREATE INDEX plans_of_part ON plans (part_id, seq);
CREATE INDEX plans_of_job ON plans (job_id);

CREATE TABLE toolpaths (
    seq        INTEGER PRIMARY KEY,
    job_id     TEXT NOT NULL UNIQUE,
    plan_id    TEXT NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    team_id    TEXT NOT NULL REFERENCES teams (id),
    part_id    TEXT NOT NULL REFERENCES parts (id) ON DELETE CASCADE,
    body       BLOB NOT NULL, -- JSON
    created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX toolpaths_of_plan ON toolpaths (plan_id, seq);
CREATE INDEX toolpaths_of_part ON toolpaths (part_id);

CREATE TABLE programs (
    seq            INTEGER PRIMARY KEY,
    id             TEXT NOT NULL UNIQUE,
    team_id        TEXT NOT NULL REFERENCES teams (id),
    part_id        TEXT NOT NULL REFERENCES parts (id) ON DELETE CASCADE,
    project_id     TEXT NOT NULL,
    plan_id        TEXT NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    job_id         TEXT NOT NULL,
    status         TEXT NOT NULL CHECK (status IN ('processing', 'ready', 'failed')),
    failure_code   TEXT NOT NULL,
    failure_reason TEXT NOT NULL,
    body           BLOB NOT NULL, -- what it has besides plan and toolpaths, JSON
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL
) STRICT;

CREATE INDEX programs_of_part ON programs (part_id, seq);
CREATE INDEX programs_of_plan ON programs (plan_id);
CREATE INDEX programs_of_job ON programs (job_id);

ALTER TABLE parts ADD COLUMN program_ids TEXT NOT NULL DEFAULT '[]'; -- JSON array, oldest first

-- +goose Down
ALTER TABLE parts DROP COLUMN program_ids;
DROP TABLE programs;
DROP TABLE toolpaths;
DROP TABLE plans;
DROP TABLE cuttings;
