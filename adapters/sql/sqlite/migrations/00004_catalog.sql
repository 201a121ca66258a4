-- Projects, and what parts are cut with: cut configs, tool libraries, holders. Names of other records that the
-- table they are in does not reference may also name what every team has, which is in no table.

-- +goose Up
CREATE TABLE projects (
    id            TEXT PRIMARY KEY,
    team_id       TEXT NOT NULL REFERENCES teams (id),
    name          TEXT NOT NULL,
    cut_config_id TEXT NOT NULL,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL
) STRICT;

CREATE INDEX projects_of_cut_config ON projects (cut_config_id) WHERE cut_config_id <> '';

CREATE TABLE cut_configs (
    seq        INTEGER PRIMARY KEY,
    id         TEXT NOT NULL UNIQUE,
    team_id    TEXT NOT NULL REFERENCES teams (id),
    body       BLOB NOT NULL, -- JSON without tool libraries
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

CREATE INDEX cut_configs_newest ON cut_configs (team_id, created_at DESC, seq DESC);

CREATE TABLE cut_config_libraries (
    cut_config_id   TEXT NOT NULL REFERENCES cut_configs (id) ON DELETE CASCADE,
    position        INTEGER NOT NULL,
    tool_library_id TEXT NOT NULL,
    PRIMARY KEY (cut_config_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX cut_config_libraries_of ON cut_config_libraries (tool_library_id);

CREATE TABLE cut_config_defaults (
    user_id       TEXT PRIMARY KEY REFERENCES users (id),
    cut_config_id TEXT NOT NULL REFERENCES cut_configs (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX cut_config_defaults_of ON cut_config_defaults (cut_config_id);

CREATE TABLE tool_libraries (
    seq        INTEGER PRIMARY KEY,
    id         TEXT NOT NULL UNIQUE,
    team_id    TEXT NOT NULL REFERENCES teams (id),
    name       TEXT NOT NULL,
    format     TEXT NOT NULL,
    tool_count INTEGER NOT NULL,
    tools      BLOB NOT NULL, -- JSON array
    report     BLOB NOT NULL, -- JSON
    created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX tool_libraries_newest ON tool_libraries (team_id, created_at DESC, seq DESC);

CREATE TABLE holders (
    seq        INTEGER PRIMARY KEY,
    id         TEXT NOT NULL UNIQUE,
    team_id    TEXT NOT NULL REFERENCES teams (id),
    body       BLOB NOT NULL, -- JSON
    created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX holders_newest ON holders (team_id, created_at DESC, seq DESC);

ALTER TABLE parts ADD COLUMN cut_config_ids TEXT NOT NULL DEFAULT '[]'; -- JSON array

-- +goose Down
ALTER TABLE parts DROP COLUMN cut_config_ids;
DROP TABLE holders;
DROP TABLE tool_libraries;
DROP TABLE cut_config_defaults;
DROP TABLE cut_config_libraries;
DROP TABLE cut_configs;
DROP TABLE projects;
