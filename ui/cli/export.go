package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"sonde/export"
	"sonde/model"
	"sonde/model/codec"
	"sonde/ui/words"

	"github.com/spf13/cobra"
)

// testFolder is where test files go unless somebody says otherwise.
const testFolder = "sonde-tests"

func newExport(s streams) *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use:   "export RUN, or export SPEC --try FILE",
		Short: "Write a run's tests as files, or seqs after running them",
		Long: `Write tests as files that need neither Sonde nor the run: Go, the standard
library alone. Where sonde.yaml said how to start the service, they start it.

Tests of a run with --net have the hosts around the service answer as they did:
by a virtual network, for which sonde build builds the service, or with --hosts
httptest by servers of their own, where the service is told of its hosts when it
starts.

With --try the seqs of a file are run first to get their values, on the
service of --url, --config or --demo. One that cannot be run whole is left
out with the reason, and the exit code is 1.`,
		Example: "  sonde export run --pick t12,t40 -o api\n  cd api && SONDE_BASE_URL=http://127.0.0.1:8080 go test -count=1 sonde_test.go\n  sonde seqs --demo --calls 0 | sonde export --demo --try -",
		Args:    atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case f.format != "go":
				return fmt.Errorf("--format %q is not known: say go", f.format)
			case checkHosts(f.around) != nil:
				return checkHosts(f.around)
			case f.wishes.try != "":
				return f.call(c, s, args)
			}
			if err := f.alone(c); err != nil {
				return err
			}
			if err := exactly("RUN")(c, args); err != nil {
				return err
			}
			return f.run(s, args[0])
		},
	}
	f.sourceFlags.add(c)
	f.callFlags.add(c)
	c.Flags().StringVar(&f.wishes.try, "try", "", "file of seqs to run and write: what sonde seqs prints, or other tests; - is standard input")
	c.Flags().StringSliceVar(&f.pick, "pick", nil, "only the tests with these IDs")
	c.Flags().StringVar(&f.format, "format", "go", "format of the files: go")
	c.Flags().StringVar(&f.around, "hosts", hostsVirtual, "how tests play the hosts around the service that a run with --net was about: "+hostsVirtual+", by the virtual network, or "+hostsLocal+", by servers whose addresses take the hosts' place in the service's command and environment")
	c.Flags().StringVarP(&f.dir, "output", "o", testFolder, "folder to write into")
	c.Flags().BoolVar(&f.force, "force", false, "overwrite the file that is there")
	return c
}

type exportFlags struct {
	callFlags
	pick        []string
	format, dir string
	around      string
	force       bool
}

// exportReport is the JSON of export.
type exportReport struct {
	File  string   `json:"file"`
	Tests []string `json:"tests"`
}

func (f *exportFlags) run(s streams, dir string) error {
	run, err := codec.Open(dir)
	if err != nil {
		return err
	}
	tests, err := pick(run.Tests, f.pick)
	if err != nil {
		return fmt.Errorf("run %q: %w", dir, err)
	}
	var more []string
	local := f.around == hostsLocal
	if local {
		more = []string{"--hosts", f.around}
	}
	suite := surrounded(suiteOf(run.Header, tests, exportCommand(dir, f.pick, f.dir, more...)), run.Header.Net, local)
	suite.Code = run.Code
	return f.write(s, suite)
}

// write writes the file and says where it is.
func (f *exportFlags) write(s streams, suite export.Suite) error {
	path, err := writeTests(f.dir, suite, f.force)
	if err != nil {
		return err
	}
	if f.json {
		return printJSON(s.out, exportReport{path, ids(suite.Tests)})
	}
	_, err = fmt.Fprintf(s.out, "%s in %s\n", words.Plural(len(suite.Tests), "test"), path)
	return err
}

// exportCommand exports the tests with the IDs, or all, into a folder, or the
// usual one, with more flags.
func exportCommand(run string, pick []string, dir string, more ...string) string {
	words := []string{"sonde", "export", quote(run)}
	if len(pick) > 0 {
		words = append(words, "--pick", quote(strings.Join(pick, ",")))
	}
	if dir != "" && dir != testFolder {
		words = append(words, "-o", quote(dir))
	}
	return strings.Join(append(append(words, more...), "--force"), " ")
}

// pick returns the tests with the IDs, in the order of the run; all of them
// where none is named.
func pick(tests []model.Test, ids []string) ([]model.Test, error) {
	if len(ids) == 0 {
		return tests, nil
	}
	var out []model.Test
	missing := slices.Clone(ids)
	for _, t := range tests {
		if slices.Contains(ids, t.ID) {
			out = append(out, t)
			missing = slices.DeleteFunc(missing, func(id string) bool { return id == t.ID })
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("there is no test %q: suite.json lists the IDs", missing[0])
	}
	return out, nil
}

func ids(tests []model.Test) []string {
	out := []string{}
	for _, t := range tests {
		out = append(out, t.ID)
	}
	return out
}

func suiteOf(h codec.Header, tests []model.Test, command string) export.Suite {
	return export.Suite{
		Title: h.Title, BaseURL: h.BaseURL, Insecure: h.Insecure, Service: h.Service, Dir: h.Dir, Reset: h.Reset, Users: h.Users, Tests: tests, Command: command,
	}
}

// writeTests is export.Write with a way out where the file exists.
func writeTests(dir string, s export.Suite, force bool) (string, error) {
	path, err := export.Write(dir, placed(s, dir), force)
	if errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("a file %q is there already: overwrite it with --force, or name another folder with -o", filepath.Join(dir, export.FileName))
	}
	return path, err
}
