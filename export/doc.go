// Package export writes tests as files that need neither Sonde nor a run: everyone with the
// language's own tools can read, change and run them.
//
// It writes Go files and reports (JUnit XML, Web Fuzzing Commons) itself. For all other formats it
// makes a [Script], which is independent of any language; package format prints that. It runs
// nothing and calls no service.
//
// A suite is hostile input: texts of a specification and of a service's answers end up in it. Every
// text is quoted or escaped for the literal, comment or name that it is written into.
//
// Functions and methods here keep no state between calls and may be called by several goroutines.
package export
