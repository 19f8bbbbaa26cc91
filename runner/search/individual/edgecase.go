package individual

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/runner/search/gene"
	"sonde/runner/search/upload"
)

// edgeCase is one input of a call that services often do not expect: a violation of the spec, a hostile text, a value at the
// edge of what the schema allows, or an optional input that is usually absent.
type edgeCase struct {
	violation        // the value that replaces the input; zero if the input is only made present
	addParam  int    // 1 + the index of an optional parameter that is made present, or 0
	addField  string // an optional property of the body that is made present, or ""
	key       string // identifies the edge case among those of an operation
	kind      edgeKind
}

// edgeKind is what edge cases of different inputs have in common, such as the hostile text that they send.
type edgeKind struct {
	class  string // where the input is, and what is unusual about it: "query hostile", "add header"
	detail string // such as the hostile text itself
	// undeclared reports whether the operation does not declare the input.
	undeclared bool
}

// apply changes a call to the edge case.
func (e edgeCase) apply(r *rand.Rand, c *call) {
	if e.addParam > 0 {
		gene.SetPresent(r, c.genes[e.addParam-1], true)
	}
	if e.addField != "" {
		gene.EachProperty(c.payload, func(name string, g gene.Gene) {
			if name == e.addField {
				gene.SetPresent(r, g, true)
			}
		})
	}
	if e.file != "" {
		c.chooseFiles(0) // the file that the service probably accepts without the defect
	}
	c.violation = e.violation
}

// edgeCases returns the edge cases of the call's operation. The inputs take turns, so that each one has its first edge case
// early. In each turn the parameters come before the inputs in the body.
func (c call) edgeCases() []edgeCase {
	var lists [][]edgeCase
	for i, p := range c.op.Params {
		lists = append(lists, c.paramEdgeCases(i, p))
	}
	lists = append(lists, c.bodyEdgeCases()...)
	lists = append(lists, c.undeclaredEdgeCases())
	if c.payload != nil {
		gene.EachProperty(c.payload, func(name string, g gene.Gene) {
			if !gene.IsPresent(g) {
				lists = append(lists, []edgeCase{{addField: name, key: "add " + name, kind: edgeKind{class: "add property"}}})
			}
		})
	}
	return inTurns(lists)
}

// paramEdgeCases returns the edge cases of the parameter with an index.
func (c call) paramEdgeCases(i int, p model.Parameter) []edgeCase {
	at := violation{in: p.In, name: p.Name}
	add := 0
	var all []edgeCase
	if !gene.IsPresent(c.genes[i]) {
		add = i + 1
		key := fmt.Sprintf("add %s %s", p.In, p.Name)
		all = append(all, edgeCase{addParam: add, key: key, kind: edgeKind{class: "add " + string(p.In)}})
	}
	if p.Schema != nil {
		for _, e := range edgeTexts(p.Schema) {
			if isSendable(p.In, e.text) {
				all = append(all, at.instead(e.text).edgeCase(add, e.name))
			}
		}
	}
	if isText(p.Schema) {
		all = append(all, asEdgeCases(at.insteadAll(hostileIn(p.In)), add)...)
	}
	if p.In == model.InPath || p.In == model.InQuery {
		all = append(all, at.insteadEscaped(invalidUTF8).edgeCase(add, ""))
	}
	if p.Schema != nil {
		all = append(all, asEdgeCases(at.insteadAll(invalidTexts(p.Schema)), add)...)
	}
	if p.In == model.InQuery {
		all = append(all, at.twice().edgeCase(add, ""))
	}
	if p.In == model.InQuery && p.Required {
		all = append(all, at.without().edgeCase(0, ""))
	}
	return all
}

// bodyEdgeCases returns lists of edge cases: one list for the body as a whole, one for each value or text inside a
// JSON body, and one for each file of another body.
func (c call) bodyEdgeCases() [][]edgeCase {
	body := c.message()
	if body == nil {
		return nil
	}
	whole := violation{in: model.InBody, whole: true}
	if c.kind != asJSON {
		return append(c.fileEdgeCases(), asEdgeCases(append(c.bodyViolations(), whole.instead("")), 0))
	}
	lists := [][]edgeCase{asEdgeCases([]violation{
		whole.instead("null"), whole.instead(""), whole.instead("[[[[[[[["), whole.without(),
		whole.instead(`{"`), whole.instead("[]"), whole.instead(`"x"`),
		{in: model.InBody, media: "text/plain"},
		{in: model.InBody, whole: true, does: appends, with: "x"},
		{in: model.InBody, path: []string{extraProperty}, does: adds, with: "1"},
	}, 0)}
	eachPart(c.schema, decode(body.Data), func(path []string, s *model.Schema, v any, required bool) {
		at := violation{in: model.InBody, path: path}
		var all []edgeCase
		for _, e := range edgeTexts(s) {
			with := e.text
			if s.Type == "string" {
				with = quoted(with)
			}
			all = append(all, at.instead(with).edgeCase(0, e.name))
		}
		for _, e := range edgeLists(s, v) {
			all = append(all, at.instead(e.text).edgeCase(0, e.name))
		}
		all = append(all, asEdgeCases(violationsOfPart(path, s, required), 0)...)
		lists = append(lists, append(all, asEdgeCases(at.insteadAll(otherTypes(s)), 0)...))
	})
	return append(lists, c.hostileFields(body.Data)...)
}

// extraProperty is the name of a property that no schema has.
const extraProperty = "sonde_extra"

// fileEdgeCases returns a list of edge cases for each file. A list has broken contents. For a file of a form, the
// list also has unusual file names and the absence of the file. If the call does not have the file yet, each edge
// case adds it.
func (c call) fileEdgeCases() (lists [][]edgeCase) {
	for _, name := range slices.Sorted(maps.Keys(c.files)) {
		at := violation{in: model.InBody, name: name}
		add := ""
		if g := gene.LookupField(c.payload, []string{name}); c.kind == asParts && (g == nil || !gene.IsPresent(g)) {
			add = name
		}
		defects := []upload.Defect{upload.Half, upload.TextBehind, upload.OtherKind}
		if c.kind == asParts {
			defects = []upload.Defect{
				upload.Half, upload.Empty, upload.TextBehind, upload.Missing, upload.OtherKind,
				upload.ParentName, upload.NoName, upload.LongName,
			}
		}
		var all []edgeCase
		for _, d := range defects {
			at.file = d
			all = append(all, at.edgeCase(0, ""))
		}
		if at.file = upload.OddName; c.kind == asParts {
			all = append(all, asEdgeCases(at.insteadAll(oddNames()), 0)...)
		}
		for i := range all {
			all[i].addField = add
			all[i].key += "\x00" + c.files[name].bestFile().Name // a new key: they are played again after another file is accepted
		}
		lists = append(lists, all)
	}
	return lists
}

// hostileFields returns a list of hostile texts for each text in a JSON body. The lists begin with
// different hostile texts.
func (c call) hostileFields(data string) (lists [][]edgeCase) {
	for _, path := range textPaths(decode(data), nil) {
		at := violation{in: model.InBody, path: path}
		var all []edgeCase
		for i := range hostileTexts {
			text := hostileTexts[(i+len(lists))%len(hostileTexts)]
			all = append(all, at.instead(quoted(text)).edgeCase(0, ""))
		}
		lists = append(lists, all)
	}
	return lists
}

func asEdgeCases(all []violation, addParam int) []edgeCase {
	cases := make([]edgeCase, len(all))
	for i, v := range all {
		cases[i] = v.edgeCase(addParam, "")
	}
	return cases
}

// edgeCase returns the edge case with a violation. name is the name of an edge value that the schema allows, or "" if
// the schema does not allow the value. addParam is as in the type edgeCase.
func (v violation) edgeCase(addParam int, name string) edgeCase {
	e := edgeCase{violation: v, addParam: addParam, key: v.key(), kind: v.kind()}
	if name != "" {
		e.kind = edgeKind{class: string(v.in) + " allowed", detail: name}
	}
	return e
}

// key identifies a violation among those of an operation.
func (v violation) key() string {
	return fmt.Sprintf(
		"%s\x00%s\x00%q\x00%t%d%t\x00%s\x00%s\x00%s", v.in, v.name, v.path, v.whole, v.does, v.escaped, v.media, v.file, v.with,
	)
}

// kind returns what the violation has in common with violations of other inputs.
func (v violation) kind() edgeKind {
	with := v.with
	if text, isText := decode(with).(string); isText && v.in == model.InBody && !v.whole {
		with = text
	}
	class := "invalid"
	switch {
	case v.does == inserts:
		return edgeKind{class: string(v.in) + " undeclared", detail: v.name + " " + v.with, undeclared: true}
	case v.file != "":
		class, with = "file", string(v.file)+" "+v.with
	case v.whole:
		class = "whole"
	case v.does != replaces:
		class = "changed"
	case v.media != "":
		class, with = "media", v.media
	case slices.Contains(hostileTexts, with), v.escaped:
		class = "hostile"
	case len(with) > len("null"):
		with = "value" // one that violates the schema: just outside a bound, or no match of a pattern
	}
	return edgeKind{class: string(v.in) + " " + class, detail: fmt.Sprintf("%d %.20q", v.does, with)}
}

// inTurns merges lists: first their elements with index 0, then those with index 1, and so on.
func inTurns[T any](lists [][]T) (all []T) {
	for i := 0; ; i++ {
		n := len(all)
		for _, list := range lists {
			if i < len(list) {
				all = append(all, list[i])
			}
		}
		if len(all) == n {
			return all
		}
	}
}
