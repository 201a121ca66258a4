-- What stages made for parts. Several parts of a team may name one object; it is deleted with the last of them.

-- +goose Up
CREATE TABLE artefacts (
    seq     BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    part_id TEXT COLLATE "C" NOT NULL REFERENCES parts (id) ON DELETE CASCADE,
    team_id TEXT COLLATE "C" NOT NULL REFERENCES teams (id),
    key     TEXT COLLATE "C" NOT NULL,
    stage   TEXT COLLATE "C" NOT NULL,
    bucket  TEXT COLLATE "C" NOT NULL,
    object  TEXT COLLATE "C" NOT NULL,
    size    BIGINT NOT NULL,
    UNIQUE (part_id, key, object, bucket) -- jobs that made the same at once each stored one
);

CREATE INDEX artefacts_by_key ON artefacts (team_id, key, seq);
CREATE INDEX artefacts_by_object ON artefacts (object, bucket);

ALTER TABLE parts ADD COLUMN source_digest TEXT NOT NULL DEFAULT ''; -- SHA-256 of the file, hex

-- +goose Down
ALTER TABLE parts DROP COLUMN source_digest;
DROP TABLE artefacts;
