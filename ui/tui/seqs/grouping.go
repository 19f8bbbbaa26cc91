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

// grouping is the property by which rows are grouped below headings.
type grouping int

const (
	ungrouped grouping = iota
	groupByOrigin
	groupByGroup
	groupByResource
	groupings
)

// String returns the name of the grouping, as shown on the screen and stored in state.json.
func (g grouping) String() string {
	return [groupings]string{"", "origin", "group", "resource"}[g]
}

// parseGrouping returns the grouping with a name, or ungrouped for an unknown name.
func parseGrouping(name string) grouping {
	for g := range groupings {
		if g.String() == name {
			return g
		}
	}
	return ungrouped
}

// section identifies the rows below one heading. Sections are sorted by rank, then by name.
type section struct {
	rank int
	name string // the text of the heading; "" for the value-sharing group with index rank
}

// originOrder lists, in their order, the headings of rows that are grouped by origin.
var originOrder = []string{
	string(model.OriginManual), fileOriginName, string(model.OriginRecorded), "search", "earlier", string(model.OriginDistilled),
}

// grouper groups rows below headings.
type grouper struct {
	by        grouping
	analyzed  *screen.AnalyzedSpec
	names     []string              // the names of the value-sharing groups
	resources map[model.OpID]string // a cache of the resources of operations
}

// arrange returns the rows with their headings, and the number of headings. Rows below the same heading
// keep their order.
func (g *grouper) arrange(all []*row) (arranged []*row, headings int) {
	if g.by == ungrouped {
		return all, 0
	}
	below := map[section][]*row{}
	var found []section
	for _, r := range all {
		at := g.section(r)
		if below[at] == nil {
			found = append(found, at)
		}
		below[at] = append(below[at], r)
	}
	slices.SortFunc(found, func(a, b section) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), strings.Compare(a.name, b.name))
	})
	for _, at := range found {
		arranged = append(arranged, &row{heading: g.title(at), below: len(below[at])})
		arranged = append(arranged, below[at]...)
	}
	return arranged, len(found)
}

func (g *grouper) section(r *row) section {
	switch g.by {
	case groupByOrigin:
		if r.file != nil {
			return section{rank: slices.Index(originOrder, fileOriginName), name: draw.Clean(r.file.place())}
		}
		return section{rank: slices.Index(originOrder, r.origin()), name: r.origin()}
	case groupByGroup:
		return g.groupSection(r.Seq)
	}
	return section{name: g.resource(r.Seq)}
}

// groupSection returns the section of the value-sharing group that contains all operations of a seq. All
// seqs with several groups are in one section, and all seqs without a group are in another.
func (g *grouper) groupSection(seq model.Seq) section {
	group := -1
	for _, op := range seq {
		switch of, known := g.analyzed.GroupOf[op]; {
		case known && group >= 0 && of != group:
			return section{rank: math.MaxInt - 1, name: "several groups"}
		case known:
			group = of
		}
	}
	if group < 0 {
		return section{rank: math.MaxInt, name: "no group"}
	}
	return section{rank: group}
}

// resource returns the name of the resource of a seq's first call.
func (g *grouper) resource(seq model.Seq) string {
	if len(seq) == 0 {
		return "no calls yet"
	}
	name, known := g.resources[seq[0]]
	if !known {
		_, path, _ := strings.Cut(string(seq[0]), " ")
		name = cmp.Or(draw.Clean(match.ResourceName(path)), "/")
		g.resources[seq[0]] = name
	}
	return name
}

// title returns the text of a heading. A group has the same name as on the Groups screen.
func (g *grouper) title(at section) string {
	if at.name != "" {
		return at.name
	}
	return fmt.Sprintf("group %d  %s", at.rank+1, g.names[at.rank])
}

// headingLine draws a heading with the number of rows below it.
func headingLine(r *row, width int) draw.Line {
	count := draw.Span{Text: "  " + words.Plural(r.below, "seq"), Style: theme.Dim}
	line := draw.TextLine(strings.Repeat(" ", markColumn), theme.Plain)
	line = append(line, draw.Span{Text: r.heading, Style: theme.Strong})
	return append(line.Cut(width-len(count.Text)), count)
}
