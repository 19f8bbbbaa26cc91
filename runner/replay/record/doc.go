// Package record is a monitor between a running service, its clients and the hosts that it calls.
// It reports what passes: the requests that the service answers, its calls to other hosts, and for
// which request each call is sent. What passes is not changed, except the trace context that tells
// requests apart, and the encodings that a client offers, of which those stay that the monitor can
// read.
package record
