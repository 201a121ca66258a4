-- The lanes (core/job/work.go) stand in a table in the order of their teams' turns, so that a free worker reads the
-- first few and not all. Jobs come as queued ones.

-- +goose Up
CREATE TABLE lanes (
    team_id   TEXT NOT NULL REFERENCES teams (id),
    product   TEXT NOT NULL,
    class     INTEGER NOT NULL,
    due_at    INTEGER NOT NULL, -- of the waiting job that is due first
    running   INTEGER NOT NULL, -- jobs of the team
    served_at INTEGER NOT NULL, -- the team's
    turn_at   INTEGER NOT NULL AS (max(served_at, due_at)),
    PRIMARY KEY (team_id, product, class)
) STRICT, WITHOUT ROWID;

CREATE INDEX lanes_in_turn ON lanes (running, turn_at, served_at);

INSERT INTO lanes SELECT j.team_id, j.product, j.class, min(j.due_at),
    (SELECT count(*) FROM jobs r WHERE r.status = 'running' AND r.team_id = j.team_id), t.served_at
FROM jobs j JOIN teams t ON t.id = j.team_id WHERE j.status = 'queued' GROUP BY j.team_id, j.product, j.class;

-- +goose StatementBegin
CREATE TRIGGER jobs_come AFTER INSERT ON jobs WHEN NEW.status = 'queued' BEGIN
    DELETE FROM lanes WHERE team_id = NEW.team_id AND product = NEW.product AND class = NEW.class;
    INSERT INTO lanes SELECT t.id, NEW.product, NEW.class, first.due_at, busy.running, t.served_at
    FROM teams t, (SELECT due_at FROM jobs WHERE status = 'queued'
            AND team_id = NEW.team_id AND product = NEW.product AND class = NEW.class
            ORDER BY due_at, seq LIMIT 1) first,
        (SELECT count(*) AS running FROM jobs WHERE status = 'running' AND team_id = NEW.team_id) busy
    WHERE t.id = NEW.team_id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER jobs_queue AFTER UPDATE OF status, due_at ON jobs WHEN 'queued' IN (OLD.status, NEW.status) BEGIN
    DELETE FROM lanes WHERE team_id = NEW.team_id AND product = NEW.product AND class = NEW.class;
    INSERT INTO lanes SELECT t.id, NEW.product, NEW.class, first.due_at, busy.running, t.served_at
    FROM teams t, (SELECT due_at FROM jobs WHERE status = 'queued'
            AND team_id = NEW.team_id AND product = NEW.product AND class = NEW.class
            ORDER BY due_at, seq LIMIT 1) first,
        (SELECT count(*) AS running FROM jobs WHERE status = 'running' AND team_id = NEW.team_id) busy
    WHERE t.id = NEW.team_id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER jobs_run AFTER UPDATE OF status ON jobs WHEN (OLD.status = 'running') <> (NEW.status = 'running') BEGIN
    UPDATE lanes SET running = (SELECT count(*) FROM jobs WHERE status = 'running' AND team_id = NEW.team_id)
    WHERE team_id = NEW.team_id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER jobs_go AFTER DELETE ON jobs WHEN OLD.status IN ('queued', 'running') BEGIN
    UPDATE lanes SET running = running - (OLD.status = 'running') WHERE team_id = OLD.team_id;
    DELETE FROM lanes WHERE team_id = OLD.team_id AND product = OLD.product AND class = OLD.class;
    INSERT INTO lanes SELECT t.id, OLD.product, OLD.class, first.due_at, busy.running, t.served_at
    FROM teams t, (SELECT due_at FROM jobs WHERE status = 'queued'
            AND team_id = OLD.team_id AND product = OLD.product AND class = OLD.class
            ORDER BY due_at, seq LIMIT 1) first,
        (SELECT count(*) AS running FROM jobs WHERE status = 'running' AND team_id = OLD.team_id) busy
    WHERE t.id = OLD.team_id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER teams_served AFTER UPDATE OF served_at ON teams BEGIN
    UPDATE lanes SET served_at = NEW.served_at WHERE team_id = NEW.id;
END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER teams_served;
DROP TRIGGER jobs_go;
DROP TRIGGER jobs_run;
DROP TRIGGER jobs_queue;
DROP TRIGGER jobs_come;
DROP TABLE lanes;
