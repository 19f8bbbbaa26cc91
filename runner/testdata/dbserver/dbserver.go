// Package dbserver starts database servers for tests.
package dbserver

import (
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"sonde/runner/testdata/port"
)

// PostgresPrograms returns the folder with the programs of PostgreSQL. It skips the test if PostgreSQL is not installed.
func PostgresPrograms(t *testing.T) string {
	t.Helper()
	folders, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	if len(folders) == 0 {
		t.Skip("PostgreSQL is not installed: its Debian package is postgresql")
	}
	return folders[len(folders)-1]
}

// Postgres starts a PostgreSQL without data, and returns its address. The user postgres needs no password. Postgres
// skips the test if PostgreSQL is not installed.
func Postgres(t *testing.T) string {
	t.Helper()
	programs := PostgresPrograms(t)
	folder, as := Folder(t, "postgres")
	command := func(name string, args ...string) *exec.Cmd {
		return as(filepath.Join(programs, name), append([]string{"-D", filepath.Join(folder, "data")}, args...)...)
	}
	prepare := command("initdb", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale", "C", "--no-sync")
	if out, err := prepare.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	addr := port.Addr()
	host, number, _ := net.SplitHostPort(addr)
	Start(t, command("postgres", "-k", folder, "-p", number, "-c", "listen_addresses="+host, "-c", "fsync=off"), os.Interrupt)
	Await(t, addr)
	for range 1000 { // a server that listens may still be starting
		if exec.Command(filepath.Join(programs, "pg_isready"), "-q", "-h", host, "-p", number).Run() == nil {
			return addr
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("PostgreSQL at %s is not ready", addr)
	return ""
}

// Folder returns a folder for the data of a database, and a function that makes a command for the database's server.
// Such servers refuse to run as root. If the tests run as root, the command therefore runs as the user owner.
func Folder(t *testing.T, owner string) (folder string, as func(name string, args ...string) *exec.Cmd) {
	t.Helper()
	folder, err := os.MkdirTemp("", owner)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	var prefix []string
	if os.Geteuid() == 0 {
		account, err := user.Lookup(owner)
		if err != nil {
			t.Skip(err)
		}
		uid, _ := strconv.Atoi(account.Uid)
		gid, _ := strconv.Atoi(account.Gid)
		if err := os.Chown(folder, uid, gid); err != nil {
			t.Skip(err)
		}
		prefix = []string{"setpriv", "--reuid=" + owner, "--regid=" + owner, "--clear-groups"}
	}
	return folder, func(name string, args ...string) *exec.Cmd {
		all := append(append(append([]string{}, prefix...), name), args...)
		c := exec.Command(all[0], all[1:]...)
		c.Dir = folder
		c.Env = append(os.Environ(), "TMPDIR="+folder) // a starting mariadbd removes temporary tables in TMPDIR, even of other servers
		return c
	}
}

// Start starts a database server. At the end of the test, it sends the signal stop, at which the server ends without
// waiting for its clients.
func Start(t *testing.T, c *exec.Cmd, stop os.Signal) {
	t.Helper()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Signal(stop); c.Wait() })
}

// Await waits until a program listens at an address.
func Await(t *testing.T, addr string) {
	t.Helper()
	for range 1000 {
		if c, err := net.Dial("tcp", addr); err == nil {
			c.Close()
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("no program listens at %s", addr)
}
