-- What stages made for parts. Several parts of a team may name one object; it is deleted with the last of them.

-- +goose Up
CREATE TABLE artefacts (
    seq     INTEGER PRIMARY KEY,
    part_id TEXT NOT NULL REFERENCES parts (id) ON DELETE CASCADE,
    team_id TEXT NOT NULL REFERENCES teams (id),
    key     TEXT NOT NULL,
    stage   TEXT NOT NULL,
    bucket  TEXT NOT NULL,
    object  TEXT NOT NULL,
    size    INTEGER NOT NULL,
    UNIQUE (part_id, key, object, bucket) -- jobs that made the same at once each stored one
) STRICT;

CREATE INDEX artefacts_by_key ON artefacts (team_id, key, seq);
CREATE INDEX artefacts_by_object ON artefacts (object, bucket);

ALTER TABLE parts ADD COLUMN source_digest TEXT NOT NULL DEFAULT ''; -- SHA-256 of the file, hex

-- +goose Down
ALTER TABLE parts DROP COLUMN source_digest;
DROP TABLE artefacts;
