package model_test

import (
	"strings"
	"testing"

	"sonde/model"
)

func TestMethods(t *testing.T) {
	for _, test := range []struct {
		method         string
		isMethod, safe bool
	}{
		{"GET", true, true},
		{"QUERY", true, true},
		{"TRACE", true, true},
		{"POST", true, false},
		{"COPY", true, false},
		{"M-SEARCH", true, false},
		{"copy", false, false},
		{"CONNECT", false, false},
		{"", false, false},
		{"`ID`", false, false},
		{"A$B", false, false},
		{"GET /a", false, false},
		{strings.Repeat("A", 41), false, false},
	} {
		if got := model.IsMethod(test.method); got != test.isMethod {
			t.Errorf("IsMethod(%q) = %t", test.method, got)
		}
		if got := model.IsSafeMethod(test.method); got != test.safe {
			t.Errorf("IsSafeMethod(%q) = %t", test.method, got)
		}
	}
	if !model.OpID("QUERY /products").Reads() || model.OpID("COPY /products").Reads() {
		t.Error("QUERY must read, and COPY must not")
	}
}
