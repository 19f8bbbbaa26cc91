package graph

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/words"
)

// exporter converts a picture to boxes and arrows with texts, for writing them to a file.
type exporter struct {
	analyzed *screen.AnalyzedSpec
	picture  *picture
	coverage coverage
}

func (e exporter) export() usecase.GraphPicture {
	p := e.picture
	out := usecase.GraphPicture{Title: e.analyzed.Spec.Title + ": " + p.extent(), Note: p.missing()}
	at := map[model.OpID]int{}
	for i, nd := range p.nodes {
		at[nd.lead()] = i
		out.Boxes = append(out.Boxes, e.box(nd))
	}
	for _, f := range p.flows {
		values := f.ids
		if len(values) == 0 {
			values = f.rest
		}
		out.Arrows = append(out.Arrows, usecase.BoxArrow{From: at[f.from], To: at[f.to], Values: values})
	}
	return out
}

// extent describes which part of the API the picture shows.
func (p *picture) extent() string {
	thing := "operations"
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

// missing describes what the picture leaves out, "" for nothing.
func (p *picture) missing() string {
	var parts []string
	if p.omitted > 0 {
		parts = append(parts, words.Plural(p.omitted, "operation"))
	}
	if p.hidden > 0 {
		parts = append(parts, words.Plural(p.hidden, "flow"))
	}
	if len(parts) == 0 {
		return ""
	}
	return "Not shown: " + strings.Join(parts, ", ")
}

// maxMembers is the maximum number of operations listed in a folded box.
const maxMembers = 12

// box returns the lines of a node's box: its name, its operations if there are several, and the answers in the
// search. For a single operation, it also returns the facts, if they are on the screen.
func (e exporter) box(nd node) []usecase.BoxLine {
	method, path, _ := strings.Cut(string(nd.lead()), " ")
	lines := []usecase.BoxLine{{Method: method, Text: path}}
	if nd.name != "" {
		lines[0] = usecase.BoxLine{Text: nd.name}
		for _, op := range nd.ops[:min(len(nd.ops), maxMembers)] {
			method, path, _ := strings.Cut(string(op), " ")
			lines = append(lines, usecase.BoxLine{Method: method, Text: path})
		}
		if more := len(nd.ops) - maxMembers; more > 0 {
			lines = append(lines, usecase.BoxLine{Text: fmt.Sprintf("and %d more", more)})
		}
	}
	if e.picture.zoom == facts && nd.name == "" {
		lines = append(lines, usecase.BoxLine{Text: newFlowGraph(e.analyzed, e.picture.all).fact(nd)})
	}
	if counts := e.coverage.answers(nd); len(counts) > 0 {
		lines = append(lines, usecase.BoxLine{Text: statuses(counts)})
	}
	return lines
}

// statuses lists answers by status, such as "✓ 200 ×3, 404 ×1".
func statuses(counts map[int]int) string {
	sign, _ := draw.AnswersGlyph(counts)
	var all []string
	for _, status := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, fmt.Sprintf("%d ×%s", status, words.Count(counts[status])))
	}
	return draw.Clean(sign + " " + strings.Join(all, ", "))
}
