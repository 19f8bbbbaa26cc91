// Package diagram draws pictures of relations as terminal cells: graphs that package analysis/layout has
// laid out (GraphView), and sequence diagrams (Sequence). If there is little room, both can be drawn as
// indented lists.
//
// In a graph, operations are rounded boxes, values are dashed boxes, notes are bare text, and dots are
// between brackets. A line leaves its box at a joint and ends at an arrow head. Lines that part or meet
// have a joint (├ ┬ ┼ ╯). If a line only crosses another one, the horizontal line is interrupted: ─│─.
// Selected boxes have heavy borders, so that no meaning depends on colour.
package diagram
