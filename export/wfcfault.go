package export

import (
	"fmt"
	"strconv"

	"sonde/model"
)

type (
	wfcFaults struct {
		Total int        `json:"totalNumber"`
		Found []wfcFound `json:"foundFaults"`
	}
	wfcFound struct {
		Operation string `json:"operationId"`
		// Endpoint is the same once more: the schema describes operationId, and
		// requires endpointId.
		Endpoint   string        `json:"endpointId"`
		Case       string        `json:"testCaseId"`
		Categories []wfcCategory `json:"faultCategories"`
	}
	wfcCategory struct {
		Code    int    `json:"code"`
		Context string `json:"context"`
	}
)

// wfcCodes are the fault categories of Web Fuzzing Commons (its
// fault_categories.json) for what breaks our oracles:
//
//	100  HTTP status 500: any answer that is a server error
//	101  an answer that is not as the schema says, its status and type included
//	103  a resource that is still accessible after it was deleted
//	104  a failed write that has side effects
//	206  a resource that should be protected from this user
//	207  a protected resource without any authentication
//	209  a leaked stack trace
//
// It has none for services that give no answer, nor for what else HTTP asks of
// an answer: those have codes of our own, from the 900s that it leaves to tools.
//
// The report.yaml of version 0.6.0 has not caught up with the categories: it
// bounds codes at 206. A validator that takes it at its word refuses 207 and
// 209; what reads reports, such as its web report, takes them.
var wfcCodes = map[string]int{
	"server-error":              100,
	"schema":                    101,
	"undeclared-status":         101,
	"undeclared-content-type":   101,
	"readable-after-delete":     103,
	"write-refused-but-applied": 104,
	"other-users-resource":      206,
	"auth-ignored":              207,
	"stack-trace":               209,
	"crash":                     900,
	"hang":                      901,
	"no-answer":                 902,
	"location-not-a-uri":        903,
	"creation-without-location": 904,
}

// wfcOther is the code of an oracle that is not known here.
const wfcOther = 999

// WFCCode is the fault category of Web Fuzzing Commons for an oracle.
func WFCCode(oracle string) int {
	if code, ok := wfcCodes[oracle]; ok {
		return code
	}
	return wfcOther
}

// fault adds a fault and the test that shows it, or a warning where the fault
// does not count.
func (x *wfc) fault(file string, i int, f model.Fault) {
	if !f.Counts() {
		x.out.Warnings = append(x.out.Warnings, wfcWarning{fmt.Sprintf("%s %s", f.Op, headline(f)), f.Oracle, 3})
		return
	}
	var t model.Test
	if f.Test != nil {
		t = *f.Test
	}
	id := x.test(file, "/faults/"+strconv.Itoa(i), fmt.Sprintf("%s %s", f.Op, f.Label()), t)
	at := endpoint(f.Op)
	// An operation, an oracle and a signature are one fault, so that no context
	// comes twice.
	context := fmt.Sprintf("%s %s: %s", at, f.Oracle, f.Signature)
	x.out.Faults.Found = append(x.out.Faults.Found, wfcFound{at, at, id, []wfcCategory{{WFCCode(f.Oracle), context}}})
	x.out.Faults.Total++
}
