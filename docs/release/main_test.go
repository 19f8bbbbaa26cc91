package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

const testVersion = "1.2.3"

// written writes a release for all targets into a folder. Its programs are scripts that print their target.
func written(t *testing.T) release {
	t.Helper()
	r := release{folder: t.TempDir(), repository: "ann/sonde", targets: allTargets}
	when := time.Date(2026, 12, 1, 9, 30, 0, 0, time.UTC)
	var names []string
	for _, target := range allTargets {
		archive, err := pack(target, testVersion, when, []file{
			{name: target.program(), data: []byte("#!/bin/sh\necho " + target.String() + "\n"), executable: true},
			{name: "completions/sonde.bash", data: []byte("complete sonde\n")},
			{name: "man/man1/sonde.1", data: []byte(".TH SONDE\n")},
		})
		if err != nil {
			t.Fatal(err)
		}
		for name, data := range map[string][]byte{target.archive(testVersion): archive, target.bom(testVersion): []byte("{}\n")} {
			if err := writeFile(filepath.Join(r.folder, name), data); err != nil {
				t.Fatal(err)
			}
		}
		names = append(names, target.archive(testVersion), target.bom(testVersion))
	}
	sums, err := checksums(r.folder, names)
	if err != nil {
		t.Fatal(err)
	}
	if err := writeFile(filepath.Join(r.folder, "SHA256SUMS"), []byte(sums.String())); err != nil {
		t.Fatal(err)
	}
	if err := r.writePackages(testVersion, sums); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestParse(t *testing.T) {
	r, err := parse([]string{"-repository", "ann/sonde", "-tag", "v1.0.0", "-source", "/src", "/out", "linux/arm64"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	want := release{source: "/src", folder: "/out", repository: "ann/sonde", tag: "v1.0.0", targets: []target{{"linux", "arm64"}}}
	if r.source != want.source || r.folder != want.folder || r.repository != want.repository || r.tag != want.tag ||
		!slices.Equal(r.targets, want.targets) {
		t.Errorf("got %+v, want %+v", r, want)
	}
	r, err = parse([]string{"/out"}, io.Discard)
	if err != nil || !slices.Equal(r.targets, allTargets) {
		t.Errorf("without targets: %v, %v", r.targets, err)
	}
}

func TestBadArguments(t *testing.T) {
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"no folder":             {nil, "usage: release"},
		"unknown target":        {[]string{"/out", "plan9/amd64"}, `"plan9/amd64" is no target`},
		"folder in the tree":    {[]string{"-source", "/src", "/src/out"}, "in the source tree"},
		"the tree itself":       {[]string{"-source", "/src", "/src"}, "in the source tree"},
		"repository for a file": {[]string{"-repository", `a/b"; system("x`, "/out"}, "want OWNER/NAME"},
		"half a repository":     {[]string{"-repository", "sonde", "/out"}, "want OWNER/NAME"},
	} {
		_, err := parse(test.args, io.Discard)
		if !errors.Is(err, errUsage) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
	if _, err := parse([]string{"-source", "/src", "/src-out"}, io.Discard); err != nil {
		t.Errorf("a folder beside the tree: %v", err)
	}
}

// A failed build, such as one of a tree that is not Sonde's, is reported and leaves no release.
func TestNoSource(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	err := release{source: t.TempDir(), folder: out, repository: "a/b", targets: allTargets}.write(io.Discard)
	if err == nil || !strings.Contains(err.Error(), "go build for "+host.String()) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("there is a folder of a release")
	}
}

var dockerFrom = regexp.MustCompile(`^FROM (\S+)(?: AS (\S+))?$`)

// Each image of the Dockerfile that is not only for the build has a tag, runs as a user and starts Sonde, and the
// builder has the Go of go.mod.
func TestDockerfile(t *testing.T) {
	data, err := os.ReadFile("../../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	module, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	goVersion := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(module))[1]
	last := map[string]string{} // of the stage
	stage, stages := "", 0
	check := func() {
		if stage == "" || stage == "build" {
			return
		}
		if last["USER"] != "sonde" || last["ENTRYPOINT"] != `["sonde"]` || last["WORKDIR"] != "/work" {
			t.Errorf("stage %s: %v", stage, last)
		}
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		statement, text, _ := strings.Cut(line, " ")
		if from := dockerFrom.FindStringSubmatch(line); from != nil {
			check()
			stages++
			stage, last = from[2], map[string]string{}
			if stage == "" {
				stage = "last"
			}
			image, tag, _ := strings.Cut(from[1], ":")
			if tag == "" || tag == "latest" || image == "golang" && tag != goVersion+"-alpine" {
				t.Errorf("%s: the tag is %q; go.mod has Go %s", line, tag, goVersion)
			}
			continue
		}
		if !slices.Contains([]string{"RUN", "COPY", "USER", "WORKDIR", "ENTRYPOINT"}, statement) {
			t.Errorf("unexpected statement: %s", line)
		}
		if last["USER"] != "" && (statement == "RUN" || statement == "COPY") {
			t.Errorf("stage %s writes after USER: %s", stage, line)
		}
		if strings.Contains(text, "apk add") && !strings.Contains(text, "--no-cache") {
			t.Errorf("a cache stays in the image: %s", line)
		}
		last[statement] = text
	}
	check()
	if stages != 3 {
		t.Errorf("%d stages, want 3", stages)
	}
}
