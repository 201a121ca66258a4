package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"millwright.dev/millwright/core/service/account"
)

type keyEditCmd struct {
	dataFlags
	keyOutput
	ID        string        `arg:"" help:"Id of the key."`
	Name      *string       `help:"The new name."`
	Origins   []string      `name:"origin" placeholder:"URL" help:"The new list of browser origins; repeatable."`
	NoOrigins bool          `help:"Allow no browser origin."`
	Expires   time.Duration `help:"Life of the key from now on, for example 720h."`
	NoExpiry  bool          `help:"Remove the end of the key's life."`
}

// Validate refuses an edit of nothing, and flags that exclude each other (kong calls it).
func (c *keyEditCmd) Validate() error {
	switch {
	case c.NoOrigins && len(c.Origins) > 0:
		return errors.New("--origin and --no-origins exclude each other")
	case c.NoExpiry && c.Expires != 0:
		return errors.New("--expires and --no-expiry exclude each other")
	case c.Name == nil && len(c.Origins) == 0 && !c.NoOrigins && c.Expires == 0 && !c.NoExpiry:
		return errors.New("say what to change: --name, --origin, --no-origins, --expires or --no-expiry")
	}
	return nil
}

// Run changes the key; requests that it makes from now on are judged by the change.
func (c *keyEditCmd) Run(ctx context.Context) error {
	b, err := openExisting(ctx, c.dataFlags)
	if err != nil {
		return err
	}
	defer b.close()
	edit := account.KeyEdit{Name: c.Name, AllowedOrigins: c.Origins, NeverExpires: c.NoExpiry}
	if c.NoOrigins {
		edit.AllowedOrigins = []string{}
	}
	if c.Expires != 0 {
		edit.ExpiresAt = new(b.clock.Now().Add(c.Expires))
	}
	key, err := b.use.Accounts.EditKey(ctx, c.ID, edit)
	if err != nil {
		return err
	}
	if c.Output == "json" {
		return json.NewEncoder(os.Stdout).Encode(recordOf(key, b.clock.Now()))
	}
	expires := "never"
	if key.ExpiresAt != nil {
		expires = key.ExpiresAt.Format(time.RFC3339)
	}
	fmt.Printf("Key %s (%s) expires: %s; origins: %s.\n", key.ID, key.Name, expires, originWords(key.AllowedOrigins))
	return nil
}

type keyRollCmd struct {
	dataFlags
	keyOutput
	ID    string        `arg:"" help:"Id of the key."`
	Grace time.Duration `default:"24h" help:"Time for which the old key stays valid: 0, 1h or 24h."`
}

// Run makes the successor; the old key ends after the grace.
func (c *keyRollCmd) Run(ctx context.Context) error {
	b, err := openExisting(ctx, c.dataFlags)
	if err != nil {
		return err
	}
	defer b.close()
	rolled, err := b.use.Accounts.RollKey(ctx, account.RollKeyInput{KeyID: c.ID, Grace: c.Grace})
	if err != nil {
		return err
	}
	if c.Output == "json" {
		record := recordOf(rolled.Key, b.clock.Now())
		record.Key = rolled.Text
		return json.NewEncoder(os.Stdout).Encode(record)
	}
	fmt.Println(rolled.Text)
	_, err = fmt.Fprintf(os.Stderr, "Key %s (%s) replaces %s, which ends at %s. Its text is shown only this once.\n",
		rolled.Key.ID, rolled.Key.Name, rolled.Old.ID, rolled.Old.RevokedAt.Format(time.RFC3339))
	return err
}
