-- How often the list of a team's jobs has changed, so that one who has it learns in one look whether it still stands.

-- +goose Up
CREATE TABLE job_changes (
    team_id TEXT PRIMARY KEY REFERENCES teams (id),
    n       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- +goose StatementBegin
CREATE TRIGGER jobs_listed AFTER INSERT ON jobs BEGIN
    INSERT INTO job_changes VALUES (NEW.team_id, 1) ON CONFLICT (team_id) DO UPDATE SET n = n + 1;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER jobs_changed AFTER UPDATE OF status, progress ON jobs
WHEN OLD.status <> NEW.status OR OLD.progress IS NOT NEW.progress BEGIN
    INSERT INTO job_changes VALUES (NEW.team_id, 1) ON CONFLICT (team_id) DO UPDATE SET n = n + 1;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER jobs_unlisted AFTER DELETE ON jobs BEGIN
    INSERT INTO job_changes VALUES (OLD.team_id, 1) ON CONFLICT (team_id) DO UPDATE SET n = n + 1;
END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER jobs_unlisted;
DROP TRIGGER jobs_changed;
DROP TRIGGER jobs_listed;
DROP TABLE job_changes;
