package config

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
)

var (
	loginWord    = regexp.MustCompile(`(?i)(^|[/_-])(log-?in|sign-?in|authenticate|authentication|auth|(access-?)?tokens?|jwt|sessions?)$`)
	passwordWord = regexp.MustCompile(`(?i)passw|pwd|secret`)
	usernameWord = regexp.MustCompile(
		`(?i)^(user|login|account|e?-?mail|identifier)$|^(user|login|account)[_-]?(name|id|e?mail)?$|^e?-?mail[_-]?address$`,
	)
	likeUsername  = regexp.MustCompile(`(?i)user|login|mail|name|client`)
	otherName     = regexp.MustCompile(`(?i)first|last|full|display|nick|given|family|middle|tenant|company|org`)
	otherPassword = regexp.MustCompile(`(?i)new|old|repeat|confirm|again|hint|reset`)
	newUserWord   = regexp.MustCompile(`(?i)(^|[/_-])(users?|accounts?|register|registration|sign-?up|members?)$`)
)

// leaf is a field of a body that is neither an object nor a list.
type leaf struct {
	path     []string // the names of the enclosing objects and of the field
	schema   *model.Schema
	required bool
}

func (l leaf) name() string { return l.path[len(l.path)-1] }

func (l leaf) pointer() string {
	text := ""
	for _, name := range l.path {
		text += "/" + pointer.Escape(name)
	}
	return text
}

// Limits for the leaves of a body's schema: how many objects inside the body may enclose a leaf, and the number of
// leaves from which on no further object is read.
const (
	deepestLeaf = 3
	maxLeaves   = 200
)

// leaves returns the leaves of an object and of its nested objects, up to the limits.
func leaves(s *model.Schema) []leaf {
	var all []leaf
	var walk func(s *model.Schema, path []string, required bool)
	walk = func(s *model.Schema, path []string, required bool) {
		if s == nil || len(path) > deepestLeaf || len(all) >= maxLeaves {
			return
		}
		for _, part := range s.AllOf {
			walk(part, path, required)
		}
		for _, p := range s.Properties {
			own := append(slices.Clip(path), p.Name)
			if must := required && p.Required; len(p.Schema.Properties) > 0 || len(p.Schema.AllOf) > 0 {
				walk(p.Schema, own, must)
			} else if p.Schema.Type != "array" && p.Schema.Type != "object" {
				all = append(all, leaf{path: own, schema: p.Schema, required: must})
			}
		}
	}
	walk(s, nil, true)
	return all
}

// found is an operation of a spec that may be a log-in, with the request for it.
type found struct {
	op       *model.Operation
	login    model.Login
	username string // the name of the username field
	// sure reports whether the spec says where the answer has the credential.
	sure bool
}

// findLogin returns a log-in whose answer has the credential for the scheme s, which may be the zero value. It prefers
// the first log-in for which the spec says where the answer has the credential. Otherwise it returns the first
// operation that may be a log-in, or nil if there is none.
func findLogin(spec *model.Spec, s model.SecurityScheme) *found {
	var best *found
	for _, op := range spec.Operations {
		if strings.Contains(op.Path, "{") || !loginWord.MatchString(op.Path) {
			continue
		}
		f, ok := loginRequest(spec, op)
		if !ok {
			continue
		}
		f.sure = f.take(s)
		if best == nil || f.sure && !best.sure {
			best = f
		}
	}
	return best
}

// loginRequest returns the log-in for an operation that takes a username and a password, in its body or by basic
// authentication. ok is false for other operations.
func loginRequest(spec *model.Spec, op *model.Operation) (f *found, ok bool) {
	f = &found{op: op, login: model.Login{Method: op.Method, Path: op.Path}}
	if op.Method == "POST" && f.body() {
		return f, true
	}
	asksBasic := slices.ContainsFunc(
		spec.SecuritySchemes,
		func(s model.SecurityScheme) bool { return s.Kind == "basic" && slices.Contains(op.Schemes, s.Name) },
	)
	if !asksBasic || op.Method != "GET" && op.Method != "POST" || op.Body != nil && op.Body.Required {
		return nil, false
	}
	f.login.Headers = []model.Credential{
		{In: model.InHeader, Name: "Authorization", Value: "${SONDE_USERNAME}:${SONDE_PASSWORD}", Basic: true},
	}
	return f, true
}

// body sets the body of the log-in, with variables for a username and a password. It returns false if the operation
// takes no such body, or if it requires another field whose value is unknown.
func (f *found) body() bool {
	if f.op.Body == nil {
		return false
	}
	for _, c := range f.op.Body.Contents {
		if media := strings.ToLower(c.Media); !isJSON(media) && !isForm(media) {
			continue
		}
		values, ok := credentialValues(leaves(c.Schema), example)
		if !ok {
			continue
		}
		f.username = values[0].name()
		f.login.Body, f.login.Fields, ok = written(mediaOf(c.Media), values)
		return ok
	}
	return false
}

// mediaOf returns a media type without its parameters.
func mediaOf(media string) string {
	media, _, _ = strings.Cut(media, ";")
	return strings.TrimSpace(media)
}

// valued is a field of a body with its value.
type valued struct {
	leaf
	value any
}

// credentialValues returns values for the username, the password and all other required fields, in this order. other
// returns the value of a field that is neither the username nor the password. ok is false if a value is unknown, or
// if there is no field for the username or the password.
func credentialValues(all []leaf, other func(leaf) (any, bool)) (values []valued, ok bool) {
	password := slices.IndexFunc(
		all,
		func(l leaf) bool { return passwordWord.MatchString(l.name()) && !otherPassword.MatchString(l.name()) },
	)
	if password < 0 {
		return nil, false
	}
	username := usernameIn(all, len(all[password].path))
	if username < 0 {
		return nil, false
	}
	values = append(values, valued{all[username], "${SONDE_USERNAME}"}, valued{all[password], "${SONDE_PASSWORD}"})
	for i, l := range all {
		if !l.required || i == password || i == username {
			continue
		}
		value, known := other(l)
		if !known {
			return nil, false
		}
		values = append(values, valued{l, value})
	}
	return values, true
}

// usernameIn returns the index of the username field among the leaves at a depth, -1 if there is none.
func usernameIn(all []leaf, depth int) int {
	beside := func(l leaf) bool { return len(l.path) == depth && !passwordWord.MatchString(l.name()) }
	if at := slices.IndexFunc(all, func(l leaf) bool { return beside(l) && usernameWord.MatchString(l.name()) }); at >= 0 {
		return at
	}
	return slices.IndexFunc(all, func(l leaf) bool {
		return beside(l) && likeUsername.MatchString(l.name()) && !otherName.MatchString(l.name())
	})
}

// example returns the value that the spec gives for a field, such as a default or an example. It skips texts that refer
// to variables. For the field grant_type, the value is always "password". ok is false if there is none.
func example(l leaf) (value any, ok bool) {
	s := l.schema
	candidates := slices.Concat([]any{s.Const, s.Default}, s.Enum, s.Examples)
	if l.name() == "grant_type" {
		candidates = []any{"password"}
	}
	for _, c := range candidates {
		if text, isText := c.(string); c != nil && (!isText || len(model.SecretNames(text)) == 0) {
			return c, true
		}
	}
	return nil, false
}

// written returns a body with the given values, which start with the username and the password. It returns them as
// fields if all values are texts in one object, and no other value may be secret. Otherwise it returns a JSON
// payload, or false if the media type is not JSON.
func written(media string, values []valued) (*model.Payload, []model.LoginField, bool) {
	var fields []model.LoginField
	object := map[string]any{}
	flat := true
	for _, v := range values {
		text, isText := v.value.(string)
		flat = flat && isText && len(v.path) == 1
		fields = append(fields, model.LoginField{Name: v.name(), Value: text})
		at := object
		for _, name := range v.path[:len(v.path)-1] {
			inner, ok := at[name].(map[string]any)
			if !ok {
				inner = map[string]any{}
				at[name] = inner
			}
			at = inner
		}
		at[v.name()] = v.value
	}
	if flat && !slices.ContainsFunc(fields[2:], func(f model.LoginField) bool { return model.IsSecretField(f.Name) }) {
		return &model.Payload{Media: media}, fields, true
	}
	if !isJSON(media) {
		return nil, nil, false
	}
	data, err := json.Marshal(object)
	return &model.Payload{Media: media, Data: string(data)}, nil, err == nil
}

// take sets where the answer to the log-in has the credential for the scheme s. It returns true if the spec states
// the place or if the credential is a cookie, and false if the place is a guess.
func (f *found) take(s model.SecurityScheme) bool {
	t := &model.LoginToken{In: model.InHeader, Name: "Authorization", Template: "Bearer " + model.TokenPlaceholder}
	if s.Kind == "apiKey" && !bearerKey(s) {
		t.In, t.Name, t.Template = s.In, s.Key, strings.TrimLeft(s.Prefix+" "+model.TokenPlaceholder, " ")
	}
	f.login.Token = t
	for _, r := range f.op.Responses {
		if !r.Success() {
			continue
		}
		for _, c := range r.Contents {
			t.Pointer = tokenPointer(c.Schema, s.Key)
			if t.Pointer != "" {
				return true
			}
		}
	}
	if t.In == model.InCookie {
		f.login.Token, f.login.Cookies = nil, true
		return true
	}
	t.Pointer = "/token"
	return false
}

var (
	notToken = regexp.MustCompile(`refresh|csrf|xsrf|type|expir|ttl|limit|count|device|push|fcm|reset|invit|verif|confirm`)
	notWord  = regexp.MustCompile(`[^a-z0-9]+`)
)

// tokenRank returns a rank for the name of a field in the answer to a log-in. A lower rank means that the field is
// more likely to have the token. key is the name of an API key, "" for none. ok is false for a field that cannot have
// the token.
func tokenRank(name, key string) (rank int, ok bool) {
	name = notWord.ReplaceAllString(strings.ToLower(name), "")
	switch {
	case notToken.MatchString(name):
		return 0, false
	case name == notWord.ReplaceAllString(strings.ToLower(key), "") && key != "":
		return 0, true
	case name == "accesstoken":
		return 1, true
	case name == "token":
		return 2, true
	case name == "idtoken":
		return 6, true
	case name == "sessionid" || name == "session":
		return 5, true
	case slices.Contains(
		[]string{"jwt", "jwttoken", "bearer", "bearertoken", "authtoken", "authenticationtoken", "authorizationtoken"},
		name,
	):
		return 3, true
	}
	return 4, strings.HasSuffix(name, "token")
}

// tokenPointer returns the JSON pointer of the token in a body, "" if no field seems to have a token.
func tokenPointer(s *model.Schema, key string) string {
	best, at := 0, ""
	for _, l := range leaves(s) {
		if l.schema.Type != "string" && l.schema.Type != "" {
			continue
		}
		if rank, ok := tokenRank(l.name(), key); ok && (at == "" || rank < best) {
			best, at = rank, l.pointer()
		}
	}
	return at
}

// findCreation returns the request that creates the user of a log-in. It returns nil if no operation seems to create
// users, if its body lacks the username field of the log-in or a password, or if the value of a required field is
// unknown.
func findCreation(spec *model.Spec, login found) *model.Login {
	for _, op := range spec.Operations {
		if op.Method != "POST" || strings.Contains(op.Path, "{") || !newUserWord.MatchString(op.Path) || op == login.op || op.Body == nil {
			continue
		}
		for _, c := range op.Body.Contents {
			if !isJSON(c.Media) && !isForm(c.Media) {
				continue
			}
			if values, ok := credentialValues(userFirst(leaves(c.Schema), login), invented); ok {
				body, fields, ok := written(mediaOf(c.Media), values)
				if ok {
					return &model.Login{Method: op.Method, Path: op.Path, Body: body, Fields: fields}
				}
			}
		}
	}
	return nil
}

// userFirst returns the fields with the username field moved to the front, nil if there is no username field.
func userFirst(all []leaf, login found) []leaf {
	at := slices.IndexFunc(all, func(l leaf) bool { return l.name() == login.username })
	if at < 0 {
		return nil
	}
	return slices.Concat([]leaf{all[at]}, all[:at], all[at+1:])
}

// invented returns a value for a field of a new user: the value that the spec gives, or a generated text. It returns
// false if the spec gives none and no generated text fits the schema.
func invented(l leaf) (any, bool) {
	if value, ok := example(l); ok {
		return value, true
	}
	switch s := l.schema; {
	case s.Type != "string" && s.Type != "" || s.Pattern != "" || s.MinLength > len("sonde") || len(s.Enum) > 0:
		return nil, false
	case s.Format == "email" || mailWord.MatchString(l.name()):
		return "sonde@example.com", true
	case s.Format != "":
		return nil, false
	}
	return "sonde", true
}

var mailWord = regexp.MustCompile(`(?i)mail`)
