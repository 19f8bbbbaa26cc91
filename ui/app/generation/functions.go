package generation

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"sonde/export"
	"sonde/model/codec"
)

// beginOfTest matches the beginning of a test, with the name of its function and its ID.
var beginOfTest = regexp.MustCompile(`(?s)\nfunc (Test\w+)\(t \*testing\.T\) \{.*?\bmimics\(t, recorded\{id: "([^"]+)"`)

// TestFunctions returns the names of the test functions in a file, each with the ID of its test.
func TestFunctions(file string) (map[string]string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for _, m := range beginOfTest.FindAllSubmatch(data, -1) {
		all[string(m[1])] = string(m[2])
	}
	return all, nil
}

// RestoresSnapshots reports whether the tests in a folder that Write has written restore snapshots of the service's state.
func RestoresSnapshots(dir string) bool {
	run, err := codec.OpenRun(filepath.Join(dir, RunFolder))
	return err == nil && run.Reset != nil && run.Reset.Snapshots != ""
}

// FunctionsByOperation returns the names of the test functions in a folder that Write has written. The keys are the
// operations under test, as in "GET /products".
func FunctionsByOperation(dir string) (map[string][]string, error) {
	functions, err := TestFunctions(filepath.Join(dir, export.TestsFileName))
	if err != nil {
		return nil, err
	}
	run, err := codec.OpenRun(filepath.Join(dir, RunFolder))
	if err != nil {
		return nil, err
	}
	operations := map[string]string{}
	for _, t := range run.Tests {
		if t.Mock != nil {
			operations[t.ID] = string(t.Calls[t.Mock.Call].Op)
		}
	}
	all := map[string][]string{}
	for name, id := range functions {
		if op := operations[id]; op != "" {
			all[op] = append(all[op], name)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("the run in %q has none of the tests", dir)
	}
	return all, nil
}
