// Package model holds Sonde's nouns: what a spec says, what a test is, what a
// run reports. It imports nothing of Sonde, knows no parser, no terminal and
// no network, and does no work beyond looking at itself.
//
// Specs are read-only once loaded and tests are frozen once judged, so both
// may be shared between goroutines; to change one, copy it first.
package model
