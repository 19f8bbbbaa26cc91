package hostmodel

import (
	"cmp"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sonde/assets/wire"
	"sonde/model"
	"sonde/runner/search/gene"
)

// replyKind is the kind of a reply of a database.
type replyKind uint8

const (
	doneReply   replyKind = iota // success without a result; answer.body is nil
	rowsReply                    // rows; answer.body is a list of objects
	changeReply                  // the number of changed rows; answer.body is an object
	errorReply                   // an error of SQL; answer.body is an object
	valueReply                   // a value of Redis
	failReply                    // an error of Redis; answer.body is a text
)

// reply is the form of a reply of a database. answer.body has its values.
type reply struct {
	kind  replyKind
	table *table      // for a query, the columns of its result, even if the reply is an error; nil for other requests
	redis *redisReply // for a command of Redis, the form of its reply, even if the reply is an error; nil for other requests
}

// table has the columns of the result of a query.
type table struct {
	statement
	names      []string        // the names of the columns
	schemas    []*model.Schema // the schemas of the columns
	rows       *model.Schema   // the schema of the list of rows
	guessed    bool            // the type of a column is uncertain
	parameters []int32         // PostgreSQL's types of the query's parameters, 0 if a type is not known; nil if none is known
}

// maxRows is the maximum number of rows in a reply.
const maxRows = 3

// newTable returns a table for the result of a query. It draws the types of columns whose types are not certain.
func (v *Vocabulary) newTable(r *rand.Rand, query string) *table {
	s := parseStatement(query)
	shape := v.find(query, countColumns(s))
	if shape == nil {
		shape = v.find(query, 0)
	}
	t := &table{statement: s}
	row := &model.Schema{Type: "object", Closed: true}
	columns := shape
	if shape != nil && len(shape.Columns) == 0 {
		columns = nil
	}
	for i, c := range v.columnsOf(s, columns) {
		schema := c.schemas[0]
		if len(c.schemas) > 1 {
			t.guessed = true
			if r.Float64() >= likelyTypeChance {
				schema = c.schemas[r.IntN(len(c.schemas))]
			}
		}
		key := c.name
		for n := i + 1; row.Property(key) != nil; n++ {
			key = c.name + " " + strconv.Itoa(n)
		}
		t.names, t.schemas = append(t.names, c.name), append(t.schemas, schema)
		row.Properties = append(row.Properties, model.Property{Name: key, Required: true, Schema: schema})
	}
	most := maxRows
	if shape != nil && shape.Single {
		most = 1
	}
	t.rows = &model.Schema{Type: "array", MaxItems: &most, Items: row}
	if shape != nil {
		for _, n := range shape.Documents {
			t.parameters = append(t.parameters, make([]int32, max(0, n-len(t.parameters)))...)
			t.parameters[n-1] = jsonType.postgres
		}
	}
	return t
}

// countColumns returns the number of columns of a statement, 0 if it is not known.
func countColumns(s statement) int {
	if slices.ContainsFunc(s.columns, func(e sqlExpr) bool { return e.name == "*" }) {
		return 0
	}
	return len(s.columns)
}

const (
	likelyTypeChance = 0.7  // probability that a column of uncertain type has the most likely type
	otherTableChance = 0.1  // probability that uncertain types of columns are drawn again for a reply
	errorChance      = 0.12 // probability of an error; a stub for a transaction always has one
	noRowsChance     = 0.15 // probability of a result without rows
	singleRowChance  = 0.6  // probability of one row, if the result has any rows
	randomRowsChance = 0.2  // probability that the number of changed rows is random; otherwise it is 1
	usualErrorChance = 0.5  // probability of one of usualErrors, if the source compares codes with constants
)

// addReply gives an answer of a database a new reply.
func (sa sampler) addReply(s *Stub, a *answer) {
	a.form, a.reply = databaseReply, &reply{}
	switch isError := !sa.faultless && sa.Float64() < errorChance || s.isTransaction(); {
	case !s.endpoint.protocol.IsDatabase(), s.isDefinitions() && !isError:
		a.body = nil
		return
	case s.protocol == model.Redis:
		sa.addRedisReply(s, a, isError)
	default:
		sa.addResult(s, a, isError)
	}
	if a.body == nil {
		return
	}
	for _, v := range a.values(s) {
		sa.suggest(s.endpoint, v.Field)
	}
}

// addResult gives an answer the result of a query.
func (sa sampler) addResult(s *Stub, a *answer, isError bool) {
	if s.table == nil || s.table.guessed && sa.Float64() < otherTableChance {
		s.endpoint.table = sa.vocabulary.newTable(sa.Rand, s.command)
	}
	a.reply.table = s.table
	switch {
	case isError:
		a.reply.kind = errorReply
		sa.vocabulary.addError(sa.Rand, s, a)
	case s.table.isTable:
		a.reply.kind = rowsReply
		a.body = gene.New(s.table.rows)
		a.body.Sample(sa.Rand)
		setCount(sa.Rand, a.body, s.table.rowCount(sa.Rand))
		if sa.Float64() < completeChance {
			gene.FillOptional(sa.Rand, a.body)
		}
	default:
		a.reply.kind = changeReply
		a.body = gene.New(changeSchema)
		a.body.Sample(sa.Rand)
		if sa.Float64() >= randomRowsChance {
			gene.AssignText(gene.LookupField(a.body, []string{"affected"}), "1")
		}
	}
}

// rowCount draws a number of rows.
func (t *table) rowCount(r *rand.Rand) int {
	switch {
	case r.Float64() < noRowsChance:
		return 0
	case r.Float64() < singleRowChance:
		return 1
	}
	return min(2+r.IntN(maxRows-1), *t.rows.MaxItems)
}

// setCount gives an array n elements.
func setCount(r *rand.Rand, array gene.Gene, n int) {
	gene.TruncateArray(array, n)
	for len(gene.Elements(array)) < n && gene.AppendElement(r, array) {
	}
}

// changeSchema is the schema of a changeReply: the number of changed rows, and the first id that MySQL gave to a new row.
var changeSchema = &model.Schema{Type: "object", Closed: true, Properties: []model.Property{
	{Name: "affected", Required: true, Schema: &model.Schema{Type: "integer", Min: new(0.0), Max: new(5.0)}},
	{Name: "id", Required: true, Schema: &model.Schema{Type: "integer", Min: new(1.0), Max: new(1e6)}},
}}

// sqlError is an error that databases usually report: its SQLSTATE, and the number and state of MySQL.
type sqlError struct {
	state   string
	number  int
	mysql   string
	message string
	reads   bool // statements that only read may have the error, too
}

// usualErrors are the errors of queries that services often handle in a special way.
var usualErrors = []sqlError{
	{"23505", 1062, "23000", "duplicate key value violates unique constraint", false},
	{"23503", 1452, "23000", "a foreign key constraint fails", false},
	{"23514", 3819, "HY000", "a check constraint is violated", false},
	{"23502", 1048, "23000", "a column cannot be null", false},
	{"40001", 1213, "40001", "could not serialize access; restart the transaction", true},
	{"40P01", 1205, "HY000", "deadlock detected; lock wait time-out exceeded", true},
	{"22P02", 1366, "HY000", "invalid input syntax", true},
	{"42P01", 1146, "42S02", "the table does not exist", true},
	{"57014", 3024, "HY000", "the statement was cancelled", true},
}

// codeForm matches the codes of errors of PostgreSQL (five characters) and of MySQL (a number with four digits).
var codeForm = regexp.MustCompile("^([0-9A-Z]{5}|[1-9][0-9]{3})$")

// addError gives an answer the genes of an error: one of usualErrors, or an error whose code is a constant of the source.
func (v *Vocabulary) addError(r *rand.Rand, s *Stub, a *answer) {
	name := "code"
	if s.protocol == model.MySQL {
		name = "number"
	}
	var codes []any
	for _, e := range usualErrors {
		if e.reads || s.table.verb != "SELECT" {
			codes = append(codes, e.codeOf(s.protocol))
		}
	}
	code := codes[r.IntN(len(codes))]
	if draw := v.DrawConstant; draw != nil && r.Float64() >= usualErrorChance {
		kind := gene.New(&model.Schema{Type: "string"})
		if constant := draw(r, name, kind); codeForm.MatchString(constant) && (len(constant) == 4) == (s.protocol == model.MySQL) {
			code, codes = constant, append(codes, constant)
		}
	}
	a.body = gene.New(&model.Schema{Type: "object", Closed: true, Properties: []model.Property{
		{Name: name, Required: true, Schema: &model.Schema{Type: "string", Enum: codes}},
		{Name: constraintName, Schema: textColumn},
	}})
	a.body.Sample(r)
	gene.AssignText(gene.LookupField(a.body, []string{name}), code.(string))
}

// constraintName is the name of the gene with the constraint that an error names.
const constraintName = "constraint_name"

// codeOf returns the code of the error in a protocol.
func (e sqlError) codeOf(p model.Protocol) string {
	if p == model.MySQL {
		return strconv.Itoa(e.number)
	}
	return e.state
}

// isError reports whether an answer of a database is an error.
func (a *answer) isError() bool {
	return a.reply != nil && (a.reply.kind == errorReply || a.reply.kind == failReply)
}

// hasItems reports whether an answer sends a list: rows of a database, or messages of a gRPC stream. The list may be
// empty.
func (a *answer) hasItems() bool {
	return a.sendsBody() && (a.reply != nil && a.reply.kind == rowsReply || a.status != nil && a.isStream())
}

// writeReply returns the reply of an answer as JSON, in the form that stubs of a protocol have; see package wire.
func (a *answer) writeReply(p model.Protocol) []byte {
	switch {
	case a.reply.kind == doneReply && p == model.Redis:
		return []byte(`{"status":"PONG"}`)
	case p == model.Redis:
		return a.reply.writeRedis(a.body)
	case p == model.MySQL:
		return []byte(wire.MySQLJSON([]*wire.MySQLResult{a.mysqlResult()}))
	}
	return []byte(wire.PostgresJSON([]*wire.PostgresResult{a.postgresResult()}))
}

func (a *answer) postgresResult() *wire.PostgresResult {
	out, t := &wire.PostgresResult{}, a.reply.table
	if t != nil {
		out.Parameters = t.parameters
		for i, name := range t.names {
			out.Columns = append(out.Columns, wire.PostgresColumn{Name: name, Type: sqlTypeOf(t.schemas[i]).postgres})
		}
	}
	switch a.reply.kind {
	case doneReply:
		out.Tag = "OK"
	case changeReply:
		out.Tag = t.tag(gene.Text(gene.LookupField(a.body, []string{"affected"})))
	case errorReply:
		code := gene.Text(gene.LookupField(a.body, []string{"code"}))
		out.Error = &wire.PostgresError{Code: code, Message: messageOf(func(e sqlError) bool { return e.state == code })}
		if g := gene.LookupField(a.body, []string{constraintName}); g != nil {
			out.Error.Constraint = plainText(g, model.Postgres)
		}
	case rowsReply:
		out.Rows = t.rowsOf(a.body, model.Postgres)
		if t.verb != "SELECT" {
			out.Tag = t.tag(strconv.Itoa(len(out.Rows)))
		}
		if len(t.names) == 0 {
			out.Tag = cmp.Or(out.Tag, "SELECT 0")
		}
	}
	return out
}

// tag returns PostgreSQL's command tag for the statement, such as "INSERT 0 1" or "UPDATE 1". affected is the number
// of rows that the statement changed.
func (t *table) tag(affected string) string {
	if t.verb == "INSERT" {
		affected = "0 " + affected
	}
	return strings.TrimSpace(t.verb + " " + affected)
}

// messageOf returns the message of the first of usualErrors that satisfies the function is, or a general message if
// no error does.
func messageOf(is func(sqlError) bool) string {
	if i := slices.IndexFunc(usualErrors, is); i >= 0 {
		return usualErrors[i].message
	}
	return "the statement failed"
}

func (a *answer) mysqlResult() *wire.MySQLResult {
	out, t, none := &wire.MySQLResult{}, a.reply.table, uint64(0)
	switch a.reply.kind {
	case doneReply:
		out.Affected = &none
	case changeReply:
		out.Affected = new(uintOf(gene.LookupField(a.body, []string{"affected"})))
		if t.verb == "INSERT" || t.verb == "REPLACE" {
			out.ID = uintOf(gene.LookupField(a.body, []string{"id"}))
		}
	case errorReply:
		number := int(uintOf(gene.LookupField(a.body, []string{"number"})))
		out.Error = &wire.MySQLError{Code: uint16(number), Message: messageOf(func(e sqlError) bool { return e.number == number })}
		if i := slices.IndexFunc(usualErrors, func(e sqlError) bool { return e.number == number }); i >= 0 {
			out.Error.State = usualErrors[i].mysql
		}
	case rowsReply:
		for i, name := range t.names {
			out.Columns = append(out.Columns, wire.MySQLColumn{Name: name, Type: sqlTypeOf(t.schemas[i]).mysql})
		}
		out.Rows = t.rowsOf(a.body, model.MySQL)
		if len(t.names) == 0 {
			out.Affected = &none
		}
	}
	return out
}

func uintOf(g gene.Gene) uint64 {
	n, _ := strconv.ParseUint(gene.Text(g), 10, 64) // the schemas allow only such numbers
	return n
}

// rowsOf returns the rows of g. Each value is a text in the form of protocol p, or nil for null.
func (t *table) rowsOf(g gene.Gene, p model.Protocol) (all [][]any) {
	for _, row := range gene.Elements(g) {
		values := make([]any, 0, len(t.schemas))
		for i, field := range gene.PresentFields(row) {
			if isNull(field.Gene) {
				values = append(values, nil)
				continue
			}
			values = append(values, sqlTypeOf(t.schemas[i]).text(field.Gene, p))
		}
		all = append(all, values)
	}
	return all
}
