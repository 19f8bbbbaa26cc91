package filter

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
)

// fact is a property that a filter can refer to, such as status in "status:404".
type fact struct {
	name  string
	takes string            // describes the text after the colon; "" for a fact that has no colon
	valid func(string) bool // reports whether a text may follow the colon; nil allows any text
	shown bool              // the screen shows the text, so it can be highlighted
	count bool              // the text is a number, or a lower bound: "3", "3+"
	// has reports whether an operation has the fact. ofValue reports whether a value has it. Both functions may be
	// nil.
	has     func(*Filter, *term, *entry) bool
	ofValue func(*term, value) bool
}

// facts are the facts that all screens have, in the order in which error texts list them.
var facts = []fact{
	{
		name: "method", takes: "get, post, put, patch, delete, …", valid: isMethod, shown: true,
		has: func(_ *Filter, t *term, e *entry) bool {
			return t.anyText(func(want string) bool { return strings.HasPrefix(e.method, want) })
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
		name: "group", takes: "a group's number", valid: isNumber,
		has: func(_ *Filter, t *term, e *entry) bool { return slices.Contains(t.texts, e.group) },
	},
	{name: "status", takes: "404, 5xx, 2 or default", valid: isStatus},
	{name: "value", takes: "the name of a value", shown: true, has: (*Filter).inValues},
	{
		name: "schema", takes: "the name of a schema", shown: true,
		has: func(f *Filter, t *term, e *entry) bool { return f.any(t, e.schemas) },
	},
	{
		name: "in", takes: "path, query, header, cookie, body, response or callback", valid: isLocation,
		has: func(f *Filter, t *term, e *entry) bool {
			return f.index.anyValue(e, func(v value) bool { return inLocation(t, v) })
		}, ofValue: inLocation,
	},
	{
		name:    "unused",
		has:     func(_ *Filter, _ *term, e *entry) bool { return e.unused },
		ofValue: func(_ *term, v value) bool { return v.unused },
	},
	{name: "deprecated", has: func(_ *Filter, _ *term, e *entry) bool { return e.deprecated }},
	{name: "secured", has: func(_ *Filter, _ *term, e *entry) bool { return e.secured }},
}

// counts are the names of the facts of single screens whose values are numbers.
var counts = []string{"length", "faults"}

// factNamed returns the fact with a name, or false if there is none. The parameter more has the names of the screen's
// own facts.
func factNamed(name string, more []string) (fact, bool) {
	switch own := slices.Contains(more, name); {
	case own && slices.Contains(counts, name):
		return fact{name: name, takes: "a number, such as 3, or 3+ for that and more", valid: isCount, count: true}, true
	case own:
		return fact{name: name, takes: "a part of it", shown: true}, true
	}
	i := slices.IndexFunc(facts, func(f fact) bool { return f.name == name })
	if i < 0 {
		return fact{}, false
	}
	return facts[i], true
}

// problem returns an error text for the texts after the colon, "" if they are valid.
func (f fact) problem(texts []string) string {
	switch {
	case f.takes == "":
		return f.name + " takes no value"
	case len(texts) == 0, f.valid != nil && slices.ContainsFunc(texts, func(s string) bool { return !f.valid(s) }):
		return f.name + ": takes " + f.takes
	}
	return ""
}

// unknownFact returns the error text for an unknown fact. It lists all facts.
func unknownFact(name string, more []string) string {
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

// isCount reports whether a text is a number or a lower bound: "3", "3+".
func isCount(s string) bool { return isNumber(strings.TrimSuffix(s, "+")) }

// matchesCount reports whether a number equals the wanted number. If the wanted number ends in "+", it is a lower
// bound: matchesCount then reports whether the number is at least that.
func matchesCount(want, have string) bool {
	least, more := strings.CutSuffix(want, "+")
	n, _ := strconv.Atoi(have)
	m, err := strconv.Atoi(least)
	return err == nil && (n == m || more && n > m)
}

func isNumber(s string) bool {
	_, err := strconv.Atoi(s)
	return err == nil
}

// isStatus reports whether a text is "default", a status or the beginning of a status: "404", "5xx", "40".
func isStatus(s string) bool {
	if s == "default" {
		return true
	}
	return s != "" && len(s) <= 3 && s[0] >= '1' && s[0] <= '5' && strings.Trim(s[1:], "0123456789x") == ""
}

// matchesStatus reports whether a status matches the wanted status. "5xx" and "5" match all statuses that begin with 5.
func matchesStatus(want, status string) bool {
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

var locations = []model.Location{
	model.InPath, model.InQuery, model.InHeader, model.InCookie, model.InBody, model.InResponse, model.InCallback,
}

// isLocation reports whether a text is the beginning of a location.
func isLocation(s string) bool {
	return slices.ContainsFunc(locations, func(p model.Location) bool { return strings.HasPrefix(string(p), s) })
}

// inLocation reports whether a value is in one of the wanted locations.
func inLocation(t *term, v value) bool {
	return t.anyText(func(want string) bool { return strings.HasPrefix(string(v.in), want) })
}
