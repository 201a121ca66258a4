-- How many jobs there are, so that a list says its total and finds a deep page without counting them one by one.

-- +goose Up
CREATE TABLE job_tally (
    team_id TEXT COLLATE "C" NOT NULL REFERENCES teams (id),
    status  TEXT COLLATE "C" NOT NULL, -- succeeded, failed, or '' for all jobs
    day     INTEGER NOT NULL,          -- of their creation, counted from 1970 UTC
    product TEXT COLLATE "C" NOT NULL,
    shard   INTEGER NOT NULL,          -- several rows for the same, so that jobs that end at once seldom queue
    n       BIGINT NOT NULL,
    PRIMARY KEY (team_id, status, day, product, shard)
) WITH (fillfactor = 50); -- changed with each job

-- +goose StatementBegin
CREATE FUNCTION tally_job(job jobs, counted TEXT, change INTEGER) RETURNS void LANGUAGE sql AS $$
    INSERT INTO job_tally AS t (team_id, status, day, product, shard, n)
    VALUES (job.team_id, counted, job.created_at / 86400000000, job.product, job.seq % 8, change)
    ON CONFLICT (team_id, status, day, product, shard) DO UPDATE SET n = t.n + excluded.n
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION tally_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM tally_job(NEW, '', 1);
    ELSE
        IF TG_OP = 'DELETE' THEN
            PERFORM tally_job(OLD, '', -1);
        END IF;
        IF OLD.status IN ('succeeded', 'failed') THEN
            PERFORM tally_job(OLD, OLD.status, -1);
        END IF;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        IF NEW.status IN ('succeeded', 'failed') THEN
            PERFORM tally_job(NEW, NEW.status, 1);
        END IF;
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

-- Deferred to the commit: a row of the tally is locked last and for a moment, after all rows of records.
CREATE CONSTRAINT TRIGGER jobs_come_and_go AFTER INSERT OR DELETE ON jobs DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION tally_jobs();
CREATE CONSTRAINT TRIGGER jobs_end AFTER UPDATE ON jobs DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW WHEN (OLD.status <> NEW.status
    AND (OLD.status IN ('succeeded', 'failed') OR NEW.status IN ('succeeded', 'failed')))
EXECUTE FUNCTION tally_jobs();

INSERT INTO job_tally (team_id, status, day, product, shard, n)
SELECT team_id, counted, created_at / 86400000000, product, seq % 8, count(*)
FROM jobs CROSS JOIN LATERAL (VALUES (''), (status)) c (counted)
WHERE counted IN ('', 'succeeded', 'failed') GROUP BY 1, 2, 3, 4, 5;

-- +goose Down
DROP TRIGGER jobs_end ON jobs;
DROP TRIGGER jobs_come_and_go ON jobs;
DROP FUNCTION tally_jobs;
DROP FUNCTION tally_job;
DROP TABLE job_tally;
