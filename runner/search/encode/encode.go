// Package encode writes values of genes as documents that a service receives in a request, or from a host. It does no
// I/O.
package encode

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"net/url"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"sonde/model"
	"sonde/runner/search/gene"
)

// Document returns a value as a document of a format. The schema is that of the value.
func Document(f model.Format, s *model.Schema, g gene.Gene) []byte {
	switch f.Encoding {
	case model.XMLEncoding:
		return []byte(XML(s, g))
	case model.YAMLEncoding:
		return toYAML(gene.JSON(g))
	case model.FormEncoding:
		return []byte(Form(g))
	case model.CSVEncoding:
		return table(f, s, g)
	case model.GobEncoding:
		return toGob(s, g)
	case model.BigEndian, model.LittleEndian:
		return fixedSize(f, s, g)
	case model.ProtobufEncoding:
		return toProtobuf(s, g)
	case model.GRPCEncoding:
		return numbered(s, g)
	}
	return gene.JSON(g)
}

// Form returns the fields of an object as form values. A list has one value for each item.
func Form(g gene.Gene) string {
	var pairs []string
	for _, f := range gene.PresentFields(g) {
		items := gene.Elements(f.Gene)
		if items == nil {
			items = []gene.Gene{f.Gene}
		}
		for _, item := range items {
			pairs = append(pairs, url.QueryEscape(f.Name)+"="+url.QueryEscape(gene.Text(item)))
		}
	}
	return strings.Join(pairs, "&")
}

// toYAML returns a JSON document as YAML. JSON is YAML, too, but few hosts write it so.
func toYAML(doc []byte) []byte {
	var n yaml.Node
	if yaml.Unmarshal(doc, &n) != nil {
		return doc
	}
	plain(&n)
	out, err := yaml.Marshal(&n)
	if err != nil {
		return doc
	}
	return out
}

// plain removes the quotes and brackets that YAML does not need.
func plain(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode || len(n.Content) > 0 {
		n.Style = 0
	}
	for _, inner := range n.Content {
		plain(inner)
	}
}

// table returns a list of objects as CSV, with a column for each property of the schema of its items.
func table(f model.Format, s *model.Schema, g gene.Gene) []byte {
	var names []string
	for _, p := range s.ItemSchema().Properties {
		names = append(names, p.Name)
	}
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.Comma = []rune(cmp.Or(f.Comma, ","))[0]
	if !f.Headless {
		_ = w.Write(names) // an invalid comma leaves the table empty
	}
	for _, item := range gene.Elements(g) {
		row := make([]string, len(names))
		for _, field := range gene.PresentFields(item) {
			if i := slices.Index(names, field.Name); i >= 0 {
				row[i] = gene.Text(field.Gene)
			}
		}
		_ = w.Write(row)
	}
	w.Flush()
	return out.Bytes()
}
