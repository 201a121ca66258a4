-- Features can be found by id, and get datasheets after their report was made. Jobs say what they were asked for.

-- +goose Up
CREATE TABLE features (
    seq       INTEGER PRIMARY KEY,
    id        TEXT NOT NULL UNIQUE,
    team_id   TEXT NOT NULL REFERENCES teams (id),
    part_id   TEXT NOT NULL REFERENCES parts (id),
    report_id TEXT NOT NULL REFERENCES reports (id),
    tag       TEXT NOT NULL,
    type      TEXT NOT NULL,
    datasheet BLOB -- as JSON; NULL until it was measured
) STRICT;

CREATE INDEX features_of_report ON features (report_id, seq);

INSERT INTO features (id, team_id, part_id, report_id, tag, type)
SELECT json_extract(f.value, '$.featureId'), r.team_id, r.part_id, r.id,
       json_extract(f.value, '$.featureTag'), json_extract(f.value, '$.featureType')
FROM reports r, json_each(CAST(r.body AS TEXT), '$.analysis.features') f ORDER BY r.seq, f.key;

ALTER TABLE jobs ADD COLUMN input TEXT NOT NULL DEFAULT '{}'; -- JSON

-- +goose Down
ALTER TABLE jobs DROP COLUMN input;
DROP TABLE features;
