package individual

import (
	"regexp"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/runner/search/gene"
)

// maxKey is the maximum of the integers that are drawn for primary keys.
const maxKey = 1_000_000

// columnGene returns the prototype of the gene of a column.
func columnGene(t model.Table, c model.TableColumn, sizes model.Sizes) gene.Gene {
	s := columnSchema(c)
	s.Enum = checkedValues(t.Definition, c.Name)
	s.Nullable = !c.NotNull && !c.Key
	if s.Nullable && s.Enum != nil {
		s.Enum = append(s.Enum, nil)
	}
	g := gene.NewNamed(c.Name, s, sizes)
	if c.HasDefault && !c.Key {
		return gene.NewOptional(g)
	}
	return g
}

// columnTypes maps types of columns to schemas. The first entry is used of which the type contains a part, as
// "BIGINT" contains "INT". SQLite derives the affinity of a column in the same way.
var columnTypes = []struct {
	parts        []string
	kind, format string
}{
	{[]string{"BOOL"}, "boolean", ""},
	{[]string{"INT"}, "integer", "int64"},
	{[]string{"DATETIME", "TIMESTAMP"}, "string", "date-time"},
	{[]string{"DATE"}, "string", "date"},
	{[]string{"UUID", "GUID"}, "string", "uuid"},
	{[]string{"CHAR", "CLOB", "TEXT", "BLOB", "JSON", "STRING"}, "string", ""},
	{[]string{"REAL", "FLOAT", "DOUBLE", "NUM", "DEC", "MONEY"}, "number", ""},
}

// columnSchema returns the schema of the values of a column, without its constraints.
func columnSchema(c model.TableColumn) *model.Schema {
	s := &model.Schema{Type: "string"}
	name := strings.ToUpper(c.Type)
	for _, t := range columnTypes {
		if containsAny(name, t.parts) {
			s.Type, s.Format = t.kind, t.format
			break
		}
	}
	if s.Type == "integer" && c.Key {
		s.Min, s.Max = new(1.0), new(float64(maxKey))
	}
	return s
}

func containsAny(s string, parts []string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// sqlLiteral matches a text or a number of SQL.
var sqlLiteral = regexp.MustCompile(`'((?:[^']|'')*)'|-?\d+(?:\.\d+)?`)

// checkedValues returns the values that a CHECK of the form COLUMN IN (...) allows, nil if there is none.
func checkedValues(definition, column string) (all []any) {
	const quote, list = "[\"'`\\[\\]]?", `\s+IN\s*\(((?:'(?:[^']|'')*'|[^()'])*)\)`
	check, err := regexp.Compile(`(?i)(?:^|\W)` + quote + regexp.QuoteMeta(column) + quote + list)
	if err != nil {
		return nil // impossible: the name is quoted
	}
	found := check.FindStringSubmatch(definition)
	if found == nil {
		return nil
	}
	for _, m := range sqlLiteral.FindAllStringSubmatch(found[1], -1) {
		if n, err := strconv.ParseFloat(m[0], 64); err == nil {
			all = append(all, n)
		} else {
			all = append(all, strings.ReplaceAll(m[1], "''", "'"))
		}
	}
	return all
}
