-- Waiting jobs stand in lanes by team, product type and class (core/job/work.go); old parts are deleted.

-- +goose Up
DROP INDEX jobs_queued;
ALTER TABLE jobs DROP COLUMN woken_at; -- workers with nothing to do look for themselves
ALTER TABLE jobs ADD COLUMN class INTEGER NOT NULL DEFAULT 0;   -- 0 small, 1 medium, 2 large
ALTER TABLE jobs ADD COLUMN trace TEXT NOT NULL DEFAULT '';     -- W3C traceparent
ALTER TABLE jobs ADD COLUMN leased_at INTEGER NOT NULL DEFAULT 0;
UPDATE jobs SET class = (SELECT CASE WHEN p.size_bytes <= 2000000 THEN 0 WHEN p.size_bytes <= 20000000 THEN 1 ELSE 2 END
                         FROM parts p WHERE p.id = jobs.part_id)
WHERE status IN ('queued', 'running');
CREATE INDEX jobs_waiting ON jobs (team_id, product, class, due_at, seq) WHERE status = 'queued';
CREATE INDEX jobs_running_of_team ON jobs (team_id) WHERE status = 'running';

ALTER TABLE teams ADD COLUMN served_at INTEGER NOT NULL DEFAULT 0; -- when a job of the team was last leased

ALTER TABLE parts ADD COLUMN expired_at INTEGER NOT NULL DEFAULT 0; -- 0, or since when it is being deleted
CREATE INDEX parts_by_age ON parts (updated_at) WHERE expired_at = 0;
CREATE INDEX parts_expired ON parts (expired_at) WHERE expired_at > 0;
CREATE INDEX reports_of_part ON reports (part_id);
CREATE INDEX features_of_part ON features (part_id);

-- What a team used is kept when the job that it was used for is deleted.
CREATE TABLE usage_kept (
    job_id    TEXT PRIMARY KEY, -- a job is metered once
    team_id   TEXT NOT NULL REFERENCES teams (id),
    key_id    TEXT NOT NULL REFERENCES keys (id),
    operation TEXT NOT NULL,
    used_at   INTEGER NOT NULL
) STRICT;
INSERT INTO usage_kept SELECT job_id, team_id, key_id, operation, used_at FROM usage;
DROP TABLE usage;
ALTER TABLE usage_kept RENAME TO usage;
CREATE INDEX usage_of_team ON usage (team_id, used_at, operation, key_id);

-- +goose Down
DROP INDEX features_of_part;
DROP INDEX reports_of_part;
DROP INDEX parts_expired;
DROP INDEX parts_by_age;
ALTER TABLE parts DROP COLUMN expired_at;
ALTER TABLE teams DROP COLUMN served_at;
DROP INDEX jobs_running_of_team;
DROP INDEX jobs_waiting;
ALTER TABLE jobs DROP COLUMN leased_at;
ALTER TABLE jobs DROP COLUMN trace;
ALTER TABLE jobs DROP COLUMN class;
ALTER TABLE jobs ADD COLUMN woken_at INTEGER NOT NULL DEFAULT 0;
CREATE INDEX jobs_queued ON jobs (woken_at) WHERE status = 'queued';
