package results

import (
	"fmt"
	"io"
	"strings"

	"sonde/model"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/words"
)

// PrintCheck writes the title, the format and the problems of a spec.
func PrintCheck(w io.Writer, spec *model.Spec) error {
	_, err := fmt.Fprintf(
		w, "%s\n%s, %s%s\n", draw.Clean(titled(spec)+" "+spec.Version), draw.Clean(spec.Format),
		words.Plural(len(spec.Operations), "operation"), webhooks(spec),
	)
	if err != nil || len(spec.Problems) == 0 {
		return err
	}
	fmt.Fprintf(w, "%s:\n", words.Plural(len(spec.Problems), "problem"))
	t := console.NewTable(w)
	for _, p := range spec.Problems {
		t.Row("  "+place(p), p.Text)
	}
	return t.Flush()
}

// webhooks returns the number of webhooks after a comma, "" for none.
func webhooks(spec *model.Spec) string {
	if len(spec.Webhooks) == 0 {
		return ""
	}
	return ", " + words.Plural(len(spec.Webhooks), "webhook")
}

// titled returns a spec's title, or "untitled" if it has no visible characters.
func titled(spec *model.Spec) string {
	if strings.TrimSpace(draw.Clean(spec.Title)) == "" {
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
