package main

import (
	"fmt"
	"os"
	"strings"
)

// addressFrom takes an address that may hold a password from a flag or from a file. On the command line other users of
// the machine can read it; the flag's environment variable and the file they cannot. "" means that none is named.
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
