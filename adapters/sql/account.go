package sql

import (
	"context"

	"millwright.dev/millwright/core/service/account"
)

// CreateTeam implements account.Store.
func (s *Store) CreateTeam(ctx context.Context, t account.Team) error {
	_, err := Exec(ctx, s.DB, unlessThere("teams", t.ID),
		`INSERT INTO teams (id, name, created_at) VALUES ($1, $2, $3)`, t.ID, t.Name, Micros(t.CreatedAt))
	return err
}

// TeamByName implements account.Store.
func (s *Store) TeamByName(ctx context.Context, name string) (account.Team, error) {
	return ReadRow(ctx, s.DB, scanTeam, `SELECT id, name, created_at FROM teams WHERE name = $1`, name)
}

// Teams implements account.Store.
func (s *Store) Teams(ctx context.Context, limit int) ([]account.Team, error) {
	return ReadRows(ctx, s.DB, scanTeam, `SELECT id, name, created_at FROM teams ORDER BY name LIMIT $1`, limit)
}

func scanTeam(r Row) (t account.Team, err error) {
	var created int64
	err = r.Scan(&t.ID, &t.Name, &created)
	t.CreatedAt = Time(created)
	return t, err
}

// CreateUser implements account.Store.
func (s *Store) CreateUser(ctx context.Context, u account.User) error {
	_, err := Exec(ctx, s.DB, unlessThere("users", u.ID),
		`INSERT INTO users (id, team_id, name, created_at) VALUES ($1, $2, $3, $4)`,
		u.ID, u.TeamID, u.Name, Micros(u.CreatedAt))
	return err
}

// UserByName implements account.Store.
func (s *Store) UserByName(ctx context.Context, teamID, name string) (account.User, error) {
	return ReadRow(ctx, s.DB, scanUser,
		`SELECT id, team_id, name, created_at FROM users WHERE team_id = $1 AND name = $2`, teamID, name)
}

// Users implements account.Store.
func (s *Store) Users(ctx context.Context, teamID string) ([]account.User, error) {
	return ReadRows(ctx, s.DB, scanUser,
		`SELECT id, team_id, name, created_at FROM users WHERE team_id = $1 ORDER BY name`, teamID)
}

func scanUser(r Row) (u account.User, err error) {
	var created int64
	err = r.Scan(&u.ID, &u.TeamID, &u.Name, &created)
	u.CreatedAt = Time(created)
	return u, err
}
