//go:build unix

package probe

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// playFiles runs a program that uses a file in all ways, such as "write" and "rename". It returns the result of each
// way. lines are the lines of the table; FILE in them is replaced by the path of the file.
func playFiles(t *testing.T, lines string) (*player, map[string]string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	p := play(t, strings.ReplaceAll(lines, "FILE", filepath.Join(dir, "f.txt")), "files", dir)
	got := map[string]string{}
	for line := range strings.Lines(p.output()) {
		way, result, _ := strings.Cut(strings.TrimSpace(line), ": ")
		got[way] = result
	}
	return p, got
}

// If the table lets a file fail, each use of the file gives the error that the kernel would give for this use.
func TestFileErrors(t *testing.T) {
	for fault, want := range map[string]map[string]string{
		"ok": {},
		"!ENOSPC:4": {
			"write": "write f.txt: no space left on device ENOSPC", "append": "4 bytes: write f.txt: no space left on device ENOSPC",
			"at": "write f.txt: no space left on device ENOSPC", "copy": "write f.txt: no space left on device ENOSPC",
			"rename": "rename f.txt.new f.txt: no space left on device ENOSPC", "mkdir": "mkdir f.txt: no space left on device ENOSPC",
		},
		"!EACCES": {
			"existing": "open f.txt: permission denied permission",
			"write":    "open f.txt: permission denied permission", "append": "open f.txt: permission denied permission",
			"at": "open f.txt: permission denied permission", "copy": "open f.txt: permission denied permission",
			"read": "open f.txt: permission denied permission", "copy from": "open f.txt: permission denied permission",
			"stat": "stat f.txt: no such file or directory not exist", "rename": "rename f.txt.new f.txt: permission denied permission",
			"remove": "remove f.txt: permission denied permission", "mkdir": "mkdir f.txt: permission denied permission",
			"remove all": "unlinkat f.txt: permission denied permission",
		},
		"!ENOENT": {"existing": "open f.txt: no such file or directory not exist"}, // until the service creates the file
		"!EIO": {
			"existing": "read f.txt: input/output error EIO",
			"write":    "write f.txt: input/output error EIO", "append": "0 bytes: write f.txt: input/output error EIO",
			"at": "write f.txt: input/output error EIO", "copy": "write f.txt: input/output error EIO",
			"read": "read f.txt: input/output error EIO", "copy from": "read f.txt: input/output error EIO",
			"stat": "stat f.txt: input/output error EIO", "rename": "rename f.txt.new f.txt: input/output error EIO",
			"remove": "remove f.txt: input/output error EIO", "mkdir": "mkdir f.txt: file exists",
			"remove all": "unlinkat f.txt: input/output error EIO",
		},
	} {
		_, got := playFiles(t, "use FILE "+fault+"\n")
		if len(got) != 12 {
			t.Errorf("%s: %q", fault, got)
		}
		for way := range got {
			if want := cmp.Or(want[way], "ok"); got[way] != want {
				t.Errorf("%s, %s: got %q, want %q", fault, way, got[way], want)
			}
		}
	}
}

// The service reports each way of using a file once. The table may decide differently at each use.
func TestFileReports(t *testing.T) {
	p, got := playFiles(t, "use FILE !EACCES ok\n")
	if got["existing"] == "ok" || got["write"] != "ok" {
		t.Errorf("got %q", got)
	}
	var actions []string
	for _, e := range p.eventsWith("use") {
		if f := strings.Fields(e); strings.HasSuffix(f[2], "/f.txt") {
			actions = append(actions, f[1]+" "+f[5])
		}
	}
	want := []string{
		"open failed", "create ok", "update ok", "open ok", "stat ok", "rename ok", "remove ok", "mkdir ok", "removeall ok",
	}
	if !slices.Equal(actions, want) {
		t.Errorf("reported %q, want %q", actions, want)
	}
}

// A pattern matches files in one folder, because "*" does not match a slash.
func TestFilePattern(t *testing.T) {
	for pattern, matches := range map[string]bool{
		"/*/*": false, "FILE": true, "FILEx": false, "DIR/*.txt": true, "DIR/*": true, "DIR/*f*t*": true,
		"*/f.txt": false, "DIR*f.txt": false, "DIR/*.": false,
	} {
		dir := filepath.Join(t.TempDir(), "data")
		pattern = strings.ReplaceAll(strings.ReplaceAll(pattern, "FILE", dir+"/f.txt"), "DIR", dir)
		got := play(t, "use "+pattern+" !EACCES\n", "files", dir).output()
		if strings.Contains(got, "write: open f.txt: permission denied") != matches {
			t.Errorf("%s: %s", pattern, got)
		}
	}
}

// The path of a file in the working directory is relative. Files of the system and of Sonde are not reported.
func TestFileResources(t *testing.T) {
	p := play(t, "", "folders", t.TempDir())
	p.output()
	var got []string
	for _, e := range p.eventsWith("use") {
		got = append(got, strings.Fields(e)[2])
	}
	for _, want := range []string{"./a.txt", "./b/a.txt", "../x", "./.env", "./", "../", "./c.txt", "./d"} {
		if !slices.Contains(got, want) {
			t.Errorf("no %s in %q", want, got)
		}
	}
	for _, e := range got {
		isSystem := func(dir string) bool { return strings.HasPrefix(e, dir) }
		isOdd := strings.Contains(e, "//") || strings.HasSuffix(e, "/table")
		if isOdd || slices.ContainsFunc([]string{"/dev/", "/bin/", "/etc/"}, isSystem) {
			t.Errorf("reported %s", e)
		}
	}
}

// After the table is replaced, the new table also decides about files that are open already. After each sync command,
// a write is reported again.
func TestFileOfEarlierTable(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	p := play(t, "", "log", name)
	p.next("use")
	write := func() {
		t.Helper()
		if _, err := p.in.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	p.send("sync 1\n")
	p.next("synced")
	write()
	if got := p.next("use"); got[0] != "write" || got[2] != "-" {
		t.Errorf("reported %q", got)
	}
	table := "net 1\nuse " + name + " !ENOSPC:3\n"
	p.send("table 2 %d\n%s", len(table), table)
	p.next("set")
	write()
	for _, outcome := range []string{"ok", "failed"} { // the table decides, and three bytes are written
		if got := p.next("use"); got[0] != "write" || got[2] != name || got[4] != outcome {
			t.Errorf("reported %q", got)
		}
	}
	if got := p.output(); got != "opened\n<nil>\nno space left on device" {
		t.Errorf("printed %q", got)
	}
}

// If the table makes reads of a file fail, the kernel cannot send the file to a connection either.
func TestSentFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "page")
	if got := play(t, "", "serve file", name).output(); got != "7 false\n7 false\n14" {
		t.Errorf("printed %q", got)
	}
	if got := play(t, "use "+name+" ok !EIO\n", "serve file", name).output(); got != "0 true\n0 true\n0" {
		t.Errorf("printed %q", got)
	}
}

// Files with the coverage of the service are not resources, even if the path of their folder is relative.
func TestFolderOfCoverage(t *testing.T) {
	dir := t.TempDir()
	p := newPlayer(t, netProgram(t), "net 1\n", "folders", dir)
	p.cmd.Env, p.cmd.Dir = append(p.cmd.Env, "GOCOVERDIR=b"), dir
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.errs
	p.start()
	p.output()
	if got := p.eventsWith("use"); len(got) == 0 || slices.ContainsFunc(got, func(e string) bool { return strings.Contains(e, "/b/") }) {
		t.Errorf("reported %q", got)
	}
}
