//go:build !windows

package export

import (
	"context"
	"fmt"
	"go/version"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"sonde/runner/instrument/probe"
)

// dependents are the folders of services that call other hosts.
var dependents = map[string]string{
	"asker":   "testdata/asker",
	"caller":  "testdata/caller",
	"shop":    "testdata/shop",
	"starter": "testdata/starter",
	"till":    "testdata/till",
}

func init() {
	for _, name := range []string{"handshake", "chat", "page", "retry", "whois"} {
		dependents[name] = filepath.Join("..", "runner", "testdata", "network", name)
	}
}

// dependentsBinary builds all services in dependents, with a virtual network, as one program: they have most of their
// dependencies in common. The name of the binary selects the service.
var dependentsBinary = sync.OnceValues(func() (string, error) {
	parent, err := sharedDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(parent, "dependents")
	var imports, cases strings.Builder
	for _, name := range slices.Sorted(maps.Keys(dependents)) {
		if err := copyPackage(dependents[name], filepath.Join(dir, name), name); err != nil {
			return "", err
		}
		fmt.Fprintf(&imports, "\t\"dependents/%s\"\n", name)
		fmt.Fprintf(&cases, "\tcase %q:\n\t\t%[1]s.Main()\n", name)
	}
	serve := filepath.Join("..", "runner", "testdata", "services", "serve")
	if err := copyPackage(serve, filepath.Join(dir, "serve"), "serve"); err != nil {
		return "", err
	}
	main := fmt.Sprintf(
		"package main\n\nimport (\n\t\"os\"\n\t\"path/filepath\"\n\n%s)\n\nfunc main() {\n\tswitch filepath.Base(os.Args[0]) {\n%s\t}\n}\n",
		&imports, &cases,
	)
	for name, text := range map[string]string{"main.go": main, "go.mod": goMod("dependents")} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	binary := filepath.Join(parent, "dependents.probed")
	// Only the packages that get probes are compiled anew in each run of these tests. The Go build cache has the
	// others.
	_, err = probe.Build(context.Background(), probe.Options{Dir: dir, Package: ".", Out: binary, Cover: []string{"."}, Net: true})
	return binary, err
})

// copyPackage copies the files of a package, without its tests, into a folder of the module dependents. It
// renames the function main to Main.
func copyPackage(from, to, name string) error {
	files, err := filepath.Glob(filepath.Join(from, "*.go"))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	changes := strings.NewReplacer(
		"\npackage main\n", "\npackage "+name+"\n", "\nfunc main() {", "\nfunc Main() {",
		`"sonde/runner/testdata/services/serve"`, `"dependents/serve"`,
	)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, filepath.Base(file)), []byte(changes.Replace("\n"+string(text))), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// dependent returns the path of a binary that runs one of the services in dependents.
func dependent(t *testing.T, name string) string {
	t.Helper()
	binary, err := dependentsBinary()
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), name)
	if err := os.Symlink(binary, link); err != nil {
		t.Fatal(err)
	}
	return link
}

// goMod returns a go.mod with the language version of the Go that runs the tests.
func goMod(module string) string {
	return "module " + module + "\n\ngo " + strings.TrimPrefix(version.Lang(runtime.Version()), "go") + "\n"
}
