package main

import (
	"context"
	"encoding/json"
	"html"
	"net/http"
	"regexp"
	"strings"

	"sonde/runner/testdata/services/serve"
)

// title answers with the title of a page, and with the number of redirects.
func (r *reader) title(c *serve.Call) (serve.Answer, error) {
	at, err := path(c)
	if err != nil {
		return serve.Answer{}, err
	}
	p, hops, err := r.follow(c.Context(), r.site+at)
	if err != nil {
		return serve.Answer{}, err
	}
	text, err := titleOf(c, p)
	if err != nil {
		return serve.Answer{}, err
	}
	short := false
	if letters := []rune(text); len(letters) > 60 {
		text, short = string(letters[:59])+"…", true
	}
	return serve.OK(map[string]any{"title": text, "shortened": short, "hops": hops})
}

// mostHops is the largest number of redirects.
const mostHops = 3

// follow reads a page that may have moved on the same host.
func (r *reader) follow(ctx context.Context, at string) (p page, hops int, err error) {
	for ; ; hops++ {
		p, err = r.found(ctx, at, nil)
		if err != nil || p.status < http.StatusMultipleChoices {
			return p, hops, err
		}
		if hops == mostHops {
			return p, hops, strange("the page moved more than %d times", mostHops)
		}
		if at, err = p.moved(); err != nil {
			return p, hops, err
		}
	}
}

// moved returns the URL to which a page has moved.
func (p page) moved() (string, error) {
	switch {
	case p.to == nil:
		return "", strange("the page moved nobody knows where")
	case p.to.Host != p.at.Host:
		return "", strange("the page moved to %.40q, which is not ours", p.to.Host)
	case *p.to == *p.at:
		return "", strange("the page moved to itself")
	}
	return p.to.String(), nil
}

func titleOf(c *serve.Call, p page) (string, error) {
	switch p.kind {
	case "text/html", "application/xhtml+xml":
		return htmlTitle(c, p.text)
	case "text/plain", "text/markdown":
		line, _, _ := strings.Cut(strings.TrimSpace(p.text), "\n")
		if line = strings.TrimLeft(line, "#= "); line == "" {
			return "", strange("the text is empty")
		}
		return line, nil
	case "application/json":
		return jsonTitle(p.text)
	}
	return "", strange("a page of %.40q has no title", p.kind)
}

var (
	titleBegins = regexp.MustCompile(`(?i)<title>`)
	titleEnds   = regexp.MustCompile(`(?i)</title>`)
	heading     = regexp.MustCompile(`(?is)<h1>(.*?)</h1>`)
)

func htmlTitle(c *serve.Call, text string) (string, error) {
	begins, ends := titleBegins.FindStringIndex(text), titleEnds.FindStringIndex(text)
	if begins == nil {
		if m := heading.FindStringSubmatch(text); m != nil {
			return tidy(m[1]), nil
		}
		return "", strange("the page has no title")
	}
	// F02: the title has no end.
	c.Fault("F02", ends == nil || ends[0] < begins[1])
	if name := tidy(text[begins[1]:ends[0]]); name != "" {
		return name, nil
	}
	return "untitled", nil
}

// tidy returns a text without entities and repeated spaces.
func tidy(text string) string { return strings.Join(strings.Fields(html.UnescapeString(text)), " ") }

// document is a page in JSON.
type document struct {
	Page struct {
		Meta struct {
			Title  string            `json:"title"`
			Titles map[string]string `json:"titles"` // by language
		} `json:"meta"`
		Blocks []struct {
			Kind string `json:"kind"`
			Text string `json:"text"`
		} `json:"blocks"`
	} `json:"page"`
}

func jsonTitle(text string) (string, error) {
	var d document
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		return "", strange("the page is no JSON that is understood")
	}
	if d.Page.Meta.Title != "" {
		return d.Page.Meta.Title, nil
	}
	if english := d.Page.Meta.Titles["en"]; english != "" {
		return english, nil
	}
	for _, b := range d.Page.Blocks {
		if b.Kind == "heading" && b.Text != "" {
			return b.Text, nil
		}
	}
	return "", strange("the document has no title")
}
