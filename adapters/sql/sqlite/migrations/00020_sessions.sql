-- The portal's one-time links and sessions. Hashes are SHA-256 of the tokens, hex: no token is stored.

-- +goose Up
CREATE TABLE links (
    hash       TEXT PRIMARY KEY,
    user_id    TEXT NOT NULL REFERENCES users (id),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at    INTEGER
) STRICT;

CREATE TABLE sessions (
    hash       TEXT PRIMARY KEY,
    key_id     TEXT NOT NULL REFERENCES keys (id), -- the portal key of the user
    created_at INTEGER NOT NULL,
    seen_at    INTEGER NOT NULL, -- written once a minute
    expires_at INTEGER NOT NULL,
    agent      TEXT NOT NULL
) STRICT;

-- +goose Down
DROP TABLE sessions;
DROP TABLE links;
