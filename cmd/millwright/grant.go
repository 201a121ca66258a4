package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"millwright.dev/millwright/core/service/account"
)

// accessFlag is an access grid written as core=write,dfm=read. An omitted area gets level none.
type accessFlag account.AccessGrid

// UnmarshalText reads the grid (kong calls it).
func (a *accessFlag) UnmarshalText(text []byte) error {
	var grid account.AccessGrid
	areas := map[string]*account.Level{"core": &grid.Core, "dfm": &grid.DFM, "quoting": &grid.Quoting}
	for box := range strings.SplitSeq(string(text), ",") {
		area, level, _ := strings.Cut(strings.TrimSpace(box), "=")
		target := areas[area]
		if target == nil {
			return fmt.Errorf("%q names none of core, dfm, quoting, each once; write core=write,dfm=read", box)
		}
		if err := target.UnmarshalText([]byte(level)); err != nil {
			return fmt.Errorf("%s: %w", area, err)
		}
		delete(areas, area)
	}
	*a = accessFlag(grid)
	return nil
}

// originWords lists origins for people.
func originWords(origins []string) string {
	if len(origins) == 0 {
		return "none"
	}
	return strings.Join(origins, " ")
}

type keyGrantCmd struct {
	dataFlags
	keyOutput
	ID        string      `arg:"" help:"Id of the key."`
	Access    *accessFlag `placeholder:"AREA=LEVEL,…" help:"The whole new grid; areas not named get none."`
	Origins   []string    `name:"origin" placeholder:"URL" help:"The new list of browser origins; repeatable."`
	NoOrigins bool        `help:"Allow no browser origin."`
}

// Validate refuses a grant of nothing, and of both some and no origins (kong calls it).
func (c *keyGrantCmd) Validate() error {
	switch {
	case c.NoOrigins && len(c.Origins) > 0:
		return errors.New("--origin and --no-origins exclude each other")
	case c.Access == nil && len(c.Origins) == 0 && !c.NoOrigins:
		return errors.New("say what to change: --access, --origin or --no-origins")
	}
	return nil
}

// Run changes the key; requests that it makes from now on are judged by the new grant.
func (c *keyGrantCmd) Run(ctx context.Context) error {
	b, err := openExisting(ctx, c.dataFlags)
	if err != nil {
		return err
	}
	defer b.close()
	edit := account.KeyEdit{Access: (*account.AccessGrid)(c.Access), AllowedOrigins: c.Origins}
	if c.NoOrigins {
		edit.AllowedOrigins = []string{}
	}
	key, err := b.use.Accounts.EditKey(ctx, c.ID, edit)
	if err != nil {
		return err
	}
	if c.Output == "json" {
		return json.NewEncoder(os.Stdout).Encode(recordOf(key, b.clock.Now()))
	}
	origins := originWords(key.AllowedOrigins)
	fmt.Printf("Key %s (%s) may %s; origins: %s.\n", key.ID, key.Name, key.Access, origins)
	return nil
}
