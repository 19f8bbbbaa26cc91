package results

import (
	"sonde/analysis"
	"sonde/analysis/depend"
	"sonde/model/match"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/words"
)

// Dataflow is what there is to say of the values that flow through an API.
type Dataflow struct {
	title     string
	graph     *depend.Graph
	grants    []match.LoginGrant
	inventory *depend.Inventory
	table     *match.ValuesTable
	DataflowView
}

// DataflowView is what is shown of the flows.
type DataflowView struct {
	Resources bool // instead of operations
	Reduce    bool // to what does not follow from the rest
	HasTag    bool // a part of the API alone
}

// NewDataflow returns the dataflow of an analysed spec.
func NewDataflow(a *analysis.Analysis) *Dataflow {
	return &Dataflow{title: draw.Clean(titled(a.Spec)), graph: a.DependencyGraph(), inventory: a.Inventory(), table: a.ValuesTable()}
}

// SizeText is how much is shown.
func (x *Dataflow) SizeText() string {
	if x.Resources {
		return words.Plural(len(x.inventory.Entities), "resource")
	}
	return words.Plural(len(x.graph.Operations), "operation")
}

// PictureEndings are the endings of the files of pictures.
var PictureEndings = []console.FileExtension{
	{Ext: ".txt", Format: "text"},
	{Ext: ".json", Format: "json"},
	{Ext: ".svg", Format: "svg"},
	{Ext: ".dot", Format: "dot"},
	{Ext: ".gv", Format: "dot"},
	{Ext: ".mmd", Format: "mermaid"},
	{Ext: ".mermaid", Format: "mermaid"},
}
