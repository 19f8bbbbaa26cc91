package results

import (
	"sonde/analysis"
	"sonde/analysis/depend"
	"sonde/model/match"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/words"
)

// Dataflow writes how values flow between the operations of an API, or between its resources.
type Dataflow struct {
	title     string
	graph     *depend.Graph
	grants    []match.LoginGrant
	inventory *depend.Inventory
	table     *match.ValuesTable
	values    []ValueReport
	DataflowView
}

// DataflowView says what is shown of the flows.
type DataflowView struct {
	Resources bool // show resources instead of operations
	Reduce    bool // leave out edges that follow from others
	HasTag    bool // only a part of the API is shown
}

// NewDataflow returns the dataflow of an analysed spec through the values that g has: those that link
// operations, or all.
func NewDataflow(a *analysis.Analysis, g *depend.Graph) *Dataflow {
	return &Dataflow{
		title:     draw.Clean(titled(a.Spec)),
		graph:     g,
		inventory: a.Inventory(),
		table:     a.ValuesTable(),
		values:    NewValueReports(a.Matcher(), a.Operations),
	}
}

// SizeText returns the number of operations or resources.
func (x *Dataflow) SizeText() string {
	if x.Resources {
		return words.Plural(len(x.inventory.Entities), "resource")
	}
	return words.Plural(len(x.graph.Operations), "operation")
}

// PictureEndings are the extensions of graph files.
var PictureEndings = []console.FileExtension{
	{Ext: ".txt", Format: "text"},
	{Ext: ".json", Format: "json"},
	{Ext: ".svg", Format: "svg"},
	{Ext: ".dot", Format: "dot"},
	{Ext: ".gv", Format: "dot"},
	{Ext: ".mmd", Format: "mermaid"},
	{Ext: ".mermaid", Format: "mermaid"},
}
