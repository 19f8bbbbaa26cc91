package export

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sonde/model"
)

// titled returns a suite whose tests have names that describe them. Tests that the user named, and tests of
// recorded exchanges, keep their names.
func (s Suite) titled() Suite {
	s.Tests = titler{tests: s.Tests, shown: s.shown, good: successfulCalls(s.Tests)}.named()
	return s
}

// titler names tests by their actions and by the differences between them.
type titler struct {
	tests []model.Test
	shown shownFaults
	good  map[model.OpID][]model.Call // calls with a status of 2xx
}

// named returns the tests, with a name for each one that has been run, has no name of its own and is not a recorded
// exchange.
func (n titler) named() []model.Test {
	all := slices.Clone(n.tests)
	groups := map[string][]int{}
	var order []string
	for i, t := range all {
		if !hasRun(t) || t.Mock != nil || givenName(t) != "" {
			continue
		}
		name := n.title(t)
		if groups[name] == nil {
			order = append(order, name)
		}
		groups[name] = append(groups[name], i)
	}
	for _, name := range order {
		for k, word := range n.distinguish(groups[name]) {
			all[groups[name][k]].Name = strings.Replace(name, "\x00", word, 1)
		}
	}
	return all
}

// title describes the actions of a test, the difference of its last call from successful ones, and its last status. If
// the test shows a fault, the fault replaces the difference and the status. A NUL marks the place for words that
// distinguish the test from others.
func (n titler) title(t model.Test) string {
	c, detail := t.Calls[last(t)], ""
	if f := n.shown[t.ID]; f != nil {
		return phraseOf(t) + "\x00_" + lowerFirst(f.title()) + whenName(t)
	}
	switch {
	case c.Status == 401 && c.User == "":
		detail = "anonymous"
	case c.Status == 401 || c.Status == 403:
		detail = userSuffix(c.User)
	case c.Status == 404 && !linkedPath(t) && strings.Contains(string(c.Op), "{"):
		detail = "missing"
	case c.Status >= 400 && c.Status < 500:
		detail = inputDifference(c, n.good[c.Op])
	}
	if detail != "" {
		detail = "_" + detail
	}
	return fmt.Sprintf("%s%s\x00_%d%s", phraseOf(t), detail, c.Status, whenName(t))
}

// distinguish returns a distinguishing word for each of several tests with the same title, "" for the first
// one. A test without such a word gets a number later.
func (n titler) distinguish(group []int) []string {
	out := make([]string, len(group))
	if len(group) < 2 {
		return out
	}
	known := map[string]bool{"": true}
	for k := 1; k < len(group); k++ {
		for _, word := range differences(n.tests[group[k]], n.tests[group[0]]) {
			if !known[word] {
				known[word], out[k] = true, word
				break
			}
		}
	}
	return out
}

func lowerFirst(word string) string { return strings.ToLower(word[:1]) + word[1:] }

func userSuffix(name string) string {
	if name == "" {
		return "anonymous"
	}
	return "as" + nameOf(words(name))
}

// linkedPath reports whether a path parameter of the last call comes from an earlier call.
func linkedPath(t model.Test) bool {
	return slices.ContainsFunc(t.Links, func(l model.Link) bool { return l.To == last(t) && l.In == model.InPath })
}

// successfulCalls returns the calls with a status of 2xx by their operations.
func successfulCalls(tests []model.Test) map[model.OpID][]model.Call {
	all := map[model.OpID][]model.Call{}
	for _, t := range tests {
		for _, c := range t.Calls {
			if c.Status/100 == 2 {
				all[c.Op] = append(all[c.Op], c)
			}
		}
	}
	return all
}

// inputDifference describes the difference between the inputs of a refused call and those of all successful
// ones: "withoutName" or "negativePrice". It returns "" if there is none.
func inputDifference(c model.Call, good []model.Call) string {
	if len(good) == 0 {
		return ""
	}
	own := inputsOf(c)
	for _, name := range sorted(inputsOf(good[0])) {
		everywhere := !slices.ContainsFunc(good, func(g model.Call) bool { return inputsOf(g)[name] == "" })
		if own[name] == "" && everywhere {
			return "without" + nameOf(words(name))
		}
	}
	for _, name := range sorted(own) {
		kind := own[name]
		usual := slices.ContainsFunc(good, func(g model.Call) bool { return inputsOf(g)[name] == kind })
		if !usual && len(words(name)) > 0 {
			return kind + nameOf(words(name))
		}
	}
	return ""
}

// inputsOf returns the kind of each input of a call outside its path, by name. See kindOf.
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

// kindOf returns a word for a special value, and "text" or "number" for an ordinary one.
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

// differences returns words for the differences between the last calls of t and other.
func differences(t, other model.Test) []string {
	a, b := t.Calls[last(t)], other.Calls[last(other)]
	var all []string
	if a.User != b.User {
		all = append(all, "_"+userSuffix(a.User))
	}
	own, others := inputsOf(a), inputsOf(b)
	for _, name := range sorted(own) {
		if others[name] == "" && len(words(name)) > 0 {
			all = append(all, "_with"+nameOf(words(name)))
		}
	}
	for _, name := range sorted(others) {
		if own[name] == "" && len(words(name)) > 0 {
			all = append(all, "_without"+nameOf(words(name)))
		}
	}
	for _, name := range sorted(own) {
		if others[name] != "" && others[name] != own[name] && len(words(name)) > 0 {
			all = append(all, "_"+own[name]+nameOf(words(name)))
		}
	}
	return all
}
