-- Parts say what was repaired, guessed or left out for their latest result. What older jobs say of that are sentences
-- alone, which stay so.

-- +goose Up
ALTER TABLE parts ADD COLUMN warnings JSON NOT NULL DEFAULT '[]'; -- array, as that of jobs
UPDATE parts SET warnings = (SELECT j.warnings FROM reports r JOIN jobs j ON j.id = r.job_id WHERE r.id = parts.report_id)
    WHERE EXISTS (SELECT 1 FROM reports r JOIN jobs j ON j.id = r.job_id WHERE r.id = parts.report_id);

-- +goose Down
ALTER TABLE parts DROP COLUMN warnings;
