package export

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sonde/model"
)

// titled returns a suite whose tests have names that say what is tested. Tests that a person named,
// or that mimic what was recorded, stay as they are.
func (s Suite) titled() Suite {
	s.Tests = slices.Clone(s.Tests)
	good := s.succeeded()
	groups := map[string][]int{}
	var order []string
	for i, t := range s.Tests {
		if last(t) < 0 || t.Mock != nil || calledBy(t) != "" {
			continue
		}
		name := s.title(t, good)
		if groups[name] == nil {
			order = append(order, name)
		}
		groups[name] = append(groups[name], i)
	}
	for _, name := range order {
		for k, word := range s.apart(groups[name]) {
			s.Tests[groups[name][k]].Name = strings.Replace(name, "\x00", word, 1)
		}
	}
	return s
}

// title returns what a test does, what is special in its last call and how it ends; a NUL is where
// words go that tell it from others.
func (s Suite) title(t model.Test, good map[model.OpID][]model.Call) string {
	c, detail := t.Calls[last(t)], ""
	if sh := s.shows[t.ID]; sh != nil {
		return phraseOf(t) + "\x00_" + lowerFirst(sh.title()) + whenName(t)
	}
	switch {
	case c.Status == 401 && c.User == "":
		detail = "anonymous"
	case c.Status == 401 || c.Status == 403:
		detail = asUser(c.User)
	case c.Status == 404 && !linkedPath(t) && strings.Contains(string(c.Op), "{"):
		detail = "missing"
	case c.Status >= 400 && c.Status < 500:
		detail = oddity(c, good[c.Op])
	}
	if detail != "" {
		detail = "_" + detail
	}
	return fmt.Sprintf("%s%s\x00_%d%s", phraseOf(t), detail, c.Status, whenName(t))
}

func lowerFirst(word string) string { return strings.ToLower(word[:1]) + word[1:] }

func asUser(name string) string {
	if name == "" {
		return "anonymous"
	}
	return "as" + short(words(name))
}

// linkedPath reports whether a path parameter of the last call is what an earlier one gave.
func linkedPath(t model.Test) bool {
	return slices.ContainsFunc(t.Links, func(l model.Link) bool { return l.To == last(t) && l.In == model.InPath })
}

// succeeded returns the calls that went well, by their operations.
func (s Suite) succeeded() map[model.OpID][]model.Call {
	all := map[model.OpID][]model.Call{}
	for _, t := range s.Tests {
		for _, c := range t.Calls {
			if c.Status/100 == 2 {
				all[c.Op] = append(all[c.Op], c)
			}
		}
	}
	return all
}

// oddity returns what a call that was refused has, or lacks, and none that went well: "withoutName",
// "negativePrice"; "" where nothing is known to be.
func oddity(c model.Call, good []model.Call) string {
	if len(good) == 0 {
		return ""
	}
	own := inputsOf(c)
	for _, name := range sorted(inputsOf(good[0])) {
		everywhere := !slices.ContainsFunc(good, func(g model.Call) bool { return inputsOf(g)[name] == "" })
		if own[name] == "" && everywhere {
			return "without" + short(words(name))
		}
	}
	for _, name := range sorted(own) {
		kind := own[name]
		usual := slices.ContainsFunc(good, func(g model.Call) bool { return inputsOf(g)[name] == kind })
		if !usual && len(words(name)) > 0 {
			return kind + short(words(name))
		}
	}
	return ""
}

// inputsOf returns the values of a call by their names, each by what is special about it.
func inputsOf(c model.Call) map[string]string {
	all := map[string]string{}
	for _, a := range c.Args {
		if a.In != model.InPath {
			all[a.Name] = kindOf(a.Value)
		}
	}
	if c.Body == nil {
		return all
	}
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(c.Body.Data), &members) != nil {
		return all
	}
	for name, value := range members {
		var text string
		switch {
		case json.Unmarshal(value, &text) == nil && value[0] == '"':
			all[name] = kindOf(text)
			if all[name] == "number" || all[name] == "negative" || all[name] == "zero" {
				all[name] = "text"
			}
		default:
			all[name] = kindOf(string(value))
		}
	}
	return all
}

// kindOf returns what is special about a value.
func kindOf(value string) string {
	switch {
	case value == "":
		return "empty"
	case value == "null":
		return "null"
	case value == "true" || value == "false":
		return "boolean"
	case strings.HasPrefix(value, "{"):
		return "object"
	case strings.HasPrefix(value, "["):
		return "array"
	case isNumber(value) && strings.HasPrefix(value, "-"):
		return "negative"
	case isNumber(value) && strings.Trim(value, "0.") == "":
		return "zero"
	case isNumber(value):
		return "number"
	case len(value) > 100:
		return "long"
	}
	return "text"
}

// apart returns words that tell tests of one name from each other, "" for the first. Where no
// words do, the name gets a number later.
func (s Suite) apart(tests []int) []string {
	out := make([]string, len(tests))
	if len(tests) < 2 {
		return out
	}
	known := map[string]bool{"": true}
	for k := 1; k < len(tests); k++ {
		for _, word := range differences(s.Tests[tests[k]], s.Tests[tests[0]]) {
			if !known[word] {
				known[word], out[k] = true, word
				break
			}
		}
	}
	return out
}

// differences returns words for what the last call of a test has and that of another has not.
func differences(t, other model.Test) []string {
	a, b := t.Calls[last(t)], other.Calls[last(other)]
	var all []string
	if a.User != b.User {
		all = append(all, "_"+asUser(a.User))
	}
	mine, its := inputsOf(a), inputsOf(b)
	for _, name := range sorted(mine) {
		if its[name] == "" && len(words(name)) > 0 {
			all = append(all, "_with"+short(words(name)))
		}
	}
	for _, name := range sorted(its) {
		if mine[name] == "" && len(words(name)) > 0 {
			all = append(all, "_without"+short(words(name)))
		}
	}
	for _, name := range sorted(mine) {
		if its[name] != "" && its[name] != mine[name] && len(words(name)) > 0 {
			all = append(all, "_"+mine[name]+short(words(name)))
		}
	}
	return all
}
