package unittests

import (
	"encoding/json"
	"slices"
	"strings"

	"sonde/assets/probe/sondevalue"
)

// canonical returns a text that is the same for values with equal contents.
func canonical(v sondevalue.Value, m memory) string {
	var b strings.Builder
	writeCanonical(&b, v, m, map[int]bool{})
	return b.String()
}

func writeCanonical(b *strings.Builder, v sondevalue.Value, m memory, open map[int]bool) {
	head := v
	head.Elems, head.Fields, head.Entries, head.Ref = nil, nil, nil, 0
	text, err := json.Marshal(head)
	if err != nil {
		return
	}
	b.Write(text)
	b.WriteByte('(')
	defer b.WriteByte(')')
	for _, e := range v.Elems {
		writeCanonical(b, e, m, open)
	}
	for _, f := range v.Fields {
		b.WriteString(f.Name + ":")
		writeCanonical(b, f.Value, m, open)
	}
	var entries []string
	for _, e := range v.Entries {
		var one strings.Builder
		writeCanonical(&one, e.Key, m, open)
		writeCanonical(&one, e.Value, m, open)
		entries = append(entries, one.String())
	}
	slices.Sort(entries)
	b.WriteString(strings.Join(entries, ";"))
	if v.Ref != 0 && !open[v.Ref] {
		if content, ok := m.at(v.Ref); ok {
			open[v.Ref] = true
			writeCanonical(b, content, m, open)
			delete(open, v.Ref)
		}
	}
}
