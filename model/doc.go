// Package model defines the nouns that all of Sonde shares: the API of a spec, tests with
// their calls and stubs, the plan of a run and what a run reports. It imports no other
// package of Sonde, and it does no I/O: model/openapi reads specs, model/config reads
// configurations, and model/codec reads and writes runs and recordings.
//
// A Spec is read-only once loaded and a Test once judged, so that both may be shared
// between goroutines. To change one, copy it first.
package model
