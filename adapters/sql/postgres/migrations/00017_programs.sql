-- What parts are machined by.

-- +goose Up

-- Cut configs with their tools as they were when plans were asked for, never changed.
CREATE TABLE cuttings (
    part_id TEXT COLLATE "C" NOT NULL REFERENCES parts (id) ON DELETE CASCADE,
    digest  TEXT COLLATE "C" NOT NULL, -- SHA-256 of the body, hex
    body    JSON NOT NULL,
    PRIMARY KEY (part_id, digest)
);

CREATE TABLE plans (
    seq            BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id             TEXT COLLATE "C" NOT NULL UNIQUE,
    team_id        TEXT COLLATE "C" NOT NULL REFERENCES teams (id),
    part_id        TEXT COLLATE "C" NOT NULL REFERENCES parts (id) ON DELETE CASCADE,
    report_id      TEXT COLLATE "C" NOT NULL,
    job_id         TEXT COLLATE "C" NOT NULL,
    cut_config_id  TEXT COLLATE "C" NOT NULL,
    name           TEXT NOT NULL,
    snapshot       TEXT COLLATE "C" NOT NULL, -- the digest of a row of cuttings
    status         TEXT COLLATE "C" NOT NULL CHECK (status IN ('processing', 'ready', 'failed')),
    failure_code   TEXT COLLATE "C" NOT NULL,
    failure_reason TEXT NOT NULL,
    body           JSON, -- what the plan says; NULL until it is ready
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL
);

CREATE INDEX plans_of_part ON plans (part_id, seq);
CREATE INDEX plans_of_job ON plans (job_id);

CREATE TABLE toolpaths (
    seq        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    job_id     TEXT COLLATE "C" NOT NULL UNIQUE,
    plan_id    TEXT COLLATE "C" NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    team_id    TEXT COLLATE "C" NOT NULL REFERENCES teams (id),
    part_id    TEXT COLLATE "C" NOT NULL REFERENCES parts (id) ON DELETE CASCADE,
    body       JSON NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE INDEX toolpaths_of_plan ON toolpaths (plan_id, seq);
CREATE INDEX toolpaths_of_part ON toolpaths (part_id);

CREATE TABLE programs (
    seq            BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id             TEXT COLLATE "C" NOT NULL UNIQUE,
    team_id        TEXT COLLATE "C" NOT NULL REFERENCES teams (id),
    part_id        TEXT COLLATE "C" NOT NULL REFERENCES parts (id) ON DELETE CASCADE,
    project_id     TEXT COLLATE "C" NOT NULL,
    plan_id        TEXT COLLATE "C" NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    job_id         TEXT COLLATE "C" NOT NULL,
    status         TEXT COLLATE "C" NOT NULL CHECK (status IN ('processing', 'ready', 'failed')),
    failure_code   TEXT COLLATE "C" NOT NULL,
    failure_reason TEXT NOT NULL,
    body           JSON NOT NULL, -- what it has besides plan and toolpaths
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL
);

CREATE INDEX programs_of_part ON programs (part_id, seq);
CREATE INDEX programs_of_plan ON programs (plan_id);
CREATE INDEX programs_of_job ON programs (job_id);

ALTER TABLE parts ADD COLUMN program_ids JSON NOT NULL DEFAULT '[]'; -- array, oldest first

-- +goose Down
ALTER TABLE parts DROP COLUMN program_ids;
DROP TABLE programs;
DROP TABLE toolpaths;
DROP TABLE plans;
DROP TABLE cuttings;
