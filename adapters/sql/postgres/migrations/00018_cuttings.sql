-- The parts of a team share what their plans were made with; the last plan that goes takes it along.

-- +goose Up
CREATE TABLE shared (
    team_id TEXT COLLATE "C" NOT NULL REFERENCES teams (id),
    digest  TEXT COLLATE "C" NOT NULL, -- SHA-256 of the body, hex
    body    JSON NOT NULL,
    PRIMARY KEY (team_id, digest)
);
INSERT INTO shared SELECT DISTINCT ON (p.team_id, c.digest) p.team_id, c.digest, c.body
    FROM cuttings c JOIN parts p ON p.id = c.part_id ORDER BY p.team_id, c.digest;
DROP TABLE cuttings;
ALTER TABLE shared RENAME TO cuttings;
ALTER INDEX shared_pkey RENAME TO cuttings_pkey;
CREATE INDEX plans_of_cutting ON plans (team_id, snapshot);

-- +goose Down
DROP INDEX plans_of_cutting;
CREATE TABLE own (
    part_id TEXT COLLATE "C" NOT NULL REFERENCES parts (id) ON DELETE CASCADE,
    digest  TEXT COLLATE "C" NOT NULL, -- SHA-256 of the body, hex
    body    JSON NOT NULL,
    PRIMARY KEY (part_id, digest)
);
INSERT INTO own SELECT p.part_id, p.snapshot, c.body FROM (SELECT DISTINCT team_id, part_id, snapshot FROM plans) p
    JOIN cuttings c ON c.team_id = p.team_id AND c.digest = p.snapshot;
DROP TABLE cuttings;
ALTER TABLE own RENAME TO cuttings;
ALTER INDEX own_pkey RENAME TO cuttings_pkey;
