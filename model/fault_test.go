package model_test

import (
	"testing"

	"sonde/model"
)

// The label of a fault is the status only if the status is the fault.
func TestLabel(t *testing.T) {
	for _, c := range []struct {
		oracle string
		status int
		want   string
	}{
		{model.ServerErrorOracle, 500, "500"},
		{model.DependencyErrorOracle, 500, "500"},
		{"stack-trace", 500, "stack-trace"},
		{"declared-server-error", 500, "declared-server-error"},
		{"schema", 200, "schema"},
	} {
		if got := (model.Fault{Oracle: c.oracle, Status: c.status}).Label(); got != c.want {
			t.Errorf("%s with %d: got %q, want %q", c.oracle, c.status, got, c.want)
		}
	}
}

// Operations whose 5xx answers are declared are counted separately.
func TestCountDeclared(t *testing.T) {
	op := func(id string, statuses ...string) *model.Operation {
		o := &model.Operation{ID: model.OpID(id)}
		for _, s := range statuses {
			o.Responses = append(o.Responses, model.Response{Status: s})
		}
		return o
	}
	spec := &model.Spec{Operations: []*model.Operation{
		op("GET /declared", "200", "503"), op("GET /class", "5XX"), op("GET /default", "default"),
		op("GET /both", "503"), op("GET /none", "503"),
	}}
	grid := map[model.OpID]map[int]int{
		"GET /declared": {200: 1, 503: 2}, "GET /class": {500: 1}, "GET /default": {500: 1},
		"GET /both": {503: 1, 500: 1}, "GET /none": {200: 1},
	}
	var s model.Summary
	s.CountAnswers(grid)
	s.CountDeclared(spec, grid)
	if s.With5xx != 4 || s.Declared5xx != 2 {
		t.Errorf("%d with a 5xx, %d as declared, want 4 and 2", s.With5xx, s.Declared5xx)
	}
}

// A test with an input of a class with more severe faults shows a fault better. If the classes are equal, the shorter
// test is better. A test whose input is unknown, as in runs of earlier versions, is replaced only by a shorter test
// that does not lower the severity.
func TestIsBetterShown(t *testing.T) {
	fault := func(class model.InputClass, severity model.Severity, calls int) model.Fault {
		return model.Fault{Input: model.Input{Class: class}, Severity: severity, Calls: calls}
	}
	valid, invalid := fault(model.InputValid, model.SeverityError, 3), fault(model.InputInvalid, model.SeverityWarning, 1)
	unknown := fault("", model.SeverityError, 2)
	for _, c := range []struct {
		name        string
		fault, kept model.Fault
		want        bool
	}{
		{"valid, but longer", valid, invalid, true},
		{"invalid, but shorter", invalid, valid, false},
		{"the same class, shorter", fault(model.InputValid, model.SeverityError, 2), valid, true},
		{"the same class and length", valid, valid, false},
		{"a warning instead of an error of unknown input", invalid, unknown, false},
		{"shorter than unknown input", fault(model.InputValid, model.SeverityError, 1), unknown, true},
		{"longer than unknown input", valid, unknown, false},
	} {
		if got := c.fault.IsBetterShown(c.kept); got != c.want {
			t.Errorf("%s: got %t", c.name, got)
		}
	}
}
