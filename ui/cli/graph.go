package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"sonde/analysis/depend"
	"sonde/export/picture"
	"sonde/model"
	"sonde/model/match"
	"sonde/ui/pane"
	"sonde/ui/words"

	"github.com/google/renameio/v2/maybe"
	"github.com/spf13/cobra"
)

// The formats of graph, and what it can be of.
var (
	graphFormats = []string{"text", "json", "svg", "dot", "mermaid"}
	graphTopics  = []string{"operations", "resources"}
	graphEndings = []ending{
		{".txt", "text"}, {".json", "json"}, {".svg", "svg"}, {".dot", "dot"}, {".gv", "dot"}, {".mmd", "mermaid"}, {".mermaid", "mermaid"},
	}
)

func newGraph(s streams) *cobra.Command {
	f := graphFlags{format: graphFormats[0], of: graphTopics[0]}
	c := &cobra.Command{
		Use:   "graph SPEC",
		Short: "Show which operation feeds which, who creates what, and what must be there first",
		Long: `Show which operation feeds which, and with what: as text, JSON, or a picture.

The text also says in which order to set up the API's resources, who creates,
reads, updates and deletes each, which operations need data from outside, which
values nobody takes, and what goes in a circle. JSON has all of it. What must be
there first is told by what values are attributes of, even with --match name.`,
		Example: "  sonde graph shop.yaml\n  sonde graph shop.yaml -o shop.svg\n  sonde graph shop.yaml --of resources --reduce --format mermaid",
		Args:    exactly("SPEC"),
		RunE:    func(c *cobra.Command, args []string) error { return f.run(c, s, args[0]) },
	}
	fl := c.Flags()
	fl.StringVar(&f.format, "format", f.format, "text, json, svg (a picture), dot (for graphviz) or mermaid (for Markdown); else as the ending of -o says")
	fl.StringVar(&f.of, "of", f.of, "operations, or the resources that they deal with")
	fl.StringVar(&f.around, "around", "", `only what exchanges values with one operation, such as "POST /carts", directly or over --hops others`)
	fl.IntVar(&f.hops, "hops", 1, "how far --around goes")
	fl.BoolVar(&f.reduce, "reduce", false, "leave out what follows from the rest, and join what feeds each other")
	fl.StringVarP(&f.output, "output", "o", "", "file to write to, replacing what is there")
	f.addCase(c)
	return c
}

// graphFlags are the flags of graph.
type graphFlags struct {
	sourceFlags
	format, of, output, around string
	hops                       int
	reduce                     bool
}

func (f *graphFlags) run(c *cobra.Command, s streams, source string) error {
	if err := f.check(c); err != nil {
		return err
	}
	spec, err := f.load(c.Context(), s, source)
	if err != nil {
		return err
	}
	matcher, table, err := f.matched(c, spec)
	if err != nil {
		return err
	}
	if f.around != "" {
		table, err = f.near(matcher, table)
		if err != nil {
			return err
		}
	}
	x := newFlows(titled(spec), matcher, table)
	x.grant(matcher.Grants(spec))
	x.view = view{resources: f.of == "resources", reduce: f.reduce, tagged: f.around != "" || c.Flags().Changed("tag")}
	var b bytes.Buffer
	if err := f.print(&b, s.err, x); err != nil {
		return err
	}
	if f.output != "" {
		if err := writeWhole(f.output, b.Bytes()); err != nil {
			return err
		}
		_, err := fmt.Fprintf(s.out, "%s in %s\n", x.size(), pane.Clean(f.output))
		return err
	}
	out := b.Bytes()
	if isTerminal(s.out) { // JSON keeps names as they are
		out = []byte(pane.CleanLines(b.String()))
	}
	_, err = s.out.Write(out)
	return err
}

// near is the part of a table that is within some hops of an operation.
func (f *graphFlags) near(m *match.Matcher, t *match.Table) (*match.Table, error) {
	part, _ := depend.Dependencies(t).Neighbourhood(model.OpID(f.around), f.hops, math.MaxInt)
	if len(part.Operations) == 0 {
		return nil, fmt.Errorf("--around %q: there is no such operation; sonde graph SPEC --json lists them", f.around)
	}
	in := map[model.OpID]bool{}
	for _, op := range part.Operations {
		in[op] = true
	}
	ops := slices.DeleteFunc(slices.Clone(t.Ops), func(op *model.Operation) bool { return !in[op.ID] })
	return m.Table(ops), nil
}

// check finds out the format, and what does not go together.
func (f *graphFlags) check(c *cobra.Command) (err error) {
	chosen := c.Flags().Changed("format")
	if !chosen {
		f.format, err = formatOf(f.output, graphEndings)
		if err != nil {
			return err
		}
	}
	switch {
	case f.hops < 1:
		return fmt.Errorf("--hops %d: give at least 1", f.hops)
	case c.Flags().Changed("hops") && f.around == "":
		return errors.New("--hops goes with --around, which says of what")
	case !slices.Contains(graphFormats, f.format):
		return fmt.Errorf("--format %q is not known: say %s", f.format, either(graphFormats))
	case !slices.Contains(graphTopics, f.of):
		return fmt.Errorf("--of %q is not known: say %s", f.of, either(graphTopics))
	case f.json && chosen && f.format != "json":
		return fmt.Errorf("--json and --format %s: leave one of them out", f.format)
	case f.json && filepath.Ext(f.output) != "" && f.format != "json":
		return fmt.Errorf("--json and -o %q: let it end in .json, or leave out --json", f.output)
	case f.json:
		f.format = "json"
	}
	return checkOutput(f.output)
}

// print writes in the format that is asked for, and tells on errs what a
// picture has no room for.
func (f *graphFlags) print(w, errs io.Writer, x *flows) error {
	switch f.format {
	case "json":
		return x.json(w)
	case "text":
		return x.text(w)
	}
	write, limit := picture.DOT, bounds{dotNodes, dotEdges}
	switch f.format {
	case "svg":
		write, limit = picture.SVG, bounds{picture.SVGNodes, picture.SVGEdges}
	case "mermaid":
		write, limit = picture.Mermaid, bounds{picture.MermaidNodes, picture.MermaidEdges}
	}
	g, err := x.picture(limit)
	if err != nil {
		return err
	}
	if g.Note != "" {
		tell(errs, "%s", g.Note)
	}
	return write(w, g)
}

// writeWhole writes a file whole or not at all, in place of what is there.
func writeWhole(path string, data []byte) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("-o %q is no file: name another, or leave it out and redirect", path)
	}
	if err := maybe.WriteFile(path, data, 0o644); err != nil {
		return fmt.Errorf("cannot write %q: %w; name another file with -o", path, reason(err))
	}
	return nil
}

// flows is what there is to say of the values that flow through an API.
type flows struct {
	title     string
	graph     *depend.Graph
	grants    []match.Grant
	inventory *depend.Inventory
	table     *match.Table
	view
}

// view is what is shown of the flows.
type view struct {
	resources bool // instead of operations
	reduce    bool // to what does not follow from the rest
	tagged    bool // a part of the API alone
}

func newFlows(title string, m *match.Matcher, t *match.Table) *flows {
	return &flows{title: pane.Clean(title), graph: depend.Dependencies(t), inventory: depend.NewInventory(m, t.Ops), table: t}
}

// size is how much is shown.
func (x *flows) size() string {
	if x.resources {
		return words.Plural(len(x.inventory.Entities), "resource")
	}
	return words.Plural(len(x.graph.Operations), "operation")
}
