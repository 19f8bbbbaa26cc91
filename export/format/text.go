package format

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sonde/export"
)

// writer collects lines.
type writer struct{ *strings.Builder }

func newWriter() writer { return writer{new(strings.Builder)} }

func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(w, format, args...)
	w.WriteByte('\n')
}

// region writes a region, which an update of the file may replace. write writes its content.
func (w *writer) region(prefix, name string, write func()) {
	outer := w.Builder
	w.Builder = new(strings.Builder)
	write()
	text := w.String()
	w.Builder = outer
	w.WriteString(export.MarkRegion(prefix, name, text) + "\n")
}

// remarks writes lines with a prefix, which starts a comment.
func (w *writer) remarks(prefix string, lines ...string) {
	for _, l := range lines {
		w.line("%s", strings.TrimRight(prefix+l, " "))
	}
}

// headLines returns the comment lines at the top of a file: what the tests do, how to run them and what
// they leave out.
func headLines(s export.Script, needs, run string) []string {
	start := "Start the service, then run"
	if s.Play != nil && s.Play.Service != nil || s.Driver != nil {
		start = "Run"
	}
	all := append(slices.Clone(s.Opening), "", "Sonde wrote this file; it is yours to change. "+start, "", "    "+run, "", needs)
	all = append(all, startLines(s)...)
	for _, v := range s.Secrets {
		if v.Default == "" {
			all = append(all, "Set "+v.Name+" to "+v.About+".")
		}
	}
	if s.Command != "" {
		all = append(all, "", "This command writes it again:", "", "    "+s.Command)
	}
	for i, l := range s.Omissions {
		if i == 0 {
			all = append(all, "")
		}
		all = append(all, l)
	}
	return squeezed(all)
}

// squeezed removes repeated empty lines, and empty lines at the beginning and at the end.
func squeezed(all []string) []string {
	var out []string
	empty := false
	for _, l := range all {
		if l == "" {
			empty = len(out) > 0
			continue
		}
		if empty {
			out, empty = append(out, ""), false
		}
		out = append(out, l)
	}
	return out
}

// merged joins adjacent literal parts.
func merged(parts []export.TextPart) []export.TextPart {
	var all []export.TextPart
	for _, p := range parts {
		if n := len(all); n > 0 && isText(p) && isText(all[n-1]) {
			all[n-1].Text += p.Text
		} else {
			all = append(all, p)
		}
	}
	return all
}

// isText reports whether a part is literal text.
func isText(p export.TextPart) bool { return p.Capture == nil && p.Variable == "" }

// joined returns an expression for parts. literal returns the expression for a literal text, and value returns the
// expression for any other part. The expressions are joined with the separator between.
func joined(parts []export.TextPart, between string, literal func(string) string, value func(export.TextPart) string) string {
	var all []string
	for _, p := range parts {
		if isText(p) {
			all = append(all, literal(p.Text))
		} else {
			all = append(all, value(p))
		}
	}
	if len(all) == 0 {
		return literal("")
	}
	return strings.Join(all, between)
}

// fixed returns the text of parts if all are literal. It returns false if a part is not.
func fixed(parts []export.TextPart) (string, bool) {
	text := ""
	for _, p := range parts {
		if !isText(p) {
			return "", false
		}
		text += p.Text
	}
	return text, true
}

// sorted returns the keys of a map in order.
func sorted[T any](all map[string]T) []string { return slices.Sorted(maps.Keys(all)) }
