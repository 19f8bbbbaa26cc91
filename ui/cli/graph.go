package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"sonde/analysis"
	"sonde/analysis/depend"
	"sonde/model"
	"sonde/ui/console"
	"sonde/ui/results"

	"github.com/spf13/cobra"
)

// graphTopics are the kinds of the nodes of sonde graph.
var graphTopics = []string{"operations", "resources"}

func newGraph(s console.Streams) *cobra.Command {
	f := graphFlags{of: graphTopics[0]}
	c := &cobra.Command{
		Use:   "graph [SPEC]",
		Short: "Show which operation feeds which, what creates each resource, and what each needs",
		Long: `Show which operation feeds which, and with what: as text, JSON, or a picture.

An operation feeds another one with values that identify something: identifiers,
references, cursors and credentials.

The text also lists the order in which to create resources, the operations that
create, read, update and delete each, the operations that need data from outside,
the values that no operation takes, and cycles. JSON has all of it. The order of
creation is derived from qualified values, even with --match name.`,
		Example: "  sonde graph shop.yaml\n  sonde graph shop.yaml -o shop.svg\n" +
			"  sonde graph shop.yaml --of resources --reduce --format mermaid",
		Args: atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			args, err := withSpec(c, s, args, "SPEC")
			if err != nil {
				return err
			}
			return f.run(c, s, args[0])
		},
	}
	fl := c.Flags()
	f.pictureFlags.add(fl)
	fl.StringVar(&f.of, "of", f.of, "nodes of the graph: operations or resources")
	fl.StringVar(
		&f.around, "around", "",
		`only what exchanges values with one operation, such as "POST /carts", directly or over --hops others`,
	)
	fl.IntVar(&f.hops, "hops", 1, "number of hops from the operation of --around")
	fl.BoolVar(&f.attributes, "attributes", false,
		"also show attributes that a client could copy from one operation to another, such as a name")
	fl.BoolVar(&f.reduce, "reduce", false, "leave out edges that follow from others, and join operations that feed each other")
	f.addCase(c)
	return c
}

// graphFlags are the flags of sonde graph.
type graphFlags struct {
	sourceFlags
	pictureFlags
	of, around         string
	hops               int
	reduce, attributes bool
}

func (f *graphFlags) run(c *cobra.Command, s console.Streams, source string) error {
	if err := f.check(c); err != nil {
		return err
	}
	a, err := f.loadAnalysis(c, s, source)
	if err != nil {
		return err
	}
	if f.around != "" {
		a, err = f.near(a)
		if err != nil {
			return err
		}
	}
	x := results.NewDataflow(a, f.graph(a))
	x.AddGrants(a.LoginGrants())
	x.DataflowView = results.DataflowView{
		Resources: f.of == "resources",
		Reduce:    f.reduce,
		HasTag:    f.around != "" || c.Flags().Changed("tag"),
	}
	var b bytes.Buffer
	if err := f.print(&b, s.Err, x); err != nil {
		return err
	}
	return f.write(s, &b, x.SizeText())
}

// graph returns the dependency graph of an analysis. With --attributes it includes attributes.
func (f *graphFlags) graph(a *analysis.Analysis) *depend.Graph {
	if f.attributes {
		return a.ExchangeGraph()
	}
	return a.DependencyGraph()
}

// near returns the part of an analysis within --hops of the operation of --around.
func (f *graphFlags) near(a *analysis.Analysis) (*analysis.Analysis, error) {
	part, _ := f.graph(a).Neighbourhood(model.OpID(f.around), f.hops, math.MaxInt)
	if len(part.Operations) == 0 {
		return nil, fmt.Errorf("--around %q: no such operation; sonde graph SPEC --json lists them", f.around)
	}
	in := map[model.OpID]bool{}
	for _, op := range part.Operations {
		in[op] = true
	}
	ops := slices.DeleteFunc(slices.Clone(a.Operations), func(op *model.Operation) bool { return !in[op.ID] })
	return a.Subset(ops), nil
}

// check sets the format. It returns an error if a value is unknown or too small, if flags exclude each other, or if a
// flag is missing that another one needs. It also returns an error if the output file cannot be written.
func (f *graphFlags) check(c *cobra.Command) error {
	switch {
	case f.hops < 1:
		return fmt.Errorf("--hops %d: give at least 1", f.hops)
	case c.Flags().Changed("hops") && f.around == "":
		return errors.New("--hops needs --around OPERATION")
	case !slices.Contains(graphTopics, f.of):
		return fmt.Errorf("--of %q is not known: use %s", f.of, console.JoinWithOr(graphTopics))
	}
	return f.pictureFlags.check(c, f.json)
}

// print writes the graph in the chosen format. It prints a note to errs if a picture is incomplete.
func (f *graphFlags) print(w, errs io.Writer, x *results.Dataflow) error {
	switch f.format {
	case "json":
		return x.WriteJSON(w)
	case "text":
		return x.Print(w)
	}
	g, err := x.Picture(f.limits())
	if err != nil {
		return err
	}
	return f.draw(w, errs, g)
}
