package hostmodel

import (
	"regexp"
	"slices"
	"strings"
)

// sqlToken is a word, a number, a text in quotes or another character of a query.
type sqlToken struct {
	text  string
	depth int // the number of open parentheses and brackets around it
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

// sqlKeywords are words that cannot be the name of a column without AS.
var sqlKeywords = []string{"AND", "ASC", "DESC", "DISTINCT", "END", "FALSE", "IN", "IS", "LIKE", "NOT", "NULL", "OR", "TRUE"}

// maxQueryTokens bounds how much of a query is parsed.
const maxQueryTokens = 4000

// sqlTokens returns the tokens of a query without comments.
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

// statement is what the text of a query reveals about its result.
type statement struct {
	verb    string    // SELECT, INSERT and so on, in capitals
	columns []sqlExpr // of its rows, nil for none
	isTable bool      // it returns rows
	table   string    // the first one that it names, "" if it names none
}

// sqlExpr is the expression of a column in a result.
type sqlExpr struct {
	name   string // "*" for all columns of a table
	tokens []sqlToken
}

// verbs are the first words of statements after common table expressions.
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

// withoutParentheses returns the first statement in parentheses without them and without what follows, such as UNION and another
// statement. It returns other tokens as they are.
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

// isWord reports whether the token at an index is a keyword by itself, not a name or the end of IS DISTINCT FROM or WITHIN GROUP.
func isWord(tokens []sqlToken, at int) bool {
	if at == 0 {
		return true
	}
	t, before := tokens[at], tokens[at-1]
	return before.text != "." && !before.is("AS") && !(t.is("FROM") && before.is("DISTINCT")) && !(t.is("GROUP") && before.is("WITHIN"))
}

// tableIn returns the first table that a statement names, without its schema, "" if there is none.
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

// afterDistinct skips what may precede the columns of a SELECT.
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

// sqlColumns splits a list of expressions.
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
