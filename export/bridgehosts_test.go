//go:build !windows

package export

import (
	"slices"

	"sonde/model"
)

// This file exports names for tests in package export_test of services that call hosts; see bridge_test.go.

// PaidByHTTP returns a suite of recorded tests of the service till whose hosts all speak HTTP, in a folder with the
// service.
func PaidByHTTP() Suite {
	s := till()
	s.Service.Command = []string{"./till", "--addr", "127.0.0.1:{port}", "--payments=http://payments.example", "--stock=127.0.0.1:1"}
	s.Service.Env = map[string]string{"METRICS": "127.0.0.1:9"}
	paid := &s.Tests[0]
	paid.Stubs = slices.DeleteFunc(paid.Stubs, func(stub model.Stub) bool { return stub.Protocol != model.HTTP })
	m := paid.Mock
	m.Before = 0
	m.ExpectedCalls = slices.DeleteFunc(m.ExpectedCalls, func(c model.ExpectedCall) bool { return c.Stub < 3 || c.Stub > 5 })
	for i := range m.ExpectedCalls {
		m.ExpectedCalls[i].Stub -= 3
	}
	return s
}

// Dependent returns the binary of a service that calls hosts.
var Dependent = dependent

// Restarted returns a suite of the service starter, which asks a host for its settings when it starts. Each test starts
// it again.
func Restarted() Suite {
	limit := answering("settings.example:80", model.HTTP, model.Answer{Status: 503}, model.Answer{Body: `{"limit": 5}`})
	limit.Match, limit.Repeat = model.StubMatch{Method: "GET", Path: "/limit"}, true
	asks, tells := one("asks", "POST /refresh", 200), one("tells", "GET /settings", 200)
	asks.Checks = []model.Check{equal(0, "", "false")}
	tells.Checks = []model.Check{equal(0, "/limit", "5"), equal(0, "/tries", "2")}
	s := shopping(asks, tells)
	s.Net, s.Reset, s.Local = s.Net.WithStartupStubs([]model.Stub{limit}), &model.Reset{Restart: true}, true
	s.Service.Command = []string{"./starter", "--addr", "127.0.0.1:{port}", "--settings=http://settings.example:80"}
	return s
}
