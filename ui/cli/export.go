package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"sonde/export"
	"sonde/export/format"
	"sonde/model"
	"sonde/model/codec"
	"sonde/ui/words"

	"github.com/spf13/cobra"
)

// testFolder is where test files go unless somebody says otherwise.
const testFolder = "sonde-tests"

// usualFormat is what tests are written in unless somebody says otherwise.
const usualFormat = "go"

func newExport(s streams) *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use:     "export RUN, or export SPEC --try FILE",
		Short:   "Write a run's tests as files, or seqs after running them",
		Long:    exportHelp(),
		Example: exportExample,
		Args:    atMost(1),
		RunE:    func(c *cobra.Command, args []string) error { return f.export(c, s, args) },
	}
	f.add(c)
	return c
}

const exportExample = `  sonde export run --pick t12,t40 -o api
  cd api && SONDE_BASE_URL=http://127.0.0.1:8080 go test -count=1 *_test.go
  sonde export run --format pytest --faults pin
  sonde seqs --demo --calls 0 | sonde export --demo --try -`

// exportHelp is the text of the command's help.
func exportHelp() string {
	return `Write tests as files that need neither Sonde nor the run. Values that calls take
from the answers to earlier ones are taken anew when the tests run. --format says
which files:

` + formatList() + `
A file that is there is updated: tests of the same names are written anew, and what
stands outside of the lines that are marked as generated stays as it is.

Tests of a run without a reset that depend on what other tests leave in the service
are left out unless --all or --pick asks for them.

Each fault that a run counts, of severity error or warning and not flaky, becomes
a test in a file of its own, such as sonde_faults_test.go, which says what was
expected and what came. With --faults fail, the default, it asserts what should
hold and fails until the fault is mended; with pin it asserts what the service
does today, and passes until then; with skip it is skipped. The other tests hold
no answer that is such a fault. What several files share, such as the helpers,
is in one file of the folder.

Go tests can do all that a run does. Where sonde.yaml said how to start the
service, they start it. The other formats say in their file, and here, what
they leave out.

Tests of a run with --net have the hosts around the service answer as they did:
by a virtual network, for which sonde build builds the service, or with --hosts
httptest by servers of their own, where the service is told of its hosts when it
starts.

With --try the seqs of a file are run first to get their values, on the
service of --url, --config or --demo. One that cannot be run whole is left
out with the reason, and the exit code is 1.`
}

// export writes the tests of a run, or seqs after running them.
func (f *exportFlags) export(c *cobra.Command, s streams, args []string) error {
	if err := f.checkNames(); err != nil {
		return err
	}
	if f.wishes.try != "" {
		return f.call(c, s, args)
	}
	if err := f.alone(c); err != nil {
		return err
	}
	if err := exactly("RUN")(c, args); err != nil {
		return err
	}
	return f.run(s, args[0])
}

// checkNames returns what is wrong with the flags that name one of several.
func (f *exportFlags) checkNames() error {
	if _, err := format.Named(f.format); err != nil {
		return err
	}
	if err := checkHosts(f.around); err != nil {
		return err
	}
	if err := checkFaults(f.faults); err != nil {
		return err
	}
	if f.around != hostsVirtual && f.format != usualFormat {
		return fmt.Errorf("--hosts %s goes with --format %s, which alone plays hosts", f.around, usualFormat)
	}
	return nil
}

// add adds the flags to a command.
func (f *exportFlags) add(c *cobra.Command) {
	f.sourceFlags.add(c)
	f.callFlags.add(c)
	c.Flags().StringVar(&f.wishes.try, "try", "", "file of seqs to run and write: what sonde seqs prints, or other tests; - is standard input")
	c.Flags().StringSliceVar(&f.pick, "pick", nil, "only the tests with these IDs")
	c.Flags().BoolVar(&f.all, "all", false, "also write tests that depend on earlier state, which may pass only once")
	c.Flags().StringVar(&f.format, "format", usualFormat, "format of the file: "+strings.Join(format.Names(), ", "))
	c.Flags().StringVar(&f.around, "hosts", hostsVirtual, "how tests play the hosts around the service that a run with --net was about: "+hostsVirtual+", by the virtual network, or "+hostsLocal+", by servers whose addresses take the hosts' place in the service's command and environment")
	c.Flags().StringVar(&f.faults, "faults", string(export.FailFaults), "what tests of faults do while the faults are there: "+strings.Join(faultModes(), ", "))
	c.Flags().StringVarP(&f.dir, "output", "o", testFolder, "folder to write into")
	c.Flags().BoolVar(&f.force, "force", false, "overwrite the file that is there, also what others wrote into it")
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(format.Names(), cobra.ShellCompDirectiveNoFileComp))
}

// formatList says what the formats are, a line each.
func formatList() string {
	var b strings.Builder
	for _, f := range format.All {
		fmt.Fprintf(&b, "  %-9s %-28s %s\n", f.Name, f.File, f.Text)
	}
	return b.String()
}

type exportFlags struct {
	callFlags
	pick        []string
	format, dir string
	around      string
	faults      string // a mode of faultModes
	force       bool
	all         bool // also tests that depend on earlier state
}

// exportReport is the JSON of export.
type exportReport struct {
	File  string   `json:"file"`
	Tests []string `json:"tests"`
	// Lacks says what the tests have and the file has not.
	Lacks []string `json:"lacks,omitempty"`
	// EarlierState are the tests that are left out because they depend on earlier state.
	EarlierState []string `json:"depend_on_earlier_state,omitempty"`
	// Files are all that were written, and Faults the IDs of the tests that show faults.
	Files  []string `json:"files"`
	Faults []string `json:"faults,omitempty"`
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
	var unsound []string
	if !f.all && len(f.pick) == 0 {
		tests, unsound = sound(tests)
		if len(tests) == 0 && len(unsound) > 0 {
			return fmt.Errorf("run %q: all of its %s depend on earlier state, or were not played again: --all writes them all the same",
				dir, words.Plural(len(unsound), "test"))
		}
	}
	more := formatArgs(f.format)
	if f.all {
		more = append(more, "--all")
	}
	local := f.around == hostsLocal
	if local {
		more = append(more, "--hosts", f.around)
	}
	if f.faults != string(export.FailFaults) {
		more = append(more, "--faults", f.faults)
	}
	suite := surrounded(suiteOf(run.Header, tests, exportCommand(dir, f.pick, f.dir, more...)), run.Header.Net, local)
	suite.Code, suite.EarlierState, suite.AllStates = run.Code, unsound, f.all
	return f.write(s, withFaults(suite, run.Faults, f.faults, len(f.pick) > 0))
}

// write writes the file and says where it is, and what it has not.
func (f *exportFlags) write(s streams, suite export.Suite) error {
	path, made, err := writeTests(f.dir, f.format, suite, f.force)
	if err != nil {
		return err
	}
	for _, line := range made.Lacks {
		tell(s.err, "%s", line)
	}
	if made.Starts != "" {
		tell(s.err, "%s", made.Starts)
	}
	if f.json {
		return printJSON(s.out, exportReport{
			File: path, Tests: append([]string{}, made.Tests...), Lacks: made.Lacks, EarlierState: suite.EarlierState,
			Files: filesIn(f.dir, made), Faults: made.Faults,
		})
	}
	return f.tell(s, made, suite)
}

// leftOut says that some tests are not in the file, and where it says why.
func leftOut(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %d left out: the file's comment says why", n)
}

// formatArgs are the flags for a format.
func formatArgs(name string) []string {
	if name == usualFormat {
		return nil
	}
	return []string{"--format", name}
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
	return strings.Join(append(words, more...), " ")
}

// sound returns the tests that depend only on what they create themselves, and the IDs
// of the others.
func sound(tests []model.Test) (kept []model.Test, others []string) {
	for _, t := range tests {
		if t.EarlierState == "" {
			kept = append(kept, t)
		} else {
			others = append(others, t.ID)
		}
	}
	return kept, others
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
		Title: h.Title, Spec: h.Spec, BaseURL: h.BaseURL, Insecure: h.Insecure, TLS: wholeTLS(h.TLS, h.Folder), Service: h.Service, Dir: h.Dir, Reset: h.Reset, Users: h.Users, Tests: tests, Command: command,
	}
}

// writeTests writes a file with a way out where there is one.
func writeTests(dir, name string, s export.Suite, force bool) (string, format.Made, error) {
	f, err := format.Named(name)
	if err != nil {
		return "", format.Made{}, err
	}
	path, made, err := f.Write(dir, placed(s, dir), force)
	if errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf("a file %q is there already, which does not say what of it Sonde wrote: overwrite it with --force, or name another folder with -o", filepath.Join(dir, f.File))
	}
	return path, made, err
}
