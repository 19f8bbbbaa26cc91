package cli

import (
	"fmt"
	"strings"

	"sonde/analysis"
	"sonde/model"
	"sonde/ui/console"
	"sonde/ui/results"

	"github.com/spf13/cobra"
)

// defaultPaths is the number of paths without --limit.
const defaultPaths = 5

func newPaths(s console.Streams) *cobra.Command {
	var f sourceFlags
	limit := defaultPaths
	c := &cobra.Command{
		Use:   "paths [SPEC] OPERATION",
		Short: "List the shortest ways to call an operation from nothing: what must exist, and what creates it",
		Long: `List the shortest ways to call an operation, beginning with nothing.

Each step takes its required identifiers and references from earlier steps. Shorter
ways come first, and steps that create an element come before steps that only find
one. A value that no step can provide must exist: the text says so. The first line of
a way says what differs from the way before. At the end are the values that the client
makes up, and the references that the operation can take without requiring them, each
with the operation that provides it.`,
		Example: "  sonde paths shop.yaml \"POST /orders\"\n  sonde paths shop.yaml createOrder --json",
		Args:    atMost(2),
		RunE: func(c *cobra.Command, args []string) error {
			if limit < 1 {
				return fmt.Errorf("--limit is %d: it is at least 1", limit)
			}
			a, op, err := f.loadOperation(c, s, args)
			if err != nil {
				return err
			}
			r := results.NewPathsReport(a.Planner(), a.LoginGrants(), op, limit)
			if f.json {
				return console.WriteJSON(s.Out, r)
			}
			return results.PrintPaths(s.Out, r)
		},
	}
	f.add(c)
	c.Flags().IntVar(&limit, "limit", limit, "list at most this many ways")
	return c
}

func newImpact(s console.Streams) *cobra.Command {
	var f sourceFlags
	all := false
	c := &cobra.Command{
		Use:   "impact [SPEC] OPERATION",
		Short: "List the operations that use what an operation creates or, for a DELETE, that would stop working",
		Long: `List the operations that use the elements which an operation creates, changes or reads. For
a DELETE, these are the operations that would stop working.

The first level has the operations that take an identifier of the element. The next
levels have the operations that take what only operations of the levels before can
create. Operations are grouped by resource, the largest group first. A DELETE of what
connects two elements, such as a member of a team, affects only what is at its path.

For other DELETEs, the first level is what is deleted with the element, by kind, with
the number of operations on it. Operations elsewhere that could name the element only
in a field that most of these kinds have, too, are the last level: they need not refer
to it.`,
		Example: "  sonde impact shop.yaml \"DELETE /products/{productId}\"\n  sonde impact shop.yaml createProduct --all",
		Args:    atMost(2),
		RunE: func(c *cobra.Command, args []string) error {
			a, op, err := f.loadOperation(c, s, args)
			if err != nil {
				return err
			}
			r := results.NewImpactReport(a.Planner(), op)
			if f.json {
				return console.WriteJSON(s.Out, r)
			}
			return results.PrintImpact(s.Out, r, all)
		},
	}
	f.add(c)
	c.Flags().BoolVar(&all, "all", false, "list each operation, not only counts")
	return c
}

// loadOperation reads the spec and finds the operation that the operands name. If the operand for the spec is
// missing, the configuration names the spec; see withSpec. The operand for the operation is a method and path, or an
// operationId.
func (f *sourceFlags) loadOperation(c *cobra.Command, s console.Streams, args []string) (*analysis.Analysis, model.OpID, error) {
	args, err := withSpec(c, s, args, "SPEC", "OPERATION")
	if err != nil {
		return nil, "", err
	}
	spec, err := f.loadSpec(c, s, args[0])
	if err != nil {
		return nil, "", err
	}
	for _, op := range spec.Operations {
		if strings.EqualFold(string(op.ID), args[1]) || op.Name == args[1] {
			return analysis.Analyze(spec, analysis.Options{}), op.ID, nil
		}
	}
	return nil, "", fmt.Errorf("%q: no such operation; sonde graph SPEC --json lists them", args[1])
}
