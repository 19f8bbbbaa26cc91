package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// needs skips a test if a program that it needs is not installed.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("%s is not installed", p)
		}
	}
}

// installScript returns the script of action.yml that installs Sonde.
func installScript(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var action struct {
		Runs struct {
			Steps []struct{ Name, Run string }
		}
	}
	if err := yaml.Unmarshal(data, &action); err != nil {
		t.Fatal(err)
	}
	for _, step := range action.Runs.Steps {
		if step.Name == "install Sonde" {
			return step.Run
		}
	}
	t.Fatal("action.yml does not install Sonde")
	return ""
}

// fakeGH copies the files of a release that have a name of the patterns, as gh release download does.
const fakeGH = `#!/bin/sh
while [ $# -gt 0 ]; do
	[ "$1" = --pattern ] && cp "$RELEASE"/$2 . # a pattern
	shift
done
`

// actionInstall runs the script of action.yml that installs the release in a folder, for a system with the names of GitHub.
// It returns the folder with the program.
func actionInstall(t *testing.T, folder, system, architecture string) (string, error) {
	t.Helper()
	tools, temp := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(tools, "gh"), []byte(fakeGH), 0o755); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("bash", "-c", installScript(t))
	c.Env = []string{
		"PATH=" + tools + string(os.PathListSeparator) + os.Getenv("PATH"), "RELEASE=" + folder, "RUNNER_TEMP=" + temp,
		"GITHUB_PATH=" + filepath.Join(temp, "path"), "VERSION=v" + testVersion, "SOURCE=.", "REPOSITORY=ann/sonde", "GH_TOKEN=",
		"RUNNER_OS=" + system, "RUNNER_ARCH=" + architecture, "TMPDIR=" + temp,
	}
	out, err := c.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, out)
	}
	return filepath.Join(temp, "sonde-bin"), err
}

// action.yml finds the archive of each system among the files of a release, checks it, and installs its program.
func TestActionInstallsArchives(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs of this test are shell scripts")
	}
	needs(t, "bash", "tar", "unzip")
	r := written(t)
	for _, target := range allTargets {
		system := map[string]string{"linux": "Linux", "darwin": "macOS", "windows": "Windows"}[target.system]
		bin, err := actionInstall(t, r.folder, system, map[string]string{"amd64": "X64", "arm64": "ARM64"}[target.architecture])
		if err != nil {
			t.Errorf("%s: %v", target, err)
			continue
		}
		out, err := exec.Command(filepath.Join(bin, target.program())).Output()
		if got := strings.TrimSpace(string(out)); err != nil || got != target.String() {
			t.Errorf("%s: the program printed %q, %v", target, got, err)
		}
	}
}

// action.yml refuses an archive that is not the one of SHA256SUMS.
func TestActionChecksArchives(t *testing.T) {
	needs(t, "bash", "tar")
	r := written(t)
	path := filepath.Join(r.folder, target{"linux", "amd64"}.archive(testVersion))
	other, err := os.ReadFile(filepath.Join(r.folder, target{"linux", "arm64"}.archive(testVersion)))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, other, 0o600); err != nil {
		t.Fatal(err)
	}
	bin, err := actionInstall(t, r.folder, "Linux", "X64")
	if err == nil {
		t.Error("another archive was installed")
	}
	if entries, _ := os.ReadDir(bin); len(entries) > 0 {
		t.Errorf("%s has %v", bin, entries)
	}
}

// A newcomer unpacks the archive of a release that .ci/release wrote: the program runs, the shell completes its commands, and
// man shows its pages.
func TestRelease(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds Sonde: left out by -short")
	}
	if _, err := os.Stat("../../.git"); err != nil || runtime.GOOS == "windows" {
		t.Skip("it needs a git checkout and a shell")
	}
	needs(t, "git", "tar")
	folder, home := t.TempDir(), t.TempDir()
	if out, err := exec.Command("../../.ci/release", "-repository", "ann/sonde", folder, host.String()).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	bom, err := filepath.Glob(filepath.Join(folder, "sonde_*.cdx.json"))
	if err != nil || len(bom) != 1 {
		t.Fatalf("bills of materials: %v, %v", bom, err)
	}
	name := strings.TrimSuffix(filepath.Base(bom[0]), ".cdx.json")
	if out, err := exec.Command("tar", "-xzf", filepath.Join(folder, name+".tar.gz"), "-C", home).CombinedOutput(); err != nil {
		t.Fatalf("tar: %v\n%s", err, out)
	}
	top := filepath.Join(home, name)
	var names []string
	err = filepath.WalkDir(top, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			names = append(names, filepath.ToSlash(strings.TrimPrefix(path, top+string(filepath.Separator))))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"sonde", "LICENSE", "README.md", "completions/sonde.bash", "completions/_sonde", "completions/sonde.fish",
		"completions/sonde.ps1", "man/man1/sonde.1", "man/man1/sonde-search.1",
	} {
		if !slices.Contains(names, want) {
			t.Errorf("no %s in %v", want, names)
		}
	}
	version := strings.Split(name, "_")[1]
	out, err := exec.Command(filepath.Join(top, "sonde"), "version").Output()
	if err != nil || !strings.HasPrefix(string(out), "sonde "+version+" go") {
		t.Errorf("sonde version: %q, %v", out, err)
	}
	data, err := os.ReadFile(bom[0])
	if err != nil {
		t.Fatal(err)
	}
	checkBOM(t, data)
	program, err := checksums(top, []string{"sonde"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{program.of("sonde"), "pkg:golang/github.com/spf13/cobra@"} {
		if !strings.Contains(string(data), want) {
			t.Errorf("the bill of materials has no %s", want)
		}
	}
	for shell, script := range shellScripts {
		if _, err := exec.LookPath(shell); err != nil {
			t.Logf("%s is not installed", shell)
			continue
		}
		c := exec.Command(shell, "-c", script)
		c.Dir, c.Env = top, append(os.Environ(), "HOME="+home, "PATH="+top+string(os.PathListSeparator)+os.Getenv("PATH"))
		if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "search") {
			t.Errorf("%s completes %q, %v", shell, out, err)
		}
	}
	if _, err := exec.LookPath("man"); err == nil {
		c := exec.Command("man", "./man/man1/sonde.1")
		c.Dir, c.Env = top, append(os.Environ(), "MANPAGER=cat", "LC_ALL=C")
		if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "HTTP") {
			t.Errorf("man: %v\n%s", err, out)
		}
	}
}

// shellScripts complete "sonde sea" in a shell.
var shellScripts = map[string]string{
	"bash": `. completions/sonde.bash
_get_comp_words_by_ref() { cur=sea prev=sonde words=(sonde sea) cword=1; }
compopt() { :; }
COMP_TYPE=9 COMP_LINE="sonde sea"; __start_sonde; echo "${COMPREPLY[@]}"`,
	"fish": `source completions/sonde.fish; complete -C "sonde sea"`,
	"zsh": `fpath=($PWD/completions $fpath); autoload -Uz compinit; compinit -u -d $HOME/dump
zsh -n completions/_sonde && [ "$_comps[sonde]" = _sonde ] && sonde __complete sea`,
}
