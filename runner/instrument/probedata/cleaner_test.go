//go:build unix

package probedata

import (
	"bufio"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func cleaner(t *testing.T) *Cleaner {
	t.Helper()
	c, err := NewCleaner()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// process is a process of a service that answers each request with lines. stop ends the process.
func (c *Cleaner) process(t *testing.T, name string, lines ...string) (stop func()) {
	t.Helper()
	path := filepath.Join(c.dir, name)
	err := syscall.Mkfifo(path+".requests", 0o600)
	if err != nil {
		t.Fatal(err)
	}
	requests, err := os.OpenFile(path+".requests", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for in := bufio.NewScanner(requests); in.Scan() && lines != nil; {
			number, what, _ := strings.Cut(in.Text(), " ")
			answer := append([]string{number}, lines...)
			if what == "names" {
				answer = slices.DeleteFunc(answer, func(line string) bool { return strings.HasPrefix(line, "e ") })
			}
			os.WriteFile(path+".new", []byte(strings.Join(answer, "\n")+"\n"), 0o600)
			os.Rename(path+".new", path+".answer")
		}
	}()
	return func() { requests.Close() }
}

// Clean asks all processes of the service, and forgets those that have ended. Problems has each problem once.
func TestCleanAsksProcesses(t *testing.T) {
	c, ctx := cleaner(t), context.Background()
	if err := c.Clean(ctx); !errors.Is(err, ErrNoCleaning) {
		t.Errorf("without processes: %v", err)
	}
	stop := c.process(t, "1", `d ""`, `p "a \"table\""`)
	c.process(t, "2", `p "another"`, `p "a \"table\""`)
	for range 2 {
		if err := c.Clean(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if got := c.Problems(); !slices.Equal(got, []string{`a "table"`, "another"}) {
		t.Errorf("problems: %q", got)
	}
	stop()
	if err := c.Clean(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(c.dir, "1.requests")); !os.IsNotExist(err) {
		t.Errorf("the pipe of the ended process: %v", err)
	}
}

// It is a problem if no process has used a database of SQLite.
func TestCleanWithoutDatabase(t *testing.T) {
	c := cleaner(t)
	c.process(t, "1", "")
	if err := c.Clean(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := c.Problems(); len(got) != 1 || !strings.Contains(got[0], "no database of SQLite or PostgreSQL") {
		t.Errorf("problems: %q", got)
	}
}

// Two Cleaners cannot clean one database file at the same time. After Close, a new one can.
func TestCleanReservesDatabases(t *testing.T) {
	one, two := cleaner(t), cleaner(t)
	database := filepath.Join(t.TempDir(), "a.db")
	for _, c := range []*Cleaner{one, two} {
		c.process(t, "1", `d "`+database+`"`)
	}
	clean := func(c *Cleaner) error { return c.Clean(context.Background()) }
	if err := errors.Join(clean(one), clean(one)); err != nil {
		t.Fatal(err)
	}
	if err := clean(two); err == nil || !strings.Contains(err.Error(), database) {
		t.Errorf("error %v, want one that names the database", err)
	}
	if err := one.Close(); err != nil {
		t.Error(err)
	}
	if err := clean(two); err == nil {
		t.Error("a refused Cleaner cleans later, although tests of another one may have changed the database")
	}
	three := cleaner(t)
	three.process(t, "1", `d "`+database+`"`)
	if err := clean(three); err != nil {
		t.Error(err)
	}
}

// If a database cannot be cleaned after the last test, its seed is kept, and the problem says where.
func TestCleanLastKeepsSeeds(t *testing.T) {
	c, ctx := cleaner(t), context.Background()
	c.CleanLast(ctx)
	if got := c.Problems(); len(got) != 1 {
		t.Errorf("without a request: problems %q", got)
	}
	c.process(t, "1", `d ""`, `e "it is locked"`)
	if err := c.Clean(ctx); err == nil || err.Error() != "it is locked" {
		t.Errorf("error %v", err)
	}
	if err := os.WriteFile(filepath.Join(c.dir, "1.seed"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c.CleanLast(ctx)
	got := c.Problems()
	if len(got) != 1 || !strings.Contains(got[0], "it is locked") || !strings.Contains(got[0], c.dir) {
		t.Errorf("problems %q", got)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(c.dir, "1.seed")); err != nil {
		t.Errorf("the seed: %v", err)
	}
	if err := os.RemoveAll(c.dir); err != nil {
		t.Error(err)
	}
}

// Clean ends with its context if a process does not answer.
func TestCleanEndsWithItsContext(t *testing.T) {
	c := cleaner(t)
	c.process(t, "1")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := c.Clean(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
