package wire

import (
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"
)

// mysqlToken is a part of a query.
type mysqlToken struct {
	kind mysqlTokenKind
	text string
}

// mysqlTokenKind is the kind of a part of a query.
type mysqlTokenKind int

// mysqlOther is the kind of a single character that has none of the kinds below.
const mysqlOther mysqlTokenKind = 0

// The other kinds of parts of a query.
const mysqlSpace, mysqlWord, mysqlName, mysqlText, mysqlNumber, mysqlPlace mysqlTokenKind = 1, 2, 3, 4, 5, 6

// mysqlNumberForm is the form of a number. No number of MySQL has more than maxMySQLNumber characters.
var mysqlNumberForm = regexp.MustCompile(`^(0x[0-9a-fA-F]+|(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?)\b`)

const maxMySQLNumber = 100

// nextMySQLToken returns the token at the beginning of a query. The query must not be empty. No part of a long and
// hostile query is searched again and again: a comment or a quoted part that does not end is the whole query, and more
// than maxMySQLNumber digits are a word.
func nextMySQLToken(query string) mysqlToken {
	word := 0
	for word < len(query) && isMySQLWord(query[word]) {
		word++
	}
	switch c := query[0]; {
	case strings.IndexByte(" \t\r\n\v\f", c) >= 0:
		return mysqlToken{mysqlSpace, query[:len(query)-len(strings.TrimLeft(query, " \t\r\n\v\f"))]}
	case c == '#' || strings.HasPrefix(query, "--"):
		return mysqlUntil(query, 1, "\n")
	case strings.HasPrefix(query, "/*"):
		return mysqlUntil(query, 2, "*/")
	case c == '\'' || c == '"':
		return mysqlQuoted(query, 0, mysqlText)
	case c == '`':
		return mysqlQuoted(query, 0, mysqlName)
	case c == '?':
		return mysqlToken{mysqlPlace, "?"}
	case c == '_' || word == 1 && strings.IndexByte("nNxX", c) >= 0:
		if word < len(query) && query[word] == '\'' {
			return mysqlQuoted(query, word, mysqlText)
		}
	case word <= maxMySQLNumber && (c == '.' || c >= '0' && c <= '9'):
		start := query
		if len(start) > maxMySQLNumber {
			start = start[:maxMySQLNumber]
		}
		if number := mysqlNumberForm.FindString(start); number != "" {
			return mysqlToken{mysqlNumber, number}
		}
	}
	if word > 0 {
		return mysqlToken{mysqlWord, query[:word]}
	}
	return mysqlToken{mysqlOther, query[:1]}
}

func isMySQLWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c == '@' || c >= 0x80
}

// mysqlUntil returns the comment at the beginning of a query. The comment ends with the first occurrence of the text
// end at or after the index start. If there is none, the whole query is a comment.
func mysqlUntil(query string, start int, end string) mysqlToken {
	if i := strings.Index(query[start:], end); i >= 0 {
		return mysqlToken{mysqlSpace, query[:start+i+len(end)]}
	}
	return mysqlToken{mysqlSpace, query}
}

// mysqlQuoted returns a token whose quoted part begins at start. If the quoted part does not end, the whole query is
// one token.
func mysqlQuoted(query string, start int, kind mysqlTokenKind) mysqlToken {
	quote := query[start]
	for i := start + 1; i < len(query); i++ {
		switch {
		case query[i] == '\\' && kind == mysqlText:
			i++
		case query[i] == quote && i+1 < len(query) && query[i+1] == quote:
			i++
		case query[i] == quote:
			return mysqlToken{kind, query[:i+1]}
		}
	}
	return mysqlToken{mysqlOther, query}
}

// mysqlPlaces returns the number of placeholders in a query.
func mysqlPlaces(query string) (n int) {
	for query != "" {
		token := nextMySQLToken(query)
		if query = query[len(token.text):]; token.kind == mysqlPlace {
			n++
		}
	}
	return n
}

// NewMySQLRequest returns a query of the text protocol as a request. Many drivers write the values of parameters into
// the text of the query, so each value in the text of a SELECT, INSERT or similar statement becomes an argument of the
// request.
func NewMySQLRequest(query string) DatabaseRequest {
	template, arguments := query, map[string]any{}
	switch word, _ := sqlWord(query); word {
	case "SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE", "WITH", "CALL", "DO", "VALUES":
		template = mysqlTemplate(query, arguments)
	}
	r := newQueryRequest(template, arguments)
	r.Text = strings.ToValidUTF8(query, "�")
	return r
}

// mysqlTemplate returns a query with a placeholder for each value, and adds the values to arguments. NULL is a value
// only after an opening parenthesis, a comma or an equals sign.
func mysqlTemplate(query string, arguments map[string]any) string {
	var b strings.Builder
	add := func(v any) {
		arguments[strconv.Itoa(len(arguments)+1)] = v
		b.WriteString("?")
	}
	before := mysqlToken{} // the last token that is not space
	for query != "" {
		token := nextMySQLToken(query)
		if token.text == "-" && mysqlIsSign(before) {
			if next := nextMySQLToken(query[1:]); next.kind == mysqlNumber {
				token = mysqlToken{mysqlNumber, "-" + next.text}
			}
		}
		query = query[len(token.text):]
		switch {
		case token.kind == mysqlText:
			add(mysqlTextValue(token.text))
		case token.kind == mysqlNumber:
			add(token.text)
		case strings.EqualFold(token.text, "NULL") && (before.text == "(" || before.text == "," || before.text == "="):
			add(nil)
		default:
			b.WriteString(token.text)
		}
		if token.kind != mysqlSpace {
			before = token
		}
	}
	return b.String()
}

// mysqlBeforeSign matches the words after which a minus is a sign.
var mysqlBeforeSign = regexp.MustCompile(
	`(?i)^(AND|OR|XOR|NOT|BETWEEN|SELECT|WHEN|THEN|ELSE|IN|LIKE|IS|LIMIT|OFFSET|DIV|MOD|INTERVAL|BY|DO)$`,
)

// mysqlIsSign reports whether a minus is the sign of a number. before is the token before the minus.
func mysqlIsSign(before mysqlToken) bool {
	switch before.kind {
	case mysqlWord:
		return mysqlBeforeSign.MatchString(before.text)
	case mysqlOther:
		return before.text != ")"
	}
	return false
}

// mysqlEscapes has the letters after a backslash that mean another character.
var mysqlEscapes = map[byte]byte{'0': 0, 'b': '\b', 'n': '\n', 'r': '\r', 't': '\t', 'Z': 26}

// mysqlTextValue returns the value of a text in quotes. It replaces escapes in the text by the characters that they
// mean, except \% and \_, which have a meaning in patterns. A text such as x'6a' is hexadecimal.
func mysqlTextValue(quoted string) any {
	start := strings.IndexAny(quoted, `'"`)
	quote, inside := quoted[start], quoted[start+1:len(quoted)-1]
	if strings.EqualFold(quoted[:start], "x") {
		if b, err := hex.DecodeString(inside); err == nil {
			return textToJSON(append([]byte{}, b...))
		}
		return quoted
	}
	b := make([]byte, 0, len(inside))
	for i := 0; i < len(inside); i++ {
		c := inside[i]
		if c == quote || c == '\\' {
			i++ // mysqlQuoted makes sure that another character follows
			escaped, known := mysqlEscapes[inside[i]]
			switch {
			case c == '\\' && known:
				c = escaped
			case c == '\\' && (inside[i] == '%' || inside[i] == '_'):
				b = append(b, '\\')
				c = inside[i]
			default:
				c = inside[i]
			}
		}
		b = append(b, c)
	}
	return textToJSON(b)
}

var mysqlVariables = regexp.MustCompile(`(?i)^\s*SELECT\s+(@@[\w.]+(\s+AS\s+\w+)?(\s*,\s*)?)+(\s+LIMIT\s+1)?\s*;?\s*$`)

// MySQLSetsUp reports whether a query only sets up a connection, or asks for the settings of the host.
func MySQLSetsUp(query string) bool {
	word, isOne := sqlWord(query)
	switch word {
	case "SET", "USE":
		return isOne
	case "":
		return sqlIsEmpty(query)
	}
	return mysqlVariables.MatchString(query[len(sqlComment.FindString(query)):])
}

var mysqlVariable = regexp.MustCompile(`(?i)@@(?:\w+\.)?(\w+)(?:\s+AS\s+(\w+))?`)

// mysqlSettings has the settings that clients ask for.
var mysqlSettings = map[string]string{
	"auto_increment_increment": "1", "autocommit": "1", "character_set_client": "utf8mb4", "character_set_connection": "utf8mb4",
	"character_set_results": "utf8mb4", "character_set_server": "utf8mb4", "collation_connection": "utf8mb4_general_ci",
	"collation_server": "utf8mb4_general_ci", "init_connect": "", "interactive_timeout": "28800", "license": "GPL",
	"lower_case_table_names": "0", "max_allowed_packet": "67108864", "net_write_timeout": "60", "performance_schema": "0",
	"query_cache_size": "0", "query_cache_type": "OFF", "sql_mode": "STRICT_TRANS_TABLES", "system_time_zone": "UTC",
	"time_zone": "SYSTEM", "transaction_isolation": "REPEATABLE-READ", "tx_isolation": "REPEATABLE-READ", "transaction_read_only": "0",
	"tx_read_only": "0", "version": mysqlVersion, "version_comment": "", "wait_timeout": "28800",
}

// mysqlSettingsResult returns the reply to a query for settings. A setting that is not in mysqlSettings is null.
func mysqlSettingsResult(query string) *MySQLResult {
	r := &MySQLResult{Rows: [][]any{{}}}
	for _, m := range mysqlVariable.FindAllStringSubmatch(query, -1) {
		name := m[2]
		if name == "" {
			name = m[0]
		}
		c, v := MySQLColumn{Name: name}, any(nil)
		if text, known := mysqlSettings[strings.ToLower(m[1])]; known {
			if v = text; strings.Trim(text, "0123456789") == "" && text != "" {
				c.Type = mysqlLongLong
			}
		}
		r.Columns, r.Rows[0] = append(r.Columns, c), append(r.Rows[0], v)
	}
	return r
}
