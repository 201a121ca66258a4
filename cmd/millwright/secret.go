package main

import (
	"fmt"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"
)

// withPassword maps flags whose addresses may contain a password to the recommended place of the address.
var withPassword = map[string]string{
	"database": "the environment variable MILLWRIGHT_DATABASE or a file that --database-file names",
	"queue":    "the environment variable MILLWRIGHT_QUEUE or a file that --queue-file names",
}

var (
	secretName    = regexp.MustCompile(`(?i)password|secret|token`) // of a parameter of an address
	secretSomehow = regexp.MustCompile(`:[^@]+@`)                   // in a value that is not an address
)

// refuseSecrets rejects a command line with a password in it, because every user of the machine can read it in the list
// of processes. path is the command line's content, without the environment.
func refuseSecrets(path []*kong.Path) error {
	for _, p := range path {
		if p.Flag == nil || p.Resolved {
			continue
		}
		place, may := withPassword[p.Flag.Name]
		if address, ok := p.Flag.Target.Interface().(string); ok && may && hasPassword(address) {
			return fmt.Errorf("--%s: every user of this machine can read a password on the command line; "+
				"the address with it belongs in %s", p.Flag.Name, place)
		}
	}
	return nil
}

func hasPassword(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return secretSomehow.MatchString(address)
	}
	for name, values := range u.Query() {
		if secretName.MatchString(name) && strings.Join(values, "") != "" {
			return true
		}
	}
	password, _ := u.User.Password()
	return password != ""
}

// secretFileType names the type of flags that name a file with secrets.
const secretFileType = "secretfile"

// mapSecretFile makes the path absolute. An environment variable that is set to nothing names no file.
func mapSecretFile(ctx *kong.DecodeContext, target reflect.Value) error {
	var path string
	if err := ctx.Scan.PopValueInto("file", &path); err != nil {
		return err
	}
	if path != "" {
		path = kong.ExpandPath(path)
	}
	target.SetString(path)
	return nil
}

// addressFrom returns an address that may contain a password, from a flag or from a file. Other users of the machine
// can read the command line, but not the flag's environment variable or the file. "" means that no address is given.
func addressFrom(flag, address, file string) (string, error) {
	switch {
	case address != "" && file != "":
		return "", fmt.Errorf("--%s and --%s-file both name an address; give one of them", flag, flag)
	case file == "":
		return address, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("--%s-file: %w", flag, err)
	}
	address = strings.TrimSpace(string(text))
	if address == "" {
		return "", fmt.Errorf("--%s-file: %s is empty", flag, file)
	}
	return address, nil
}
