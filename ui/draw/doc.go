// Package draw converts data to text for a terminal: styled lines of an exact width, frames, bars, charts,
// and short names of operations and seqs. Its functions are pure. Interactive parts are in ui/widget, and
// pictures of graphs are in ui/diagram.
//
// Widths are always numbers of terminal cells. Text from specs and services must be cleaned by Clean or
// CleanLines first, so that no escape sequence reaches the terminal.
package draw
