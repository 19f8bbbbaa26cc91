package format

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"sonde/export"
)

// A Postman collection of version 2.1, with a folder for each test.
type (
	postCollection struct {
		Info     postInfo   `json:"info"`
		Item     []postItem `json:"item"`
		Variable []postPair `json:"variable"`
	}
	postInfo struct {
		Name        string `json:"name"`
		Description string `json:"description"`
		Schema      string `json:"schema"`
	}
	postItem struct {
		Name        string         `json:"name"`
		Description string         `json:"description,omitempty"`
		Item        []postItem     `json:"item,omitempty"`
		Request     *postRequest   `json:"request,omitempty"`
		Event       []postEvent    `json:"event,omitempty"`
		Behaviour   map[string]any `json:"protocolProfileBehavior,omitempty"`
	}
	postRequest struct {
		Method string     `json:"method"`
		Header []postPair `json:"header"`
		Auth   *postAuth  `json:"auth,omitempty"`
		Body   *postBody  `json:"body,omitempty"`
		URL    string     `json:"url"`
	}
	postPair struct {
		Key   string `json:"key"`
		Value string `json:"value"`
	}
	postAuth struct {
		Type  string     `json:"type"`
		Basic []postPair `json:"basic"`
	}
	postBody struct {
		Mode string `json:"mode"`
		Raw  string `json:"raw"`
	}
	postEvent struct {
		Listen string     `json:"listen"`
		Script postScript `json:"script"`
	}
	postScript struct {
		Type string   `json:"type"`
		Exec []string `json:"exec"`
	}
)

// postmanAlwaysOmits describes a limit of all collections.
const postmanAlwaysOmits = "Numbers are as exact as in JavaScript."

// postman prints a script as a Postman collection.
func postman(s export.Script) []byte {
	command := "newman run " + fileOf(s, "sonde", "sonde_faults") + ".postman_collection.json" +
		options(s.TLS, "--ssl-extra-ca-certs", "--ssl-client-cert", "--ssl-client-key") + " --env-var base_url=http://127.0.0.1:8080"
	for _, v := range s.Secrets {
		if v.Default == "" {
			command += " --env-var " + v.Name + `="$` + v.Name + `"`
		}
	}
	c := postCollection{
		Info: postInfo{
			Name: s.Title, Schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
			Description: strings.Join(
				headLines(s, "It needs "+postmanNeeds+". The variable base_url is the service's URL.", command),
				"\n",
			),
		},
		Variable: []postPair{{"base_url", s.BaseURL}},
	}
	for _, v := range s.Secrets {
		if v.Default != "" {
			c.Variable = append(c.Variable, postPair{v.Name, v.Default})
		}
	}
	all := openingCase(s)
	if first := openingSteps(s); len(first) > 0 {
		c.Item = append(
			c.Item,
			postItem{Name: all.Name, Description: "The users log in, once for all tests.", Item: postSteps(s, all, first)},
		)
	}
	again := reopeningSteps(s)
	for i, t := range s.Cases {
		c.Item = append(c.Item, postTest(s, t, postSteps(s, all, again[i])))
	}
	return indented(c)
}

// indented returns a value as indented JSON.
func indented(v any) []byte {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	_ = e.Encode(v) // the documents of this package can always be encoded
	return []byte(b.String())
}

// postSteps returns the requests of steps.
func postSteps(s export.Script, c export.TestCase, steps []export.TestStep) []postItem {
	var all []postItem
	for _, step := range steps {
		all = append(all, postCall(s, step.Request, string(step.Op), answerScript(postmanAnswers, c, step)))
	}
	return all
}

// postTest returns the folder of a case. The folder begins with the request that resets the service, if there is one,
// and with the requests in again, which log users in again.
func postTest(s export.Script, c export.TestCase, again []postItem) postItem {
	folder := postItem{Name: c.Name, Description: strings.Join(c.About, "\n")}
	if s.Reset != nil {
		script := []string{`pm.test("it is reset", () => pm.expect(pm.response.code).to.be.within(200, 299));`}
		folder.Item = append(folder.Item, postCall(s, *s.Reset, "reset", script))
	}
	folder.Item = append(folder.Item, again...)
	folder.Item = append(folder.Item, postSteps(s, c, c.Steps)...)
	return folder
}

func postCall(s export.Script, r export.Request, name string, script []string) postItem {
	base := "{{base_url}}"
	if r.GoesToOtherHost() {
		base = ""
	}
	request := &postRequest{Method: r.Method, Header: []postPair{}, URL: base + postParts(r.Path)}
	for _, h := range r.Headers {
		request.Header = append(request.Header, postPair{h.Name, postParts(h.Value)})
	}
	if !slices.ContainsFunc(r.Headers, func(h export.MessageField) bool { return strings.EqualFold(h.Name, "Connection") }) {
		request.Header = append(request.Header, postPair{"Connection", "close"}) // the service may close an idle connection without notice
	}
	if r.Basic != nil {
		user, password, _ := strings.Cut(postParts(r.Basic), ":")
		request.Auth = &postAuth{"basic", []postPair{{"username", user}, {"password", password}}}
	}
	if r.Body != nil {
		request.Body = &postBody{"raw", postParts(r.Body.Parts)}
	}
	behaviour := map[string]any{
		"followRedirects":    false,
		"disableUrlEncoding": true,
		"disableBodyPruning": true,
		"disableCookies":     true,
	}
	if s.Insecure {
		behaviour["strictSSL"] = false
	}
	events := []postEvent{{"test", postScript{"text/javascript", script}}}
	if before := secretScript(r, postmanSecret); len(before) > 0 {
		events = slices.Insert(events, 0, postEvent{"prerequest", postScript{"text/javascript", before}})
	}
	return postItem{Name: name, Request: request, Event: events, Behaviour: behaviour}
}

// postParts returns parts as one text, with variables for captured values and environment variables.
func postParts(parts []export.TextPart) string {
	return joined(parts, "", unchanged, func(p export.TextPart) string {
		return "{{" + scriptVariable(p) + "}}"
	})
}

// whyNotInPostman returns the reason why a collection cannot express a case, "" if it can.
func whyNotInPostman(c export.TestCase) string {
	for _, s := range c.Steps {
		for _, p := range allParts(s.Request) {
			if strings.Contains(p.Text, "{{") {
				return "Postman reads text between {{ and }} as a variable"
			}
		}
	}
	return whyNotAsText(c)
}

// whyNotAsText returns the reason why a JSON document cannot express a case, "" if it can.
func whyNotAsText(c export.TestCase) string {
	for _, s := range c.Steps {
		for _, p := range allParts(s.Request) {
			if !utf8.ValidString(p.Text) {
				return "its body is not UTF-8, and the format has only texts"
			}
		}
	}
	return ""
}

// postmanSecret returns the statement that sets a variable to an escaped value of an environment variable.
func postmanSecret(name, escape, variable string) string {
	return fmt.Sprintf("pm.variables.set(%q, %s(pm.variables.get(%q)));", name, escape, variable)
}

// postmanAnswers is how a script of Postman sees an answer.
var postmanAnswers = answerAPI{
	status:     "pm.response.code",
	text:       "pm.response.text()",
	json:       "pm.response.json()",
	setCookies: `pm.response.headers.filter((h) => h.key.toLowerCase() === "set-cookie").map((h) => h.value)`,
	header:     func(name string) string { return "pm.response.headers.get(" + name + ")" },
	get:        func(name string) string { return "pm.collectionVariables.get(" + name + ")" },
	set:        func(name, value string) string { return "pm.collectionVariables.set(" + name + ", " + value + ");" },
	skips:      true,
	test: func(title, value string, want wantedValue, skip bool) string {
		run := "pm.test"
		if skip {
			run = "pm.test.skip"
		}
		return run + "(" + title + ", () => pm." + want.chai(value) + ");"
	},
}
