// Package record is a monitor between a running service, its clients and the hosts that it calls. It
// reports the traffic: the requests that the service answers, its calls to other hosts, and for
// which request each call is sent. It does not change the traffic, except for the trace context
// that distinguishes requests, and it removes from a client's Accept-Encoding the encodings that
// the monitor cannot read.
package record
