// Package draw turns data into text for a terminal: styled lines of an exact width, frames,
// bars, charts, and short names of operations and seqs. Its functions are pure. What reacts
// to keys is in ui/widget, and pictures of graphs are in ui/diagram.
//
// A width is always a number of terminal cells. Text from specs and services must pass
// Clean or CleanLines first, so that no escape sequence reaches the terminal.
package draw
