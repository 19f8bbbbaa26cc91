package oracle

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// privileges matches the names of properties that a user must not choose.
var privileges = regexp.MustCompile(`(?i)^(is[_-]?)?(role|roles|admin|administrator|superuser|super[_-]?user|staff|verified` +
	`|email[_-]?verified|approved|permissions?|balance|credits?|owner|owner[_-]?id)$`)

// countedNames matches the names of properties that change with each write. Such a property may by chance get the value
// that a write has sent, although the write did not set it.
var countedNames = regexp.MustCompile(`(?i)version|generation|^_*(v|rev|revision|seq|sequence|counter|updates|writes|changes)$|count$`)

// Assignable returns the top-level properties that the body of a write must not set, although an answer to op
// has them: those that the spec declares to be read-only, and privileges that only the answer's schema has.
func Assignable(write, op *model.Operation) (all []model.Property) {
	shown := answerSchema(op)
	if shown == nil || write.Body == nil || len(write.Body.Contents) == 0 {
		return nil
	}
	sent := write.Body.Contents[0].Schema
	for _, p := range topProperties(shown, 0) {
		own := propertyNamed(sent, p.Name)
		readOnly := p.Schema.ReadOnly || own != nil && own.Schema.ReadOnly
		if readOnly || own == nil && sent != nil && len(topProperties(sent, 0)) > 0 && privileges.MatchString(p.Name) {
			all = append(all, p)
		}
	}
	return all
}

// answerSchema returns the schema of the successful answer in JSON, nil if there is none.
func answerSchema(op *model.Operation) *model.Schema {
	for _, r := range op.Responses {
		for _, c := range r.Contents {
			if r.Success() && jsonMedia(c.Media) {
				return c.Schema
			}
		}
	}
	return nil
}

// topProperties returns the properties of an object, including those of the schemas in its allOf.
func topProperties(s *model.Schema, nested int) (all []model.Property) {
	if s == nil || nested > maxDepth {
		return nil
	}
	all = append(all, s.Properties...)
	for _, part := range s.AllOf {
		all = append(all, topProperties(part, nested+1)...)
	}
	return all
}

func propertyNamed(s *model.Schema, name string) *model.Property {
	all := topProperties(s, 0)
	if i := slices.IndexFunc(all, func(p model.Property) bool { return p.Name == name }); i >= 0 {
		return &all[i]
	}
	return nil
}

// examineAssignment checks that a write did not set a property that it must not set; see Assignable. Call i is the
// GET that shows the property. There must be a control: another call of the operation that does not send the
// property, and a GET that shows another value of the property.
func (e securityExamination) examineAssignment(i int) {
	write, ok := e.writeShownBy(i)
	if !ok {
		return
	}
	sent, isObject := objectOf(e.exchanges[write].Request.Body)
	is, too := objectOf(e.exchanges[i].Reply.Body)
	if !isObject || !too {
		return
	}
	for _, p := range Assignable(e.op(write).Operation, e.op(i).Operation) {
		value := compact(sent[p.Name])
		if countedNames.MatchString(p.Name) || value == "" || value == "null" || value != compact(is[p.Name]) {
			continue
		}
		if control := e.controlOf(write, i, p.Name); control >= 0 {
			was, _ := objectOf(e.exchanges[control].Reply.Body)
			if compact(was[p.Name]) == value {
				continue
			}
			e.add(Finding{
				Oracle:    massAssignment,
				Call:      i,
				Expected:  fmt.Sprintf("%q as in call %d, which did not send it: %s", p.Name, control+1, brief(was[p.Name])),
				Actual:    brief(is[p.Name]),
				Signature: string(e.op(write).ID) + " " + p.Name,
			})
		}
	}
}

// writeShownBy returns the last write before the GET i, if it is successful and has written what the GET shows.
func (e securityExamination) writeShownBy(i int) (write int, ok bool) {
	if e.op(i).Method != "GET" || !e.ok(i) {
		return 0, false
	}
	for k := i - 1; k >= 0; k-- {
		op := e.op(k)
		switch {
		case op == nil:
			return 0, false
		case !writes(op):
		case !e.ok(k) || e.test.Calls[k].User != e.test.Calls[i].User:
			return 0, false
		case op.Method == "POST":
			return k, e.creatorOf(i) == k
		default:
			return k, (op.Method == "PUT" || op.Method == "PATCH") && e.path(k) == e.path(i)
		}
	}
	return 0, false
}

// controlOf returns the index of an earlier GET that shows the result of another write of the same operation, if
// that write did not send the property. It returns -1 if there is no such GET.
func (e securityExamination) controlOf(write, i int, name string) int {
	for k := i - 1; k >= 0; k-- {
		if e.op(k) == nil || e.test.Calls[k].Op != e.test.Calls[i].Op || e.test.Calls[k].User != e.test.Calls[i].User {
			continue
		}
		first, ok := e.writeShownBy(k)
		if !ok || first == write || e.test.Calls[first].Op != e.test.Calls[write].Op {
			continue
		}
		if sent, ok := objectOf(e.exchanges[first].Request.Body); ok && sent[name] == nil {
			return k
		}
	}
	return -1
}

// creatorOf returns the index of the successful write that supplies the last path parameter of call i, which
// identifies the resource. It returns -1 if there is no such write.
func (p *playedTest) creatorOf(i int) int {
	segments := p.op(i).segments
	if len(segments) == 0 {
		return -1
	}
	for _, l := range p.test.Links {
		if l.To == i && l.In == model.InPath && strings.Contains(segments[len(segments)-1], "{"+l.Name+"}") &&
			p.op(l.From) != nil && writes(p.op(l.From)) && p.ok(l.From) {
			return l.From
		}
	}
	return -1
}

func objectOf(body []byte) (object map[string]json.RawMessage, ok bool) {
	return object, json.Unmarshal(body, &object) == nil && object != nil
}
