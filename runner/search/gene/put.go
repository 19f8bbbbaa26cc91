package gene

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// Assign gives a gene a value as encoding/json decodes it, and reports whether it took
// it. A scalar may also be of another type as long as it reads the
// same: the text "12" goes into a number and the number 12 into a text, as
// values do that travel in paths and queries. A gene that cannot have the value
// stays as it is.
func Assign(g Gene, v any) bool {
	if set(g, v) {
		return true
	}
	switch v := v.(type) {
	case string:
		return AssignText(g, v)
	case json.Number:
		return set(g, v.String())
	case bool:
		text, _ := compact(v)
		return set(g, text)
	}
	return false
}

// AssignText gives a gene a value as it stands in a path, a query or a header: the
// opposite of [Text], as far as the gene can keep what is written.
func AssignText(g Gene, text string) bool {
	if set(g, text) {
		return true
	}
	var v any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if d.Decode(&v) != nil || d.More() {
		return false
	}
	return v != nil && set(g, v)
}

// AssignObserved is AssignText for a value that the service itself knows: it may be longer than
// what is sampled where the schema does not say how long a text may be.
func AssignObserved(g Gene, text string) bool {
	if AssignText(g, text) {
		return true
	}
	s, ok := core(g).(*String)
	if !ok || !s.unbounded || s.match != nil || len(text) > longestString ||
		utf8.RuneCountInString(text) < s.min || !utf8.ValidString(text) {
		return false
	}
	s.v = text
	return true
}

// Omit leaves out a gene that may be left out.
func Omit(g Gene) {
	if o, ok := g.(*Optional); ok {
		o.present = false
	}
}

// set takes a value over as a whole or not at all.
func set(g Gene, v any) bool {
	if trial := g.Clone(); !trial.Set(v) {
		return false
	}
	return g.Set(v)
}

// Lookup returns the gene at a path of names inside the objects of another, nil
// where there is none in the phenotype.
func Lookup(g Gene, path []string) Gene {
	for _, name := range path {
		g = part(g, name)
	}
	return g
}

func part(g Gene, name string) Gene {
	if g == nil {
		return nil
	}
	for _, f := range Fields(g) {
		if f.Name == name {
			return f.Gene
		}
	}
	if items := Items(g); name == "0" && len(items) > 0 {
		return items[0]
	}
	return nil
}
