package usecase

import (
	"sonde/model"
)

// Surroundings are the hosts around the service while it is called.
type Surroundings struct {
	Net   bool         // a virtual network
	Stubs []model.Stub // of the user; they answer first
}

// RequestDraft is a request before it is sent.
type RequestDraft struct {
	// Test has the request as its last call, after the calls that it needs.
	Test model.Test
	// Ready is true if requests that were sent earlier have provided all values. The calls
	// before the last need not be sent.
	Ready bool
	// Users are the users who can send the request. Anonymous is not among them.
	Users []string
}

// SendResult is the result of a manual request.
type SendResult struct {
	// PlayedTest has the calls with an exchange each, and the stubs that answered.
	model.PlayedTest
	Faults []model.Fault
	// Net reports whether the service has a virtual network, Hosts are those that it has
	// called there since the first manual request.
	Net   bool
	Hosts []model.HostSummary
}
