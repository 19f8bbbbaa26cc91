// Package collection imports requests that people keep in files of other tools, finds their operations in a
// specification, and makes tests of the .http files of a project.
//
// Package model/collection reads and writes the files. This package calls no service.
package collection
