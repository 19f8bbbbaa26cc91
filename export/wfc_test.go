package export

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"sonde/model"
)

// wfcRequired has the required members of each object in the Web Fuzzing Commons report schema 0.8.0
// (report.yaml), by the path of the object. * in a path means all items of a list.
var wfcRequired = map[string][]string{
	"": {
		"schemaVersion", "toolName", "toolVersion", "creationTime", "faults", "problemDetails", "totalTests", "testFilePaths", "testCases",
		"executionTimeInSeconds",
	},
	"faults":                                  {"totalNumber", "foundFaults"},
	"faults.foundFaults.*":                    {"operationId", "testCaseId", "faultCategories"},
	"faults.foundFaults.*.faultCategories.*":  {"id", "code"},
	"problemDetails.rest":                     {"outputHttpCalls", "evaluatedHttpCalls", "endpointIds", "coveredHttpStatus"},
	"problemDetails.rest.coveredHttpStatus.*": {"endpointId", "testCaseId", "httpStatus"},
	"extra.*":            {"toolName", "criteria"},
	"extra.*.criteria.*": {"name", "covered"},
}

// inside returns the values at a path.
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
	if err := WriteWFC(&b, r, time.Now(), TestPaths{"suite.json", "faults.json"}); err != nil {
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

// References refer to existing items, lists have no duplicates, and numbers are within their limits.
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
		named(endpoints, "faults.foundFaults.*.operationId", "problemDetails.rest.coveredHttpStatus.*.endpointId")
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

// wfcCodes has the codes of the categories in fault_categories.json of Web Fuzzing Commons, by name.
var wfcCodes = map[string]int{
	"HTTP_STATUS_500": 100, "HTTP_NONWORKING_DELETE": 113, "HTTP_SIDE_EFFECTS_FAILED_MODIFICATION": 114, "HTTP_INVALID_LOCATION": 120,
	"HTTP_NON_IDEMPOTENT_PUT": 118, "HTTP_OTHER_STATUS_5XX": 121, "SCHEMA_INVALID_RESPONSE": 200,
	"SCHEMA_STATUS_NO_501_IF_IMPLEMENTED": 205, "SCHEMA_VALIDATION_BYPASS": 206,
	"SECURITY_SQL_INJECTION": 300, "SECURITY_XSS": 301, "SECURITY_SSRF": 302, "SECURITY_MASS_ASSIGNMENT": 303,
	"SECURITY_INCONSISTENT_WRITE_AUTHORIZATION": 306, "SECURITY_ANONYMOUS_MODIFICATIONS": 308, "SECURITY_LEAKED_STACK_TRACES": 309,
	"SECURITY_DECLARED_AUTH_NOT_ENFORCED": 311, "SECURITY_CALL_TIMEOUT": 312,
}

// Categories of Sonde have codes in the 900s. All others are in the list of Web Fuzzing Commons.
func TestWFCCategories(t *testing.T) {
	known := func(f model.Fault) WFCCategory {
		c := WFCCategoryOf(f)
		if own := strings.HasPrefix(c.ID, "SONDE_") && c.Code >= 900 && c.Code <= 999; !own && wfcCodes[c.ID] != c.Code {
			t.Errorf("%s %s %d is %+v", f.Op, f.Oracle, f.Status, c)
		}
		return c
	}
	for oracle := range wfcCategories {
		known(model.Fault{Op: "GET /a", Oracle: oracle})
	}
	for _, c := range []struct {
		op, oracle string
		status     int
		want       int
	}{
		{"GET /a", "server-error", 500, 100},
		{"GET /a", "server-error", 501, 205},
		{"GET /a", "server-error", 503, 121},
		{"GET /a", "auth-ignored", 200, 311},
		{"POST /a", "auth-ignored", 200, 311},
		{"DELETE /a", "auth-ignored", 204, 308},
		{"GET /a", "no such", 200, 999},
	} {
		if got := known(model.Fault{Op: model.OpID(c.op), Oracle: c.oracle, Status: c.status}); got.Code != c.want {
			t.Errorf("%s %s %d has the code %d, want %d", c.op, c.oracle, c.status, got.Code, c.want)
		}
	}
}

// Codes are in the ranges that the schema allows.
func TestWFCCodesAreInRange(t *testing.T) {
	for name, r := range map[string]Report{"outcome": outcome(), "vile": vile()} {
		for _, v := range inside(report(t, r), "faults.foundFaults.*.faultCategories.*.code") {
			c := int(v.(float64))
			if !(c >= 100 && c <= 122 || c >= 200 && c <= 207 || c >= 300 && c <= 312 || c >= 900 && c <= 999) {
				t.Errorf("%s: code %d", name, c)
			}
		}
	}
}
