package netsim

import (
	"fmt"
	"slices"
)

// maxEscapes is the maximum number of lines in an escapeList.
const maxEscapes = 20

// escapeList has a line for each different thing that the service did outside of the virtual
// network, at most maxEscapes lines. The zero value is empty.
type escapeList struct{ lines []string }

func (l *escapeList) add(line string) {
	if len(l.lines) < maxEscapes && !slices.Contains(l.lines, line) {
		l.lines = append(l.lines, line)
	}
}

// program adds a line for a program that the service started.
func (l *escapeList) program(name string) {
	l.add(fmt.Sprintf(
		"the service starts %.200q, which is outside of the virtual network unless sonde build --net made it", name,
	))
}

// rawSocket adds a line for datagrams that the service sent by system calls.
func (l *escapeList) rawSocket() {
	l.add("the service sends datagrams by system calls of its own, which the virtual network refuses")
}
