-- The triggers of lanes look for the first job of a lane in the index, where before they read all of the lane.

-- +goose Up
DROP TRIGGER jobs_come;
DROP TRIGGER jobs_queue;
DROP TRIGGER jobs_go;

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

-- +goose Down
DROP TRIGGER jobs_come;
DROP TRIGGER jobs_queue;
DROP TRIGGER jobs_go;

-- +goose StatementBegin
CREATE TRIGGER jobs_come AFTER INSERT ON jobs WHEN NEW.status = 'queued' BEGIN
    DELETE FROM lanes WHERE team_id = NEW.team_id AND product = NEW.product AND class = NEW.class;
    INSERT INTO lanes SELECT t.id, NEW.product, NEW.class, first.due_at, busy.running, t.served_at
    FROM teams t, (SELECT min(due_at) AS due_at FROM jobs WHERE status = 'queued'
            AND team_id = NEW.team_id AND product = NEW.product AND class = NEW.class) first,
        (SELECT count(*) AS running FROM jobs WHERE status = 'running' AND team_id = NEW.team_id) busy
    WHERE t.id = NEW.team_id AND first.due_at IS NOT NULL;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER jobs_queue AFTER UPDATE OF status, due_at ON jobs WHEN 'queued' IN (OLD.status, NEW.status) BEGIN
    DELETE FROM lanes WHERE team_id = NEW.team_id AND product = NEW.product AND class = NEW.class;
    INSERT INTO lanes SELECT t.id, NEW.product, NEW.class, first.due_at, busy.running, t.served_at
    FROM teams t, (SELECT min(due_at) AS due_at FROM jobs WHERE status = 'queued'
            AND team_id = NEW.team_id AND product = NEW.product AND class = NEW.class) first,
        (SELECT count(*) AS running FROM jobs WHERE status = 'running' AND team_id = NEW.team_id) busy
    WHERE t.id = NEW.team_id AND first.due_at IS NOT NULL;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER jobs_go AFTER DELETE ON jobs WHEN OLD.status IN ('queued', 'running') BEGIN
    UPDATE lanes SET running = running - (OLD.status = 'running') WHERE team_id = OLD.team_id;
    DELETE FROM lanes WHERE team_id = OLD.team_id AND product = OLD.product AND class = OLD.class;
    INSERT INTO lanes SELECT t.id, OLD.product, OLD.class, first.due_at, busy.running, t.served_at
    FROM teams t, (SELECT min(due_at) AS due_at FROM jobs WHERE status = 'queued'
            AND team_id = OLD.team_id AND product = OLD.product AND class = OLD.class) first,
        (SELECT count(*) AS running FROM jobs WHERE status = 'running' AND team_id = OLD.team_id) busy
    WHERE t.id = OLD.team_id AND first.due_at IS NOT NULL;
END;
-- +goose StatementEnd
