package main

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
)

const (
	privateFolder = 0o700
	othersRights  = 0o007 // of users who are neither the owner nor in the group, on which containers depend
)

// keptIn are the files and folders of the service in a data folder, in which it makes all others private.
func keptIn(dir string) []string {
	file, objects := fileIn(dir), filepath.Join(dir, "objects")
	return []string{
		file, file + "-wal", file + "-shm", file + ".lock", objects, filepath.Join(objects, "secret"),
		filepath.Join(dir, "work"),
	}
}

// makePrivate creates the data folder if it is missing, and removes all permissions of other users on data that an
// earlier version stored in it. An existing folder may serve others too: it stays unchanged, see warnOfOthers.
func makePrivate(dir string) error {
	if err := os.MkdirAll(dir, privateFolder); err != nil {
		return err
	}
	for _, path := range keptIn(dir) {
		info, err := os.Stat(path)
		if err == nil && info.Mode().Perm()&^privateFolder != 0 {
			err = os.Chmod(path, info.Mode().Perm()&privateFolder)
		}
		// such as for a file of another user, which may still be usable
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			slog.Warn("what is kept cannot be made private; take the rights of other users to it", "error", err)
		}
	}
	return nil
}

// warnOfOthers logs that other users can look into the data folder.
func warnOfOthers(log *slog.Logger, dir string) {
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm()&othersRights == 0 {
		return
	}
	log.Warn("other users of this machine can look into the data folder; take their rights with chmod o-rwx",
		"data", dir, "mode", info.Mode().Perm())
}
