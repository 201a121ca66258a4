package sql

import (
	"millwright/core/service"
)

// ProjectColumns are the columns that ScanProject reads.
const ProjectColumns = `id, team_id, name, cut_config_id, created_at, updated_at`

// ScanProject reads a row of its columns.
func ScanProject(r Row) (service.Project, error) {
	var p service.Project
	var created, updated int64
	if err := r.Scan(&p.ID, &p.TeamID, &p.Name, &p.CutConfigID, &created, &updated); err != nil {
		return service.Project{}, err
	}
	p.CreatedAt, p.UpdatedAt = Time(created), Time(updated)
	return p, nil
}
