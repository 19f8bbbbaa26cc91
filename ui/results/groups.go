package results

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"sonde/analysis"
	"sonde/model"
	"sonde/model/match"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/words"
)

// GroupReport is the JSON of a group in sonde groups.
type GroupReport struct {
	Operations []model.OpID     `json:"operations"`
	Values     []string         `json:"values"`
	Exchanged  []evidenceReport `json:"exchanged"`
	// ValueKinds has the kinds of Values, in the same order.
	ValueKinds []ValueReport `json:"value_kinds"`
}

// evidenceReport is a value that operations exchange, with its places.
type evidenceReport struct {
	Value  string        `json:"value"`
	Places []placeReport `json:"places"`
}

type placeReport struct {
	Op    model.OpID     `json:"operation"`
	Emits bool           `json:"emits"`
	In    model.Location `json:"in"`
	At    string         `json:"at"`             // name of a parameter, or a JSON pointer
	Kind  match.Kind     `json:"kind,omitempty"` // absent if values are matched by name
	Why   string         `json:"why,omitempty"`
	// KindWhy is the evidence for the kind, absent for attributes.
	KindWhy string `json:"kind_why,omitempty"`
}

// GroupReports returns the JSON of the groups of an analysis.
func GroupReports(a *analysis.Analysis) []GroupReport {
	t := a.ValuesTable()
	places := placesOf(a.Matcher(), t)
	exchanged := map[string]bool{}
	for v, between := range t.PassedBetween() {
		exchanged[t.Names[v]] = between
	}
	kinds := map[string]ValueReport{}
	for _, v := range NewValueReports(a.Matcher(), a.Operations) {
		kinds[v.Value] = v
	}
	out := []GroupReport{}
	for _, g := range a.ValueGroups() {
		r := GroupReport{Operations: g.Operations, Values: append([]string{}, g.Values...), Exchanged: []evidenceReport{}}
		r.ValueKinds = []ValueReport{}
		for _, v := range g.Values {
			r.ValueKinds = append(r.ValueKinds, kinds[v])
			if exchanged[v] {
				r.Exchanged = append(r.Exchanged, evidenceReport{v, places[v]})
			}
		}
		out = append(out, r)
	}
	return out
}

// placesOf returns the places of each value. A place is listed once, even if several responses have it.
func placesOf(m *match.Matcher, t *match.ValuesTable) map[string][]placeReport {
	type found struct {
		value string
		at    placeReport
	}
	seen := map[found]bool{}
	places := map[string][]placeReport{}
	for _, op := range t.Ops {
		for _, u := range m.UsesOf(op) {
			f := found{u.ID, placeReport{
				Op: op.ID, Emits: u.Out, In: u.In, At: cmp.Or(u.Pointer, u.Name), Kind: u.Kind, Why: u.Why, KindWhy: u.KindWhy(),
			}}
			if !seen[f] {
				seen[f] = true
				places[u.ID] = append(places[u.ID], f.at)
			}
		}
	}
	return places
}

// PrintGroups writes groups as text.
func PrintGroups(w io.Writer, groups []GroupReport) error {
	for i, g := range groups {
		if err := printMembers(w, i, g, words.Plural(len(g.Values), "value")); err != nil {
			return err
		}
		for _, v := range g.Values {
			fmt.Fprintf(w, "    %s\n", draw.Clean(v))
		}
	}
	return nil
}

func printMembers(w io.Writer, i int, g GroupReport, values string) error {
	_, err := fmt.Fprintf(w, "group %d: %s, %s\n", i+1, words.Plural(len(g.Operations), "operation"), values)
	for _, op := range g.Operations {
		fmt.Fprintf(w, "  %s\n", draw.Clean(string(op)))
	}
	return err
}

// PrintEvidence writes the places of the values that the operations of each group exchange.
func PrintEvidence(w io.Writer, groups []GroupReport) error {
	for i, g := range groups {
		values := "nothing exchanged"
		if n := len(g.Exchanged); n > 0 {
			values = words.Plural(n, "value") + " exchanged"
		}
		if err := printMembers(w, i, g, values); err != nil {
			return err
		}
		for _, e := range g.Exchanged {
			fmt.Fprintf(w, "    %s\n", draw.Clean(e.Value))
			t := console.NewTable(w)
			for _, p := range e.Places {
				t.Row("      "+string(p.Op), p.verb(), p.place(), string(p.Kind), p.evidence())
			}
			t.Flush()
		}
	}
	return nil
}

// evidence returns the evidence that the place holds this value, and the evidence for the kind of the value. A
// reference to an element is evidence for both. It is then returned only once.
func (p placeReport) evidence() string {
	if p.KindWhy == "" || p.KindWhy == p.Why || strings.HasSuffix(p.KindWhy, " refers to it") {
		return p.Why
	}
	return p.Why + "; " + string(p.Kind) + ": " + p.KindWhy
}

func (p placeReport) verb() string {
	if p.Emits {
		return "emits"
	}
	return "takes"
}

// place describes the place of the value in the message.
func (p placeReport) place() string {
	if p.In == model.InResponse {
		return "body " + p.At
	}
	return string(p.In) + " " + p.At
}
