// Package export writes tests as files that stand alone: they need neither
// Sonde nor a run to be understood, changed and run.
//
// A suite is hostile input, because what a spec says and what a service
// answers ends up in it. Nothing in a suite can leave the literal, the comment
// or the name that it was written into.
package export
