package export

import (
	"fmt"
	"slices"
	"strings"
)

// omissions lists the tests and faults of a suite that its files leave out.
type omissions struct {
	notRun       []string // IDs of tests without a call that was sent
	earlierState []string // IDs of tests that depend on earlier state
	networkOnly  []string // IDs of tests that need a virtual network
	withRows     []string // IDs of tests that insert rows
	faults       []string // lines about faults that no test shows
}

// notRunLine returns a line about the tests that have not run, "" if there are none.
func (o omissions) notRunLine() string {
	if len(o.notRun) == 0 {
		return ""
	}
	return "Left out, because they have not been run: " + strings.Join(excerpt(o.notRun), ", ") + "."
}

// earlierStateLine returns a line about the tests that depend on earlier state, "" if there are
// none.
func (o omissions) earlierStateLine() string {
	if len(o.earlierState) == 0 {
		return ""
	}
	return fmt.Sprintf(
		"%d left out, because they depend on earlier state or were not played again (--all writes them): %s.",
		len(o.earlierState), strings.Join(excerpt(o.earlierState), ", "),
	)
}

// networkLine returns a line about the tests that need a virtual network, "" if there are none.
func (o omissions) networkLine() string {
	if len(o.networkOnly) == 0 {
		return ""
	}
	return "Left out, because they need a virtual network: " + strings.Join(o.networkOnly, ", ") + "."
}

// rowsLine returns a line about the tests that insert rows, "" if there are none.
func (o omissions) rowsLine() string {
	if len(o.withRows) == 0 {
		return ""
	}
	return "Left out, because they insert rows into the database of the service: " + strings.Join(excerpt(o.withRows), ", ") + "."
}

// lines returns the omissions as lines for the head of a Go file.
func (o omissions) lines() []string {
	all := append([]string{o.notRunLine(), o.earlierStateLine(), o.networkLine(), o.rowsLine()}, o.faults...)
	return slices.DeleteFunc(all, func(line string) bool { return line == "" })
}

// excerptLength is the maximum number of items in an excerpt of a list.
const excerptLength = 5

// excerpt returns the first items of a list, followed by the number of the others.
func excerpt(all []string) []string {
	if more := len(all) - excerptLength; more > 0 {
		all = append(slices.Clip(all[:excerptLength]), fmt.Sprintf("and %d more", more))
	}
	return all
}
