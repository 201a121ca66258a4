-- Whoever has queued a job rings the queue itself; free workers look now and then for what was not heard.

-- +goose Up
DROP TABLE outbox;

-- +goose Down
CREATE TABLE outbox (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    job_id  TEXT NOT NULL,
    product TEXT NOT NULL,
    due_at  INTEGER NOT NULL
) STRICT;

CREATE INDEX outbox_due ON outbox (due_at, id);
CREATE INDEX outbox_of_job ON outbox (job_id);
