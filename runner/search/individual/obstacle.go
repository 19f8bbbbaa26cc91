package individual

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
)

// maxObstacles is the maximum number of reasons that are given for one operation.
const maxObstacles = 3

// Obstacles returns what keeps an operation from succeeding, in words that name the next step: an input for which no
// answer had a value, a file that the client must send, or what refusals said about inputs. It returns nil if nothing
// is known.
func (p *Problem) Obstacles(op model.OpID) []string {
	c := p.operations.byID[op]
	if c == nil {
		return nil
	}
	all := p.attempts.missing(op)
	if names := c.fileNames(); len(names) > 0 {
		const why = "it takes a file (%s), and none of the usual kinds was accepted: give an example in the spec"
		all = append(all, fmt.Sprintf(why, strings.Join(names, ", ")))
	}
	for _, rule := range p.calls.refusals.rulesOf(op) {
		all = append(all, "it says that "+rule.String()+": give an example in the spec")
	}
	return all[:min(len(all), maxObstacles)]
}

// missing returns the inputs that an operation needs and for which no answer had a value.
func (a *attempter) missing(op model.OpID) (all []string) {
	if a == nil {
		return nil
	}
	for _, in := range a.producers.Consumers(op) {
		if !in.Required || !in.IsReference || len(a.producers.Candidates(in)) > 0 {
			continue
		}
		name := pointer.LastToken(in.Name)
		if in.In == model.InPath {
			name = "{" + name + "}"
		}
		all = append(all, fmt.Sprintf("no answer had a value for %s: start from data that has one, or give an example in the spec", name))
	}
	return all
}

// fileNames returns the names of the files in a body, "body" if the whole body is a file.
func (c *chromosome) fileNames() []string {
	if c.kind == asFile {
		return []string{"body"}
	}
	return slices.Sorted(maps.Keys(c.files))
}
