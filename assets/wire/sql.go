package wire

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxDatabaseData is the maximum size of a message of a database with SQL, and of a reply, in bytes.
const maxDatabaseData = 8 << 20

// maxStatements is the maximum size of the prepared statements of a connection, in bytes.
const maxStatements = 64 << 20

// NewQueryRequest returns a query as a request without arguments.
func NewQueryRequest(query string) DatabaseRequest {
	return newQueryRequest(query, map[string]any{})
}

// newQueryRequest returns a query as a request. It adds the query to arguments, which is the JSON of the request.
func newQueryRequest(query string, arguments map[string]any) DatabaseRequest {
	query = strings.ToValidUTF8(query, "�")
	arguments["query"] = query
	command := strings.Join(strings.Fields(query), " ")
	return DatabaseRequest{Command: command, Text: query, JSON: encodeJSON(arguments)}
}

var sqlComment = regexp.MustCompile(`^(\s+|;|(--|#)[^\n]*|/\*([^*]|\*[^*/])*\*+/)+`)

// sqlWord returns the first word of a query in capitals, "" if there is none. isOne reports whether the query has at
// most one statement; it is false if a text within the query has a semicolon.
func sqlWord(query string) (word string, isOne bool) {
	query = strings.TrimRight(query[len(sqlComment.FindString(query)):], "; \t\r\n")
	word = query
	if i := strings.IndexFunc(query, func(r rune) bool { return r < 'A' || r > 'z' || r > 'Z' && r < 'a' }); i >= 0 {
		word = query[:i]
	}
	return strings.ToUpper(word), !strings.Contains(query, ";")
}

// sqlIsEmpty reports whether a query has only space and comments.
func sqlIsEmpty(query string) bool { return sqlComment.FindString(query) == query }

// sqlTransaction returns the name of a statement that begins or ends a transaction or a part of a transaction. It
// returns "" for any other query.
func sqlTransaction(query string) string {
	switch word, isOne := sqlWord(query); {
	case !isOne:
	case word == "BEGIN" || word == "COMMIT" || word == "ROLLBACK" || word == "SAVEPOINT" || word == "RELEASE":
		return word
	case word == "START":
		return "START TRANSACTION"
	}
	return ""
}

var sqlToSavepoint = regexp.MustCompile(`(?i)\bTO\b`)

// textToJSON returns a value as JSON: as a text, or nil for null. A value that is not UTF-8 is {"base64": "…"}.
func textToJSON(b []byte) any {
	switch {
	case b == nil:
		return nil
	case !utf8.Valid(b):
		return base64ToJSON(b)
	}
	return string(b)
}

func base64ToJSON(b []byte) any {
	return map[string]any{"base64": base64.StdEncoding.EncodeToString(b)}
}

// textFromJSON returns the bytes of a value in the notation of textToJSON. The value must not be nil. isText is false
// if the value is in base64.
func textFromJSON(v any) (b []byte, isText bool, err error) {
	switch v := v.(type) {
	case string:
		return []byte(v), true, nil
	case map[string]any:
		if text, ok := v["base64"].(string); ok && len(v) == 1 {
			b, err := base64.StdEncoding.DecodeString(text)
			return append([]byte{}, b...), false, err
		}
	}
	return nil, false, fmt.Errorf("the value %.40q is no text, null or base64", encodeJSON(v))
}

// checkedResult is a *MySQLResult or a *PostgresResult. check returns an error for nil.
type checkedResult interface{ check() error }

// resultsJSON returns results as JSON. One result is an object, several results are a list.
func resultsJSON[R checkedResult](all []R) string {
	if len(all) == 1 {
		return encodeJSON(all[0])
	}
	return encodeJSON(all)
}

// parseResults parses results in the form that resultsJSON returns. It returns an error if a result is not complete.
func parseResults[R checkedResult](text string) (all []R, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	d.UseNumber()
	if bytes.HasPrefix(bytes.TrimSpace([]byte(text)), []byte("[")) {
		err = d.Decode(&all)
	} else {
		all = make([]R, 1)
		err = d.Decode(&all[0])
	}
	if err == nil && d.More() {
		err = errors.New("there is more than one value")
	}
	for _, r := range all {
		if err == nil {
			err = r.check()
		}
	}
	return all, err
}

// checkRows returns an error unless each row has a value for each column.
func checkRows(rows [][]any, columns int) error {
	for _, row := range rows {
		if len(row) != columns {
			return fmt.Errorf("a row has %d values for %d columns", len(row), columns)
		}
	}
	return nil
}

// readBody reads n bytes. It allocates memory only for bytes that have arrived, because the client chooses n and may
// send fewer bytes.
func readBody(in io.Reader, n int) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(in, int64(n)))
	if err == nil && len(b) < n {
		err = io.ErrUnexpectedEOF
	}
	return b, err
}

// messageFields reads the fields of a message.
type messageFields struct {
	rest []byte
	bad  bool // a field was missing
}

// take reads the next n bytes. If there are fewer, it returns nil, and sets bad.
func (f *messageFields) take(n int) []byte {
	if f.bad || n < 0 || n > len(f.rest) {
		f.bad = true
		return nil
	}
	b := f.rest[:n]
	f.rest = f.rest[n:]
	return b
}

func (f *messageFields) byte() byte {
	if b := f.take(1); b != nil {
		return b[0]
	}
	return 0
}

// text returns a text that ends with a zero byte.
func (f *messageFields) text() string {
	i := bytes.IndexByte(f.rest, 0)
	if i < 0 {
		f.bad = true
		return ""
	}
	return string(f.take(i + 1)[:i])
}
