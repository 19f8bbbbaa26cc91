package hostmodel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sonde/assets/wire"
	"sonde/model"
	"sonde/runner/search/gene"
)

const (
	store = "store.example:5432"
	cache = "cache.example:6379"
	books = "books.example:3306"
)

// startOfPostgres is what a client of PostgreSQL sends first.
const startOfPostgres = "\x00\x00\x00\x13\x00\x03\x00\x00user\x00ann\x00\x00"

// queried returns a contact in which the service sends a request to a database.
func queried(p model.Protocol, host, command string, arguments ...string) model.Contact {
	members, name, text := map[string]string{}, "query", command
	if p == model.Redis {
		name, text = "command", strings.Join(append([]string{command}, arguments...), " ")
	}
	members[name] = command
	for i, a := range arguments {
		members[strconv.Itoa(i+1)] = a
	}
	body, _ := json.Marshal(members)
	return model.Contact{
		Kind: model.ContactMessage, Protocol: p, Host: host, Data: []byte(text), Request: model.Request{Body: body}, Stub: -1,
	}
}

// answersTo records the contact c, samples many stubs, and returns the answers of the stubs for the endpoint of c. It fails the
// test if a stub is not valid, or if there are no answers.
func answersTo(t *testing.T, h *Hosts, c model.Contact) (all []model.Answer) {
	t.Helper()
	h.ObserveContacts(played, []model.Contact{c})
	want := endpointOf(c)
	r := chance()
	for range 400 {
		for _, s := range h.SampleStubs(r, []model.OpID{pay}) {
			if out := s.LiteralStub(); s.is(want) {
				if err := out.Validate(); err != nil {
					t.Fatalf("%+v: %v", out, err)
				}
				all = append(all, out.Answers...)
			}
		}
	}
	if len(all) == 0 {
		t.Fatalf("no stub answers %s", c.Data)
	}
	return all
}

// A client of a database is recognised by the first data that it sends, even if a stub of another protocol has answered before.
// From then on, all stubs of the host have the protocol of the database.
func TestDatabaseIsRecognised(t *testing.T) {
	for p, first := range map[model.Protocol]string{
		model.Postgres: startOfPostgres,
		model.Redis:    "*2\r\n$5\r\nHELLO\r\n$1\r\n3\r\n",
	} {
		h := &Hosts{}
		said := model.Contact{Kind: model.ContactMessage, Protocol: model.TCP, Host: "a.example:1", Data: []byte("OK\n")}
		h.ObserveContacts(played, []model.Contact{dialed("a.example:1", 0), said})
		said.Data = []byte(first)
		h.ObserveContacts(played, []model.Contact{said})
		stubs, added := h.AddAnswering(chance(), nil, []model.OpID{pay})
		if !added || len(stubs) != 1 || stubs[0].LiteralStub().Protocol != p || stubs[0].LiteralStub().Validate() != nil {
			t.Errorf("%s: %+v", p, stubs)
		}
	}
}

// A silent host at the port of MySQL is taken for MySQL. A silent host at another port may be MySQL if the service has a driver
// of MySQL.
func TestSilentHostMayBeMySQL(t *testing.T) {
	protocols := func(host string, driver bool) map[model.Protocol]bool {
		h, all := &Hosts{}, map[model.Protocol]bool{}
		h.Vocabulary.HasMySQL = driver
		silent := model.Contact{Kind: model.ContactMessage, Protocol: model.TCP, Host: host, Outcome: "waits", Stub: -1}
		h.ObserveContacts(played, []model.Contact{dialed(host, 0), silent})
		r := chance()
		for range 100 {
			for _, s := range h.SampleStubs(r, []model.OpID{pay}) {
				if !s.isConnection() {
					all[s.LiteralStub().Protocol] = true
				}
			}
		}
		return all
	}
	for _, c := range []struct {
		host   string
		driver bool
		want   map[model.Protocol]bool
	}{
		{books, false, map[model.Protocol]bool{model.MySQL: true}},
		{"mail.example:25", false, map[model.Protocol]bool{model.TCP: true}},
		{"mail.example:25", true, map[model.Protocol]bool{model.TCP: true, model.MySQL: true}},
	} {
		if diff := cmp.Diff(c.want, protocols(c.host, c.driver)); diff != "" {
			t.Errorf("%s, driver %t: %s", c.host, c.driver, diff)
		}
	}
}

// product is a query. In productHosts, the source reads all columns of its result.
const product = "SELECT id, name, weight, added, tags FROM product WHERE id = $1"

func productHosts() *Hosts {
	columns := []Column{
		{"id", &model.Schema{Type: "integer", Format: "int32"}},
		{"name", &model.Schema{Type: "string"}},
		{"weight", &model.Schema{Type: "number", Format: decimalFormat, Nullable: true}},
		{"added", &model.Schema{Type: "string", Format: "date-time"}},
		{"tags", &model.Schema{Type: "array", Items: &model.Schema{Type: "string"}}},
	}
	return &Hosts{Vocabulary: Vocabulary{Queries: []*Query{{Parts: []string{product}, Single: true, Columns: columns}}}}
}

// Rows of PostgreSQL have the columns that the query names, with values of the types that the source reads. Replies
// have one row, no row, or an error that a read-only statement can cause. Values that may be null are sometimes null.
func TestRows(t *testing.T) {
	counts, nulls, codes := map[int]int{}, 0, map[string]bool{}
	for _, a := range answersTo(t, productHosts(), queried(model.Postgres, store, product, "17")) {
		if a.Fault != "" {
			continue
		}
		var got wire.PostgresResult
		if err := json.Unmarshal(a.Content(), &got); err != nil {
			t.Fatal(err)
		}
		want := []wire.PostgresColumn{
			{Name: "id", Type: 23},
			{Name: "name", Type: 25},
			{Name: "weight", Type: 1700},
			{Name: "added", Type: 1184},
			{Name: "tags", Type: 1009},
		}
		if diff := cmp.Diff(want, got.Columns); diff != "" {
			t.Fatal(diff)
		}
		if got.Error != nil {
			codes[got.Error.Code] = true
			continue
		}
		counts[len(got.Rows)]++
		for _, row := range got.Rows {
			if _, err := strconv.ParseInt(row[0].(string), 10, 32); err != nil {
				t.Error(err)
			}
			if row[2] == nil {
				nulls++
			} else if _, err := strconv.ParseFloat(row[2].(string), 64); err != nil {
				t.Error(err)
			}
			if _, err := time.Parse("2006-01-02 15:04:05Z07", row[3].(string)); err != nil {
				t.Error(err)
			}
			if tags := row[4].(string); !strings.HasPrefix(tags, "{") || !strings.HasSuffix(tags, "}") {
				t.Errorf("the array %s", tags)
			}
		}
	}
	if counts[0] == 0 || counts[1] < 3*counts[0] || len(counts) > 2 || nulls == 0 || codes["23505"] || !codes["40001"] {
		t.Errorf("numbers of rows %v, %d nulls, codes %v", counts, nulls, codes)
	}
}

// A value of a row may be an argument of the query, such as the id that the query asks for.
func TestRowsWithArguments(t *testing.T) {
	for _, a := range answersTo(t, productHosts(), queried(model.Postgres, store, product, "8128")) {
		if bytes.Contains(a.Content(), []byte(`"8128"`)) {
			return
		}
	}
	t.Error("no row has the id of the query")
}

// If the source does not say the type of a column, the type is guessed from the expression, from the tables that the service
// creates, or from the name of the column.
func TestGuessedColumns(t *testing.T) {
	h := &Hosts{}
	h.Vocabulary.learnTables("CREATE TABLE shop (id uuid PRIMARY KEY, opened date NOT NULL, motto varchar(10), CHECK (id <> '17'))")
	known := h.Vocabulary.knownColumns()
	for text, want := range map[string]*model.Schema{
		"SELECT count(*) FROM shop":                     intColumn,
		"SELECT EXISTS (SELECT 1 FROM a)":               boolColumn,
		"SELECT x::jsonb FROM a":                        jsonColumn,
		"SELECT 'a' AS kind":                            textColumn,
		"SELECT s.id FROM shop s":                       uuidColumn,
		"SELECT opened FROM shop":                       dateColumn,
		"SELECT motto AS m FROM shop":                   guessedTypes[0],
		"INSERT INTO a VALUES (1) RETURNING created_at": timeColumn,
		"SELECT is_open FROM a":                         boolColumn,
		"SELECT current_timestamp":                      timeColumn,
	} {
		s := parseStatement(text)
		if len(s.columns) != 1 || s.columns[0].guesses(known)[0] != want {
			t.Errorf("%s: %+v", text, s.columns)
		}
	}
}

// parseStatement finds the verb of a query, and the names of the columns of its result.
func TestStatements(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT a, b.c, \"D e\", count(*), x + 1 AS y, max(z) m FROM t JOIN u ON f(a, b)": "SELECT a c D e count y m",
		"-- name: Get :one\nSELECT DISTINCT ON (a) a, t.* FROM t":                         "SELECT a *",
		"WITH x AS (SELECT q FROM r) UPDATE t SET a = 1 FROM x RETURNING id, a":           "UPDATE id a",
		"insert into t (a) values ('RETURNING b')":                                        "INSERT",
		"SELECT coalesce(a, 'x, y'), 1::bigint, $1":                                       "SELECT coalesce ?column? ?column?",
		"SELECT a FROM t UNION SELECT b FROM u":                                           "SELECT a",
		"DELETE FROM t":                                                                   "DELETE",
		"SELECT id, ARRAY[a, b], c[1], ARRAY[[d, e], [f, g]] AS m FROM t":                 "SELECT id array c m",
		"(SELECT a FROM t) UNION (SELECT b FROM u)":                                       "SELECT a",
		"((SELECT a, f(b) FROM t) UNION SELECT c, d FROM u) ORDER BY 1":                   "SELECT a f",
		"SELECT a IS DISTINCT FROM b AS c, d FROM t":                                      "SELECT c d",
		"SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x), count(*) FROM t":          "SELECT percentile_cont count",
		"SELECT t.offset, a AS group, b FROM t GROUP BY c":                                "SELECT offset group b",
		"(": "",
	} {
		s := parseStatement(text)
		got := s.verb
		for _, c := range s.columns {
			got += " " + c.name
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

// parseStatement finds the first table of a statement, also inside parentheses and after IS DISTINCT FROM.
func TestTableOfStatement(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT a FROM main.t JOIN u ON TRUE":       "t",
		"SELECT a IS DISTINCT FROM b, c FROM t":     "t",
		"(SELECT a FROM t) UNION (SELECT b FROM u)": "t",
		"SELECT 1": "",
	} {
		if got := parseStatement(text).table; got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

// find recognises a query by the constant parts of its text. If the source does not have the text, find recognises the query by the
// number of its columns.
func TestFindQuery(t *testing.T) {
	long, dynamic := &Query{Parts: []string{"SELECT a, b FROM t"}}, &Query{Parts: []string{"SELECT a, b FROM t WHERE ", ""}}
	counted := &Query{Columns: make([]Column, 3)}
	between := &Query{Parts: []string{"SELECT ", " FROM users"}, ByName: true}
	text := &Query{Parts: []string{"SELECT a FROM t WHERE b = ? LIMIT 3"}, Columns: make([]Column, 1)}
	v := Vocabulary{Queries: []*Query{long, dynamic, counted, between, text}}
	for _, c := range []struct {
		query string
		n     int
		want  *Query
	}{
		{"SELECT a, b FROM t", 0, long},
		{"SELECT a, b FROM t WHERE c = 1", 0, dynamic},
		{"SELECT x, y, z FROM u", 3, counted},
		{"SELECT x, y FROM users", 2, between},
		{"SELECT a FROM t WHERE b = ? LIMIT ?", 1, text},
		{"SELECT x FROM other", 1, nil},
	} {
		if got := v.find(c.query, c.n); got != c.want {
			t.Errorf("%s: got %+v", c.query, got)
		}
	}
}

// The reply to a statement that changes rows has the number of changed rows, or an error. The reply to a statement that defines tables
// has neither.
func TestChanges(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range answersTo(t, &Hosts{}, queried(model.Postgres, store, "INSERT INTO a VALUES ($1)", "x")) {
		var got wire.PostgresResult
		if json.Unmarshal(a.Content(), &got) != nil {
			continue
		}
		if seen[got.Tag] = true; got.Error != nil {
			seen[got.Error.Code] = true
		}
	}
	if !seen["INSERT 0 0"] || !seen["INSERT 0 1"] || !seen["23505"] {
		t.Errorf("tags and codes %v", seen)
	}
	ids := map[uint64]bool{}
	for _, a := range answersTo(t, &Hosts{}, queried(model.MySQL, books, "INSERT INTO a VALUES (?)", "x")) {
		var got wire.MySQLResult
		if json.Unmarshal(a.Content(), &got) == nil && got.Affected != nil {
			ids[got.ID] = true
		}
	}
	if len(ids) < 5 {
		t.Errorf("ids %v", ids)
	}
	h := &Hosts{}
	refused := dialed(store, 0)
	defines := queried(model.Postgres, store, "/* 1 */ CREATE TABLE a (b int); CREATE INDEX c ON a (b)")
	h.ObserveContacts(played, []model.Contact{refused, defines})
	all, _ := h.AddAnswering(chance(), nil, []model.OpID{pay})
	if len(all) != 1 || !regexp.MustCompile(all[0].LiteralStub().Match.Regexp).MatchString("BEGIN; drop table a") {
		t.Fatalf("%d stubs", len(all))
	}
	if got := string(all[0].LiteralStub().Answers[0].Content()); got != `{"tag":"OK"}` {
		t.Errorf("got %s", got)
	}
}

// Without a stub, statements that begin or end a transaction succeed. Therefore the answers of their stubs are all errors or faults.
func TestTransactionsFail(t *testing.T) {
	for _, c := range []model.Contact{
		queried(model.Postgres, store, "COMMIT"), queried(model.MySQL, books, "START TRANSACTION"), queried(model.Redis, cache, "EXEC"),
	} {
		for _, a := range answersTo(t, &Hosts{}, c) {
			text := string(a.Content())
			if a.Fault == "" && !strings.Contains(text, `"error"`) && text != "null" {
				t.Errorf("%s: %s", c.Data, text)
			}
		}
	}
	h := &Hosts{}
	h.ObserveContacts(played, []model.Contact{queried(model.Postgres, store, "ROLLBACK"), queried(model.Redis, cache, "MULTI")})
	if h.Populated() {
		t.Error("ROLLBACK and MULTI have stubs")
	}
}

// The reply to a command of Redis has the type that Redis returns. Texts in replies may be documents that the source decodes. Keys
// that begin in the same way share a stub.
func TestRedisReplies(t *testing.T) {
	impossible := map[string]string{"LLEN": `^-`, "MGET": `^null$|^\[\]$`, "TTL": `^null$`, "BLPOP": `^\["[^"]*"\]$`}
	cart := jsonDocument(&model.Schema{Type: "object", Properties: []model.Property{{Name: "total", Required: true, Schema: intColumn}}})
	for text, want := range map[string][]string{
		"GET cart:17":               {`^null$`, `^"\{\\"total\\":\d+\}"$`, `^"\d+"$`, `^\{"error":"`},
		"INCR visits":               {`^-?\d+$`, `^\{"error":"`},
		"HGETALL cart:17":           {`^\{"map":\[".*\]\}$`, `^\{"map":\[\]\}$`},
		"SET a b":                   {`^\{"status":"OK"\}$`},
		"SET c d NX":                {`^\{"status":"OK"\}$`, `^null$`},
		"ZRANGE top 0 1 WITHSCORES": {`^\[".*",\{"double":"1"\}.*\]$`},
		"SCAN 0":                    {`^\["0",\[.*\]\]$`},
		"HSCAN cart 0":              {`^\["0",\[".*","1".*\]\]$`},
		"MGET a b c":                {`^\[".*",null,null\]$`, `^\[null,null,null\]$`},
		"HMGET cart x":              {`^\[".*"\]$`, `^\[null\]$`},
		"BLPOP jobs 0":              {`^null$`, `^\["jobs",".*"\]$`},
		"LPOP jobs 2":               {`^\[".*"\]$`},
		"TTL cart":                  {`^-\d+$`},
		"LLEN jobs":                 {`^\d+$`},
		"MODULE.SOMETHING x":        {`^-?\d+$`, `^null$`, `^".*"$`},
	} {
		words := strings.Fields(text)
		h := &Hosts{Vocabulary: Vocabulary{Documents: []*Document{cart}}}
		answers := answersTo(t, h, queried(model.Redis, cache, words[0], words[1:]...))
		for _, form := range want {
			if !slices.ContainsFunc(answers, func(a model.Answer) bool { return regexp.MustCompile(form).Match(a.Content()) }) {
				t.Errorf("%s: no reply is %s", text, form)
			}
		}
		if never, has := impossible[words[0]]; has {
			for _, a := range answers {
				if regexp.MustCompile(never).Match(a.Content()) {
					t.Errorf("%s: %s is no reply of Redis", text, a.Content())
				}
			}
		}
		for _, a := range answers {
			reply := wire.NewRedisSession(nil).Reply(string(a.Content()))
			if a.Fault == "" && bytes.Contains(reply, []byte("the stub's answer")) {
				t.Errorf("%s: %s is no reply", text, a.Content())
			}
		}
	}
	h := &Hosts{}
	for _, key := range []string{"cart:1", "cart:22", "order:1", "5f0d:cart", `"x":1`} {
		h.ObserveContacts(played, []model.Contact{queried(model.Redis, cache, "GET", key)})
	}
	h.ObserveContacts(played, []model.Contact{queried(model.Redis, cache, "X(", "cart:1")})
	var matches []string
	for _, e := range h.endpoints.all {
		if e.protocol == model.Redis && e.match.Regexp != "" {
			matches = append(matches, e.match.Regexp)
		}
	}
	if diff := cmp.Diff([]string{`^GET "?cart:`, `^GET "?order:`, `^X\( "?cart:`}, matches); diff != "" {
		t.Error(diff)
	}
}

// A column of UUIDs has only UUIDs, even if its gene has another text. Columns with the same name have separate values.
func TestHostileColumns(t *testing.T) {
	g := gene.New(uuidColumn)
	gene.AssignText(g, "hello")
	if got := uuidType.text(g, model.Postgres); !uuidPattern.MatchString(got) {
		t.Errorf("a UUID is %q", got)
	}
	h := &Hosts{}
	table := h.Vocabulary.newTable(chance(), `SELECT a, b AS "a 3", a, a FROM t`)
	if diff := cmp.Diff([]string{"a", "a 3", "a", "a"}, table.names); diff != "" || len(table.rows.Items.Properties) != 4 {
		t.Errorf("%s, %d properties", diff, len(table.rows.Items.Properties))
	}
}

// If the source reads columns with the same name as different types, the column may have each of these types.
func TestColumnsWithTheSameName(t *testing.T) {
	v := &Vocabulary{Queries: []*Query{
		{Columns: []Column{{Name: "id", Schema: intColumn}}},
		{Columns: []Column{{Name: "id", Schema: uuidColumn}, {Name: "note", Schema: textColumn}}},
	}}
	v.learnTables("CREATE TABLE a (tags text[], id bigint, done boolean)")
	s := parseStatement("SELECT id, note, done, tags FROM a")
	all := v.columnsOf(s, nil)
	if len(all) != 4 || len(all[0].schemas) != 2 || len(all[1].schemas) != 1 || len(all[2].schemas) != 1 || len(all[3].schemas) < 2 {
		t.Errorf("got %+v", all)
	}
}

// A search makes no stub for SQL's SET, which succeeds without a stub and whose failure reveals nothing. It makes no stub for
// PSUBSCRIBE of Redis, for which the host would have to send more than one reply.
func TestUnplayed(t *testing.T) {
	for _, c := range []struct {
		protocol model.Protocol
		command  string
		want     bool
	}{
		{model.Postgres, "SET search_path TO shop", false},
		{model.Postgres, "copy product from stdin", false},
		{model.Postgres, "SELECT 1", true},
		{model.Redis, "SET", true},
		{model.Redis, "COPY", true},
		{model.Redis, "PSUBSCRIBE", false},
		{model.HTTP, "", true},
	} {
		if got := (&endpoint{protocol: c.protocol, command: c.command}).isPlayed(); got != c.want {
			t.Errorf("%s %s: %t", c.protocol, c.command, got)
		}
	}
}

// An argument that is null or not a text becomes "", and the arguments after it are still found.
func TestRequestWords(t *testing.T) {
	c := model.Contact{Request: model.Request{Body: []byte(`{"query":"INSERT","1":null,"2":{"base64":"AA=="},"3":"pear"}`)}}
	if diff := cmp.Diff([]string{"", "", "pear"}, requestWords(c)); diff != "" {
		t.Error(diff)
	}
}

// A stub that is read from a file has the same endpoint as the requests that it answers.
func TestAdoptDatabaseStub(t *testing.T) {
	h := &Hosts{}
	h.ObserveContacts(played, []model.Contact{
		dialed(store, 0), queried(model.Postgres, store, product, "1"), queried(model.Redis, cache, "GET", "cart:1"),
	})
	r := chance()
	all := h.SampleStubs(r, []model.OpID{pay})
	if !slices.ContainsFunc(all, func(s *Stub) bool { return s.protocol == model.Postgres }) ||
		!slices.ContainsFunc(all, func(s *Stub) bool { return s.protocol == model.Redis }) {
		t.Fatalf("%d stubs, and none of one of the databases", len(all))
	}
	for _, s := range all {
		if again := h.AdoptStub(s.LiteralStub()); !s.isConnection() && again.endpoint != s.endpoint {
			t.Errorf("%+v has another endpoint", s.LiteralStub().Match)
		}
	}
}

// ShorterStubs truncates several rows to the first row. ExtendStub adds rows, but not more than maxRows.
func TestFewerRows(t *testing.T) {
	h := productHosts()
	h.Vocabulary.Queries[0].Single = false
	h.ObserveContacts(played, []model.Contact{queried(model.Postgres, store, product, "1")})
	r := chance()
	counts := map[string]bool{}
	for range 300 {
		for _, s := range h.SampleStubs(r, []model.OpID{pay}) {
			n := rowsIn(s)
			for _, shorter := range s.ShorterStubs() {
				if n > 1 && len(s.answers) == 1 && rowsIn(shorter) != 1 {
					t.Fatalf("%d rows became %d", n, rowsIn(shorter))
				}
			}
			if _, ok := h.ExtendStub(r, []*Stub{s}, nil); ok && rowsIn(s) > n && len(s.answers) == 1 {
				counts[fmt.Sprint(n)] = true
			}
		}
	}
	if !counts["0"] || !counts["1"] || counts["3"] {
		t.Errorf("rows were added to %v", counts)
	}
}

// rowsIn returns the number of rows in the first answer of a stub.
func rowsIn(s *Stub) int {
	if a := s.answers[0]; a.reply != nil && a.reply.kind == rowsReply {
		return len(gene.Elements(a.body))
	}
	return 0
}

// A database has at most maxRequests endpoints. They take no room from the endpoints of other hosts.
func TestManyQueries(t *testing.T) {
	h := &Hosts{}
	for i := range 2 * maxRequests {
		h.ObserveContacts(played, []model.Contact{queried(model.Postgres, store, fmt.Sprintf("SELECT %d", i))})
	}
	h.ObserveContacts(played, []model.Contact{httpContact("a.example:80", "GET", "/", "")})
	if n := h.endpoints.requestCount(store); n != maxRequests || !h.endpoints.has(endpointOf(httpContact("a.example:80", "GET", "/", ""))) {
		t.Errorf("%d endpoints", n)
	}
}

// The code in an error of a database may be a constant with which the source compares codes. The name of a constraint
// may be such a constant, too.
func TestErrorsOfSource(t *testing.T) {
	h := productHosts()
	h.Vocabulary.DrawConstant = func(_ *rand.Rand, name string, _ gene.Gene) string {
		return map[string]string{"code": "P0001", constraintName: "product_name_key"}[name]
	}
	seen := map[string]bool{}
	for _, a := range answersTo(t, h, queried(model.Postgres, store, product, "1")) {
		var got wire.PostgresResult
		if json.Unmarshal(a.Content(), &got) == nil && got.Error != nil {
			seen[got.Error.Code], seen[got.Error.Constraint] = true, true
		}
	}
	if !seen["P0001"] || !seen["40001"] || !seen["product_name_key"] {
		t.Errorf("got %v", seen)
	}
}

// A host that the user allows to be real has no stubs.
func TestRealHostHasNoStubs(t *testing.T) {
	h := &Hosts{}
	c := dialed(store, 0)
	c.Outcome = "real"
	h.ObserveContacts(played, []model.Contact{c})
	if h.Populated() {
		t.Error("it has an endpoint")
	}
}

// Databases are always reachable, because a service often remembers for later tests that it could not reach its database. Other hosts
// are sometimes unreachable.
func TestDatabasesAreReachable(t *testing.T) {
	h := &Hosts{}
	lookup := func(name string) model.Contact {
		return model.Contact{Kind: model.ContactLookup, Protocol: model.DNS, Host: name, Data: []byte("host")}
	}
	h.ObserveContacts(played, []model.Contact{
		lookup("store.example"), dialed(store, 0), queried(model.Postgres, store, "SELECT 1"),
		lookup("a.example"), dialed("a.example:80", 0), httpContact("a.example:80", "GET", "/", ""),
	})
	r, seen := chance(), map[string]bool{}
	for range 300 {
		stubs := h.SampleStubs(r, []model.OpID{pay})
		for range 5 {
			stubs, _ = h.MutateStubs(r, stubs, []model.OpID{pay}, gene.Pace{})
		}
		for _, s := range stubs {
			if s.isReachability() {
				seen[s.Host()] = true
			}
		}
	}
	if diff := cmp.Diff(map[string]bool{"a.example": true, "a.example:80": true}, seen); diff != "" {
		t.Error(diff)
	}
}

// The reply to EXEC, which ends a transaction of Redis, is nil only if the service watches keys.
func TestConflictOfRedis(t *testing.T) {
	for _, watches := range []bool{false, true} {
		h := &Hosts{}
		if watches {
			h.ObserveContacts(played, []model.Contact{queried(model.Redis, cache, "WATCH", "a")})
		}
		isNil := func(a model.Answer) bool { return a.Fault == "" && string(a.Content()) == "null" }
		if got := slices.ContainsFunc(answersTo(t, h, queried(model.Redis, cache, "EXEC")), isNil); got != watches {
			t.Errorf("watches %t: nil %t", watches, got)
		}
	}
}

// A reply of PostgreSQL has the type of each parameter that the service sends as JSON. The types of other parameters
// are 0: the driver determines these types itself.
func TestDocumentParameters(t *testing.T) {
	h := &Hosts{Vocabulary: Vocabulary{Queries: []*Query{{Parts: []string{"UPDATE a SET b = $1, c = $2"}, Documents: []int{2}}}}}
	for _, a := range answersTo(t, h, queried(model.Postgres, store, "UPDATE a SET b = $1, c = $2", "1", "{}")) {
		var got wire.PostgresResult
		if json.Unmarshal(a.Content(), &got) == nil && a.Fault == "" && !slices.Equal(got.Parameters, []int32{0, 114}) {
			t.Fatalf("parameters %v", got.Parameters)
		}
	}
}
