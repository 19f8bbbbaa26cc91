package export

import (
	"cmp"
	"slices"
	"strings"

	"sonde/model"
)

// faultGroup is a group of faults: those of one operation and status. All faults of an operation with a status below
// 500 are one group.
type faultGroup struct {
	op     model.OpID
	status int
}

func groupOf(f model.Fault) faultGroup {
	if f.Status < 500 {
		return faultGroup{op: f.Op}
	}
	return faultGroup{op: f.Op, status: f.Status}
}

// severityRank returns the place of a severity, the worst first.
func severityRank(s model.Severity) int {
	return slices.Index([]model.Severity{model.SeverityError, model.SeverityWarning, model.SeverityNote}, s)
}

// faultOrder returns the indexes of faults in the order of their tests. The faults of a group are together. Groups
// are ordered by their most severe fault, then server errors (500 and above) before other answers, then by path,
// method and status. In a group, the more severe faults come first. Of equally severe ones, the faults of the status
// itself come first, and faults with the same message are together.
func faultOrder(faults []model.Fault) []int {
	worst := map[faultGroup]int{}
	for _, f := range faults {
		g := groupOf(f)
		if rank, known := worst[g]; !known || severityRank(f.Severity) < rank {
			worst[g] = severityRank(f.Severity)
		}
	}
	order := make([]int, len(faults))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := faults[i], faults[j]
		return cmp.Or(
			worst[groupOf(a)]-worst[groupOf(b)],
			groupOf(a).compare(groupOf(b)),
			severityRank(a.Severity)-severityRank(b.Severity),
			compareBool(b.IsStatusFault(), a.IsStatusFault()),
			strings.Compare(a.Signature, b.Signature),
		)
	})
	return order
}

// compare compares groups whose faults are equally severe.
func (g faultGroup) compare(other faultGroup) int {
	method, path, _ := strings.Cut(string(g.op), " ")
	otherMethod, otherPath, _ := strings.Cut(string(other.op), " ")
	return cmp.Or(
		compareBool(other.status > 0, g.status > 0), strings.Compare(path, otherPath), strings.Compare(method, otherMethod),
		g.status-other.status,
	)
}

// compareBool compares two booleans: false comes first.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// number sets the place of each fault in its group, in the order of the tests, and the size of the group.
func (f shownFaults) number(tests []model.Test) {
	sizes := map[faultGroup]int{}
	for _, t := range tests {
		g := groupOf(f[t.ID].Fault)
		sizes[g]++
		f[t.ID].place = sizes[g]
	}
	for _, t := range tests {
		f[t.ID].size = sizes[groupOf(f[t.ID].Fault)]
	}
}

// serverErrorsLast returns the tests that expect no server error (500 or above), followed by the others. The others
// are grouped by the operation and the status of their first server error. Apart from that, all tests keep their
// order. Tests of recorded exchanges count as tests without a server error, because they keep the order of the
// recording.
func serverErrorsLast(tests []model.Test) []model.Test {
	tests = slices.Clone(tests)
	slices.SortStableFunc(tests, func(a, b model.Test) int {
		g, h := serverErrorOf(a), serverErrorOf(b)
		if g.status == 0 || h.status == 0 {
			return compareBool(g.status > 0, h.status > 0)
		}
		return g.compare(h)
	})
	return tests
}

// serverErrorOf returns the group of the first answer of 500 or more that a test expects. Its status is 0 if there is none.
func serverErrorOf(t model.Test) faultGroup {
	at := slices.IndexFunc(t.Calls, func(c model.Call) bool { return c.Status >= 500 && !c.AnyStatus })
	if at < 0 || t.Mock != nil {
		return faultGroup{}
	}
	return faultGroup{op: t.Calls[at].Op, status: t.Calls[at].Status}
}
