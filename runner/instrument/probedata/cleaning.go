package probedata

import (
	"os"
	"slices"
	"strconv"
	"time"
)

// CleanVariable is the environment variable with the path of the folder of a RowBox whose service cleans its databases.
//
// For cleaning, the folder has these files:
//
//	resets     the number of resets so far, which Clean increments; there is no file before the first one
//	seed-NAME  the rows of a database file at the first reset; NAME is its path in hex
//	problems   what the service could not clean, one quoted line each
//	now        created by Settle, removed by the service, which then creates the file settled
const CleanVariable = "SONDE_CLEAN"

// CleanEnvVariable returns the variable with which the service cleans its databases, as NAME=VALUE.
func (b *RowBox) CleanEnvVariable() string { return CleanVariable + "=" + b.dir }

// Clean asks the service to clean its databases before it next uses them. The first time, the service only stores the
// rows of the databases.
func (b *RowBox) Clean() error {
	b.resets++
	if err := os.WriteFile(b.path("new"), strconv.AppendInt(nil, int64(b.resets), 10), 0o600); err != nil {
		return err
	}
	return os.Rename(b.path("new"), b.path("resets"))
}

// The service looks every 20 ms whether there is a file "now". A service that has not seen the file after maxUnseen has ended or
// has no database.
const (
	maxUnseen  = 500 * time.Millisecond
	maxSettled = 5 * time.Second
)

// Settle has the service delete the rows of tests and clean its databases at once. Use it after the last test, because no
// other test makes the service use its databases. It does nothing if nothing is to be done.
func (b *RowBox) Settle() error {
	if len(b.inserted) == 0 && b.resets == 0 {
		return nil
	}
	err := b.Begin(nil)
	if err == nil && b.resets > 0 {
		err = b.Clean()
	}
	if err == nil {
		err = os.WriteFile(b.path("now"), nil, 0o600)
	}
	if err != nil {
		return err
	}
	exists := func(name string) bool {
		_, err := os.Stat(b.path(name))
		return err == nil
	}
	for start := time.Now(); time.Since(start) < maxSettled && !exists("settled"); time.Sleep(5 * time.Millisecond) {
		if time.Since(start) > maxUnseen && exists("now") {
			break
		}
	}
	_, _, err = b.End()
	return err
}

// Problems returns what the service could not clean, each problem once.
func (b *RowBox) Problems() (all []string) {
	lines, err := b.lines("problems")
	if err != nil {
		return []string{err.Error()}
	}
	for _, line := range lines {
		if text := unquoted(line); !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}
