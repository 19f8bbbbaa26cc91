package format

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"sonde/export"
	"sonde/model"
	"sonde/model/pointer"
)

// An Arazzo document, version 1.0: a workflow for each test.
type (
	arazzoDoc struct {
		Version   string           `json:"arazzo"`
		Info      arazzoInfo       `json:"info"`
		Sources   []arazzoSource   `json:"sourceDescriptions"`
		Workflows []arazzoWorkflow `json:"workflows"`
	}
	arazzoInfo struct {
		Title       string `json:"title"`
		Description string `json:"description"`
		Version     string `json:"version"`
	}
	arazzoSource struct {
		Name string `json:"name"`
		URL  string `json:"url"`
		Type string `json:"type"`
	}
	arazzoWorkflow struct {
		ID          string         `json:"workflowId"`
		Description string         `json:"description,omitempty"`
		Inputs      map[string]any `json:"inputs,omitempty"`
		Steps       []arazzoStep   `json:"steps"`
	}
	arazzoStep struct {
		ID          string            `json:"stepId"`
		Description string            `json:"description,omitempty"`
		Operation   string            `json:"operationPath"`
		Parameters  []arazzoParam     `json:"parameters,omitempty"`
		Body        *arazzoBody       `json:"requestBody,omitempty"`
		Criteria    []arazzoCriterion `json:"successCriteria"`
		Outputs     map[string]string `json:"outputs,omitempty"`
	}
	arazzoParam struct {
		Name  string `json:"name"`
		In    string `json:"in"`
		Value string `json:"value"`
	}
	arazzoBody struct {
		Media   string `json:"contentType,omitempty"`
		Payload any    `json:"payload"`
	}
	arazzoCriterion struct {
		Context   string `json:"context,omitempty"`
		Condition string `json:"condition"`
		Type      string `json:"type,omitempty"`
	}
)

// arazzoAlwaysOmits describes what workflows never contain.
const arazzoAlwaysOmits = "A workflow has no reset and no certificate to trust; of objects and arrays in answers it only asserts " +
	"that they are there."

// arazzo prints a script as workflows.
func arazzo(s export.Script) []byte {
	source := s.Spec
	if source == "" || source == "-" {
		source = "openapi.yaml"
	}
	d := arazzoDoc{
		Version: "1.0.1", Sources: []arazzoSource{{Name: "api", URL: source, Type: "openapi"}},
		Info: arazzoInfo{
			Title:       "Tests of " + s.Title,
			Description: strings.Join(headLines(s, "", "the workflows by a program for Arazzo"), "\n"),
			Version:     "1",
		},
	}
	for _, c := range s.Cases {
		w := arazzoWorkflow{ID: c.Name, Description: strings.Join(c.About, "\n")}
		secrets := map[string]any{}
		for i, step := range c.Steps {
			w.Steps = append(w.Steps, arazzoCall(step, i))
			for _, p := range allParts(step.Request) {
				if p.Variable != "" {
					secrets[p.Variable] = inputOf(s, p.Variable)
				}
			}
		}
		if len(secrets) > 0 {
			w.Inputs = map[string]any{"type": "object", "properties": secrets}
		}
		d.Workflows = append(d.Workflows, w)
	}
	return indented(d)
}

// inputOf returns the schema of the input for an environment variable.
func inputOf(s export.Script, name string) map[string]any {
	schema := map[string]any{"type": "string"}
	if text := publicValues(s)[name]; text != "" {
		schema["default"] = text
	}
	return schema
}

// stepID returns the ID of the step with an index.
func stepID(i int) string { return fmt.Sprintf("call%d", i+1) }

// memberOf returns the JSON pointer from a path item of OpenAPI to the operation with a method.
func memberOf(method string) string {
	switch method {
	case "GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE", "QUERY":
		return strings.ToLower(method)
	}
	return "additionalOperations/" + method
}

// arazzoCall returns the step of a workflow for a call.
func arazzoCall(s export.TestStep, i int) arazzoStep {
	method, template, _ := strings.Cut(string(s.Op), " ")
	step := arazzoStep{
		ID:        stepID(i),
		Operation: "{$sourceDescriptions.api.url}#/paths/" + pointer.Escape(template) + "/" + memberOf(method),
	}
	step.Description = remarkOn(s)
	whole := cookiesAreHeader(s.Request)
	for _, p := range s.Params {
		if p.In == model.InPath || p.In == model.InQuery || p.In == model.InCookie && !whole {
			step.Parameters = append(
				step.Parameters,
				arazzoParam{Name: p.Name, In: string(p.In), Value: arazzoValue([]export.TextPart{p.TextPart})},
			)
		}
	}
	for _, h := range s.Headers {
		if h.Name != "Content-Type" && (h.Name != "Cookie" || whole) {
			step.Parameters = append(step.Parameters, arazzoParam{Name: h.Name, In: "header", Value: arazzoValue(h.Value)})
		}
	}
	step.Body = arazzoRequestBody(s.Body)
	step.Criteria = criteria(s)
	for _, t := range s.Captures {
		if step.Outputs == nil {
			step.Outputs = map[string]string{}
		}
		step.Outputs[t.CamelCase()] = arazzoCapture(t)
	}
	return step
}

// cookiesAreHeader reports whether the header Cookie of a request has cookies that are not parameters, such
// as those of a session. A workflow then sends the header unchanged.
func cookiesAreHeader(r export.Request) bool {
	more := 0
	for _, h := range r.Headers {
		for i, p := range h.Value {
			if h.Name == "Cookie" && (i == 0 || p.Text == "; ") {
				more++
			}
		}
	}
	for _, p := range r.Params {
		if p.In == model.InCookie {
			more--
		}
	}
	return more > 0
}

// arazzoCapture returns the runtime expression for a captured value.
func arazzoCapture(t *export.Capture) string {
	switch {
	case t.Kind == export.CaptureHeader:
		return "$response.header." + t.Header
	case t.Pointer != "":
		return "$response.body#" + t.Pointer
	}
	return "$response.body"
}

// arazzoValue returns parts as one text, with runtime expressions for captured values and variables.
func arazzoValue(parts []export.TextPart) string {
	whole := len(parts) == 1
	return joined(merged(parts), "", unchanged, func(p export.TextPart) string {
		expression := "$inputs." + p.Variable
		if p.Capture != nil {
			expression = "$steps." + stepID(p.Capture.Step) + ".outputs." + p.Capture.CamelCase()
		}
		if whole {
			return expression
		}
		return "{" + expression + "}"
	})
}

// arazzoRequestBody returns a body, or nil for none. A JSON body stays JSON, with runtime expressions for captured
// values and variables.
func arazzoRequestBody(b *export.RequestBody) *arazzoBody {
	if b == nil {
		return nil
	}
	if b.JSON {
		text := joined(b.Parts, "", unchanged, func(p export.TextPart) string {
			if p.Variable != "" && p.Escaping == export.EscapeNone { // the variable is part of a JSON string
				return "{$inputs." + p.Variable + "}"
			}
			return `"` + arazzoValue([]export.TextPart{p}) + `"`
		})
		return &arazzoBody{b.Media, json.RawMessage(text)}
	}
	return &arazzoBody{b.Media, arazzoValue(append([]export.TextPart{{}}, b.Parts...))}
}

// criteria returns the assertions on an answer. Without any, it only requires that there is an answer.
func criteria(s export.TestStep) []arazzoCriterion {
	all := []arazzoCriterion{{Condition: "$statusCode >= 100"}}
	if s.Status != 0 {
		all[0].Condition = fmt.Sprintf("$statusCode == %d", s.Status)
	}
	for _, w := range s.Assertions {
		all = append(all, arazzoCriterion{Condition: statusCondition(w.Values)})
	}
	for _, k := range s.Checks {
		at := "$response.body"
		if k.Pointer != "" {
			at += "#" + k.Pointer
		}
		switch literal, ok := arazzoLiteral(k.Equals); {
		case ok && !strings.ContainsAny(k.Pointer, " \t\n()=<>!&|"):
			all = append(all, arazzoCriterion{Condition: at + " == " + literal})
		default:
			all = append(all, arazzoCriterion{Context: "$response.body", Condition: jsonPath(k.Pointer), Type: "jsonpath"})
		}
	}
	return all
}

// whyNoArazzoAssertion returns why a workflow cannot have an assertion, "" if it can.
func whyNoArazzoAssertion(w export.Assertion) string {
	if w.Kind != export.AssertStatus {
		return "a workflow can assert a status, but not what else is expected"
	}
	return ""
}

// statusCondition returns the condition that the status is in wanted, which has numbers, or ranges such as "400-499".
func statusCondition(wanted []string) string {
	var all []string
	for _, one := range wanted {
		low, high, isRange := strings.Cut(one, "-")
		if isRange {
			all = append(all, fmt.Sprintf("($statusCode >= %s && $statusCode <= %s)", low, high))
		} else {
			all = append(all, "$statusCode == "+one)
		}
	}
	return strings.Join(all, " || ")
}

// arazzoLiteral returns the literal for a number, a boolean, null or a string. It returns false for objects, arrays
// and an empty value.
func arazzoLiteral(value json.RawMessage) (string, bool) {
	var text string
	switch {
	case len(value) == 0 || value[0] == '{' || value[0] == '[':
		return "", false
	case json.Unmarshal(value, &text) == nil && value[0] == '"':
		return "'" + strings.ReplaceAll(text, "'", "''") + "'", true
	}
	return string(value), true
}

// expression matches a text that Arazzo reads as an expression.
var expression = regexp.MustCompile(`^\$|\{\$`)

// whyNotInArazzo returns why a workflow cannot have a case, "" if it can.
func whyNotInArazzo(c export.TestCase) string {
	for _, s := range c.Steps {
		for _, t := range s.Captures {
			if t.Pattern != "" {
				return "a workflow cannot take a part of a text"
			}
			if t.Header != "" && t.Kind == export.CaptureValue {
				return "a workflow can only take a complete header, and the test needs the id at its end"
			}
		}
		if c.Skip != "" {
			return "no workflow can be skipped"
		}
		if s.Basic != nil {
			return "a workflow cannot encode a password for basic authentication"
		}
		for _, p := range allParts(s.Request) {
			if expression.MatchString(p.Text) {
				return "Arazzo reads a text that begins with $ as an expression"
			}
		}
	}
	return whyNotAsText(c)
}
