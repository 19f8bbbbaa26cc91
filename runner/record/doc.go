// Package record stands before a running service and behind it, and tells what passes:
// the requests that it answers, what it sends to the outside, and for which request it
// sends that. What passes is not changed, but for the trace context by which requests
// are told apart and the encodings that it offers, of which those stay that it can
// read.
package record
