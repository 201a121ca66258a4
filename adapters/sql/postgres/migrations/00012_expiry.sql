-- A part that is marked as expired changes what its team may read, as a job does.

-- +goose Up
-- +goose StatementBegin
CREATE FUNCTION note_expiry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO job_changes AS c (team_id, shard, n) VALUES (NEW.team_id, 8, 1) -- a shard that no job takes
    ON CONFLICT (team_id, shard) DO UPDATE SET n = c.n + 1;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

CREATE CONSTRAINT TRIGGER parts_expire AFTER UPDATE ON parts DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW WHEN (OLD.expired_at <> NEW.expired_at) EXECUTE FUNCTION note_expiry();

-- +goose Down
DROP TRIGGER parts_expire ON parts;
DROP FUNCTION note_expiry;
