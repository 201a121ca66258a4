-- The portal's one-time links and sessions. Hashes are SHA-256 of the tokens, hex: no token is stored.

-- +goose Up
CREATE TABLE links (
    hash       TEXT COLLATE "C" PRIMARY KEY,
    user_id    TEXT COLLATE "C" NOT NULL REFERENCES users (id),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at    BIGINT
);

CREATE TABLE sessions (
    hash       TEXT COLLATE "C" PRIMARY KEY,
    key_id     TEXT COLLATE "C" NOT NULL REFERENCES keys (id), -- the portal key of the user
    created_at BIGINT NOT NULL,
    seen_at    BIGINT NOT NULL, -- written once a minute
    expires_at BIGINT NOT NULL,
    agent      TEXT NOT NULL
);

-- +goose Down
DROP TABLE sessions;
DROP TABLE links;
