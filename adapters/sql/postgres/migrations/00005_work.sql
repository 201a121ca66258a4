-- Waiting jobs stand in lanes by team, product type and class (core/job/work.go); old parts are deleted.

-- +goose Up
DROP INDEX jobs_queued;
ALTER TABLE jobs DROP COLUMN woken_at, -- workers with nothing to do look for themselves
    ADD COLUMN class     SMALLINT NOT NULL DEFAULT 0, -- 0 small, 1 medium, 2 large
    ADD COLUMN trace     TEXT NOT NULL DEFAULT '',    -- W3C traceparent
    ADD COLUMN leased_at BIGINT NOT NULL DEFAULT 0;
UPDATE jobs SET class = CASE WHEN p.size_bytes <= 2000000 THEN 0 WHEN p.size_bytes <= 20000000 THEN 1 ELSE 2 END
FROM parts p WHERE p.id = jobs.part_id AND jobs.status IN ('queued', 'running');
CREATE INDEX jobs_waiting ON jobs (team_id, product, class, due_at, seq) WHERE status = 'queued';

ALTER TABLE teams ADD COLUMN served_at BIGINT NOT NULL DEFAULT 0; -- when a job of the team was last leased
ALTER TABLE teams SET (fillfactor = 50);

ALTER TABLE parts ADD COLUMN expired_at BIGINT NOT NULL DEFAULT 0; -- 0, or since when it is being deleted
CREATE INDEX parts_by_age ON parts (updated_at) WHERE expired_at = 0;
CREATE INDEX parts_expired ON parts (expired_at) WHERE expired_at > 0;
CREATE INDEX features_of_part ON features (part_id);

-- What a team used is kept when the job that it was used for is deleted.
ALTER TABLE usage DROP CONSTRAINT usage_job_id_fkey;

-- +goose Down
ALTER TABLE usage ADD CONSTRAINT usage_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs (id);
DROP INDEX features_of_part;
DROP INDEX parts_expired;
DROP INDEX parts_by_age;
ALTER TABLE parts DROP COLUMN expired_at;
ALTER TABLE teams DROP COLUMN served_at;
DROP INDEX jobs_waiting;
ALTER TABLE jobs DROP COLUMN leased_at, DROP COLUMN trace, DROP COLUMN class,
    ADD COLUMN woken_at BIGINT NOT NULL DEFAULT 0;
CREATE INDEX jobs_queued ON jobs (woken_at, seq) WHERE status = 'queued';
