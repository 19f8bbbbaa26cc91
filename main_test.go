package main

import (
	"encoding/json"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// law says which of our packages a room may import. A name that ends in "/"
// stands for all that is below it, one that ends in "/*" for one level.
//
// When a better law is found, change this table, not the code around it.
var law = map[string][]string{
	".":                {"ui/cli"},
	"model":            {},
	"model/codec":      {"model"},
	"model/config":     {"model", "model/pointer"},
	"model/pointer":    {},
	"model/resource":   {"model"},
	"model/route":      {"model"},
	"model/shape":      {"model"},
	"model/match":      {"model", "model/pointer", "model/resource"},
	"model/openapi":    {"model", "model/pointer"},
	"analysis/share":   {"model", "model/*"},
	"analysis/distil":  {"model", "model/*"},
	"analysis/depend":  {"model", "model/*"},
	"analysis/layout":  {"model", "model/*"},
	"analysis/survey":  {"model", "model/*", "analysis/distil", "analysis/share"},
	"assets/demo":      {},
	"assets/templates": {},
	"assets/probe":     {},
	"runner/authority": {},
	"runner/gene":      {"model"},
	"runner/mimic":     {"model", "model/*"},
	"runner/mutate":    {"model", "runner/netns", "runner/probe"},
	"runner/mio":       {"model"},
	"runner/netns":     {},
	"runner/outside":   {"model", "runner/gene"},
	"runner/pool":      {"model", "model/match", "model/pointer"},
	"runner/rest":      {"model", "model/pointer", "runner/gene", "runner/outside", "runner/pool"},
	"runner/client":    {"model", "model/*", "runner/redact"},
	"runner/oracle":    {"model", "model/match", "model/pointer", "model/resource"},
	"runner/redact":    {"model"},
	"runner/probe":     {"model", "assets/probe", "assets/probe/"},
	"runner/shrink":    {},
	"runner/stat":      {},
	"runner/driver":    {"model", "runner/client"},
	"runner/sut":       {"model", "runner/client", "runner/driver", "runner/redact"},
	"runner/study":     {"model", "runner", "runner/stat"},
	"runner/vnet":      {"model", "model/*", "runner/authority", "runner/netns"},
	"runner/record":    {"model", "model/route", "model/shape", "runner/authority", "runner/client"},
	"runner":           {"model", "model/*", "runner/*"},
	"export":           {"model", "model/match", "model/pointer", "analysis/layout", "assets/"},
	"export/format":    {"model", "model/pointer", "export", "assets/templates/"},
	"export/picture":   {"analysis/layout"},
	"ui/theme":         {},
	"ui/home":          {"ui/theme"},
	"ui/words":         {},
	"ui/pane":          {"ui/theme"},
	"ui/leaf":          {"model", "analysis/*", "ui/theme", "ui/words", "ui/pane", "ui/leaf"},
	"ui/tui":           {"model", "model/match", "model/pointer", "analysis/*", "ui/home", "ui/theme", "ui/words", "ui/pane", "ui/leaf"},
	"ui/report":        {"model/match", "analysis/survey", "runner/study", "assets/templates", "ui/theme", "ui/words", "ui/pane"},
	"ui/tty":           {},
	"docs/compare":     {"model", "model/openapi", "model/route", "runner/stat"},
	"docs/house":       {},
	"docs/offline":     {"runner/netns"},
	"docs/picture":     {"ui/tty"},
	"docs/trust":       {"model", "model/codec"},
	"ui/cli":           {"model", "model/*", "analysis/*", "runner", "runner/client", "runner/mimic", "runner/mutate", "runner/netns", "runner/oracle", "runner/probe", "runner/record", "runner/study", "runner/sut", "runner/vnet", "export", "export/format", "export/picture", "assets/", "ui/"},
}

// leaves are the small components that screens are made of.
var leaves = []string{"ui/ask", "ui/clip", "ui/chain", "ui/chart", "ui/code", "ui/figure", "ui/gauge", "ui/lifeline", "ui/payload", "ui/prose"}

// only says who alone may import a library.
var only = map[string]string{
	"github.com/getkin/kin-openapi":      "model/openapi",
	"github.com/dominikbraun/graph":      "analysis/depend",
	"github.com/spf13/cobra":             "ui/cli",
	"golang.org/x/tools/go":              "runner/probe docs/house",
	"github.com/charmbracelet/bubbletea": "ui",
	"github.com/charmbracelet/lipgloss":  "ui",
	"github.com/yuin/goldmark":           "ui/prose",
	"net/http":                           "runner/client runner/record runner/vnet model/openapi assets/demo ui/cli docs/compare docs/trust",
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
		room := roomOf(from)
		if room == "" {
			t.Errorf("%s is no room of the law: add it", from)
			continue
		}
		for _, i := range p.Imports {
			if i == "sonde" || strings.HasPrefix(i, "sonde/") {
				if to := local(i); !allowed(room, to) {
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

// open are the rooms whose packages inside are rooms of the same law.
var open = []string{"ui/tui", "assets/demo", "assets/probe", "assets/templates"}

// roomOf returns the entry of the law for a package, "" where there is none.
func roomOf(p string) string {
	if slices.Contains(leaves, p) {
		return "ui/leaf"
	}
	for _, room := range open {
		if strings.HasPrefix(p, room+"/") {
			return room
		}
	}
	if _, ok := law[p]; ok {
		return p
	}
	return ""
}

func allowed(room, to string) bool {
	if roomOf(to) == room {
		return true
	}
	for _, may := range law[room] {
		switch {
		case may == to, may == "ui/leaf" && slices.Contains(leaves, to):
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

// A law that allows everything is none.
func TestImportLawForbids(t *testing.T) {
	for _, c := range []struct{ room, to string }{
		{"model", "model/openapi"}, {"ui/tui", "runner"}, {"ui/tui", "export"}, {"ui/tui", "ui/cli"}, {"runner", "analysis/depend"},
		{"runner/mio", "runner/client"}, {"analysis/share", "runner"}, {"export", "runner"}, {"model/codec", "model/openapi"},
	} {
		if allowed(c.room, c.to) {
			t.Errorf("%s may import %s", c.room, c.to)
		}
	}
	for _, p := range []string{"ui/new", "runner/new", "analysis/new", "new"} {
		if room := roomOf(p); room != "" {
			t.Errorf("%s counts as %s without being in the law", p, room)
		}
	}
}
