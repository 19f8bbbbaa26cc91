// Package widget has the components that several screens share and that react to keys:
// lists, text fields, questions before something that cannot be undone, views of source
// and of payloads, and the clipboard. Components without state are in ui/draw.
//
// A widget belongs to one screen and is not safe for concurrent use.
package widget
