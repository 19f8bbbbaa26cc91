// Package model defines the types that all of Sonde shares: the API of a spec, tests with their calls and
// stubs, the plan of a run, and the results of a run. It imports no other package of Sonde, and it does no
// I/O: model/openapi reads specs, model/config reads configurations, and model/codec reads and writes runs
// and recordings.
//
// A Spec must not be changed after it is loaded, and a Test must not be changed after it is judged. Both
// may then be shared between goroutines. Copy them to make changes.
package model
