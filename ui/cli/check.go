package cli

import (
	"fmt"
	"io"
	"strings"

	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/words"

	"github.com/spf13/cobra"
)

func newCheck(s streams) *cobra.Command {
	var f sourceFlags
	c := &cobra.Command{
		Use:   "check SPEC",
		Short: "Say what a spec holds and what could not be read of it",
		Args:  exactly("SPEC"),
		RunE: func(c *cobra.Command, args []string) error {
			spec, err := f.load(c.Context(), s, args[0])
			if err != nil {
				return err
			}
			if f.json {
				return printJSON(s.out, newSpecReport(spec))
			}
			return printCheck(s.out, spec)
		},
	}
	f.add(c)
	return c
}

// specReport is the JSON of check.
type specReport struct {
	Title      string          `json:"title"`
	Version    string          `json:"version"`
	Format     string          `json:"format"`
	Operations []model.OpID    `json:"operations"`
	Servers    []string        `json:"servers"`
	Problems   []problemReport `json:"problems"`
}

type problemReport struct {
	Pointer string `json:"pointer"`
	Line    int    `json:"line,omitempty"`
	Text    string `json:"text"`
}

func newSpecReport(spec *model.Spec) specReport {
	r := specReport{
		Title: spec.Title, Version: spec.Version, Format: spec.Format, Servers: spec.Servers,
		Operations: []model.OpID{}, Problems: []problemReport{},
	}
	for _, op := range spec.Operations {
		r.Operations = append(r.Operations, op.ID)
	}
	for _, p := range spec.Problems {
		r.Problems = append(r.Problems, problemReport(p))
	}
	return r
}

func printCheck(w io.Writer, spec *model.Spec) error {
	_, err := fmt.Fprintf(w, "%s\n%s, %s\n", pane.Clean(titled(spec)+" "+spec.Version), pane.Clean(spec.Format), words.Plural(len(spec.Operations), "operation"))
	if err != nil || len(spec.Problems) == 0 {
		return err
	}
	fmt.Fprintf(w, "%s:\n", words.Plural(len(spec.Problems), "problem"))
	t := newTable(w)
	for _, p := range spec.Problems {
		t.row("  "+place(p), p.Text)
	}
	return t.flush()
}

// titled is a spec's title, or that it has none that can be seen.
func titled(spec *model.Spec) string {
	if strings.TrimSpace(pane.Clean(spec.Title)) == "" {
		return "untitled"
	}
	return spec.Title
}

func place(p model.Problem) string {
	if p.Line == 0 {
		return p.Pointer
	}
	return fmt.Sprintf("line %d %s", p.Line, p.Pointer)
}
