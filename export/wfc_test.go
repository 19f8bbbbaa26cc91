package export

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// wfcRequired is what the schema of Web Fuzzing Commons 0.6.0 (report.yaml)
// requires of each object: by the path to it, with * for each of a list.
var wfcRequired = map[string][]string{
	"": {"schemaVersion", "toolName", "toolVersion", "creationTime", "faults", "problemDetails", "totalTests", "testFilePaths", "testCases",
		"executionTimeInSeconds"},
	"faults":                                  {"totalNumber", "foundFaults"},
	"faults.foundFaults.*":                    {"endpointId", "testCaseId", "faultCategories"},
	"faults.foundFaults.*.faultCategories.*":  {"code"},
	"problemDetails.rest":                     {"outputHttpCalls", "evaluatedHttpCalls", "endpointIds", "coveredHttpStatus"},
	"problemDetails.rest.coveredHttpStatus.*": {"endpointId", "testCaseId", "httpStatus"},
	"extra.*":            {"toolName", "criteria"},
	"extra.*.criteria.*": {"name", "covered"},
}

// inside are the values at a path.
func inside(v any, path string) []any {
	if path == "" {
		return []any{v}
	}
	step, rest, _ := strings.Cut(path, ".")
	if step != "*" {
		o, _ := v.(map[string]any)
		return inside(o[step], rest)
	}
	var all []any
	list, _ := v.([]any)
	for _, e := range list {
		all = append(all, inside(e, rest)...)
	}
	return all
}

func report(t *testing.T, r Report) (doc any) {
	t.Helper()
	var b bytes.Buffer
	if err := WFC(&b, r, time.Now(), Files{"suite.json", "faults.json"}); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestWFCHasWhatTheSchemaRequires(t *testing.T) {
	for name, r := range map[string]Report{"outcome": outcome(), "vile": vile()} {
		doc := report(t, r)
		for path, required := range wfcRequired {
			objects := inside(doc, path)
			if len(objects) == 0 {
				t.Errorf("%s: nothing at %q", name, path)
			}
			for _, o := range objects {
				for _, key := range required {
					if members, _ := o.(map[string]any); members[key] == nil {
						t.Errorf("%s: no %s in %q: %v", name, key, path, o)
					}
				}
			}
		}
	}
}

// What is named elsewhere is there, lists have nothing twice, and numbers keep
// to their bounds.
func TestWFCHoldsTogether(t *testing.T) {
	for name, r := range map[string]Report{"outcome": outcome(), "vile": vile(), "none": {}} {
		doc := report(t, r)
		distinct := func(path string) map[any]bool {
			set := map[any]bool{}
			for _, v := range inside(doc, path) {
				if set[v] {
					t.Errorf("%s: %v is twice at %s", name, v, path)
				}
				set[v] = true
			}
			return set
		}
		cases, endpoints, files := distinct("testCases.*.id"), distinct("problemDetails.rest.endpointIds.*"), distinct("testFilePaths.*")
		contexts := distinct("faults.foundFaults.*.faultCategories.*.context")
		named := func(known map[any]bool, paths ...string) {
			for _, path := range paths {
				for _, v := range inside(doc, path) {
					if !known[v] {
						t.Errorf("%s: %v at %s is not known", name, v, path)
					}
				}
			}
		}
		named(cases, "faults.foundFaults.*.testCaseId", "problemDetails.rest.coveredHttpStatus.*.testCaseId")
		named(endpoints, "faults.foundFaults.*.operationId", "faults.foundFaults.*.endpointId", "problemDetails.rest.coveredHttpStatus.*.endpointId")
		named(files, "testCases.*.filePath")
		if got := inside(doc, "faults.totalNumber")[0]; got != float64(len(contexts)) {
			t.Errorf("%s: totalNumber %v, want %d", name, got, len(contexts))
		}
		if got := inside(doc, "totalTests")[0]; got != float64(len(cases)) {
			t.Errorf("%s: totalTests %v, want %d", name, got, len(cases))
		}
		for _, v := range inside(doc, "problemDetails.rest.coveredHttpStatus.*.httpStatus.*") {
			if s := v.(float64); s < 100 || s > 599 {
				t.Errorf("%s: status %v", name, s)
			}
		}
	}
}

// Codes of our own are in the 900s; the others are those that the list of Web
// Fuzzing Commons has.
func TestWFCCodes(t *testing.T) {
	theirs := []int{100, 101, 102, 103, 104, 200, 201, 202, 203, 204, 205, 206, 207, 208, 209, 210}
	for _, oracle := range slices.Sorted(maps.Keys(wfcCodes)) {
		if code := WFCCode(oracle); !slices.Contains(theirs, code) && (code < 900 || code > 999) {
			t.Errorf("%s has the code %d", oracle, code)
		}
	}
	if WFCCode("no such") != 999 {
		t.Error("an unknown oracle has a known code")
	}
}
