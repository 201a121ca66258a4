//go:build !linux

package testserver

import "syscall"

// dieWithParent needs Linux; elsewhere a server outlives a killed test.
func dieWithParent() *syscall.SysProcAttr { return nil }
