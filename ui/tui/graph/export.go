package graph

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/words"
)

// export is what is on screen, to be written into a file.
func (s *Screen) export() screen.Picture {
	p := s.picture
	out := screen.Picture{Title: s.study.Spec.Title + ": " + s.extent(), Note: p.missing()}
	at := map[model.OpID]int{}
	for i, nd := range p.nodes {
		at[nd.lead()] = i
		out.Boxes = append(out.Boxes, s.words(nd))
	}
	for _, f := range p.flows {
		values := f.ids
		if len(values) == 0 {
			values = f.rest
		}
		out.Arrows = append(out.Arrows, screen.Arrow{From: at[f.from], To: at[f.to], Values: values})
	}
	return out
}

// extent says what of the API the picture shows.
func (s *Screen) extent() string {
	p, thing := s.picture, "operations"
	if p.things {
		thing = "resources"
	}
	if p.whole {
		return "all " + thing
	}
	centre := string(p.centre)
	if at := p.node(p.centre); at >= 0 && p.nodes[at].name != "" {
		centre = p.nodes[at].name
	}
	return fmt.Sprintf("%s within %s of %s", thing, words.Plural(p.hops, "hop"), centre)
}

// missing says what the picture leaves out.
func (p *picture) missing() string {
	var parts []string
	if p.left > 0 {
		parts = append(parts, words.Plural(p.left, "operation"))
	}
	if p.loose > 0 {
		parts = append(parts, words.Plural(p.loose, "flow"))
	}
	if len(parts) == 0 {
		return ""
	}
	return "Not shown: " + strings.Join(parts, ", ")
}

// mostMembers is how many operations of a folded box are named.
const mostMembers = 12

// words are the lines of a box: its name, what the search reached of it, and, from
// near, what else is on screen.
func (s *Screen) words(nd node) []screen.Words {
	method, path, _ := strings.Cut(string(nd.lead()), " ")
	lines := []screen.Words{{Method: method, Text: path}}
	if nd.name != "" {
		lines[0] = screen.Words{Text: nd.name}
		for _, op := range nd.ops[:min(len(nd.ops), mostMembers)] {
			method, path, _ := strings.Cut(string(op), " ")
			lines = append(lines, screen.Words{Method: method, Text: path})
		}
		if more := len(nd.ops) - mostMembers; more > 0 {
			lines = append(lines, screen.Words{Text: fmt.Sprintf("and %d more", more)})
		}
	}
	if s.picture.zoom == facts && nd.name == "" {
		lines = append(lines, screen.Words{Text: netOf(s.study).fact(nd)})
	}
	if counts := s.answers(nd); len(counts) > 0 {
		lines = append(lines, screen.Words{Text: statuses(counts)})
	}
	return lines
}

// statuses writes what was answered: "✓ 200 ×3, 404 ×1".
func statuses(counts map[int]int) string {
	sign, _ := theme.Answers(counts)
	var all []string
	for _, status := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, fmt.Sprintf("%d ×%s", status, words.Count(counts[status])))
	}
	return draw.Clean(sign + " " + strings.Join(all, ", "))
}
