// Package record is a monitor between a running service, its clients and the hosts that the service
// calls. It reports the requests that the service answers, the service's outward calls, and the
// request for which each call is made. It changes the traffic in two ways: it adds a trace context,
// which distinguishes requests, and it removes encodings that it cannot decode from the
// Accept-Encoding of clients.
package record
