package probedata

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// CleanVariable is the environment variable with the path of the folder of a Cleaner.
const CleanVariable = "SONDE_CLEAN"

// Cleaner asks a service whose queries have probes to clean its SQLite databases: to bring the rows of their tables back
// to those at the first request. It must be used by one goroutine at a time.
//
// The folder has these files:
//
//	PID.requests  a named pipe from which a process of the service reads the numbers of requests, each with a line end
//	PID.answer    the answer of the process to the last request: its number, and in quotes a line "d PATH" for each
//	              database of SQLite, with "" for a database in memory, and "p TEXT" for each problem
//	HASH.seed     a database with the rows at the first request; HASH is the SHA-256 of the database's path
type Cleaner struct {
	dir      string
	requests int // so far
	problems []string
	cleaned  bool                    // the service has used a database of SQLite
	locks    map[string]*flock.Flock // by the path of the database
}

// ErrNoCleaning is the error of a service that does not react to requests.
var ErrNoCleaning = errors.New("no process of the service has probes for cleaning: its program must use database/sql")

// NewCleaner creates the folder, in memory if possible.
func NewCleaner() (*Cleaner, error) {
	dir, err := sharedFolder("sonde-clean-*")
	if err != nil {
		return nil, fmt.Errorf("cannot create the folder for cleaning: %w", err)
	}
	return &Cleaner{dir: dir, locks: map[string]*flock.Flock{}}, nil
}

// EnvVariable returns the variable that the service's environment needs, as NAME=VALUE.
func (c *Cleaner) EnvVariable() string { return CleanVariable + "=" + c.dir }

// Close removes the folder, and allows other Cleaners to clean the databases. A nil Cleaner does nothing.
func (c *Cleaner) Close() error {
	if c == nil {
		return nil
	}
	errs := []error{os.RemoveAll(c.dir)}
	for _, l := range c.locks {
		errs = append(errs, os.Remove(l.Path()), l.Close())
	}
	return errors.Join(errs...)
}

// Clean has all processes of the service clean their databases. The first call only takes the seeds. The error is that of
// ctx, ErrNoCleaning, that a process does not answer, or that another Cleaner cleans one of the databases. What cannot be
// cleaned otherwise is no error; see Problems.
func (c *Cleaner) Clean(ctx context.Context) error {
	c.requests++
	pipes, err := filepath.Glob(filepath.Join(c.dir, "*.requests"))
	if err != nil {
		return err
	}
	answered := false
	for _, pipe := range pipes {
		lines, err := c.ask(ctx, pipe)
		if err != nil {
			return err
		}
		answered = answered || lines != nil
		for _, line := range lines {
			if err := c.note(line); err != nil {
				return err
			}
		}
	}
	if !answered {
		return ErrNoCleaning
	}
	return nil
}

const (
	maxAnswerTime = time.Minute // of a process
	minAnswerPoll = 50 * time.Microsecond
	maxAnswerPoll = 10 * time.Millisecond
)

// ask sends a request to a process, and returns the lines of its answer. It removes the pipe of a process that has ended,
// and returns nil.
func (c *Cleaner) ask(ctx context.Context, pipe string) (lines []string, err error) {
	number := strconv.Itoa(c.requests)
	send := func(text string) error { // it fails if no process reads from the pipe
		f, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		if err != nil {
			return err
		}
		_, err = f.WriteString(text)
		return errors.Join(err, f.Close())
	}
	if send(number+"\n") != nil {
		return nil, os.Remove(pipe)
	}
	start := time.Now()
	for poll := minAnswerPoll; ; poll = min(2*poll, maxAnswerPoll) {
		text, err := os.ReadFile(strings.TrimSuffix(pipe, ".requests") + ".answer")
		lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		switch {
		case err == nil && lines[0] == number:
			return lines, nil
		case err != nil && !os.IsNotExist(err):
			return nil, err
		case poll == maxAnswerPoll && send("") != nil:
			return nil, os.Remove(pipe)
		case time.Since(start) > maxAnswerTime:
			return nil, fmt.Errorf("the service did not clean its databases within %v", maxAnswerTime)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(poll):
		}
	}
}

// note notes a line of an answer.
func (c *Cleaner) note(line string) error {
	text := unquoted(strings.TrimLeft(line, "dp "))
	switch {
	case strings.HasPrefix(line, "p ") && !slices.Contains(c.problems, text):
		c.problems = append(c.problems, text)
	case strings.HasPrefix(line, "d "):
		c.cleaned = true
		if text != "" {
			return c.lock(text)
		}
	}
	return nil
}

// lock makes sure that no other Cleaner, of this process of Sonde or of another one, cleans a database.
func (c *Cleaner) lock(database string) error {
	if c.locks[database] != nil {
		return nil
	}
	hash := sha256.Sum256([]byte(database))
	l := flock.New(filepath.Join(os.TempDir(), "sonde-clean-"+hex.EncodeToString(hash[:])+".lock"))
	ok, err := l.TryLock()
	if err != nil {
		return fmt.Errorf("the database %q cannot be reserved for this run: %w", database, err)
	}
	if !ok {
		return fmt.Errorf("the database %q is used by another copy of the service or another run: give each copy a database of "+
			"its own, such as by %s in its path, or use one copy", database, "{port}")
	}
	c.locks[database] = l
	return nil
}

// Problems returns what could not be cleaned, each problem once. It is a problem, too, if the service has used no database
// of SQLite.
func (c *Cleaner) Problems() []string {
	if c == nil || c.requests == 0 {
		return nil
	}
	if !c.cleaned {
		return append(slices.Clone(c.problems), "the service has used no database of SQLite by database/sql")
	}
	return slices.Clone(c.problems)
}
