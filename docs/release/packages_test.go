package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var formulaArchives = regexp.MustCompile(`on_(arm|intel) do\n\s+url "([^"]+)"\n\s+sha256 "([0-9a-f]{64})"`)

// The formula has the archives of macOS and Linux at the addresses of the release, with their checksums.
func TestFormula(t *testing.T) {
	r := written(t)
	path := filepath.Join(r.folder, "sonde.rb")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sums := readSums(t, r.folder)
	found := formulaArchives.FindAllStringSubmatch(string(data), -1)
	if len(found) != 4 {
		t.Fatalf("%d archives, want 4:\n%s", len(found), data)
	}
	for i, want := range []target{{"darwin", "arm64"}, {"darwin", "amd64"}, {"linux", "arm64"}, {"linux", "amd64"}} {
		name := want.archive(testVersion)
		processor := map[string]string{"arm64": "arm", "amd64": "intel"}[want.architecture]
		url := "https://github.com/ann/sonde/releases/download/v1.2.3/" + name
		if m := found[i]; m[1] != processor || m[2] != url || m[3] != sums[name] {
			t.Errorf("%s is %q", name, m[0])
		}
	}
	if mac, linux := strings.Index(string(data), "on_macos do"), strings.Index(string(data), "on_linux do"); mac < 0 || linux < mac {
		t.Errorf("the systems are not there:\n%s", data)
	}
	if out, err := exec.Command("ruby", "-c", path).CombinedOutput(); err != nil {
		if _, missing := exec.LookPath("ruby"); missing != nil {
			t.Skip("ruby is not installed: the syntax was not checked")
		}
		t.Errorf("ruby -c: %v\n%s", err, out)
	}
}

// The manifest has the archives of Windows, with their checksums and the folder in them.
func TestManifest(t *testing.T) {
	r := written(t)
	data, err := os.ReadFile(filepath.Join(r.folder, "sonde.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m scoopManifest
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	if m.Version != testVersion || m.Bin != "sonde.exe" || m.License != "Apache-2.0" || m.Homepage != "https://github.com/ann/sonde" {
		t.Errorf("got %+v", m)
	}
	sums := readSums(t, r.folder)
	for processor, architecture := range map[string]string{"64bit": "amd64", "arm64": "arm64"} {
		name := "sonde_1.2.3_windows_" + architecture
		want := scoopArchive{
			URL:        "https://github.com/ann/sonde/releases/download/v1.2.3/" + name + ".zip",
			Hash:       sums[name+".zip"],
			ExtractDir: name,
		}
		if got := m.Architecture[processor]; got != want || want.Hash == "" {
			t.Errorf("%s is %+v, want %+v", processor, got, want)
		}
	}
	if len(m.Architecture) != 2 {
		t.Errorf("got %v", m.Architecture)
	}
}

// A release without archives for the systems of a package manager has no file for it.
func TestNoPackages(t *testing.T) {
	for system, want := range map[target]string{
		{"linux", "arm64"}:   "formula",
		{"windows", "arm64"}: "manifest",
	} {
		p := packages{
			repository: "ann/sonde", version: testVersion,
			sums: checksumList{{name: system.archive(testVersion), sum: strings.Repeat("0", 64)}},
		}
		formula, err := p.formula()
		if err != nil || (formula != nil) != (want == "formula") {
			t.Errorf("%s: formula %q, %v", system, formula, err)
		}
		manifest, err := p.manifest()
		if err != nil || (manifest != nil) != (want == "manifest") {
			t.Errorf("%s: manifest %q, %v", system, manifest, err)
		}
	}
}

// readSums reads SHA256SUMS of a folder.
func readSums(t *testing.T, folder string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(folder, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]string{}
	for line := range strings.Lines(string(data)) {
		sum, name, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if !ok {
			t.Fatalf("SHA256SUMS has the line %q", line)
		}
		sums[name] = sum
	}
	return sums
}
