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
	"sync"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// CleanVariable is the environment variable with the path of the folder of a Cleaner.
const CleanVariable = "SONDE_CLEAN"

// Cleaner asks a service whose queries have probes to clean its databases of SQLite and PostgreSQL: to bring their rows back
// to those at the first request. Only Problems may be called by several goroutines at a time.
//
// The folder has these files:
//
//	PID.requests  a named pipe from which a process of the service reads requests, each a line: a number, a blank, and
//	              "seed", "clean" or "names"
//	PID.answer    the answer of the process to the last request: its number, and a line for each of the following
//	begun         exists after the first answer to "seed" without an e
//	ID.seed       the rows at the first request to clean: a database of SQLite, or lines for PostgreSQL
//
// A line of an answer has a letter and a quoted text. d is the path of a database of SQLite, "" for one in memory, or the
// name of one of PostgreSQL. p is what was not cleaned. e is why a database could not be cleaned at all. The request "names"
// only has the service name its databases, so that they can be reserved before anything is written. The request "seed" is
// "clean" before the first test, when databases without a seed get one.
type Cleaner struct {
	dir      string
	requests int                     // so far
	named    map[string]bool         // the pipes of processes that have named their databases
	locks    map[string]*flock.Flock // by the path of the database
	refusal  error                   // another Cleaner has a database
	last     error                   // of the last request to clean
	hasBegun bool                    // a request has succeeded

	mu       sync.Mutex
	problems []string
	isUsed   bool // the service has opened a database
}

// ErrNoCleaning is the error of a service that does not react to requests.
var ErrNoCleaning = errors.New("no process of the service has probes for cleaning: its program must use database/sql")

// NewCleaner creates the folder, in memory if possible.
func NewCleaner() (*Cleaner, error) {
	dir, err := sharedFolder("sonde-clean-*")
	if err != nil {
		return nil, fmt.Errorf("cannot create the folder for cleaning: %w", err)
	}
	return &Cleaner{dir: dir, named: map[string]bool{}, locks: map[string]*flock.Flock{}}, nil
}

// EnvVariable returns the variable that the service's environment needs, as NAME=VALUE.
func (c *Cleaner) EnvVariable() string { return CleanVariable + "=" + c.dir }

// Close allows other Cleaners to clean the databases, and removes the folder, unless the last request has failed: then the
// seeds are the only copies of the rows. If c is nil, Close does nothing.
func (c *Cleaner) Close() error {
	if c == nil {
		return nil
	}
	var errs []error
	if c.seeds() == "" {
		errs = append(errs, os.RemoveAll(c.dir))
	}
	for _, l := range c.locks {
		errs = append(errs, l.Close())
	}
	return errors.Join(errs...)
}

// seeds returns the folder of the seeds if the last request has failed and there are seeds, otherwise "".
func (c *Cleaner) seeds() string {
	seeds, err := filepath.Glob(filepath.Join(c.dir, "*.seed"))
	if c.last == nil || err != nil || len(seeds) == 0 {
		return ""
	}
	return c.dir
}

// Clean has all processes of the service clean their databases. The first call only takes the seeds. The error is that of
// ctx, ErrNoCleaning, that a database could not be cleaned at all, that a process does not answer, or that another Cleaner
// cleans one of the databases. What is left out otherwise is no error; see Problems.
func (c *Cleaner) Clean(ctx context.Context) error {
	if c.refusal != nil {
		return c.refusal
	}
	c.last = c.cleanAll(ctx)
	return c.last
}

func (c *Cleaner) cleanAll(ctx context.Context) error {
	pipes, err := filepath.Glob(filepath.Join(c.dir, "*.requests"))
	if err != nil {
		return err
	}
	for _, pipe := range pipes {
		if c.named[pipe] {
			continue
		}
		has, err := c.request(ctx, pipe, "names")
		if err != nil {
			return err
		}
		c.named[pipe] = has
	}
	answered, what := false, "clean"
	if !c.hasBegun {
		what = "seed"
	}
	for _, pipe := range pipes {
		has, err := c.request(ctx, pipe, what)
		if err != nil {
			return err
		}
		answered = answered || has
	}
	if !answered {
		return ErrNoCleaning
	}
	c.hasBegun = true
	return nil
}

// request sends a request to a process and notes the answer. hasAnswered is false if the process has ended.
func (c *Cleaner) request(ctx context.Context, pipe, what string) (hasAnswered bool, err error) {
	lines, err := c.ask(ctx, pipe, what)
	if lines == nil {
		delete(c.named, pipe) // another process may get the same ID
	}
	for _, line := range lines {
		if err == nil {
			err = c.note(line)
		}
	}
	return lines != nil, err
}

const (
	maxAnswerTime = 2 * time.Minute // of a process
	minAnswerPoll = 50 * time.Microsecond
	maxAnswerPoll = 10 * time.Millisecond
)

// ask sends a request to a process, and returns the lines of its answer. It removes the pipe of a process that has ended,
// and returns nil.
func (c *Cleaner) ask(ctx context.Context, pipe, what string) (lines []string, err error) {
	c.requests++
	number := strconv.Itoa(c.requests)
	has, err := send(pipe, number+" "+what+"\n")
	if err != nil || !has {
		return nil, err
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
		case poll == maxAnswerPoll:
			has, err := send(pipe, "")
			if err != nil || !has {
				return nil, err
			}
		}
		if time.Since(start) > maxAnswerTime {
			return nil, fmt.Errorf("the service did not clean its databases within %v", maxAnswerTime)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(poll):
		}
	}
}

// send writes a text to a pipe. If no process reads from it, send removes the pipe and returns false.
func send(pipe, text string) (has bool, err error) {
	f, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.ENXIO) || errors.Is(err, os.ErrNotExist) {
		err = os.Remove(pipe)
		if errors.Is(err, os.ErrNotExist) {
			err = nil
		}
		return false, err
	}
	if err != nil {
		return false, err
	}
	_, err = f.WriteString(text)
	return true, errors.Join(err, f.Close())
}

// note notes a line of an answer.
func (c *Cleaner) note(line string) error {
	kind, quoted, _ := strings.Cut(line, " ")
	text := unquoted(quoted)
	c.mu.Lock()
	defer c.mu.Unlock()
	switch kind {
	case "p":
		if !slices.Contains(c.problems, text) {
			c.problems = append(c.problems, text)
		}
	case "d":
		c.isUsed = true
		if text != "" {
			c.refusal = c.lock(text)
			return c.refusal
		}
	case "e":
		return errors.New(text)
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

// Problems returns what was not cleaned, each problem once. It is a problem, too, if the service had opened no database of
// SQLite.
func (c *Cleaner) Problems() []string {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	all := slices.Clone(c.problems)
	if !c.isUsed {
		all = append(all, "the service had opened no database of SQLite or PostgreSQL by database/sql when it was ready")
	}
	return all
}

// CleanLast is Clean after the last test. If it fails, Problems says where the rows from before the run are. CleanLast does
// nothing if Clean was never called, or if c is nil.
func (c *Cleaner) CleanLast(ctx context.Context) {
	if c == nil || c.requests == 0 {
		return
	}
	err := c.Clean(ctx)
	if c.seeds() == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.problems = append(c.problems, fmt.Sprintf("databases still have rows of the last test (%v): the rows from before the run are in "+
		"the files of the folder %s", err, c.seeds()))
}
