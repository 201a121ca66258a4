-- Parts and projects are listed, newest first, and parts looked for by name; parts are deleted. Kept answers say what to
-- poll.

-- +goose Up
ALTER TABLE parts ADD COLUMN folded_name TEXT NOT NULL DEFAULT ''; -- file_name in lower case
UPDATE parts SET folded_name = lower(file_name);
ALTER TABLE parts ADD COLUMN late_uploads BIGINT NOT NULL DEFAULT 0; -- when the last may come for a part that is deleted
CREATE INDEX parts_newest ON parts (team_id, created_at DESC, id DESC) WHERE expired_at = 0;
CREATE INDEX parts_of_project ON parts (project_id, created_at DESC, id DESC) WHERE project_id <> '' AND expired_at = 0;
CREATE INDEX projects_newest ON projects (team_id, created_at DESC, id DESC);

ALTER TABLE requests ADD COLUMN link BYTEA NOT NULL DEFAULT '';

-- A part that is renamed changes the addresses of its results, as one that is marked as expired does what may be read.
DROP TRIGGER parts_expire ON parts;
CREATE CONSTRAINT TRIGGER parts_change AFTER UPDATE ON parts DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW WHEN (OLD.expired_at <> NEW.expired_at OR OLD.file_name <> NEW.file_name) EXECUTE FUNCTION note_expiry();

-- +goose Down
DROP TRIGGER parts_change ON parts;
CREATE CONSTRAINT TRIGGER parts_expire AFTER UPDATE ON parts DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW WHEN (OLD.expired_at <> NEW.expired_at) EXECUTE FUNCTION note_expiry();
ALTER TABLE requests DROP COLUMN link;
DROP INDEX projects_newest;
DROP INDEX parts_of_project;
DROP INDEX parts_newest;
ALTER TABLE parts DROP COLUMN late_uploads;
ALTER TABLE parts DROP COLUMN folded_name;
