package main

import (
	"strconv"
	"strings"

	"sonde/model"
)

// measure is a property of runs that is compared.
type measure struct {
	name string
	// value returns the value for a run. It returns false if the value is unknown.
	value func(service, result) (float64, bool)
	rated bool // more is better; Â12 and p are printed
	found bool // the row is left out if the value is 0 for all tools
}

// The measures that are also in the summary.
var (
	statementMeasure  = measure{name: "statements (%)", value: share, rated: true}
	successMeasure    = measure{name: "operations with a 2xx", value: operations(success), rated: true}
	failureMeasure    = measure{name: "operations with a 5xx", value: operations(failure), rated: true}
	undeclaredMeasure = measure{name: "operations with an undeclared 5xx", value: operations(undeclared), rated: true}
	secondMeasure     = measure{name: "seconds", value: number(func(r result) float64 { return r.Took.Seconds() })}
)

// measures are all measures, in the order of a table.
var measures = []measure{
	statementMeasure, successMeasure, failureMeasure, undeclaredMeasure,
	{name: "pairs of operation and status", value: number(func(r result) float64 { return float64(len(r.Pairs)) }), rated: true},
	{name: "distinct faults", value: number(func(r result) float64 { return float64(len(r.Faults)) }), rated: true, found: true},
	{name: "crashes", value: number(func(r result) float64 { return float64(r.Crashes) }), rated: true, found: true},
	{name: "requests", value: number(func(r result) float64 { return float64(r.Requests) })},
	secondMeasure,
}

// number returns the value function of a measure that is known for every run and does not depend on the service.
func number(value func(result) float64) func(service, result) (float64, bool) {
	return func(_ service, r result) (float64, bool) { return value(r), true }
}

// share returns the percentage of reached statements.
func share(_ service, r result) (float64, bool) { return r.Statements.percent() }

func success(_ *model.Operation, status int) bool { return status/100 == 2 }

func failure(_ *model.Operation, status int) bool { return status/100 == 5 }

// undeclared reports whether a status is a server error that the document does not declare by its number or its class.
// A default response does not declare server errors.
func undeclared(op *model.Operation, status int) bool {
	r, _ := op.Response(status)
	return failure(op, status) && (r == nil || r.Default())
}

// operations returns the value function of a measure. The value is the number of operations that answered with a
// status for which counts returns true.
func operations(counts func(*model.Operation, int) bool) func(service, result) (float64, bool) {
	return func(s service, r result) (float64, bool) {
		seen := map[*model.Operation]bool{}
		for pair := range r.Pairs {
			if op, status := s.split(pair); op != nil && counts(op, status) {
				seen[op] = true
			}
		}
		return float64(len(seen)), true
	}
}

// split returns the operation and the status of a pair such as "GET /orders 200".
func (s service) split(pair string) (*model.Operation, int) {
	end := strings.LastIndexByte(pair, ' ')
	status, err := strconv.Atoi(pair[end+1:])
	if end < 0 || err != nil {
		return nil, 0
	}
	return s.ops[model.OpID(pair[:end])], status
}
