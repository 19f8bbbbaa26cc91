package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"sonde/export"
	"sonde/export/format"
	"sonde/model"
	"sonde/ui/words"
)

// faultModes are the names of what tests of faults may do.
func faultModes() []string {
	var all []string
	for _, m := range export.FaultModes {
		all = append(all, string(m))
	}
	return all
}

// checkFaults returns what is wrong with a mode.
func checkFaults(mode string) error {
	if !slices.Contains(faultModes(), mode) {
		return fmt.Errorf("--faults %q is not known: use %s", mode, strings.Join(faultModes(), ", "))
	}
	return nil
}

// withFaults adds the faults of a run to a suite of its tests: all of them, or where tests
// were picked those that their calls show.
func withFaults(s export.Suite, faults []model.Fault, mode string, picked bool) export.Suite {
	s.FaultMode = export.FaultMode(mode)
	for _, f := range faults {
		if !picked || slices.ContainsFunc(s.Tests, func(t model.Test) bool { return answers(t, f) }) {
			s.Faults = append(s.Faults, f)
		}
	}
	return s
}

// answers reports whether a call of a test is answered as the one that shows a fault.
func answers(t model.Test, f model.Fault) bool {
	return slices.ContainsFunc(t.Calls, func(c model.Call) bool { return c.Op == f.Op && c.Status == f.Status })
}

// filesIn are the paths of the files of an export.
func filesIn(dir string, made format.Made) []string {
	var all []string
	for _, file := range made.Files {
		all = append(all, filepath.Join(dir, file.Name))
	}
	return all
}

// tell says which tests are in which file.
func (f *exportFlags) tell(s streams, made format.Made, suite export.Suite) error {
	of, err := format.Named(f.format)
	if err != nil {
		return err
	}
	if len(made.Tests) > 0 || len(made.Faults) == 0 {
		tests, _ := suite.Split()
		_, err = fmt.Fprintf(s.out, "%s in %s%s\n", words.Plural(len(made.Tests), "test"), filepath.Join(f.dir, of.File), leftOut(len(tests.Tests)-len(made.Tests)))
	}
	if len(made.Faults) > 0 && err == nil {
		_, err = fmt.Fprintf(s.out, "%s in %s (--faults %s)\n", words.Plural(len(made.Faults), "fault"), filepath.Join(f.dir, of.Faults), f.faults)
	}
	return err
}
