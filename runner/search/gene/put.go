package gene

import (
	"encoding/json"
	"strings"
)

// AssignValue sets a gene to a value as encoding/json decodes it, and reports whether it did. If necessary it
// converts a scalar: a number gene accepts the text "12", and a text gene the number 12. It does not change a
// gene that does not accept the value.
func AssignValue(g Gene, v any) bool {
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

// AssignText sets a gene to a value as it is sent in a path, a query or a header, and reports whether it did.
// It is the inverse of [Text].
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

// OmitValue makes an Optional absent. It does not change other genes.
func OmitValue(g Gene) {
	if o, ok := g.(*Optional); ok {
		o.present = false
	}
}

// set sets a gene to a value, and reports whether it did. If the gene does not accept all of the value, set does
// not change it.
func set(g Gene, v any) bool {
	if trial := g.Clone(); !trial.SetValue(v) {
		return false
	}
	return g.SetValue(v)
}

// LookupField returns the gene at a path of names inside nested objects, nil if it is not in the phenotype.
// The name "0" leads to the first element of an array.
func LookupField(g Gene, path []string) Gene {
	for _, name := range path {
		g = part(g, name)
	}
	return g
}

func part(g Gene, name string) Gene {
	if g == nil {
		return nil
	}
	for _, f := range PresentFields(g) {
		if f.Name == name {
			return f.Gene
		}
	}
	if items := Elements(g); name == "0" && len(items) > 0 {
		return items[0]
	}
	return nil
}
