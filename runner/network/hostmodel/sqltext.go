package hostmodel

import (
	"regexp"
	"slices"
	"strings"
)

// sqlToken is a word, a number, a text in quotes or another character of a query.
type sqlToken struct {
	text  string
	depth int // the number of parentheses and brackets around the token
}

func (t sqlToken) is(word string) bool { return strings.EqualFold(t.text, word) }

// isName reports whether the token may be the name of a column.
func (t sqlToken) isName() bool {
	return sqlNameForm.MatchString(t.text) && !slices.Contains(sqlKeywords, strings.ToUpper(t.text))
}

// name returns the name without quotes.
func (t sqlToken) name() string { return strings.Trim(t.text, "\"`") }

var (
	sqlTokenForm = regexp.MustCompile("(?s)--[^\n]*|/\\*.*?\\*/|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`[^`]*`|[\\pL_][\\pL\\d_$]*|" +
		`\d[\d.]*|\$\d+|::|->>|\S`)
	sqlNameForm = regexp.MustCompile("^([\\pL_]|\"|`)")
)

// sqlKeywords are words that can be the name of a column only after AS.
var sqlKeywords = []string{"AND", "ASC", "DESC", "DISTINCT", "END", "FALSE", "IN", "IS", "LIKE", "NOT", "NULL", "OR", "TRUE"}

// maxQueryTokens is the maximum number of tokens of a query that are parsed.
const maxQueryTokens = 4000

// sqlTokens returns the tokens of a query, except comments.
func sqlTokens(query string) (all []sqlToken) {
	depth := 0
	for _, text := range sqlTokenForm.FindAllString(query, maxQueryTokens) {
		switch {
		case strings.HasPrefix(text, "--"), strings.HasPrefix(text, "/*"):
			continue
		case text == ")", text == "]":
			depth--
		}
		all = append(all, sqlToken{text, depth})
		if text == "(" || text == "[" {
			depth++
		}
	}
	return all
}

// statement has what the text of a query reveals about its result.
type statement struct {
	verb    string    // SELECT, INSERT and so on, in capitals
	columns []sqlExpr // the columns of its rows; nil if it returns no rows, or if the columns are not known
	isTable bool      // the statement returns rows
	table   string    // the first table that the statement names, "" for none
}

// sqlExpr is the expression of a column in a result.
type sqlExpr struct {
	name   string // "*" for all columns of a table
	tokens []sqlToken
}

// verbs are the first words of statements. Only common table expressions (WITH) precede them.
var verbs = []string{"SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE", "MERGE", "VALUES", "SHOW", "EXPLAIN", "DESCRIBE", "CALL", "TABLE"}

// columnEnds are the words after the columns of a SELECT.
var columnEnds = []string{
	"FROM", "WHERE", "UNION", "EXCEPT", "INTERSECT", "GROUP", "HAVING", "WINDOW", "ORDER", "LIMIT", "OFFSET", "FETCH", "FOR", "INTO", ";",
}

// parseStatement parses the first statement of a query.
func parseStatement(query string) statement {
	tokens := withoutParentheses(sqlTokens(query))
	at := slices.IndexFunc(tokens, func(t sqlToken) bool { return t.depth == 0 && slices.Contains(verbs, strings.ToUpper(t.text)) })
	if at < 0 {
		return statement{}
	}
	s := statement{verb: strings.ToUpper(tokens[at].text)}
	rest := tokens[at+1:]
	s.table = tableIn(tokens[at:])
	switch s.verb {
	case "SELECT":
		s.isTable, s.columns = true, sqlColumns(afterDistinct(rest))
	case "INSERT", "UPDATE", "DELETE", "REPLACE", "MERGE":
		returning := slices.IndexFunc(rest, func(t sqlToken) bool { return t.depth == 0 && t.is("RETURNING") })
		if returning >= 0 {
			s.isTable, s.columns = true, sqlColumns(rest[returning+1:])
		}
	case "VALUES", "SHOW", "EXPLAIN", "DESCRIBE", "TABLE":
		s.isTable, s.columns = true, []sqlExpr{{name: strings.ToLower(s.verb)}}
	}
	return s
}

// withoutParentheses returns the tokens of the statement inside the parentheses with which a query begins. It removes the parentheses
// and everything after them, such as UNION and another statement. If the query does not begin with a parenthesis, withoutParentheses
// returns tokens unchanged.
func withoutParentheses(tokens []sqlToken) []sqlToken {
	for len(tokens) > 0 && tokens[0].text == "(" {
		tokens = tokens[1:]
		for i := range tokens {
			tokens[i].depth--
			if tokens[i].depth < 0 {
				tokens = tokens[:i]
				break
			}
		}
	}
	return tokens
}

// isWord reports whether the token at an index begins a part of the statement. The caller has found that its text is
// a keyword. isWord returns false for a name, as in t.offset or AS group, and for the last word of IS DISTINCT FROM
// and WITHIN GROUP.
func isWord(tokens []sqlToken, at int) bool {
	if at == 0 {
		return true
	}
	t, before := tokens[at], tokens[at-1]
	return before.text != "." && !before.is("AS") && !(t.is("FROM") && before.is("DISTINCT")) && !(t.is("GROUP") && before.is("WITHIN"))
}

// tableIn returns the name of the first table in a statement, without the name of its schema. It returns "" if there is no table.
func tableIn(tokens []sqlToken) string {
	for i, t := range tokens[:max(0, len(tokens)-1)] {
		isStart := t.depth == 0 && (t.is("FROM") || t.is("INTO") || t.is("UPDATE")) && isWord(tokens, i)
		if !isStart || !tokens[i+1].isName() {
			continue
		}
		at := i + 1
		for at+2 < len(tokens) && tokens[at+1].text == "." {
			at += 2
		}
		return tokens[at].name()
	}
	return ""
}

// afterDistinct returns the tokens of a SELECT after DISTINCT, DISTINCT ON (...) or ALL, which may precede the columns.
func afterDistinct(tokens []sqlToken) []sqlToken {
	if len(tokens) == 0 || !tokens[0].is("DISTINCT") && !tokens[0].is("ALL") {
		return tokens
	}
	tokens = tokens[1:]
	if len(tokens) == 0 || !tokens[0].is("ON") {
		return tokens
	}
	end := slices.IndexFunc(tokens, func(t sqlToken) bool { return t.depth == 0 && t.text == ")" })
	return tokens[end+1:]
}

// sqlColumns returns the expressions of a list, which ends before one of columnEnds or with the last token.
func sqlColumns(tokens []sqlToken) (all []sqlExpr) {
	start := 0
	for i := 0; i <= len(tokens); i++ {
		isEnd := i == len(tokens) ||
			tokens[i].depth == 0 && slices.Contains(columnEnds, strings.ToUpper(tokens[i].text)) && isWord(tokens, i)
		if !isEnd && (tokens[i].depth > 0 || tokens[i].text != ",") {
			continue
		}
		if i > start {
			all = append(all, newSQLExpr(tokens[start:i]))
		}
		if isEnd {
			break
		}
		start = i + 1
	}
	return all
}

// newSQLExpr returns an expression with the name that its column has in the result.
func newSQLExpr(tokens []sqlToken) sqlExpr {
	e := sqlExpr{tokens: tokens}
	last := tokens[len(tokens)-1]
	switch n := len(tokens); {
	case last.text == "*" && (n == 1 || tokens[n-2].text == "."):
		e.name = "*"
	case n > 2 && tokens[n-2].text == "::":
		e = newSQLExpr(tokens[:n-2])
		e.tokens = tokens
	case last.isName() && (n == 1 || last.depth == 0):
		e.name = last.name()
		if n > 2 && tokens[n-2].is("AS") {
			e.tokens = tokens[:n-2]
		} else if n > 1 && tokens[n-2].text != "." {
			e.tokens = tokens[:n-1]
		}
	case n > 1 && (tokens[1].text == "(" || tokens[1].text == "[") && tokens[0].isName():
		e.name = strings.ToLower(tokens[0].text)
	default:
		e.name = "?column?"
	}
	return e
}
