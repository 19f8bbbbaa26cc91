// Package widget has the interactive components that several screens share: lists, text fields,
// confirmations, views of source and of payloads, and the clipboard. Components without state are in
// ui/draw.
//
// A widget belongs to one screen and must not be used by several goroutines at once.
package widget
