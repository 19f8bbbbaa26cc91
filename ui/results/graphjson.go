package results

import (
	"fmt"
	"io"

	"sonde/analysis/depend"
	"sonde/model"
	"sonde/ui/console"
)

// jsonEdges is the maximum number of edges in the JSON. A value that all operations take and emit has an
// edge between any two of them.
const jsonEdges = 100_000

// graphReport is the JSON of sonde graph.
type graphReport struct {
	Operations []model.OpID `json:"operations"`
	Edges      []edgeReport `json:"edges"`
	// EdgesLeftOut is the number of edges that were left out, because their values are the most common values.
	EdgesLeftOut int              `json:"edges_left_out"`
	Values       []ValueReport    `json:"values"`
	Credentials  []grantReport    `json:"credentials,omitempty"`
	Reduced      *reducedReport   `json:"reduced,omitempty"`
	Cycles       [][]model.OpID   `json:"cycles"`
	Resources    []resourceReport `json:"resources"`
	SetUp        [][]string       `json:"set_up"`
	Outside      []lackReport     `json:"need_data_from_outside"`
	Untaken      []looseReport    `json:"values_nobody_takes"`
	Unemitted    []looseReport    `json:"values_nobody_emits"`
}

// grantReport is a credential from a log-in, with the secured operations that need it.
type grantReport struct {
	Value string       `json:"value"`
	From  model.OpID   `json:"from"`
	Token string       `json:"token"`
	To    []model.OpID `json:"to"`
	Why   string       `json:"why"`
}

type edgeReport struct {
	From   model.OpID `json:"from"`
	To     model.OpID `json:"to"`
	Values []string   `json:"values"`
}

// reducedReport is the graph of operations without redundant edges. The operations of a cycle are a single
// node.
type reducedReport struct {
	Nodes [][]model.OpID `json:"nodes"`
	Edges []nodeEdge     `json:"edges"`
}

type nodeEdge struct {
	From   int      `json:"from"`
	To     int      `json:"to"`
	Values []string `json:"values"`
}

type resourceReport struct {
	Path    string       `json:"path"`
	Create  []model.OpID `json:"create"`
	Read    []model.OpID `json:"read"`
	Update  []model.OpID `json:"update"`
	Delete  []model.OpID `json:"delete"`
	Actions []model.OpID `json:"actions"`
	Needs   []needReport `json:"needs"`
}

type needReport struct {
	Resource string   `json:"resource"`
	Values   []string `json:"values"`
}

type lackReport struct {
	Operation model.OpID `json:"operation"`
	Values    []string   `json:"values"`
}

type looseReport struct {
	Value      string       `json:"value"`
	Operations []model.OpID `json:"operations"`
}

// WriteJSON writes the dataflow as JSON, with the reduced graph if Reduce is set.
func (x *Dataflow) WriteJSON(w io.Writer) error {
	untaken, unemitted := x.looseEnds()
	r := graphReport{
		Operations: console.NonNilSlice(x.graph.Operations),
		Edges:      []edgeReport{},
		Values:     x.values,
		Cycles:     console.NonNilSlice(cycles(x.graph)),
		Resources:  []resourceReport{},
		SetUp:      [][]string{},
		Outside:    []lackReport{},
		Untaken:    looseReports(untaken),
		Unemitted:  looseReports(unemitted),
	}
	x.addEdges(&r)
	for _, g := range x.grants {
		r.Credentials = append(r.Credentials, grantReport{Value: g.ID, From: g.From, Token: g.Token, To: g.To, Why: g.Why})
	}
	x.addResources(&r)
	if x.Reduce {
		if err := x.addReduced(&r); err != nil {
			return err
		}
	}
	return console.WriteJSON(w, r)
}

func (x *Dataflow) addEdges(r *graphReport) {
	s := x.graph.Bounded(len(x.graph.Operations), jsonEdges)
	for _, f := range s.Flows {
		r.Edges = append(
			r.Edges,
			edgeReport{From: x.graph.Operations[f.From], To: x.graph.Operations[f.To], Values: console.NonNilSlice(f.Values)},
		)
	}
	r.EdgesLeftOut = s.OmittedFlows
}

func (x *Dataflow) addReduced(r *graphReport) error {
	reduced, err := x.graph.Reduce()
	if err != nil {
		return fmt.Errorf("%w; leave out --reduce, or choose a part with --tag", err)
	}
	r.Reduced = &reducedReport{Nodes: console.NonNilSlice(reduced.Components), Edges: []nodeEdge{}}
	for _, f := range reduced.Bounded(len(reduced.Components), jsonEdges).Flows {
		r.Reduced.Edges = append(r.Reduced.Edges, nodeEdge{From: f.From, To: f.To, Values: console.NonNilSlice(f.Values)})
	}
	return nil
}

func (x *Dataflow) addResources(r *graphReport) {
	for _, e := range x.inventory.Entities {
		r.Resources = append(r.Resources, x.resourceReport(e))
	}
	for _, step := range x.inventory.SetUpOrder() {
		r.SetUp = append(r.SetUp, x.paths(step))
	}
	for _, l := range x.inventory.MissingInputs {
		r.Outside = append(r.Outside, lackReport{l.Op, l.Values})
	}
}

func (x *Dataflow) resourceReport(e *depend.ResourceEntity) resourceReport {
	r := resourceReport{
		Path:    e.Path,
		Create:  console.NonNilSlice(e.Operations[depend.RoleCreate]),
		Read:    console.NonNilSlice(e.Operations[depend.RoleRead]),
		Update:  console.NonNilSlice(e.Operations[depend.RoleUpdate]),
		Delete:  console.NonNilSlice(e.Operations[depend.RoleDelete]),
		Actions: console.NonNilSlice(e.Operations[depend.RoleAction]),
		Needs:   []needReport{},
	}
	for _, n := range e.Needs {
		r.Needs = append(r.Needs, needReport{x.inventory.Entities[n.Entity].Path, console.NonNilSlice(n.Values)})
	}
	return r
}

// paths returns the paths of entities.
func (x *Dataflow) paths(entities []int) []string {
	var out []string
	for _, k := range entities {
		out = append(out, x.inventory.Entities[k].Path)
	}
	return out
}

func looseReports(all []depend.UnmatchedValue) []looseReport {
	out := []looseReport{}
	for _, l := range all {
		out = append(out, looseReport{l.Value, l.Ops})
	}
	return out
}

// cycles returns the components with several operations, which all feed each other.
func cycles(g *depend.Graph) [][]model.OpID {
	var out [][]model.OpID
	for _, c := range g.Components() {
		if len(c) > 1 {
			out = append(out, c)
		}
	}
	return out
}
