package netsim

import (
	"fmt"
	"slices"
)

// maxEscapes bounds the lines of an escapeList.
const maxEscapes = 20

// escapeList holds what the service did outside of its network, each once, as lines. The
// zero value is empty.
type escapeList struct{ lines []string }

func (l *escapeList) add(line string) {
	if len(l.lines) < maxEscapes && !slices.Contains(l.lines, line) {
		l.lines = append(l.lines, line)
	}
}

// program records that the service started a program.
func (l *escapeList) program(name string) {
	l.add(fmt.Sprintf(
		"the service starts %.200q, which is outside of the virtual network unless sonde build --net made it", name,
	))
}

// rawSocket records that the service sent datagrams by system calls.
func (l *escapeList) rawSocket() {
	l.add("the service sends datagrams by system calls of its own, which the virtual network refuses")
}
