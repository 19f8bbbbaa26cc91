package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"sonde/ui/home"
	"sonde/ui/tui/choose"
)

// findSpec returns what to open where nobody said so, as operands: the one spec of the
// folder, or what a person chooses, or nothing for the demo.
func findSpec(ctx context.Context, s streams, ask bool) ([]string, error) {
	here := specsIn(".")
	if len(here) == 1 && !ask {
		tell(s.err, "opens %s, the spec of this folder", here[0])
		return here, nil
	}
	specs, _ := recent()
	if len(here)+len(specs) == 0 && !ask {
		return nil, nil
	}
	chosen, err := choose.Run(ctx, choices(here, specs), whole("."))
	switch {
	case err != nil:
		return nil, err
	case chosen == "":
		return nil, verdict(exitClean)
	case chosen == demoSource:
		return nil, nil
	}
	return []string{chosen}, nil
}

// choices are the specs of the folder, those of late, and the demo.
func choices(here []string, specs []home.Spec) (all []choose.Entry) {
	known := map[string]bool{}
	for _, file := range here {
		known[home.Source(file)] = true
		all = append(all, choose.Entry{Source: file, Name: file, Note: "in this folder"})
	}
	for _, s := range specs {
		if !known[s.Source] {
			all = append(all, choose.Entry{Source: s.Source, Name: titleOf(s), Note: s.When.Local().Format("2006-01-02") + "  " + s.Source})
		}
	}
	return append(all, choose.Entry{Source: demoSource, Name: "the built-in demo", Note: "a shop with faults in it"})
}

func titleOf(s home.Spec) string {
	if strings.TrimSpace(s.Title) == "" {
		return filepath.Base(s.Source)
	}
	return s.Title
}

// An OpenAPI document says near its beginning what it is.
const beginning = 4 << 10

var saysOpenAPI = regexp.MustCompile(`(?m)^[\s{]*["']?(openapi|swagger)["']?\s*:`)

// specsIn are the names of the OpenAPI documents of a folder.
func specsIn(dir string) (names []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		switch filepath.Ext(e.Name()) {
		case ".yaml", ".yml", ".json":
			if e.Type().IsRegular() && saysOpenAPI.Match(head(filepath.Join(dir, e.Name()))) {
				names = append(names, e.Name())
			}
		}
	}
	return names
}

// head is the beginning of a file, as far as it can be read.
func head(path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, _ := io.ReadAll(io.LimitReader(f, beginning)) // what was read is enough, or is no spec
	return data
}
