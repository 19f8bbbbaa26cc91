package export

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
)

type (
	wfcFaults struct {
		Total int        `json:"totalNumber"`
		Found []wfcFound `json:"foundFaults"`
	}
	wfcFound struct {
		Operation  string        `json:"operationId"`
		Case       string        `json:"testCaseId"`
		Categories []wfcCategory `json:"faultCategories"`
	}
	wfcCategory struct {
		WFCCategory
		Context string `json:"context"`
	}
)

// WFCCategory is a fault category of Web Fuzzing Commons (fault_categories.json). Codes from 900 are for
// categories of tools.
type WFCCategory struct {
	ID   string `json:"id"`
	Code int    `json:"code"`
}

// Categories that depend on the status of an answer rather than on the oracle.
var (
	status500      = WFCCategory{"HTTP_STATUS_500", 100}
	status5xx      = WFCCategory{"HTTP_OTHER_STATUS_5XX", 121}
	notImplemented = WFCCategory{"SCHEMA_STATUS_NO_501_IF_IMPLEMENTED", 205}
	anonymousWrite = WFCCategory{"SECURITY_ANONYMOUS_MODIFICATIONS", 308}
)

// wfcCategories are the categories of faults by their oracles.
var wfcCategories = map[string]WFCCategory{
	"schema":                    {"SCHEMA_INVALID_RESPONSE", 200},
	"undeclared-status":         {"SCHEMA_INVALID_RESPONSE", 200},
	"undeclared-content-type":   {"SCHEMA_INVALID_RESPONSE", 200},
	"readable-after-delete":     {"HTTP_NONWORKING_DELETE", 113},
	"write-refused-but-applied": {"HTTP_SIDE_EFFECTS_FAILED_MODIFICATION", 114},
	"location-not-a-uri":        {"HTTP_INVALID_LOCATION", 120},
	"other-users-resource":      {"SECURITY_INCONSISTENT_WRITE_AUTHORIZATION", 306},
	"auth-ignored":              {"SECURITY_DECLARED_AUTH_NOT_ENFORCED", 311},
	"stack-trace":               {"SECURITY_LEAKED_STACK_TRACES", 309},
	"hang":                      {"SECURITY_CALL_TIMEOUT", 312},
	"no-answer":                 {"SECURITY_CALL_TIMEOUT", 312},
	"crash":                     {"SONDE_CRASH", 900},
	"creation-without-location": {"SONDE_CREATION_WITHOUT_LOCATION", 904},
	"dependency-error":          {"SONDE_DEPENDENCY_ERROR", 905},
	"no-time-out":               {"SONDE_NO_TIME_OUT", 906},
	"retries-without-bound":     {"SONDE_RETRIES_WITHOUT_BOUND", 907},
	"connection-leak":           {"SONDE_CONNECTION_LEAK", 908},
	"leaked-dependency-error":   {"SONDE_LEAKED_DEPENDENCY_ERROR", 909},
	"dangling-location":         {"HTTP_INVALID_LOCATION", 120},
	"non-idempotent-put":        {"HTTP_NON_IDEMPOTENT_PUT", 118},
	"invalid-request-accepted":  {"SCHEMA_VALIDATION_BYPASS", 206},
	"get-with-side-effects":     {"SONDE_GET_WITH_SIDE_EFFECTS", 910},
	"answer-cut-short":          {"SONDE_ANSWER_CUT_SHORT", 911},
	"wrong-encoding":            {"SONDE_WRONG_ENCODING", 912},
	"path-traversal":            {"SONDE_PATH_TRAVERSAL", 913},
	"leaked-secret":             {"SONDE_LEAKED_SECRET", 914},
	"inconsistent-filter":       {"SONDE_INCONSISTENT_FILTER", 915},
	"inconsistent-sort":         {"SONDE_INCONSISTENT_SORT", 916},
	"inconsistent-pages":        {"SONDE_INCONSISTENT_PAGES", 917},
	"created-not-listed":        {"SONDE_CREATED_NOT_LISTED", 918},
	"sql-injection":             {"SECURITY_SQL_INJECTION", 300},
	"reflected-script":          {"SECURITY_XSS", 301},
	"server-side-request":       {"SECURITY_SSRF", 302},
	"mass-assignment":           {"SECURITY_MASS_ASSIGNMENT", 303},
	"method-override":           {"SECURITY_INCONSISTENT_WRITE_AUTHORIZATION", 306},
	"role-ignored":              {"SECURITY_INCONSISTENT_WRITE_AUTHORIZATION", 306},
}

// WFCUnknownOracle is the category of faults of unknown oracles.
var WFCUnknownOracle = WFCCategory{"SONDE_OTHER", 999}

// WFCCategoryOf returns the WFC category of a fault. It depends on the fault's oracle, for server errors also on the
// status, and for the oracle auth-ignored also on the method. It is WFCUnknownOracle if WFC has no category for the
// oracle.
func WFCCategoryOf(f model.Fault) WFCCategory {
	switch method, _, _ := strings.Cut(string(f.Op), " "); {
	case f.Oracle == model.ServerErrorOracle && f.Status == 500, f.Oracle == model.DeclaredErrorOracle && f.Status == 500:
		return status500
	case f.Oracle == model.ServerErrorOracle && f.Status == 501:
		return notImplemented
	case f.Oracle == model.ServerErrorOracle, f.Oracle == model.DeclaredErrorOracle:
		return status5xx
	case f.Oracle == "auth-ignored" && slices.Contains([]string{"DELETE", "PUT", "PATCH"}, method):
		return anonymousWrite
	}
	return cmp.Or(wfcCategories[f.Oracle], WFCUnknownOracle)
}

// fault adds a fault and the test that shows it, or a warning for a fault that does not count.
func (x *wfc) fault(file string, i int, f model.Fault) {
	if !f.CountsAsFailure() {
		x.out.Warnings = append(
			x.out.Warnings,
			wfcWarning{Message: fmt.Sprintf("%s %s", f.Op, headline(f)), Category: f.Oracle, Priority: 3},
		)
		return
	}
	var t model.Test
	if f.Test != nil {
		t = *f.Test
	}
	id := x.test(file, "/faults/"+strconv.Itoa(i), fmt.Sprintf("%s %s", f.Op, f.Label()), t)
	at := endpoint(f.Op)
	// No two faults have the same operation, oracle and signature, so each context is unique.
	context := fmt.Sprintf("%s %s: %s", at, f.Oracle, f.Signature)
	x.out.Faults.Found = append(x.out.Faults.Found, wfcFound{
		Operation:  at,
		Case:       id,
		Categories: []wfcCategory{{WFCCategoryOf(f), context}},
	})
	x.out.Faults.Total++
}
