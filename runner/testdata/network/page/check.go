package main

import (
	"bufio"
	"strings"

	"sonde/runner/testdata/services/serve"
)

// check answers whether a page is HTML. It is figure 4 of the paper, with the same fault: it does not
// check that there is a line to read.
func (r *reader) check(c *serve.Call) (serve.Answer, error) {
	at, err := path(c)
	if err != nil {
		return serve.Answer{}, err
	}
	p, err := r.found(c.Context(), r.site+at, nil)
	if err != nil {
		return serve.Answer{}, err
	}
	lines := bufio.NewScanner(strings.NewReader(p.text))
	lines.Scan()
	words := strings.Fields(lines.Text())
	// F01: the first line is empty or missing.
	c.Fault("F01", len(words) == 0)
	first, line := strings.ToLower(words[0]), lines.Text()
	switch {
	case strings.Contains(line, "<html>"):
		return kindOf("html", line)
	case first == "<!doctype":
		return kindOf("html with a type", line)
	case strings.HasPrefix(first, "<?xml"):
		return kindOf("xml", line)
	case strings.HasPrefix(first, "{"), strings.HasPrefix(first, "["):
		return kindOf("json", line)
	}
	return kindOf("text", line)
}

func kindOf(kind, line string) (serve.Answer, error) {
	return serve.OK(map[string]any{"kind": kind, "length": len(line)})
}
