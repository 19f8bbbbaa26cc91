package runreport

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sonde/analysis"
	"sonde/analysis/depend"
	"sonde/export/picture"
	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/words"
)

// maxLines is the maximum number of operations in a box, and maxStatuses that of statuses behind an operation.
const (
	maxLines    = 14
	maxStatuses = 5
)

// resources returns the graph of a spec's resources, with what a run reached of their operations.
func resources(spec *model.Spec, answers map[model.OpID]map[int]int) picture.Graph {
	inventory := analysis.Analyze(spec, analysis.Options{}).Inventory()
	graph, err := inventory.BoundedGraph(picture.MaxSVGNodes, picture.MaxSVGEdges, false)
	if err != nil {
		return picture.Graph{}
	}
	g := picture.Graph{Title: "The resources of the service, and what the run reached of them", States: map[int]picture.State{}}
	for i, members := range graph.Nodes {
		e := inventory.Entities[members[0]]
		ops := operationsOf(e)
		g.Nodes = append(g.Nodes, resourceBox(e.Path, ops, answers))
		g.States[i] = stateOf(together(ops, answers))
	}
	for _, f := range graph.Flows {
		g.Edges = append(g.Edges, picture.Edge{From: f.From, To: f.To, Values: cleaned(f.Values)})
	}
	g.Note = omitted(graph)
	return g
}

func omitted(graph depend.BoundedGraph) string {
	if graph.OmittedNodes == 0 && graph.OmittedFlows == 0 {
		return ""
	}
	return fmt.Sprintf("Not shown: %s and %s", words.Plural(graph.OmittedNodes, "resource"), words.Plural(graph.OmittedFlows, "arrow"))
}

func cleaned(texts []string) (all []string) {
	for _, text := range texts {
		all = append(all, draw.Clean(text))
	}
	return all
}

// operationsOf returns the operations of a resource, each once, by their roles.
func operationsOf(e *depend.ResourceEntity) (ops []model.OpID) {
	for _, role := range e.Operations {
		for _, op := range role {
			if !slices.Contains(ops, op) {
				ops = append(ops, op)
			}
		}
	}
	return ops
}

// resourceBox returns a box with the path of a resource and a line for each operation.
func resourceBox(path string, ops []model.OpID, answers map[model.OpID]map[int]int) picture.Node {
	box := picture.Node{{Text: draw.Clean(path)}}
	for _, op := range ops[:min(maxLines, len(ops))] {
		box = append(box, operationLine(op, path, answers[op]))
	}
	if more := len(ops) - maxLines; more > 0 {
		box = append(box, picture.Line{Text: fmt.Sprintf("and %d more", more)})
	}
	return box
}

// operationLine returns an operation with the statuses that it answered. Its path begins after that of its resource.
func operationLine(op model.OpID, resource string, counts map[int]int) picture.Line {
	method, path, _ := strings.Cut(string(op), " ")
	mark, _ := draw.AnswersGlyph(counts)
	text := strings.TrimSpace(draw.Clean(strings.TrimPrefix(path, resource)) + " " + statusList(counts))
	return picture.Line{Method: draw.Clean(method), Text: text, Mark: mark, State: stateOf(counts)}
}

// statusList returns the statuses of an operation, such as "200 404".
func statusList(counts map[int]int) string {
	var all []string
	for _, status := range slices.Sorted(maps.Keys(counts)) {
		if counts[status] > 0 {
			all = append(all, strconv.Itoa(status))
		}
	}
	if more := len(all) - maxStatuses; more > 0 {
		all = append(all[:maxStatuses], fmt.Sprintf("+%d", more))
	}
	return strings.Join(all, " ")
}

// together returns the answers of several operations as those of one.
func together(ops []model.OpID, answers map[model.OpID]map[int]int) map[int]int {
	all := map[int]int{}
	for _, op := range ops {
		for status, n := range answers[op] {
			all[status] += n
		}
	}
	return all
}

// stateOf returns the state of a resource whose operations were answered with these statuses. counts maps a status to its
// number of answers.
func stateOf(counts map[int]int) picture.State {
	switch model.ClassOf(counts) {
	case model.ClassSucceeded:
		return picture.Succeeded
	case model.ClassBroken:
		return picture.Failed
	case model.ClassRefused:
		return picture.Refused
	}
	return picture.Untried
}
