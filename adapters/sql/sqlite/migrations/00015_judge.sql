-- Failed jobs say which stage, in which version, blames the file, so that it need not be asked again. Of older jobs that
-- is not known.

-- +goose Up
ALTER TABLE jobs ADD COLUMN judge TEXT NOT NULL DEFAULT ''; -- '': another try may end otherwise

-- +goose Down
ALTER TABLE jobs DROP COLUMN judge;
