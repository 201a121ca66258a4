-- Features can be found by id, and get datasheets after their report was made. Jobs say what they were asked for.

-- +goose Up
CREATE TABLE features (
    seq       BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id        TEXT COLLATE "C" NOT NULL UNIQUE,
    team_id   TEXT COLLATE "C" NOT NULL REFERENCES teams (id),
    part_id   TEXT COLLATE "C" NOT NULL REFERENCES parts (id),
    report_id TEXT COLLATE "C" NOT NULL REFERENCES reports (id),
    tag       TEXT NOT NULL,
    type      TEXT NOT NULL,
    datasheet JSON -- NULL until it was measured
);

CREATE INDEX features_of_report ON features (report_id, seq);

INSERT INTO features (id, team_id, part_id, report_id, tag, type)
SELECT f.value ->> 'featureId', r.team_id, r.part_id, r.id, f.value ->> 'featureTag', f.value ->> 'featureType'
FROM reports r CROSS JOIN json_array_elements(r.body -> 'analysis' -> 'features') WITH ORDINALITY f (value, place)
ORDER BY r.seq, f.place;

ALTER TABLE jobs ADD COLUMN input JSON NOT NULL DEFAULT '{}';

-- +goose Down
ALTER TABLE jobs DROP COLUMN input;
DROP TABLE features;
