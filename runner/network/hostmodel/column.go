package hostmodel

import (
	"cmp"
	"encoding/hex"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"sonde/assets/wire"
	"sonde/model"
	"sonde/runner/search/gene"
)

// Query describes a query in the source of the service, and what the service reads from the result of the query.
type Query struct {
	// Parts are the constant parts of the text of the query, in order; nil if the text is not known.
	Parts []string
	// Tables are possible names of the table from which the query reads, if the service reads the columns into a struct.
	Tables []string
	// ByName means that the service reads columns by their names, in any order.
	ByName bool
	// Single means that the service reads one row.
	Single bool
	// Columns are the columns that the service reads.
	Columns []Column
	// Documents are the numbers of the parameters, from 1, that the service sends as JSON.
	Documents []int

	template *string // the text with which isTemplate compares; nil before the first comparison
}

// Column is a column of the result of a query. The schema may have a format that JSON Schema does not have: "json" for a JSON
// document, "decimal" for a number with decimal digits, and "bytes" for binary data.
type Column struct {
	Name   string
	Schema *model.Schema
}

// Formats in the schemas of columns. JSON Schema does not define them.
const (
	jsonFormat    = "json"
	decimalFormat = "decimal"
	byteFormat    = "bytes"
)

// sqlType is a type of columns in databases. postgres and mysql are the numbers of the type in the protocols of these
// databases. array is PostgreSQL's number for arrays of the type. text converts a value to the text that the protocol
// sends.
type sqlType struct {
	postgres, array int32
	mysql           byte
	text            func(g gene.Gene, p model.Protocol) string
}

func plainText(g gene.Gene, _ model.Protocol) string {
	return strings.ReplaceAll(gene.Text(g), "\x00", "")
}

var (
	textType    = sqlType{25, 1009, 253, plainText}
	boolType    = sqlType{16, 1000, 1, boolText}
	int16Type   = sqlType{21, 1005, 2, plainText}
	int32Type   = sqlType{23, 1007, 3, plainText}
	int64Type   = sqlType{20, 1016, 8, plainText}
	float32Type = sqlType{700, 1021, 4, plainText}
	float64Type = sqlType{701, 1022, 5, plainText}
	decimalType = sqlType{1700, 1231, 246, decimalText}
	dateType    = sqlType{1082, 1182, 10, dateText}
	timeType    = sqlType{1184, 1185, 12, timeText}
	uuidType    = sqlType{2950, 2951, 253, uuidText}
	bytesType   = sqlType{17, 1001, 252, bytesText}
	jsonType    = sqlType{114, 199, 245, func(g gene.Gene, _ model.Protocol) string { return string(gene.JSON(g)) }}
)

// sqlTypeOf returns the type of a column with values of a schema.
func sqlTypeOf(s *model.Schema) sqlType {
	switch {
	case s.Format == jsonFormat:
		return jsonType
	case s.Type == "array" && s.Items != nil:
		of := sqlTypeOf(s.Items)
		return sqlType{of.array, of.array, jsonType.mysql, func(g gene.Gene, p model.Protocol) string { return arrayText(g, of, p) }}
	case s.Type == "object":
		return jsonType
	case s.Type == "boolean":
		return boolType
	case s.Type == "integer":
		return integerType(s.Format)
	case s.Type == "number":
		return numberType(s.Format)
	case s.Type == "string":
		return stringType(s.Format)
	}
	return textType
}

func integerType(format string) sqlType {
	switch format {
	case "int8", "uint8", "int16":
		return int16Type
	case "uint16", "int32":
		return int32Type
	}
	return int64Type
}

func numberType(format string) sqlType {
	switch format {
	case "float":
		return float32Type
	case decimalFormat:
		return decimalType
	}
	return float64Type
}

func stringType(format string) sqlType {
	switch format {
	case "date-time":
		return timeType
	case "date":
		return dateType
	case "uuid":
		return uuidType
	case byteFormat:
		return bytesType
	}
	return textType
}

func boolText(g gene.Gene, p model.Protocol) string {
	switch isTrue := gene.Text(g) == "true"; {
	case p == model.MySQL && isTrue:
		return "1"
	case p == model.MySQL:
		return "0"
	case isTrue:
		return "t"
	}
	return "f"
}

// decimalText returns a number with at most two decimal digits, without an exponent. It returns "0" for a number above
// maxDecimal.
func decimalText(g gene.Gene, _ model.Protocol) string {
	n, err := strconv.ParseFloat(gene.Text(g), 64)
	if err != nil || math.Abs(n) > maxDecimal {
		return "0"
	}
	return strconv.FormatFloat(math.Round(n*100)/100, 'f', -1, 64)
}

// maxDecimal is the maximum absolute value of decimal numbers. Most columns in databases hold no larger numbers.
const maxDecimal = 1e12

// timeOf returns the time of a gene. If the gene has a day or an hour that does not exist, timeOf returns the year 2000,
// because a database has only times that exist.
func timeOf(g gene.Gene, layout string) time.Time {
	t, err := time.Parse(layout, strings.ToUpper(gene.Text(g)))
	if err != nil {
		return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return t.UTC()
}

// uuidPattern matches a UUID.
var uuidPattern = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// uuidText returns the UUID of a gene. If the gene has another text, such as a constant of the source, uuidText returns a
// fixed UUID, because a column of a database has only UUIDs.
func uuidText(g gene.Gene, _ model.Protocol) string {
	if text := gene.Text(g); uuidPattern.MatchString(text) {
		return text
	}
	return "6f1d2b1e-0c3a-4a57-9d42-8f6a3c0b7e15"
}

func dateText(g gene.Gene, _ model.Protocol) string {
	return timeOf(g, time.DateOnly).Format(time.DateOnly)
}

func timeText(g gene.Gene, p model.Protocol) string {
	if p == model.MySQL {
		return timeOf(g, time.RFC3339).Format("2006-01-02 15:04:05")
	}
	return timeOf(g, time.RFC3339).Format("2006-01-02 15:04:05") + "+00"
}

func bytesText(g gene.Gene, p model.Protocol) string {
	if p == model.MySQL {
		return gene.Text(g)
	}
	return `\x` + hex.EncodeToString([]byte(gene.Text(g)))
}

// arrayText returns an array in the notation of PostgreSQL, or as JSON for MySQL.
func arrayText(g gene.Gene, of sqlType, p model.Protocol) string {
	if p == model.MySQL {
		return string(gene.JSON(g))
	}
	var items []string
	for _, item := range gene.Elements(g) {
		if isNull(item) {
			items = append(items, "NULL")
			continue
		}
		items = append(items, `"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(of.text(item, p))+`"`)
	}
	return "{" + strings.Join(items, ",") + "}"
}

func isNull(g gene.Gene) bool { return string(gene.JSON(g)) == "null" }

var withoutSeparators = strings.NewReplacer("_", "", "-", "")

// fold returns a name in lower case and without separators.
func fold(name string) string { return strings.ToLower(withoutSeparators.Replace(name)) }

// AnyDocument returns a schema for a JSON column of which nothing else is known.
func AnyDocument() *model.Schema { return new(*jsonColumn) }

// Schemas of columns whose types are guessed.
var (
	textColumn   = &model.Schema{Type: "string"}
	boolColumn   = &model.Schema{Type: "boolean"}
	intColumn    = &model.Schema{Type: "integer", Format: "int64", Min: new(0.0), Max: new(1e9)}
	numberColumn = &model.Schema{Type: "number", Format: decimalFormat, Min: new(-1e6), Max: new(1e6)}
	timeColumn   = &model.Schema{Type: "string", Format: "date-time"}
	dateColumn   = &model.Schema{Type: "string", Format: "date"}
	uuidColumn   = &model.Schema{Type: "string", Format: "uuid"}
	bytesColumn  = &model.Schema{Type: "string", Format: byteFormat}
	jsonColumn   = &model.Schema{
		Format: jsonFormat, AnyOf: []*model.Schema{{Type: "object", Additional: scalar}, {Type: "array", Items: scalar}},
	}
	guessedTypes = []*model.Schema{textColumn, intColumn, timeColumn, boolColumn, numberColumn, uuidColumn, jsonColumn}
	sqlFunctions = map[string]*model.Schema{
		"count": intColumn, "sum": intColumn, "length": intColumn, "char_length": intColumn, "row_number": intColumn, "rank": intColumn,
		"extract": numberColumn, "avg": numberColumn, "exists": boolColumn, "now": timeColumn, "date_trunc": timeColumn,
		"gen_random_uuid": uuidColumn, "lower": textColumn, "upper": textColumn, "concat": textColumn, "version": textColumn,
		"json_agg": jsonColumn, "jsonb_agg": jsonColumn, "json_build_object": jsonColumn, "jsonb_build_object": jsonColumn,
		"row_to_json": jsonColumn, "to_json": jsonColumn, "to_jsonb": jsonColumn, "pg_try_advisory_lock": boolColumn,
		"pg_advisory_lock": textColumn, "pg_advisory_unlock": boolColumn, "current_database": textColumn, "current_schema": textColumn,
		"database": textColumn, "get_lock": intColumn, "release_lock": intColumn,
	}
	// sqlTypeNames are the names of types in definitions of tables and in casts.
	sqlTypeNames = map[string]*model.Schema{
		"int": intColumn, "integer": intColumn, "bigint": intColumn, "smallint": intColumn, "serial": intColumn, "bigserial": intColumn,
		"int2": intColumn, "int4": intColumn, "int8": intColumn, "tinyint": intColumn, "mediumint": intColumn, "text": textColumn,
		"varchar": textColumn, "char": textColumn, "character": textColumn, "bool": boolColumn, "boolean": boolColumn, "uuid": uuidColumn,
		"timestamp": timeColumn, "timestamptz": timeColumn, "datetime": timeColumn, "date": dateColumn, "numeric": numberColumn,
		"decimal": numberColumn, "double": numberColumn, "real": numberColumn, "float": numberColumn, "float8": numberColumn,
		"json": jsonColumn, "jsonb": jsonColumn, "bytea": bytesColumn, "blob": bytesColumn, "citext": textColumn,
	}
)

// columnWords says which type the words in the name of a column indicate. If several entries have a word of the name,
// the first one counts.
var columnWords = []struct {
	words  []string
	schema *model.Schema
}{
	{[]string{"at", "time", "created", "updated", "deleted", "timestamp", "expires", "until", "since"}, timeColumn},
	{[]string{"is", "has", "enabled", "active", "dirty", "applied", "exists", "verified", "locked"}, boolColumn},
	{[]string{"uuid", "guid"}, uuidColumn},
	{[]string{"date", "day", "birthday"}, timeColumn},
	{
		[]string{
			"count", "total", "size", "age", "year", "quantity", "stock", "number", "num", "version", "amount", "position", "id",
		},
		intColumn,
	},
	{[]string{"data", "metadata", "settings", "payload", "json", "attributes"}, jsonColumn},
}

// guesses returns the schemas that the values of an expression may have, the most likely schema first. If guesses
// returns a single schema, the type counts as certain. known has the schemas of columns by their names, which are in
// lower case and without separators.
func (e sqlExpr) guesses(known map[string][]*model.Schema) []*model.Schema {
	if n := len(e.tokens); n > 2 && e.tokens[n-2].text == "::" && sqlTypeNames[strings.ToLower(e.tokens[n-1].text)] != nil {
		return []*model.Schema{sqlTypeNames[strings.ToLower(e.tokens[n-1].text)]}
	}
	if len(e.tokens) > 0 {
		first := strings.ToLower(e.tokens[0].text)
		switch s := sqlFunctions[first]; {
		case s != nil && len(e.tokens) > 1 && e.tokens[1].text == "(":
			return []*model.Schema{s}
		case strings.HasPrefix(first, "'"):
			return []*model.Schema{textColumn}
		case first[0] >= '0' && first[0] <= '9':
			return []*model.Schema{intColumn}
		case first == "true" || first == "false":
			return []*model.Schema{boolColumn}
		case first == "current_timestamp":
			return []*model.Schema{timeColumn}
		}
	}
	if all := known[fold(e.name)]; all != nil {
		return all
	}
	return guessedByName(e.name)
}

// guessedByName returns the schemas in guessedTypes. The one that the name of a column indicates comes first.
func guessedByName(name string) []*model.Schema {
	words := strings.Split(strings.ToLower(name), "_")
	for _, w := range columnWords {
		if slices.ContainsFunc(words, func(word string) bool { return slices.Contains(w.words, word) }) {
			others := slices.DeleteFunc(slices.Clone(guessedTypes), func(s *model.Schema) bool { return s == w.schema })
			return append([]*model.Schema{w.schema}, others...)
		}
	}
	return guessedTypes
}

// matches reports whether the constant parts are in a query, in order: the first part at its beginning, and the last
// part at its end. The parts must have minQueryParts bytes together. If there is only one part, matches also returns
// true if isTemplate does. weight is the number of bytes of the query that are constant.
func (q *Query) matches(query string) (weight int, ok bool) {
	rest := query
	for i, part := range q.Parts {
		if len(q.Parts) == 1 && q.isTemplate(query) {
			return len(query), true
		}
		at := strings.Index(rest, part)
		if i == len(q.Parts)-1 && i > 0 && strings.HasSuffix(rest, part) {
			at = len(rest) - len(part)
		}
		if at < 0 || i == 0 && at > 0 {
			return 0, false
		}
		rest = rest[at+len(part):]
		weight += len(part)
	}
	return weight, len(q.Parts) > 0 && (rest == "" || q.Parts[len(q.Parts)-1] == "") && weight >= minQueryParts
}

// isTemplate reports whether query is the constant text with a placeholder for each value in the text. A session of
// MySQL reports queries of the text protocol in this form.
func (q *Query) isTemplate(query string) bool {
	if q.template == nil {
		q.template = new(commandOf(model.StubMatch{JSON: wire.NewMySQLRequest(q.Parts[0]).JSON}))
	}
	return query == *q.template
}

// minQueryParts is the minimum total length of the constant parts of a query, in bytes. A query with shorter parts is
// not recognised by its text.
const minQueryParts = 10

// find returns the entry of Queries for a query, nil if there is none. n is the number of columns in the result of the
// query, 0 if the query does not state it. find first compares the constant parts of the queries, then their tables,
// and then their numbers of columns.
func (v *Vocabulary) find(query string, n int) *Query {
	var found *Query
	best := 0
	for _, q := range v.Queries {
		weight, ok := q.matches(query)
		if ok && weight > best && (n == 0 || q.ByName || n == len(q.Columns)) {
			found, best = q, weight
		}
	}
	if found != nil {
		return found
	}
	table := parseStatement(query).table
	for _, q := range v.Queries {
		if table != "" && slices.ContainsFunc(q.Tables, func(name string) bool { return isTable(name, table) }) {
			return q
		}
	}
	for _, q := range v.Queries {
		if n < minCounted {
			break
		}
		if q.Parts == nil && !q.ByName && len(q.Columns) == n {
			return q
		}
	}
	return nil
}

// isTable reports whether name, or a plural of name, is the name of the table. It ignores case and separators.
func isTable(name, table string) bool {
	name, table = fold(name), fold(table)
	return slices.Contains([]string{name, name + "s", name + "es", strings.TrimSuffix(name, "y") + "ies"}, table)
}

// minCounted is a minimum number of columns. find recognises a query by its number of columns alone only if it has at
// least this many.
const minCounted = 3

// columnsOf returns the columns of the result of a statement, with the schemas that each column may have. It returns
// nil if the statement returns no rows. shape describes what the source reads from the result; it is nil if this is not
// known.
func (v *Vocabulary) columnsOf(s statement, shape *Query) (all []possibleColumn) {
	if !s.isTable {
		return nil
	}
	known := v.knownColumns()
	isAll := slices.ContainsFunc(s.columns, func(e sqlExpr) bool { return e.name == "*" })
	switch {
	case shape != nil && (isAll || len(s.columns) == 0):
		for i, c := range shape.Columns {
			own := possibleColumn{cmp.Or(c.Name, "column"+strconv.Itoa(i+1)), guessedByName(c.Name)}
			if c.Schema != nil {
				own.schemas = []*model.Schema{c.Schema}
			}
			all = append(all, own)
		}
		return all
	case shape != nil && shape.ByName:
		known = map[string][]*model.Schema{}
		for _, c := range shape.Columns {
			if c.Schema != nil {
				known[fold(c.Name)] = []*model.Schema{c.Schema}
			}
		}
	}
	for i, e := range s.columns {
		c := possibleColumn{e.name, e.guesses(known)}
		switch {
		case shape != nil && !shape.ByName && i < len(shape.Columns) && shape.Columns[i].Schema != nil:
			c.schemas = []*model.Schema{shape.Columns[i].Schema}
		case shape != nil && known[fold(e.name)] != nil:
			c.schemas = known[fold(e.name)]
		}
		all = append(all, c)
	}
	return all
}

// knownColumns returns the schemas of columns by their names, which are in lower case and without separators. They
// are the schemas by which the source reads columns with this name. If the source reads no such column, the schema is
// that of a table that the service creates. There may be several schemas for a name, because columns of different
// tables may have the same name.
func (v *Vocabulary) knownColumns() map[string][]*model.Schema {
	all := map[string][]*model.Schema{}
	add := func(name string, s *model.Schema) {
		isKnown := func(other *model.Schema) bool { return other.Type == s.Type && other.Format == s.Format }
		if !slices.ContainsFunc(all[name], isKnown) {
			all[name] = append(all[name], s)
		}
	}
	for _, q := range v.Queries {
		for _, c := range q.Columns {
			if c.Name != "" && c.Schema != nil {
				add(fold(c.Name), c.Schema)
			}
		}
	}
	for name, s := range v.defined {
		if all[name] == nil {
			all[name] = []*model.Schema{s}
		}
	}
	return all
}

// learnTables records the types of the columns of the tables that a query creates.
func (v *Vocabulary) learnTables(query string) {
	tokens := sqlTokens(query)
	for i, t := range tokens {
		if t.depth != 1 || i == 0 || i+1 >= len(tokens) || tokens[i-1].text != "," && tokens[i-1].text != "(" || !t.isName() {
			continue
		}
		isArray := i+2 < len(tokens) && tokens[i+2].text == "["
		if s := sqlTypeNames[strings.ToLower(tokens[i+1].text)]; s != nil && !isArray && len(v.defined) < maxDefined {
			if v.defined == nil {
				v.defined = map[string]*model.Schema{}
			}
			v.defined[fold(t.name())] = s
		}
	}
}

// maxDefined is the maximum number of columns in Vocabulary.defined.
const maxDefined = 1000

// possibleColumn is a column with the schemas that its values may have, the most likely schema first.
type possibleColumn struct {
	name    string
	schemas []*model.Schema
}
