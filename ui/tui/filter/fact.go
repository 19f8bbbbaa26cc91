package filter

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
)

// fact is a kind of term that stands before a colon, or alone.
type fact struct {
	name  string
	takes string            // what stands after the colon; "" for a fact that stands alone
	ok    func(string) bool // whether it may; nil where all may
	shown bool              // it stands on screen as it was typed
	count bool              // it is a number, which may be at least one: "3", "3+"
	// has reports whether an operation has it, ofValue whether a value does.
	has     func(*Filter, *term, *entry) bool
	ofValue func(*term, value) bool
}

// facts are all that every screen knows, in the order in which they are listed.
var facts = []fact{
	{
		name: "method", takes: "get, post, put, patch, delete, …", ok: isMethod, shown: true,
		has: func(_ *Filter, t *term, e *entry) bool {
			return t.one(func(want string) bool { return strings.HasPrefix(e.method, want) })
		},
	},
	{
		name: "path", takes: "a part of a path", shown: true,
		has: func(f *Filter, t *term, e *entry) bool { return f.any(t, e.path) },
	},
	{
		name: "tag", takes: "a tag", shown: true,
		has: func(f *Filter, t *term, e *entry) bool { return f.any(t, e.tags) },
	},
	{
		name: "group", takes: "a group's number", ok: isNumber,
		has: func(_ *Filter, t *term, e *entry) bool { return slices.Contains(t.texts, e.group) },
	},
	{name: "status", takes: "404, 5xx, 2 or default", ok: isStatus},
	{name: "value", takes: "the name of a value", shown: true, has: (*Filter).inValues},
	{
		name: "schema", takes: "the name of a schema", shown: true,
		has: func(f *Filter, t *term, e *entry) bool { return f.any(t, e.schemas) },
	},
	{
		name: "in", takes: "path, query, header, cookie, body, response or callback", ok: isPlace,
		has: func(_ *Filter, t *term, e *entry) bool {
			return slices.ContainsFunc(e.values, func(v value) bool { return inPlace(t, v) })
		}, ofValue: inPlace,
	},
	{
		name:    "unused",
		has:     func(_ *Filter, _ *term, e *entry) bool { return e.unused },
		ofValue: func(_ *term, v value) bool { return v.unused },
	},
	{name: "deprecated", has: func(_ *Filter, _ *term, e *entry) bool { return e.deprecated }},
	{name: "secured", has: func(_ *Filter, _ *term, e *entry) bool { return e.secured }},
}

// counts are the names of facts of a screen's own that are numbers.
var counts = []string{"length", "faults"}

// factNamed returns a fact, of every screen or of the one that has more.
func factNamed(name string, more []string) (fact, bool) {
	switch own := slices.Contains(more, name); {
	case own && slices.Contains(counts, name):
		return fact{name: name, takes: "a number, such as 3, or 3+ for that and more", ok: isCount, count: true}, true
	case own:
		return fact{name: name, takes: "a part of it", shown: true}, true
	}
	i := slices.IndexFunc(facts, func(f fact) bool { return f.name == name })
	if i < 0 {
		return fact{}, false
	}
	return facts[i], true
}

// check says what is wrong with what stands after the colon.
func (f fact) check(texts []string) string {
	switch {
	case f.takes == "":
		return f.name + " stands alone"
	case len(texts) == 0, f.ok != nil && slices.ContainsFunc(texts, func(s string) bool { return !f.ok(s) }):
		return f.name + ": takes " + f.takes
	}
	return ""
}

// unknown says which facts there are.
func unknown(name string, more []string) string {
	var known []string
	for _, f := range facts {
		if f.takes != "" {
			f.name += ":"
		}
		known = append(known, f.name)
	}
	for _, m := range more {
		known = append(known, m+":")
	}
	return fmt.Sprintf("no fact %q; there are %s", name, strings.Join(known, " "))
}

var methods = []string{"get", "post", "put", "patch", "delete", "head", "options", "trace", "query", "connect"}

func isMethod(s string) bool {
	return slices.ContainsFunc(methods, func(m string) bool { return strings.HasPrefix(m, s) })
}

// isCount tells of a number, or of one from which on all fit: "3", "3+".
func isCount(s string) bool { return isNumber(strings.TrimSuffix(s, "+")) }

// amounts reports whether a number is one that somebody asked for.
func amounts(want, have string) bool {
	least, more := strings.CutSuffix(want, "+")
	n, _ := strconv.Atoi(have)
	m, err := strconv.Atoi(least)
	return err == nil && (n == m || more && n > m)
}

func isNumber(s string) bool {
	_, err := strconv.Atoi(s)
	return err == nil
}

// isStatus tells of a status, or of how some begin: "404", "5xx", "40".
func isStatus(s string) bool {
	if s == "default" {
		return true
	}
	return s != "" && len(s) <= 3 && s[0] >= '1' && s[0] <= '5' && strings.Trim(s[1:], "0123456789x") == ""
}

// means reports whether a status is one that somebody asked for: "5xx" stands for
// all that begin with 5, and so does "5".
func means(want, status string) bool {
	if len(want) > len(status) {
		return false
	}
	for i := range len(want) {
		if want[i] != status[i] && want[i] != 'x' && status[i] != 'x' {
			return false
		}
	}
	return true
}

var places = []model.Location{model.InPath, model.InQuery, model.InHeader, model.InCookie, model.InBody, model.InResponse, model.InCallback}

func isPlace(s string) bool {
	return slices.ContainsFunc(places, func(p model.Location) bool { return strings.HasPrefix(string(p), s) })
}

func inPlace(t *term, v value) bool {
	return t.one(func(want string) bool { return strings.HasPrefix(string(v.in), want) })
}
