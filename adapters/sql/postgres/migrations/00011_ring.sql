-- Whoever has queued a job rings the queue itself; free workers look now and then for what was not heard.

-- +goose Up
DROP TABLE outbox;

-- +goose Down
CREATE TABLE outbox (
    id      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    job_id  TEXT COLLATE "C" NOT NULL,
    product TEXT COLLATE "C" NOT NULL,
    due_at  BIGINT NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

CREATE INDEX outbox_due ON outbox (due_at, id);
CREATE INDEX outbox_of_job ON outbox (job_id);
