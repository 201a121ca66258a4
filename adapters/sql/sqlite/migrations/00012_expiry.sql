-- A part that is marked as expired changes what its team may read, as a job does.

-- +goose Up
-- +goose StatementBegin
CREATE TRIGGER parts_expire AFTER UPDATE OF expired_at ON parts WHEN OLD.expired_at <> NEW.expired_at BEGIN
    INSERT INTO job_changes VALUES (NEW.team_id, 1) ON CONFLICT (team_id) DO UPDATE SET n = n + 1;
END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER parts_expire;
