package suite

import (
	"fmt"
	"slices"
	"strings"

	"sonde/export"
	"sonde/export/format"
	"sonde/model"
	"sonde/model/codec"
)

// FaultModes returns the values of the flag --faults.
func FaultModes() []string {
	var all []string
	for _, m := range export.FaultModes {
		all = append(all, string(m))
	}
	return all
}

// CheckFaultMode returns an error if mode is not one of FaultModes.
func CheckFaultMode(mode string) error {
	if !slices.Contains(FaultModes(), mode) {
		return fmt.Errorf("--faults %q is not known: use %s", mode, strings.Join(FaultModes(), ", "))
	}
	return nil
}

// WithFaults returns a suite with the faults of a run. If picked is set, the suite has only faults with the operation
// and the status of a call in its tests.
func WithFaults(s export.Suite, faults []model.Fault, mode string, picked bool) export.Suite {
	s.FaultMode = export.FaultMode(mode)
	for _, f := range faults {
		if !picked || slices.ContainsFunc(s.Tests, func(t model.Test) bool { return answers(t, f) }) {
			s.Faults = append(s.Faults, f)
		}
	}
	return s
}

// answers reports whether a call of a test has the operation and the status of a fault.
func answers(t model.Test, f model.Fault) bool {
	return slices.ContainsFunc(t.Calls, func(c model.Call) bool { return c.Op == f.Op && c.Status == f.Status })
}

// Reproducer returns a function that returns the curl commands that repeat a fault of the run, or "" if there are no
// such commands.
func Reproducer(h codec.RunHeader) func(model.Fault) string {
	suite := FromRun(h, nil, "")
	return func(f model.Fault) string {
		curl, err := format.CurlScript(suite, f)
		if err != nil {
			return ""
		}
		return curl
	}
}
