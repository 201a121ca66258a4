-- Keys record their last use and their successors. Portal keys have no text: the sessions of one user act by one.

-- +goose Up
ALTER TABLE keys ADD COLUMN kind TEXT NOT NULL DEFAULT 'key' CHECK (kind IN ('key', 'portal'));
ALTER TABLE keys ADD COLUMN last_used_at INTEGER;
ALTER TABLE keys ADD COLUMN replaces TEXT NOT NULL DEFAULT '';    -- id of the key that was rolled
ALTER TABLE keys ADD COLUMN replaced_by TEXT NOT NULL DEFAULT ''; -- id of its successor
CREATE UNIQUE INDEX keys_of_portal ON keys (creator_id) WHERE kind = 'portal' AND revoked_at IS NULL;

-- +goose Down
DROP INDEX keys_of_portal;
ALTER TABLE keys DROP COLUMN replaced_by;
ALTER TABLE keys DROP COLUMN replaces;
ALTER TABLE keys DROP COLUMN last_used_at;
ALTER TABLE keys DROP COLUMN kind;
