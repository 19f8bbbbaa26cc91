package results

import (
	"sonde/analysis"
	"sonde/analysis/depend"
	"sonde/model/match"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/words"
)

// Dataflow writes the flow of values between the operations of an API, or between its resources.
type Dataflow struct {
	title     string
	graph     *depend.Graph
	grants    []match.LoginGrant
	inventory *depend.Inventory
	table     *match.ValuesTable
	values    []ValueReport
	DataflowView
}

// DataflowView selects what is shown of the dataflow.
type DataflowView struct {
	Resources bool // show resources instead of operations
	Reduce    bool // leave out redundant edges
	HasTag    bool // only the operations of a tag are shown (--tag)
}

// NewDataflow returns the dataflow of an analysed spec. Its edges are the edges of g. g is the dependency graph, or a
// graph that also has attributes as values of its edges.
func NewDataflow(a *analysis.Analysis, g *depend.Graph) *Dataflow {
	return &Dataflow{
		title:     draw.Clean(titled(a.Spec)),
		graph:     g,
		inventory: a.Inventory(),
		table:     a.ValuesTable(),
		values:    NewValueReports(a.Matcher(), a.Operations),
	}
}

// SizeText describes the number of operations or resources.
func (x *Dataflow) SizeText() string {
	if x.Resources {
		return words.Plural(len(x.inventory.Entities), "resource")
	}
	return words.Plural(len(x.graph.Operations), "operation")
}

// PictureEndings maps the extensions of files to the formats of sonde graph, including text and JSON.
var PictureEndings = []console.FileExtension{
	{Ext: ".txt", Format: "text"},
	{Ext: ".json", Format: "json"},
	{Ext: ".svg", Format: "svg"},
	{Ext: ".dot", Format: "dot"},
	{Ext: ".gv", Format: "dot"},
	{Ext: ".mmd", Format: "mermaid"},
	{Ext: ".mermaid", Format: "mermaid"},
}
