package seqs

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/words"
)

// grouping is what rows that stand below one heading have in common.
type grouping int

const (
	underNone grouping = iota
	underOrigin
	underGroup
	underResource
	groupings
)

// String is the word on the screen, and in what is kept of a person's place.
func (g grouping) String() string {
	return [groupings]string{"", "origin", "group", "resource"}[g]
}

// groupingNamed is the grouping of a word, none where there is none.
func groupingNamed(name string) grouping {
	for g := range groupings {
		if g.String() == name {
			return g
		}
	}
	return underNone
}

// section is what a heading says; those of a lower rank come first, then by name.
type section struct {
	rank int
	name string
}

// origins are in which order headings of them come.
var origins = []string{string(model.OriginManual), string(model.OriginRecorded), "search", "earlier", string(model.OriginDistilled)}

func (g grouping) of(s *store, r *row) section {
	switch g {
	case underOrigin:
		return section{slices.Index(origins, r.origin()), r.origin()}
	case underGroup:
		return s.within(r.Seq)
	}
	return section{name: s.about(r.Seq)}
}

// within is the value-sharing group that a seq stays in, if it does.
func (s *store) within(seq model.Seq) section {
	group := -1
	for _, op := range seq {
		switch g, known := s.study.GroupOf[op]; {
		case known && group >= 0 && g != group:
			return section{math.MaxInt - 1, "several groups"}
		case known:
			group = g
		}
	}
	if group < 0 {
		return section{math.MaxInt, "no group"}
	}
	return section{rank: group}
}

// about is the resource that a seq begins with.
func (s *store) about(seq model.Seq) string {
	if len(seq) == 0 {
		return "nothing yet"
	}
	name, known := s.resources[seq[0]]
	if !known {
		_, path, _ := strings.Cut(string(seq[0]), " ")
		name = cmp.Or(draw.Clean(match.ResourceName(path)), "/")
		s.resources[seq[0]] = name
	}
	return name
}

// head puts rows below headings, which are rows of no seq, and tells how many of those
// there are. The order of rows stays as it was below each.
func (g grouping) head(s *store, all []*row) (headed []*row, headings int) {
	if g == underNone {
		return all, 0
	}
	below := map[section][]*row{}
	var found []section
	for _, r := range all {
		at := g.of(s, r)
		if below[at] == nil {
			found = append(found, at)
		}
		below[at] = append(below[at], r)
	}
	slices.SortFunc(found, func(a, b section) int { return cmp.Or(cmp.Compare(a.rank, b.rank), strings.Compare(a.name, b.name)) })
	for _, at := range found {
		headed = append(append(headed, &row{heading: s.title(at), below: len(below[at])}), below[at]...)
	}
	return headed, len(found)
}

// title is what a heading says; a group is called as on the Groups screen.
func (s *store) title(at section) string {
	if at.name != "" {
		return at.name
	}
	return fmt.Sprintf("group %d  %s", at.rank+1, screen.GroupName(s.study.Groups[at.rank]))
}

// isHeading tells that a row is a heading and no seq.
func (r *row) isHeading() bool { return r.below > 0 }

// pass takes the cursor off a heading, on in the direction in which it went, and brings the
// heading of the row at the upper edge into sight where it came from below.
func (s *Screen) pass() {
	l, up := &s.list, s.list.At < s.was
	if s.headings > 0 && s.shown[l.At].isHeading() {
		if up && l.At > 0 {
			l.Go(l.At - 1)
		} else {
			l.Go(l.At + 1)
		}
	}
	if up && s.headings > 0 && l.Top == l.At && l.Height > 1 && s.shown[l.At-1].isHeading() {
		l.Top--
	}
	s.was = l.At
}

// viewHeading draws a heading, with how many rows are below it.
func viewHeading(r *row, width int) draw.Line {
	count := draw.Span{Text: "  " + words.Plural(r.below, "seq"), Style: theme.Dim}
	line := draw.TextLine(strings.Repeat(" ", markColumn), theme.Plain)
	return append(append(line, draw.Span{Text: r.heading, Style: theme.Strong}).Cut(width-len(count.Text)), count)
}
