package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"sonde/model"
)

// DefaultEnvironment names the service at the top level of a file. No environment of a file has this name.
const DefaultEnvironment = "default"

// Environment is a place where the service runs, such as staging. It is an entry of the section environments. What it
// does not say comes from the top level of the file.
type Environment struct {
	Name string
	// URL is the address of the service, "" if there is none. A variable that is not set stays in it as ${NAME}.
	URL        string
	Starts     bool     // Sonde or a driver starts the service
	Users      []string // the names of all users of the environment, those of the top level included
	Production bool     // calls that write need the user's consent
}

// maxEnvironments limits the number of environments of a file.
const maxEnvironments = 100

var environmentName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$`)

// environmentSection is an entry of the section environments before its variables are replaced.
type environmentSection struct {
	line       int
	name       string
	url        string
	urlLine    int
	headers    *value
	users      *value
	variables  variables
	production bool
}

// environmentDecoder decodes the sections environments and variables.
type environmentDecoder struct {
	decoder  *decoder
	top      variables // of the top level
	topURL   string    // the url of the top level, as it is written
	sections []environmentSection
}

// read decodes the sections of a file.
func (r *environmentDecoder) read(file *value) {
	if v := file.get("variables"); v != nil {
		r.variables(&r.top)(v)
	}
	if v := file.get("url"); v != nil {
		r.topURL = v.text
	}
	if v := file.get("environments"); v != nil {
		r.environments(v)
	}
	r.top.check(r.decoder)
	for _, e := range r.sections {
		r.top.with(e.variables).check(r.decoder)
	}
}

func (r *environmentDecoder) environments(v *value) {
	if v.kind != isObject {
		const what = "environments takes names with their settings, such as staging: {url: https://staging.example.com}, not %s"
		r.decoder.fail(v, what, v.what())
		return
	}
	for i, name := range v.keys {
		switch {
		case i == maxEnvironments:
			r.decoder.failAt(v.at[i], "there are more than %d environments", maxEnvironments)
		case strings.EqualFold(name, DefaultEnvironment):
			r.decoder.failAt(v.at[i], "the environment %s is the top level of the file: give this one another name", DefaultEnvironment)
		case !environmentName.MatchString(name):
			r.decoder.failAt(v.at[i], "%.60q is not a name of an environment: use letters, digits, dots, dashes and underscores", name)
		}
		if r.decoder.err != nil {
			return
		}
		r.sections = append(r.sections, r.section(name, v.at[i], v.kids[i]))
	}
}

// section decodes one environment. The key auth is an alias of users, because the top level has users under it.
func (r *environmentDecoder) section(name string, line int, v *value) environmentSection {
	e := environmentSection{line: line, name: name}
	users := func(kid *value) {
		if e.users != nil {
			r.decoder.fail(kid, "users and auth are the same: keep one of them")
		}
		e.users = kid
	}
	r.decoder.object(v, "environment "+name, fields{
		"url": func(kid *value) {
			e.urlLine = kid.line
			r.decoder.text(&e.url)(kid)
		},
		"headers":    func(kid *value) { e.headers = kid },
		"users":      users,
		"auth":       users,
		"variables":  r.variables(&e.variables),
		"production": r.decoder.flag(&e.production),
	})
	switch {
	case strings.Contains(e.url, model.PortPlaceholder):
		r.decoder.failAt(e.urlLine, "url has %s, and Sonde starts no service of an environment: give the port", model.PortPlaceholder)
	case e.production && e.url == "":
		r.decoder.failAt(line, "environment %s is production and has no url: say where it is", name)
	}
	return e
}

// variables are the values of names, as they are written in the file.
type variables map[string]variable

type variable struct {
	line int
	text string
}

// Limits of variables: their number in a section, the length of a value in bytes with the values of other variables in
// it, and the bytes that they add to a file.
const (
	maxVariables = 1000
	maxVariable  = 64 << 10
	maxReplaced  = 4 << 20
)

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func (r *environmentDecoder) variables(to *variables) decodeFunc {
	return func(v *value) {
		texts := map[string]string{}
		r.decoder.public(&texts, "variables")(v)
		*to = variables{}
		if len(v.keys) > maxVariables {
			r.decoder.fail(v, "there are more than %d variables", maxVariables)
		}
		for i, name := range v.keys {
			if !variableName.MatchString(name) {
				r.decoder.failAt(v.at[i], "%.60q is not a name of a variable: use letters, digits and underscores, as in ${NAME}", name)
			}
			(*to)[name] = variable{line: v.at[i], text: texts[name]}
		}
	}
}

// with returns the variables and those of an environment, which take precedence.
func (all variables) with(more variables) variables {
	out := variables{}
	for _, from := range []variables{all, more} {
		for name, v := range from {
			out[name] = v
		}
	}
	return out
}

// names returns the names in the order of the file.
func (all variables) names() []string {
	var names []string
	for name := range all {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if d := all[a].line - all[b].line; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return names
}

// check reports an error if a variable refers to itself, directly or through others, or if its value is too long.
func (all variables) check(d *decoder) {
	e := expansion{variables: all, decoder: d, values: map[string]string{}}
	for _, name := range all.names() {
		e.value(name, nil)
	}
}

// flat returns the values with no variable left in them. A name that is none of the variables stays as ${NAME}: it is a
// variable of the process environment. check must have found no error. The result is nil if there are no variables.
func (all variables) flat() map[string]string {
	if len(all) == 0 {
		return nil
	}
	e := expansion{variables: all, decoder: &decoder{}, values: map[string]string{}}
	for name := range all {
		e.value(name, nil)
	}
	return e.values
}

// expansion replaces variables in the values of variables.
type expansion struct {
	variables variables
	decoder   *decoder
	values    map[string]string // the results so far
}

// value returns the value of a variable. way has the variables that refer to it.
func (e *expansion) value(name string, way []string) string {
	if done, ok := e.values[name]; ok {
		return done
	}
	v := e.variables[name]
	if slices.Contains(way, name) {
		e.decoder.failAt(
			v.line, "the variable %s refers to itself (%s): a variable of the process environment needs another name",
			name, strings.Join(append(slices.Clone(way), name), " → "),
		)
		return ""
	}
	way = append(slices.Clip(way), name)
	length := len(v.text)
	e.values[name] = replaceVariables(v.text, func(other string) (string, bool) {
		if _, ok := e.variables[other]; !ok {
			return "", false
		}
		filled := e.value(other, way)
		length += len(filled)
		if length > maxVariable {
			e.decoder.failAt(v.line, "the variable %s is longer than %d KiB with the other variables in it", name, maxVariable>>10)
			return "", true
		}
		return filled, true
	})
	return e.values[name]
}

// replaceVariables replaces ${NAME} by its value. A name that has none stays.
func replaceVariables(text string, value func(name string) (string, bool)) string {
	return model.FillSecrets(text, func(name string) string {
		if filled, ok := value(name); ok {
			return filled
		}
		return "${" + name + "}"
	})
}

// ReplaceVariables replaces each ${NAME} in a text by the value in variables. A name that has none stays.
func ReplaceVariables(text string, variables map[string]string) string {
	return replaceVariables(text, func(name string) (string, bool) {
		value, ok := variables[name]
		return value, ok
	})
}

// replacer replaces variables in the texts of a tree.
type replacer struct {
	decoder   *decoder
	variables map[string]string
	left      int // bytes that variables may still add
}

// tree returns a copy of a tree with variables replaced in its texts. Keys stay.
func (r *replacer) tree(v *value) *value {
	if v == nil || r.decoder.err != nil {
		return v
	}
	out := *v
	out.text = replaceVariables(v.text, func(name string) (string, bool) {
		filled, ok := r.variables[name]
		r.left -= len(filled)
		if r.left < 0 {
			r.decoder.fail(v, "it is too large with its variables replaced")
			return "", true
		}
		return filled, ok
	})
	out.kids = make([]*value, len(v.kids))
	for i, kid := range v.kids {
		out.kids[i] = r.tree(kid)
	}
	return &out
}

// headers decodes headers that all requests to the service carry.
func (d *decoder) headers(to *[]model.Credential) decodeFunc {
	return func(v *value) {
		texts := map[string]string{}
		d.public(&texts, "headers")(v)
		for i, name := range v.keys {
			text := strings.TrimSpace(texts[name])
			same := func(c model.Credential) bool { return strings.EqualFold(c.Name, name) }
			switch {
			case !token.MatchString(name):
				d.failAt(v.at[i], "%.60q is not a name of a header", name)
			case slices.ContainsFunc(transport, func(own string) bool { return strings.EqualFold(own, name) }):
				d.failAt(v.at[i], "the header %s follows from the request, and cannot be set", name)
			case slices.ContainsFunc(*to, same):
				d.failAt(v.at[i], "the header %s is here twice: letters in upper and lower case are the same", name)
			case text == "":
				d.failAt(v.at[i], "the header %s has no value", name)
			case strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) || r > unicode.MaxASCII }):
				d.failAt(v.at[i], "the header %s has a value that no header can carry: use printable ASCII", name)
			}
			*to = append(*to, model.Credential{In: model.InHeader, Name: name, Value: text})
		}
	}
}

// mergeHeaders returns the headers, with those of an environment added. A header with the same name is replaced.
func mergeHeaders(headers, more []model.Credential) []model.Credential {
	all := slices.Clone(headers)
	for _, c := range more {
		i := slices.IndexFunc(all, func(own model.Credential) bool { return strings.EqualFold(own.Name, c.Name) })
		if i < 0 {
			all = append(all, c)
		} else {
			all[i] = c
		}
	}
	return all
}

// mergeUsers returns the users, with those of an environment added. A user with the same name is replaced.
func mergeUsers(users, more []model.User) []model.User {
	all := slices.Clone(users)
	for _, u := range more {
		if i := slices.IndexFunc(all, func(own model.User) bool { return own.Name == u.Name }); i >= 0 {
			all[i] = u
		} else {
			all = append(all, u)
		}
	}
	return all
}

// chosen returns the environment with a name. It returns a zero section for the top level, which is "" or
// DefaultEnvironment. An unknown name is an error that lists the known ones.
func (r *environmentDecoder) chosen(name string) (environmentSection, error) {
	if name == "" || name == DefaultEnvironment {
		return environmentSection{}, nil
	}
	for _, e := range r.sections {
		if e.name == name {
			return e, nil
		}
	}
	if len(r.sections) == 0 {
		return environmentSection{}, fmt.Errorf("there is no environment %.60q: the file has no section environments", name)
	}
	var known []string
	for _, e := range r.sections {
		known = append(known, e.name)
	}
	return environmentSection{}, fmt.Errorf("there is no environment %.60q: the file has %s", name, strings.Join(known, ", "))
}
