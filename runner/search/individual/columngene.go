package individual

import (
	"math"
	"regexp"
	"slices"
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
	if values := checkedValues(t.Definition, c.Name); values != nil {
		s.Enum = values
	}
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

// columnTypes maps types of columns to schemas. A type has the schema of the first entry with a part that its name
// contains, as "BIGINT" contains "INT". SQLite derives the affinity of a column in the same way.
var columnTypes = []struct {
	parts        []string
	kind, format string
	values       []any // texts that PostgreSQL accepts for the type, nil if it accepts others
}{
	{parts: []string{"[]"}, kind: "string", values: []any{"{}", "{1}", "{1,2}"}},
	{parts: []string{"JSON"}, kind: "string", values: []any{"{}", "[]", "1", `"a"`, `["a"]`, `{"a":1}`}},
	{parts: []string{"INTERVAL"}, kind: "string", values: []any{"1 day", "1 minute", "0"}},
	{parts: []string{"ENUM"}, kind: "string"},
	{parts: []string{"BOOL"}, kind: "boolean"},
	{parts: []string{"INT2", "SMALLINT"}, kind: "integer", format: "int16"},
	{parts: []string{"INT4"}, kind: "integer", format: "int32"},
	{parts: []string{"INT"}, kind: "integer", format: "int64"},
	{parts: []string{"DATETIME", "TIMESTAMP"}, kind: "string", format: "date-time"},
	{parts: []string{"DATE"}, kind: "string", format: "date"},
	{parts: []string{"TIME WITH"}, kind: "string", format: "time"},
	{parts: []string{"UUID", "GUID"}, kind: "string", format: "uuid"},
	{parts: []string{"CHAR", "CLOB", "TEXT", "BLOB", "STRING"}, kind: "string"},
	{parts: []string{"INET", "CIDR"}, kind: "string", format: "ipv4"},
	{parts: []string{"REAL", "FLOAT", "DOUBLE", "NUM", "DEC", "MONEY"}, kind: "number"},
}

// typeSize matches the size in the name of a type: the characters of a text, or the digits of a number and how many of
// them are decimals.
var typeSize = regexp.MustCompile(`\((\d{1,9})(?:, *(\d{1,9}))?\)`)

// columnSchema returns the schema of the values of a column, without its constraints.
func columnSchema(c model.TableColumn) *model.Schema {
	s := &model.Schema{Type: "string"}
	name := strings.ToUpper(c.Type)
	for _, t := range columnTypes {
		if containsAny(name, t.parts) {
			s.Type, s.Format, s.Enum = t.kind, t.format, slices.Clone(t.values)
			break
		}
	}
	if s.Type == "integer" && c.Key {
		s.Min, s.Max = new(1.0), new(float64(maxKey))
		if s.Format == "int16" {
			s.Max = new(float64(math.MaxInt16))
		}
	}
	if size := typeSize.FindStringSubmatch(name); size != nil {
		limit(s, size)
	}
	return s
}

// maxDigits is the maximum number of digits for which a number gets bounds; with more digits, a float64 could be infinite.
const maxDigits = 300

// limit limits the length of a text, or the digits of a number, to the size in the name of a type.
func limit(s *model.Schema, size []string) {
	first, _ := strconv.Atoi(size[1])  // cannot fail: the expression typeSize allows only digits
	second, _ := strconv.Atoi(size[2]) // fails if there is no second number; second is then 0
	switch {
	case s.Type == "number":
		most := math.Pow10(first-second) - math.Pow10(-second)
		if first <= maxDigits && most > 0 {
			s.Min, s.Max = new(-most), new(most)
		}
	case s.Type == "string" && s.Format == "" && s.Enum == nil:
		s.MaxLength = new(first)
	}
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

// The parts of the expression that finds the check of a column: a quote around its name, and the list of values. The
// list follows IN or, as PostgreSQL writes it, = ANY (ARRAY[...]) with casts of the column and of the array.
const (
	checkQuote = "[\"'`\\[\\]]?"
	checkList  = `(?:\s+IN\s*\(((?:'(?:[^']|'')*'|[^()'])*)\)|\)?(?:::[\w ]+)?\s*=\s*ANY\s*\(+ARRAY\[((?:'(?:[^']|'')*'|[^\]'])*)\])`
)

// sqlCast matches a cast in a check of PostgreSQL, such as ::character varying(20).
var sqlCast = regexp.MustCompile(`::[a-z_][a-z_ ]*(?:\(\d+\))?`)

// checkedValues returns the values that a CHECK of the form COLUMN IN (...) allows, nil if there is none.
func checkedValues(definition, column string) (all []any) {
	check, err := regexp.Compile(`(?i)(?:^|\W)` + checkQuote + regexp.QuoteMeta(column) + checkQuote + checkList)
	if err != nil {
		return nil // impossible: the name is quoted
	}
	found := check.FindStringSubmatch(definition)
	if found == nil {
		return nil
	}
	for _, m := range sqlLiteral.FindAllStringSubmatch(found[1]+sqlCast.ReplaceAllString(found[2], ""), -1) {
		if n, err := strconv.ParseFloat(m[0], 64); err == nil {
			all = append(all, n)
		} else {
			all = append(all, strings.ReplaceAll(m[1], "''", "'"))
		}
	}
	return all
}
