-- How often the list of a team's jobs has changed, so that one who has it learns in one look whether it still stands.

-- +goose Up
CREATE TABLE job_changes (
    team_id TEXT COLLATE "C" NOT NULL REFERENCES teams (id),
    shard   INTEGER NOT NULL, -- several rows of a team, so that jobs that change at once seldom queue; the sum counts
    n       BIGINT NOT NULL,
    PRIMARY KEY (team_id, shard)
) WITH (fillfactor = 50); -- changed with each job

-- +goose StatementBegin
CREATE FUNCTION note_job_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    job jobs := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
BEGIN
    INSERT INTO job_changes AS c (team_id, shard, n) VALUES (job.team_id, job.seq % 8, 1)
    ON CONFLICT (team_id, shard) DO UPDATE SET n = c.n + 1;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

-- Deferred to the commit, as the tally is.
CREATE CONSTRAINT TRIGGER jobs_listed AFTER INSERT OR DELETE ON jobs DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION note_job_change();
CREATE CONSTRAINT TRIGGER jobs_changed AFTER UPDATE ON jobs DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW WHEN (OLD.status <> NEW.status OR OLD.progress IS DISTINCT FROM NEW.progress)
EXECUTE FUNCTION note_job_change();

-- +goose Down
DROP TRIGGER jobs_changed ON jobs;
DROP TRIGGER jobs_listed ON jobs;
DROP FUNCTION note_job_change;
DROP TABLE job_changes;
