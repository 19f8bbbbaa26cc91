package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// table is what queries read.
var table = []map[string]any{
	{"number": 1, "name": "tent", "text": "for two"},
	{"number": 2, "name": "boot", "text": "of sand and sable"},
	{"number": 3, "name": "lamp", "text": "with oil"},
}

// run returns the rows for which a condition is true. It reads a small part of SQL, with the messages of
// PostgreSQL: comparisons of texts and numbers, AND, OR, || and pg_sleep.
func run(condition string) (rows []map[string]any, err error) {
	rows = []map[string]any{}
	for _, row := range table {
		p := parser{rest: condition, row: row}
		v := p.any()
		if p.skip(); p.err == nil && p.rest != "" {
			p.fail(fmt.Sprintf("syntax error at or near %q", p.rest))
		}
		if p.err != nil {
			return nil, p.err
		}
		if v == true {
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// parser evaluates a condition for a row while it reads it.
type parser struct {
	rest string
	row  map[string]any
	err  error
}

func (p *parser) fail(text string) any {
	if p.err == nil {
		p.err = errors.New(text)
	}
	p.rest = ""
	return nil
}

func (p *parser) skip() { p.rest = strings.TrimLeft(p.rest, " ") }

// take reports whether a token comes next, and skips it.
func (p *parser) take(token string) bool {
	p.skip()
	rest, ok := strings.CutPrefix(p.rest, token)
	if ok {
		p.rest = rest
	}
	return ok
}

func (p *parser) any() any {
	v := p.all()
	for p.take("OR ") {
		next := p.all()
		v = v == true || next == true
	}
	return v
}

func (p *parser) all() any {
	v := p.comparison()
	for p.take("AND ") {
		next := p.comparison()
		v = v == true && next == true
	}
	return v
}

func (p *parser) comparison() any {
	v := p.text()
	if p.take("=") {
		return fmt.Sprint(v) == fmt.Sprint(p.text())
	}
	return v
}

func (p *parser) text() any {
	v := p.value()
	for p.take("||") {
		v = fmt.Sprint(v, p.value())
	}
	return v
}

func (p *parser) value() any {
	p.skip()
	switch {
	case p.take("'"):
		return p.quoted()
	case p.take("(SELECT 'x' FROM pg_sleep("):
		return p.sleep()
	}
	n := strings.IndexFunc(p.rest, func(c rune) bool { return !('a' <= c && c <= 'z' || '0' <= c && c <= '9') })
	if n < 0 {
		n = len(p.rest)
	}
	word := p.rest[:n]
	if word == "" {
		return p.fail(fmt.Sprintf("syntax error at or near %q", p.rest))
	}
	p.rest = p.rest[n:]
	if n, err := strconv.Atoi(word); err == nil {
		return n
	}
	v, known := p.row[word]
	if !known {
		return p.fail(fmt.Sprintf("column %q does not exist", word))
	}
	return v
}

func (p *parser) quoted() any {
	var text strings.Builder
	for {
		before, after, ended := strings.Cut(p.rest, "'")
		if !ended {
			return p.fail(`unterminated quoted string at or near "'` + p.rest + `"`)
		}
		text.WriteString(before)
		if p.rest = after; !strings.HasPrefix(after, "'") {
			return text.String()
		}
		p.rest = after[1:]
		text.WriteString("'")
	}
}

func (p *parser) sleep() any {
	seconds, after, ended := strings.Cut(p.rest, "))")
	n, err := strconv.Atoi(seconds)
	if !ended || err != nil {
		return p.fail(fmt.Sprintf("syntax error at or near %q", p.rest))
	}
	p.rest = after
	if p.row["number"] == 1 { // a database runs it once
		time.Sleep(time.Duration(n) * time.Second)
	}
	return "x"
}
