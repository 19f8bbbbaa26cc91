package collection

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
)

// The parts of a Postman collection, version 2.0 or 2.1, that a Collection can have.
type (
	postmanFile struct {
		Info struct {
			Name        string          `json:"name"`
			Schema      string          `json:"schema"`
			Description json.RawMessage `json:"description"`
		} `json:"info"`
		postmanItem
		Variable []postmanPair `json:"variable"`
	}
	postmanItem struct {
		Name        string            `json:"name"`
		Item        []postmanItem     `json:"item"`
		Request     json.RawMessage   `json:"request"`
		Auth        *postmanAuth      `json:"auth"`
		Event       []postmanEvent    `json:"event"`
		Description json.RawMessage   `json:"description"`
		Examples    []json.RawMessage `json:"response"`
	}
	postmanRequest struct {
		Method      string          `json:"method"`
		URL         json.RawMessage `json:"url"`
		Header      json.RawMessage `json:"header"`
		Body        *postmanBody    `json:"body"`
		Auth        *postmanAuth    `json:"auth"`
		Description json.RawMessage `json:"description"`
	}
	postmanURL struct {
		Raw      string          `json:"raw"`
		Protocol string          `json:"protocol"`
		Host     json.RawMessage `json:"host"` // a text, or a list of its parts
		Port     string          `json:"port"`
		Path     json.RawMessage `json:"path"`
		Query    []postmanPair   `json:"query"`
		Variable []postmanPair   `json:"variable"`
	}
	postmanPair struct {
		Key      string          `json:"key"`
		Value    json.RawMessage `json:"value"`
		Type     string          `json:"type"`
		Source   json.RawMessage `json:"src"` // a path, or a list of paths
		Media    string          `json:"contentType"`
		Disabled bool            `json:"disabled"`
		Enabled  *bool           `json:"enabled"` // in environments
	}
	postmanBody struct {
		Mode       string        `json:"mode"`
		Raw        string        `json:"raw"`
		URLEncoded []postmanPair `json:"urlencoded"`
		FormData   []postmanPair `json:"formdata"`
		File       struct {
			Source string `json:"src"`
		} `json:"file"`
		Options struct {
			Raw struct {
				Language string `json:"language"`
			} `json:"raw"`
		} `json:"options"`
		Disabled bool `json:"disabled"`
	}
	postmanAuth struct {
		Type   string          `json:"type"`
		Basic  json.RawMessage `json:"basic"`
		Bearer json.RawMessage `json:"bearer"`
		APIKey json.RawMessage `json:"apikey"`
	}
	postmanEvent struct {
		Listen string `json:"listen"`
		Script struct {
			Exec json.RawMessage `json:"exec"` // a text, or a list of lines
		} `json:"script"`
	}
)

// ParsePostman parses a Postman collection, version 2.0 or 2.1.
func ParsePostman(data []byte) (Collection, error) {
	var file postmanFile
	if err := json.Unmarshal(data, &file); err != nil {
		return Collection{}, fmt.Errorf("it is not a Postman collection: %w", err)
	}
	if strings.Contains(file.Info.Schema, "/v1") {
		return Collection{}, fmt.Errorf("it is a Postman collection of version 1: export it as version 2.1")
	}
	c := Collection{Name: file.Info.Name}
	reader := postmanReader{Collection: &c, answers: answerVariables{}}
	for _, v := range file.Variable {
		if !v.off() {
			c.addVariable(v.Key, plainText(v.Value))
		}
	}
	c.keepLastValues()
	label := cmp.Or(file.Info.Name, "the collection")
	c.omitDescription(file.Info.Description, label)
	c.addEvents(file.Event, label)
	reader.addItems(file.Item, nil, file.Auth)
	switch {
	case len(c.Requests) > maxRequests:
		return Collection{}, errTooMany
	case len(c.Requests) == 0 && len(c.Omissions) == 0:
		return Collection{}, errNoRequest
	}
	return c, nil
}

// ParsePostmanEnvironment parses the variables of an environment that Postman exported. Secret variables have no value.
func ParsePostmanEnvironment(data []byte) ([]Variable, error) {
	var file struct {
		Values []postmanPair `json:"values"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("it is not an environment of Postman: %w", err)
	}
	var all []Variable
	for _, v := range file.Values {
		if !v.off() && v.Type != "secret" {
			all = append(all, Variable{Name: v.Key, Value: plainText(v.Value)})
		}
	}
	return all, nil
}

// off reports whether a pair is not used.
func (p postmanPair) off() bool { return p.Disabled || p.Enabled != nil && !*p.Enabled }

// plainText returns a JSON string without quotes, and any other JSON value as it is written. null is "".
func plainText(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

// omitDescription adds a description to the omissions: a text, or an object with the text.
func (c *Collection) omitDescription(value json.RawMessage, label string) {
	var object struct {
		Content string `json:"content"`
	}
	if json.Unmarshal(value, &object) != nil {
		object.Content = plainText(value)
	}
	if strings.TrimSpace(object.Content) != "" {
		c.omit(OmittedDescription, label, "")
	}
}

// addEvents adds scripts and tests to the omissions.
func (c *Collection) addEvents(events []postmanEvent, label string) {
	for _, e := range events {
		if strings.TrimSpace(strings.Join(textOrList(e.Script.Exec), "\n")) == "" {
			continue
		}
		if e.Listen == "test" {
			c.omit(OmittedTest, label, "")
		} else {
			c.omit(OmittedScript, label, "")
		}
	}
}

// textOrList returns the texts of a JSON value that is a text or a list of texts.
func textOrList(value json.RawMessage) []string {
	var items []json.RawMessage
	if json.Unmarshal(value, &items) != nil {
		items = []json.RawMessage{value}
	}
	var all []string
	for _, item := range items {
		var part struct {
			Value string `json:"value"` // a part of a path may be an object
		}
		if text := plainText(item); json.Unmarshal(item, &part) != nil {
			all = append(all, text)
		} else {
			all = append(all, part.Value)
		}
	}
	return all
}

// postmanReader adds the requests of a collection of Postman to another collection.
type postmanReader struct {
	*Collection
	answers answerVariables
}

// addItems adds the requests of a folder. auth is the authentication that the folder passes on to them.
func (c postmanReader) addItems(items []postmanItem, folder []string, auth *postmanAuth) {
	for _, item := range items {
		if len(c.Requests) > maxRequests {
			return
		}
		own := auth
		if item.Auth != nil {
			own = item.Auth
		}
		if len(item.Request) == 0 || string(item.Request) == "null" {
			inner := append(append([]string{}, folder...), cmp.Or(item.Name, "folder"))
			c.omitDescription(item.Description, strings.Join(inner, folderMark))
			c.addEvents(item.Event, strings.Join(inner, folderMark))
			c.addItems(item.Item, inner, own)
			continue
		}
		c.addPostmanRequest(item, folder, own)
	}
}

// addPostmanRequest adds the request of an item.
func (c postmanReader) addPostmanRequest(item postmanItem, folder []string, auth *postmanAuth) {
	var from postmanRequest
	if json.Unmarshal(item.Request, &from) != nil {
		from = postmanRequest{Method: "GET", URL: item.Request} // a request may be only a URL
	}
	r := Request{Folder: folder, Name: item.Name, Method: strings.ToUpper(cmp.Or(from.Method, "GET"))}
	r.URL = c.postmanTarget(from.URL, r.Label())
	c.omitDescription(from.Description, r.Label())
	c.omitDescription(item.Description, r.Label())
	for range item.Examples {
		c.omit(OmittedExample, r.Label(), "")
	}
	set := c.addTests(item.Event, r.Label())
	for _, h := range postmanHeaders(from.Header) {
		if h.off() {
			c.omit(OmittedDisabled, r.Label(), "the header "+h.Key)
			continue
		}
		r.Headers = append(r.Headers, Field{Name: h.Key, Value: plainText(h.Value)})
	}
	if from.Auth != nil {
		auth = from.Auth
	}
	c.setAuth(&r, auth)
	switch {
	case from.Body != nil && from.Body.Mode == "graphql":
		c.omit(OmittedGraphQL, r.Label(), "")
		return
	case strings.HasPrefix(r.URL, "ws://") || strings.HasPrefix(r.URL, "wss://"):
		c.omit(OmittedWebSocket, r.Label(), "")
		return
	case r.URL == "":
		c.omit(OmittedRequest, r.Label(), "it has no URL")
		return
	case from.Body != nil && !from.Body.Disabled:
		c.setPostmanBody(&r, from.Body)
	}
	c.answers.use(&r, set, len(c.Requests)+1)
	c.Requests = append(c.Requests, r)
}

// addTests returns the variables that the tests of a request set to values of its answer, and adds its other scripts and
// tests to the omissions.
func (c postmanReader) addTests(events []postmanEvent, label string) map[string]string {
	set := map[string]string{}
	for _, e := range events {
		found, whole := map[string]string{}, false
		if e.Listen == "test" {
			found, whole = postmanCaptures(strings.Join(textOrList(e.Script.Exec), "\n"))
		}
		maps.Copy(set, found)
		if !whole {
			c.addEvents([]postmanEvent{e}, label)
		}
	}
	return set
}

// postmanHeaders returns headers, which are a list of pairs or a text.
func postmanHeaders(value json.RawMessage) []postmanPair {
	var pairs []postmanPair
	if json.Unmarshal(value, &pairs) == nil {
		return pairs
	}
	for line := range strings.Lines(plainText(value)) {
		if name, text, found := strings.Cut(strings.TrimSpace(line), ":"); found {
			quoted, _ := json.Marshal(strings.TrimSpace(text)) // a string always marshals
			pairs = append(pairs, postmanPair{Key: name, Value: quoted})
		}
	}
	return pairs
}

// postmanTarget returns a URL, with the values of its path variables, which are written as ":name".
func (c *Collection) postmanTarget(value json.RawMessage, label string) string {
	var from postmanURL
	if json.Unmarshal(value, &from) != nil {
		return plainText(value)
	}
	base, _, _ := strings.Cut(from.Raw, "?")
	if from.Raw == "" {
		base = from.joined()
	}
	values := map[string]string{}
	for _, v := range from.Variable {
		values[v.Key] = cmp.Or(plainText(v.Value), "{{"+v.Key+"}}")
	}
	scheme, rest, hasScheme := strings.Cut(base, "://")
	if !hasScheme {
		scheme, rest = "", base
	}
	segments := strings.Split(rest, "/")
	for i, s := range segments {
		name, isVariable := strings.CutPrefix(s, ":")
		if filled, known := values[name]; isVariable && known && i > 0 {
			segments[i] = filled
		}
	}
	base = strings.Join(segments, "/")
	if hasScheme {
		base = scheme + "://" + base
	}
	if from.Query == nil {
		if _, query, found := strings.Cut(from.Raw, "?"); found {
			return base + "?" + query
		}
		return base
	}
	return base + c.postmanQuery(from.Query, label)
}

// postmanQuery returns the query of a URL with its question mark, "" for none.
func (c *Collection) postmanQuery(pairs []postmanPair, label string) string {
	var parts []string
	for _, q := range pairs {
		if q.off() {
			c.omit(OmittedDisabled, label, "the query parameter "+q.Key)
			continue
		}
		parts = append(parts, queryText(q.Key)+"="+queryText(plainText(q.Value)))
	}
	if parts == nil {
		return ""
	}
	return "?" + strings.Join(parts, "&")
}

// queryText escapes a text for a query, unless it is escaped already.
func queryText(text string) string {
	plain, ok := unescapeForm(text)
	if ok && plain != text {
		return strings.ReplaceAll(text, " ", "%20")
	}
	return escapeForm(text)
}

// joined returns the URL that the parts make.
func (u postmanURL) joined() string {
	text := strings.Join(textOrList(u.Host), ".")
	if u.Protocol != "" {
		text = u.Protocol + "://" + text
	}
	if u.Port != "" {
		text += ":" + u.Port
	}
	if path := strings.Join(textOrList(u.Path), "/"); path != "" {
		text += "/" + strings.TrimPrefix(path, "/")
	}
	return text
}

// setPostmanBody sets the body of a request.
func (c *Collection) setPostmanBody(r *Request, from *postmanBody) {
	switch from.Mode {
	case "raw":
		if text := strings.TrimRight(strings.ReplaceAll(from.Raw, "\r\n", "\n"), " \t\r\n"); text != "" {
			r.setBody(Body{Media: rawMedia[from.Options.Raw.Language], Text: text})
		}
	case "urlencoded":
		c.setForm(r, FormMedia, from.URLEncoded)
	case "formdata":
		c.setForm(r, MultipartMedia, from.FormData)
	case "file":
		r.setBody(Body{File: from.File.Source})
	}
}

// rawMedia are the media types of the languages of Postman's editor for bodies.
var rawMedia = map[string]string{
	"json":       "application/json",
	"xml":        "application/xml",
	"html":       "text/html",
	"text":       "text/plain",
	"javascript": "application/javascript",
}

// setForm sets a body with fields.
func (c *Collection) setForm(r *Request, media string, pairs []postmanPair) {
	var fields []Field
	for _, p := range pairs {
		switch {
		case p.off():
			c.omit(OmittedDisabled, r.Label(), "the field "+p.Key)
		case p.Type == "file":
			for _, path := range textOrList(p.Source) {
				fields = append(fields, Field{Name: p.Key, File: path, Media: p.Media})
			}
		default:
			fields = append(fields, Field{Name: p.Key, Value: plainText(p.Value), Media: p.Media})
		}
	}
	if fields != nil {
		r.setBody(Body{Media: media, Fields: fields})
	}
}

// setAuth adds the header or the query parameter of an authentication.
func (c *Collection) setAuth(r *Request, auth *postmanAuth) {
	if auth == nil {
		return
	}
	switch auth.Type {
	case "noauth", "":
	case "basic":
		of := authValues(auth.Basic)
		r.authorize("Basic " + of["username"] + ":" + of["password"])
	case "bearer":
		r.authorize("Bearer " + authValues(auth.Bearer)["token"])
	case "apikey":
		of := authValues(auth.APIKey)
		r.addKey(of["in"] == "query", of["key"], of["value"])
	default:
		c.omit(OmittedAuth, r.Label(), auth.Type)
	}
}

// authValues returns the parts of an authentication: a list of pairs in version 2.1, an object in version 2.0.
func authValues(value json.RawMessage) map[string]string {
	all := map[string]string{}
	var pairs []postmanPair
	if json.Unmarshal(value, &pairs) == nil {
		for _, p := range pairs {
			all[p.Key] = plainText(p.Value)
		}
		return all
	}
	var members map[string]json.RawMessage
	_ = json.Unmarshal(value, &members) // without members, the parts are empty
	for name, v := range members {
		all[name] = plainText(v)
	}
	return all
}

// authorize adds the header Authorization, unless the request has one.
func (r *Request) authorize(value string) {
	if r.Header("Authorization") == "" {
		r.Headers = append(r.Headers, Field{Name: "Authorization", Value: value})
	}
}

// addKey adds an API key.
func (r *Request) addKey(inQuery bool, name, value string) {
	switch {
	case name == "":
	case inQuery:
		r.URL = withQuery(r.URL, []Field{{Name: name, Value: value}})
	default:
		r.Headers = append(r.Headers, Field{Name: name, Value: value})
	}
}
