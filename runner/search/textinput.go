package search

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
)

// textInput is an input of a call in which a security test sends a probe.
type textInput struct {
	in     model.Location // InPath, InQuery or InBody
	name   string         // name of the input, as in a link
	base   string         // what precedes an SQL probe: the value in the kept call, or a default
	schema *model.Schema
}

// A probe is appended to the value that the kept call has, or to one of these values. probeBase is for a text without
// a value, with a value that plainText does not match, or with a value from another call. probeNumber is for all
// numbers.
const (
	probeBase   = "sonde"
	probeNumber = "0"
)

// plainText matches values without quotes and other characters that could end a string in SQL.
var plainText = regexp.MustCompile(`^[\pL\pN_. @:/-]{1,60}$`)

// textInputs returns at most maxProbed inputs of a kept call whose schemas allow any text. They include optional inputs
// of the operation that the call does not have. Passwords are left out, so that no user is locked out.
func textInputs(m keptCall, op *model.Operation) []textInput {
	c := m.test.Calls[m.at]
	var all []textInput
	add := func(in model.Location, name, base string, schema *model.Schema) {
		linked := func(l model.Link) bool { return l.To == m.at && l.In == in && l.Name == name }
		if !plainText.MatchString(base) || slices.ContainsFunc(m.test.Links, linked) {
			base = probeBase
		}
		i := textInput{in: in, name: name, base: base, schema: schema}
		_, ok := i.put(c, base)
		if ok && isAnyText(schema) && len(all) < maxProbed && !model.IsPasswordField(i.lastName()) {
			all = append(all, i)
		}
	}
	for _, p := range op.Params {
		if p.In == model.InPath || p.In == model.InQuery && p.Style != "deepObject" {
			add(p.In, p.Name, argValue(c, p), p.Schema)
		}
	}
	if op.Body == nil || len(op.Body.Contents) == 0 {
		return all
	}
	schema, values := op.Body.Contents[0].Schema, bodyTexts(c.Body)
	names := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		names[name] = true
		add(model.InBody, name, values[name], propertyAt(schema, name))
	}
	if schema != nil && c.Body != nil {
		for _, p := range schema.Properties {
			if name := "/" + pointer.Escape(p.Name); !names[name] && !p.Schema.ReadOnly {
				add(model.InBody, name, "", p.Schema)
			}
		}
	}
	return all
}

// numberInputs returns at most maxProbed inputs of an operation, in its path and query, that are whole numbers.
func numberInputs(op *model.Operation) (all []textInput) {
	for _, p := range op.Params {
		if (p.In == model.InPath || p.In == model.InQuery) && p.Schema.Type == "integer" && len(all) < maxProbed {
			all = append(all, textInput{in: p.In, name: p.Name, base: probeNumber, schema: p.Schema})
		}
	}
	return all
}

// wholeValues returns the inputs without their bases, so that a probe becomes the whole value.
func wholeValues(inputs []textInput) []textInput {
	all := slices.Clone(inputs)
	for i := range all {
		all[i].base = ""
	}
	return all
}

// isAnyText reports whether a schema allows any text.
func isAnyText(s *model.Schema) bool {
	return s != nil && (s.Type == "string" || s.Type == "" && s.Items == nil && len(s.Properties) == 0) && len(s.Enum) == 0 &&
		s.Const == nil && s.Pattern == "" && !slices.Contains([]string{"binary", "byte", "date", "date-time", "uuid"}, s.Format)
}

func argValue(c model.Call, p model.Parameter) string {
	for _, a := range c.Args {
		if a.In == p.In && a.Name == p.Name {
			return a.PlainValue()
		}
	}
	return ""
}

// bodyTexts returns the texts in a form, or in a JSON object and the objects inside it, by their JSON pointers.
func bodyTexts(b *model.Payload) map[string]string {
	all := map[string]string{}
	if b == nil {
		return all
	}
	if isForm(b) {
		fields, _ := url.ParseQuery(b.Data)
		for name := range fields {
			all["/"+pointer.Escape(name)] = fields.Get(name)
		}
		return all
	}
	var walk func(v any, place string)
	walk = func(v any, place string) {
		if object, ok := v.(map[string]any); ok {
			for name, inner := range object {
				walk(inner, place+"/"+pointer.Escape(name))
			}
		}
		if text, ok := v.(string); ok && place != "" {
			all[place] = text
		}
	}
	walk(decodeJSON(b.Data), "")
	return all
}

func isForm(b *model.Payload) bool {
	return strings.HasPrefix(b.Media, "application/x-www-form-urlencoded")
}

// decodeJSON returns the JSON value in a text, nil if the text is not JSON.
func decodeJSON(text string) (v any) {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// propertyAt returns the schema of the property at a JSON pointer, nil if it is not known.
func propertyAt(s *model.Schema, place string) *model.Schema {
	for _, token := range pointer.Tokens(place) {
		s = propertyOf(s, token)
	}
	return s
}

// put returns a call with another value of the input. It returns false if the call cannot have the value.
func (i textInput) put(c model.Call, value string) (model.Call, bool) {
	if i.in == model.InBody {
		body, ok := withProperty(c.Body, i.name, value)
		c.Body = body
		return c, ok
	}
	c.Args = slices.Clone(c.Args)
	at := slices.IndexFunc(c.Args, func(a model.Arg) bool { return a.In == i.in && a.Name == i.name })
	if at < 0 {
		c.Args = append(c.Args, model.Arg{In: i.in, Name: i.name, Value: value})
	} else {
		c.Args[at] = c.Args[at].WithValue(value)
	}
	return c, true
}

// withProperty returns a body with another value at a JSON pointer. It returns false if b is nil, or if the body cannot
// hold the value: a form holds only texts, and in JSON the place must be in an object.
func withProperty(b *model.Payload, place string, value any) (*model.Payload, bool) {
	if b == nil {
		return nil, false
	}
	text, isText := value.(string)
	if isForm(b) {
		fields, err := url.ParseQuery(b.Data)
		if err != nil || !isText {
			return b, false
		}
		fields.Set(pointer.LastToken(place), text)
		return &model.Payload{Media: b.Media, Data: fields.Encode()}, true
	}
	body := decodeJSON(b.Data)
	parent, _ := pointer.Lookup(body, pointer.Parent(place))
	object, ok := parent.(map[string]any)
	if !ok {
		return b, false
	}
	object[pointer.LastToken(place)] = value
	data, err := json.Marshal(body)
	return &model.Payload{Media: b.Media, Data: string(data)}, err == nil
}

// lastName returns the name of a parameter, or of the property in a body.
func (i textInput) lastName() string {
	if i.in == model.InBody {
		return pointer.LastToken(i.name)
	}
	return i.name
}

// fileNames matches the names of inputs that may be about files.
var fileNames = regexp.MustCompile(
	`(?i)file|path|dir|folder|doc|template|attach|download|asset|image|avatar|theme|page|include|log|report|export|media`,
)

// urlNames matches the names of inputs that may be URLs.
var urlNames = regexp.MustCompile(
	`(?i)ur[il]s?$|callback|webhook|hook|href|link|image|avatar|icon|logo|source|src|endpoint|feed|target|proxy`,
)

// mayBeURL reports whether the service may call the value as a URL.
func (i textInput) mayBeURL() bool {
	return i.schema != nil && slices.Contains([]string{"uri", "url", "uri-reference", "iri"}, i.schema.Format) ||
		urlNames.MatchString(i.lastName())
}
