package export

import (
	"testing"

	"sonde/model"
)

// hostSuites returns the suites that play hosts, where there are some.
var hostSuites = func(*testing.T) map[string]Suite { return nil }

// sharedTests runs the suites of Go files that tests of this package build.
var sharedTests = SharedBinary{Suites: func(t *testing.T) (all []SuiteFiles) {
	suites := []Suite{
		surroundings(t), stubborn(t), dying(t), unstartable(t), wrong(), getA(model.TLSFiles{}, false), getA(model.TLSFiles{}, true),
	}
	for _, more := range []map[string]Suite{resets(t), certificates(t), creating(), hostSuites(t)} {
		for _, s := range more {
			suites = append(suites, s)
		}
	}
	for _, s := range suites {
		text, err := GoFile(s)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, SuiteFiles{TestsFileName: string(text)})
	}
	return all
}}
