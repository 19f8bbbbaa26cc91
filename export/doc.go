// Package export writes tests as files that need neither Sonde nor a run. They can be read, changed and run
// with the tools of their language.
//
// The package itself writes Go files and reports (JUnit XML, Web Fuzzing Commons,
// SARIF, Markdown). For all other formats it
// makes a [Script], which is independent of any language; package format prints the script. It runs no
// programs and calls no service.
//
// The input is hostile: a suite has texts of specifications and of answers. Every text is quoted or escaped
// for the literal, comment or name in which it is written.
//
// Functions and methods of this package have no global state. They may be called by several goroutines at
// once.
package export
