package main

import (
	"encoding/json"
	"io"
	"os/exec"
	"path"
	"strings"
	"testing"
)

// law lists the packages of this module that a package may import. A name that ends in "/" means all packages below it.
// A name that ends in "/*" means the packages one level below it.
//
// To change the rules, change only this table, not the code around it.
var law = map[string][]string{
	".": {"ui/cli"},

	"model":          {},
	"model/answer":   {"model", "model/match", "model/pointer", "model/route"},
	"model/codec":    {"model", "model/collection"},
	"model/config":   {"model", "model/pointer"},
	"model/match":    {"model", "model/pointer", "model/resource"},
	"model/openapi":  {"model", "model/collection", "model/pointer"},
	"model/pointer":  {},
	"model/resource": {"model"},
	"model/route":    {"model"},

	"model/collection": {},

	"analysis":            {"model", "model/*", "analysis/cluster", "analysis/depend", "analysis/distil", "analysis/valuegroup"},
	"analysis/cluster":    {"model", "model/*"},
	"analysis/depend":     {"model", "model/*"},
	"analysis/distil":     {"model", "model/*"},
	"analysis/layout":     {"model", "model/*"},
	"analysis/observe":    {"model", "model/match", "model/pointer", "model/route"},
	"analysis/specdiff":   {"model", "model/match", "analysis"},
	"analysis/survey":     {"model", "model/*", "analysis", "analysis/distil", "analysis/valuegroup"},
	"analysis/valuegroup": {"model", "model/*"},

	"assets/demo":      {},
	"assets/probe":     {},
	"assets/templates": {"assets/wire"},
	"assets/wire":      {},

	"runner/search": {
		"model", "model/*", "runner/search/*", "runner/target/*", "runner/instrument/probedata", "runner/network/hostmodel",
		"runner/network/netsim",
	},
	"runner/search/encode": {"assets/wire", "model", "runner/search/gene"},
	"runner/search/gene":   {"model"},
	"runner/search/individual": {
		"model", "model/match", "model/pointer", "runner/search/encode", "runner/search/gene", "runner/search/pool",
		"runner/search/producer", "runner/search/refusal", "runner/search/upload", "runner/network/hostmodel",
	},
	"runner/search/forecast": {"model"},
	"runner/search/listing":  {"model", "model/match", "model/pointer"},
	"runner/search/mio":      {"model"},
	"runner/search/oracle":   {"model", "model/answer", "model/match", "model/pointer", "model/resource", "runner/search/listing"},
	"runner/search/pool":     {"model", "model/answer", "model/match", "model/pointer"},
	"runner/search/producer": {"model", "model/answer", "model/match", "model/pointer", "runner/search/pool"},
	"runner/search/refusal":  {},
	"runner/search/upload":   {},
	"runner/search/shrink":   {},

	"runner/target/client": {"model", "model/*", "runner/target/redact"},
	"runner/target/driver": {"model", "runner/target/client"},
	"runner/target/redact": {"model"},
	"runner/target/sut":    {"model", "runner/target/client", "runner/target/driver", "runner/target/redact"},

	"runner/campaign":              {"runner/campaign/broker"},
	"runner/campaign/broker":       {"model"},
	"runner/campaign/campaigntest": {"runner/campaign", "runner/campaign/broker"},
	"runner/campaign/islands":      {"runner/campaign", "runner/search"},

	"runner/instrument/probe": {
		"model", "assets/probe", "assets/probe/", "runner/instrument/probedata", "runner/instrument/unitdata", "runner/instrument/units",
	},
	"runner/instrument/unitdata":  {"assets/probe/sondevalue"},
	"runner/instrument/probedata": {"model", "assets/probe/"},
	"runner/instrument/units":     {},

	"runner/network/devca":    {},
	"runner/network/dialogue": {"model", "assets/wire"},
	"runner/network/hostmodel": {
		"assets/wire", "model", "runner/network/dialogue", "runner/search/encode", "runner/search/gene",
	},
	"runner/network/netns": {},
	"runner/network/netsim": {
		"model", "model/*", "assets/wire", "runner/network/devca", "runner/network/dialogue", "runner/network/netns",
	},

	"runner/replay/generate":  {"model", "model/*", "runner/replay/shape"},
	"runner/replay/unittests": {"assets/probe/sondevalue", "assets/templates", "runner/instrument/unitdata"},
	"runner/replay/record": {
		"assets/probe/sondevalue",
		"assets/wire", "model", "model/route", "runner/network/devca", "runner/network/dialogue", "runner/replay/shape",
		"runner/target/client", "runner/target/redact",
	},
	"runner/replay/shape":     {"assets/wire", "model"},
	"runner/replay/variation": {"model", "model/pointer"},

	"runner/lab/mutate": {"model", "runner/instrument/probe", "runner/network/netns"},
	"runner/lab/stat":   {},
	"runner/lab/study":  {"model", "runner/lab/stat", "runner/search", "runner/search/forecast"},

	"export":         {"model", "model/answer", "model/match", "model/pointer", "analysis/layout", "assets/"},
	"export/format":  {"model", "model/pointer", "export", "assets/templates/"},
	"export/picture": {"analysis/layout"},

	"ui/theme":   {},
	"ui/words":   {},
	"ui/draw":    {"model", "ui/theme", "ui/words"},
	"ui/diagram": {"analysis/layout", "ui/draw", "ui/theme"},
	"ui/markup":  {"ui/draw", "ui/theme"},
	"ui/widget":  {"ui/draw", "ui/theme", "ui/words"},
	"ui/report": {
		"model", "model/match", "analysis/survey", "export", "export/picture", "runner/lab/mutate", "runner/lab/study",
		"runner/replay/generate", "runner/search/forecast", "assets/templates", "ui/app/generation", "ui/draw", "ui/theme", "ui/words",
	},
	"ui/tty": {},

	"ui/console": {"model/config", "ui/draw", "ui/words"},
	"ui/results": {
		"model", "model/*", "analysis", "analysis/*", "export/picture", "export", "export/format", "runner/instrument/units",
		"runner/lab/mutate", "runner/replay/generate", "runner/replay/record", "runner/replay/unittests",
		"ui/app/", "ui/console", "ui/theme", "ui/words", "ui/draw",
	},

	"ui/app/adequacy": {"model", "model/*", "analysis", "analysis/*", "ui/draw"},
	"ui/app/affected": {"model", "model/codec", "analysis", "analysis/specdiff", "ui/app/adequacy"},
	"ui/app/ci":       {"model", "model/codec", "model/config", "export", "ui/app/paths"},
	"ui/app/command":  {"model"},
	"ui/app/bodyfile": {"ui/words"},
	"ui/app/editor":   {"ui/app/command"},
	"ui/app/collection": {
		"model", "model/collection", "model/pointer", "model/route", "export", "runner/replay/record", "runner/target/client",
	},
	"ui/app/practice": {
		"model", "model/match", "analysis/distil", "runner/search", "runner/target/client", "ui/app/usecase", "ui/draw", "ui/words",
	},
	"ui/app/suite":    {"model", "model/*", "assets/demo", "export", "export/format", "ui/app/command", "ui/app/paths", "ui/app/service"},
	"ui/app/paths":    {},
	"ui/app/netrun":   {"model", "runner/network/netns", "runner/network/netsim"},
	"ui/app/userdata": {"ui/draw", "ui/theme"},
	"ui/app/usecase":  {"model", "analysis", "analysis/distil"},
	"ui/app/version":  {},
	"ui/app/experiment": {
		"model", "model/*", "analysis", "analysis/distil", "assets/demo", "export", "runner/campaign", "runner/instrument/*",
		"runner/lab/mutate", "runner/lab/study", "runner/network/netns", "runner/search", "ui/app/paths", "ui/app/practice",
		"ui/app/searchrun", "ui/app/service", "ui/app/sources", "ui/app/suite", "ui/app/usecase",
	},
	"ui/app/mutation": {
		"runner/campaign", "runner/instrument/probe", "runner/lab/mutate", "runner/network/netns", "ui/app/experiment", "ui/app/service",
		"ui/app/sources",
	},
	"ui/app/live": {"model"},
	"ui/app/runreport": {
		"model", "model/codec", "analysis", "analysis/depend", "export", "export/picture", "ui/app/specfile", "ui/app/suite", "ui/draw",
		"ui/report", "ui/theme", "ui/words",
	},
	"ui/app/requestlog": {"model", "runner/replay/record", "ui/app/usecase"},
	"ui/app/sources":    {"runner/campaign"},
	"ui/app/survivors":  {"model", "runner/lab/mutate", "runner/replay/*", "ui/app/generation", "ui/words"},
	"ui/app/recent":     {"ui/app/paths", "ui/app/service", "ui/app/userdata"},
	"ui/app/specfile":   {"model", "model/codec", "model/openapi", "analysis/observe", "ui/app/paths", "ui/console"},
	"ui/app/doctor": {
		"model", "model/config", "model/openapi", "runner/instrument/*", "runner/network/netns", "ui/app/paths", "ui/app/service",
		"ui/app/userdata", "ui/app/version", "ui/words",
	},
	"ui/app/distributed": {
		"model", "runner/campaign", "runner/campaign/broker", "ui/app/experiment", "ui/app/islandrun", "ui/app/mutation",
		"ui/app/survey", "ui/app/usecase", "ui/app/userdata", "ui/app/version", "ui/words",
	},
	"ui/app/islandrun": {
		"model", "model/config", "runner/campaign", "runner/campaign/islands", "runner/search", "ui/app/experiment", "ui/app/searchrun",
		"ui/app/service", "ui/app/usecase",
	},
	"ui/app/survey": {
		"model/*", "analysis/survey", "runner/campaign", "ui/app/paths", "ui/console", "ui/draw", "ui/report", "ui/words",
	},
	"ui/app/generation": {
		"model", "model/*", "export", "export/format", "runner/replay/generate", "ui/app/command", "ui/app/paths",
		"ui/app/service", "ui/app/suite", "ui/words",
	},
	"ui/app/recording": {
		"model", "model/*", "assets/probe/sondeunits", "assets/probe/sondevalue", "runner/instrument/probedata",
		"runner/instrument/unitdata", "runner/network/netsim", "runner/replay/record", "runner/search",
		"runner/target/client", "runner/target/sut", "ui/app/command", "ui/app/paths", "ui/app/searchrun", "ui/app/service",
		"ui/app/usecase", "ui/app/version",
	},
	"ui/app/searchrun": {
		"model", "model/*", "analysis", "analysis/cluster", "analysis/distil", "analysis/specdiff",
		"runner/campaign/islands", "runner/instrument/*", "runner/replay/generate", "runner/search",
		"ui/app/adequacy", "ui/app/command", "ui/app/paths", "ui/app/service", "ui/app/suite", "ui/app/version", "ui/words",
	},
	"ui/app/service": {
		"model", "model/*", "assets/demo", "runner/instrument/probe", "runner/network/netns", "runner/target/client",
		"ui/app/command", "ui/app/paths",
	},

	"ui/tui": {
		"docs", "model", "model/match", "model/pointer", "analysis", "analysis/*", "ui/app/usecase", "ui/app/userdata",
		"ui/diagram", "ui/draw", "ui/markup", "ui/theme", "ui/widget", "ui/words",
	},
	"ui/app": {
		"model", "model/*", "analysis", "analysis/distil", "export", "export/format", "export/picture", "runner/search",
		"runner/replay/generate", "runner/replay/record", "runner/target/client", "runner/target/sut", "ui/app/", "ui/console",
		"ui/draw", "ui/results", "ui/tui/screen",
	},
	"ui/cli": {
		"model", "model/*", "analysis", "analysis/*", "runner/search", "runner/search/oracle", "runner/target/client", "runner/target/sut",
		"runner/instrument/*", "runner/network/netns", "runner/replay/generate", "runner/replay/record", "runner/replay/unittests",
		"runner/lab/mutate", "runner/lab/study", "runner/campaign",
		"export", "export/format", "export/picture", "assets/demo", "ui/",
	},

	"docs":         {},
	"docs/compare": {"docs/launch", "model", "model/openapi", "model/route", "runner/lab/stat"},
	"docs/corpus":  {},
	"docs/house":   {},
	"docs/launch":  {},
	"docs/netuse":  {"runner/instrument/probe", "runner/network/netns"},
	"docs/offline": {"runner/network/netns"},
	"docs/picture": {"ui/tty"},
	"docs/release": {},
	"docs/trust":   {"docs/launch", "model", "model/codec"},
	"docs/vet":     {},
}

// only is a map from a library to the packages that may import it. No other package may import the library.
var only = map[string]string{
	"github.com/getkin/kin-openapi": "model/openapi analysis/specdiff",
	"github.com/oasdiff/oasdiff":    "analysis/specdiff",
	"github.com/dominikbraun/graph": "analysis/depend",
	"gonum.org/v1/gonum":            "analysis/cluster",
	"github.com/spf13/cobra":        "ui/cli",
	"github.com/CycloneDX":          "docs/release",
	"golang.org/x/tools/cover":      "model/codec docs/compare",
	"golang.org/x/tools/go": "runner/instrument/probe runner/instrument/units runner/replay/unittests " +
		"docs/house docs/netuse docs/vet",
	"github.com/charmbracelet/bubbletea": "ui/tui ui/widget",
	"github.com/charmbracelet/lipgloss":  "ui",
	"github.com/yuin/goldmark":           "ui/markup",
	"github.com/nats-io":                 "runner/campaign",
	"github.com/gorilla/websocket":       "runner/target/client",
	"mvdan.cc/sh":                        "model/collection",
	"net/http": "runner/target/client runner/replay/record runner/network/netsim model/openapi assets/demo ui/app/live ui/cli " +
		"docs/compare docs/launch",
}

type pkg struct {
	ImportPath string
	Imports    []string
}

func packages(t *testing.T) []pkg {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func TestImportLaw(t *testing.T) {
	for _, p := range packages(t) {
		from := local(p.ImportPath)
		entry := entryOf(from)
		if entry == "" {
			t.Errorf("%s has no entry in law: add one", from)
			continue
		}
		for _, i := range p.Imports {
			if i == "sonde" || strings.HasPrefix(i, "sonde/") {
				if to := local(i); !allowed(entry, to) {
					t.Errorf("%s must not import %s", from, to)
				}
			} else if owner := ownerOf(i); owner != "" && !ownedBy(owner, from) {
				t.Errorf("%s must not import %s: that is for %s", from, i, owner)
			}
		}
	}
}

func local(importPath string) string {
	if importPath == "sonde" {
		return "."
	}
	return strings.TrimPrefix(importPath, "sonde/")
}

// open lists packages whose entry in law also applies to all packages below them.
var open = []string{"ui/tui", "assets/demo", "assets/probe", "assets/templates"}

// entryOf returns the name under which law lists a package. It returns "" if law does not list the package.
func entryOf(p string) string {
	for _, entry := range open {
		if strings.HasPrefix(p, entry+"/") {
			return entry
		}
	}
	if _, ok := law[p]; ok {
		return p
	}
	return ""
}

func allowed(entry, to string) bool {
	if entryOf(to) == entry {
		return true
	}
	for _, may := range law[entry] {
		switch {
		case may == to:
			return true
		case strings.HasSuffix(may, "/") && strings.HasPrefix(to, may):
			return true
		case strings.HasSuffix(may, "/*") && path.Dir(to) == strings.TrimSuffix(may, "/*"):
			return true
		}
	}
	return false
}

func ownerOf(library string) string {
	for prefix, owner := range only {
		if library == prefix || strings.HasPrefix(library, prefix+"/") {
			return owner
		}
	}
	return ""
}

func ownedBy(owners, p string) bool {
	for _, o := range strings.Fields(owners) {
		if p == o || strings.HasPrefix(p, o+"/") {
			return true
		}
	}
	return false
}

// The law does not permit imports that the architecture forbids.
func TestImportLawForbids(t *testing.T) {
	for _, c := range []struct{ entry, to string }{
		{"model", "model/openapi"},
		{"ui/tui", "runner/search"},
		{"ui/tui", "export"},
		{"ui/tui", "ui/cli"},
		{"ui/app", "ui/cli"},
		{"ui/app", "ui/tui"},
		{"ui/app/service", "ui/app"},
		{"ui/app/suite", "ui/console"},
		{"ui/results", "ui/cli"},
		{"ui/cli", "runner/network/netsim"},
		{"runner/search", "analysis/depend"},
		{"runner/search/mio", "runner/target/client"},
		{"analysis/valuegroup", "runner/search"},
		{"export", "runner/search"},
		{"model/codec", "model/openapi"},
	} {
		if allowed(c.entry, c.to) {
			t.Errorf("%s may import %s", c.entry, c.to)
		}
	}
	for _, p := range []string{"ui/new", "runner", "runner/new", "runner/search/new", "analysis/new", "new"} {
		if entry := entryOf(p); entry != "" {
			t.Errorf("%s has the entry %s, want none", p, entry)
		}
	}
}
