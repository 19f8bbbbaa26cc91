package seqs

import (
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/ui/words"
)

// shared holds the properties that all listed rows share. These properties are described once above the rows, and
// have no columns.
type shared struct {
	origin, status bool
	figures        [birthFigure + 1]bool
	text           string
	statuses       int // the maximum number of calls of a listed test
}

// sharedBy returns the properties that all rows share. Headings do not count. If there is only one row, a property
// counts as shared only if the row has no value for it. All values of the row then keep their columns. called reports
// whether seqs were called while they were listed: rows then differ by the results.
func sharedBy(rows []*row, called bool) shared {
	rows = withoutHeadings(rows)
	if len(rows) == 0 {
		return shared{}
	}
	first, one := rows[0], len(rows) == 1
	all := func(same func(*row) bool) bool {
		return !slices.ContainsFunc(rows, func(r *row) bool { return !same(r) })
	}
	s := shared{
		origin: !one && all(func(r *row) bool { return r.origin() == first.origin() }),
		status: !called && (!one || first.Test == nil) && all(func(r *row) bool { return sameStatuses(r.Test, first.Test) }),
	}
	for _, f := range figures {
		n, known := f.of(first)
		s.figures[f] = (!one || !known) && all(func(r *row) bool {
			m, has := f.of(r)
			return m == n && has == known
		})
	}
	for _, r := range rows {
		if r.Test != nil {
			s.statuses = max(s.statuses, len(r.Test.Calls))
		}
	}
	if !one {
		s.text = s.describe(first)
	}
	return s
}

// withoutHeadings returns the rows that are not headings.
func withoutHeadings(rows []*row) []*row {
	if !slices.ContainsFunc(rows, (*row).isHeading) {
		return rows
	}
	return slices.DeleteFunc(slices.Clone(rows), (*row).isHeading)
}

// describe returns the shared properties of a row in words.
func (s *shared) describe(r *row) string {
	var parts []string
	if s.origin {
		parts = append(parts, r.origin())
	}
	switch {
	case s.status && r.Test == nil:
		parts = append(parts, "not called yet")
	case s.status:
		parts = append(parts, "status "+strings.Join(r.statuses(), " "))
	}
	for _, f := range figures {
		if n, known := f.of(r); known && s.figures[f] {
			parts = append(parts, f.words(n))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "each: " + strings.Join(parts, " · ")
}

// words describes a value of the figure in words.
func (f figure) words(n int) string {
	switch f {
	case lengthFigure:
		return words.Plural(n, "call")
	case groupsFigure:
		return words.Plural(n, "group")
	case coversFigure:
		return words.Plural(n, "target")
	case faultsFigure:
		return words.Plural(n, "fault")
	}
	return figureHeads[f][0] + " " + strconv.Itoa(n)
}

// sameStatuses reports whether two tests got answers with the same statuses. Each of the tests may be nil.
func sameStatuses(a, b *model.Test) bool {
	if a == nil || b == nil {
		return a == b
	}
	return slices.EqualFunc(a.Calls, b.Calls, func(x, y model.Call) bool { return x.Status == y.Status })
}
