package match

import (
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// nameMatcher finds references by the form of values. There are two forms: resource names, such as "users/7/keys/3",
// and ids with their type before them, such as "customer:17". The description, the pattern or an example may show the
// form of an entity's key. Then other values with the same form refer to the entity.
type nameMatcher struct {
	*qualifier
	keys map[string]identity // the key that has a form, by the form; its entity is nil if several keys have the form
	// forms caches the results of formOf. described caches the results of formInText for descriptions of parameters.
	forms     map[*model.Schema]string
	described map[string]string
}

// matchAll turns each value that has the form of another entity's key into a reference. matchAll must run after the
// steps that set identities by names.
func (m nameMatcher) matchAll() {
	m.each(func(op *model.Operation, u *ValueUse, i *identity) {
		if !u.Out || i.entity == nil || u.InURL || i.isReference ||
			!slices.Contains(textKeys, i.attr) && !slices.Contains(idWords, i.attr) || m.byComponent[u.owner()] != i.entity {
			return
		}
		if form := m.form(op, u); form != "" {
			if k, known := m.keys[form]; known && (k.entity != i.entity || k.attr != i.attr) {
				m.keys[form] = identity{}
			} else {
				m.keys[form] = *i
			}
		}
	})
	if len(m.keys) == 0 {
		return
	}
	m.each(func(op *model.Operation, u *ValueUse, i *identity) {
		form := m.form(op, u)
		k := m.keys[form]
		if form == "" || k.entity == nil || k.entity == i.entity || u.InURL {
			return
		}
		why := u.Name + " has the form " + form + " of " + article(k.entity.name)
		*i = identity{entity: k.entity, attr: k.attr, isReference: true, why: why, evidence: EvidenceGuess}
	})
}

// form returns the form of a value, such as "users/*/keys/*" or "customer:*". It returns "" if the value has neither
// form.
func (m nameMatcher) form(op *model.Operation, u *ValueUse) string {
	if u.Pointer == "" && !u.Out {
		text := descriptionOf(op, u)
		form, known := m.described[text]
		if !known {
			form = formInText(text)
			m.described[text] = form
		}
		if form != "" {
			return form
		}
	}
	if u.schema == nil || !isText(u) {
		return ""
	}
	form, known := m.forms[u.schema]
	if !known {
		form = formOf(u)
		m.forms[u.schema] = form
	}
	return form
}

// patternReplacer converts a pattern to a text that [formInText] reads.
var patternReplacer = strings.NewReplacer("^", "", "$", "", "[^/]+", "*")

// formOf returns the form that the pattern, the example or the description in a value's schema shows.
func formOf(u *ValueUse) string {
	s := elementSchema(u.schema)
	if form := formInText(patternReplacer.Replace(s.Pattern)); form != "" {
		return form
	}
	if text, ok := (&ValueUse{schema: s}).Example().(string); ok {
		if form := formOfExample(text); form != "" {
			return form
		}
	}
	return formInText(s.Description)
}

// resourceName matches the form of a resource name in a text, such as "users/{user}/keys/{key}". It does not match a
// path, which begins with a slash.
var resourceName = regexp.MustCompile(
	`(?:^|[^\w/{}.:-])((?:` + namedElement + `/)*` + namedElement + `)(?:$|[^\w/{-])`,
)

// namedElement matches the name of a collection and a placeholder for an id: "users/*" or "users/{user}".
const namedElement = `[A-Za-z][A-Za-z0-9_-]*/(?:\*|\{[^{}/]+\})`

// placeholder matches a placeholder for an id in a resource name, such as "{user}".
var placeholder = regexp.MustCompile(`\{[^{}]*\}`)

// formInText returns the form of the first resource name in a text, "" if there is none.
func formInText(text string) string {
	if !strings.Contains(text, "/*") && !strings.Contains(text, "/{") {
		return ""
	}
	found := resourceName.FindStringSubmatch(text)
	if found == nil {
		return ""
	}
	return placeholder.ReplaceAllString(found[1], "*")
}

// typedID matches an id with its type before it, such as "customer:17".
var typedID = regexp.MustCompile(`^([A-Za-z][A-Za-z_-]*):[A-Za-z0-9_-]+$`)

// collectionName matches the name of a collection in a resource name.
var collectionName = regexp.MustCompile(`^[A-Za-z]+$`)

// formOfExample returns the form of an example: an id with its type before it, or segments that alternate between names
// of collections and ids. It returns "" for other texts.
func formOfExample(text string) string {
	if typed := typedID.FindStringSubmatch(text); typed != nil {
		return typed[1] + ":*"
	}
	segments := strings.Split(text, "/")
	if len(segments)%2 != 0 || strings.ContainsAny(text, " :") {
		return ""
	}
	for i := 0; i < len(segments); i += 2 {
		if segments[i+1] == "" || !collectionName.MatchString(segments[i]) {
			return ""
		}
		segments[i+1] = "*"
	}
	return strings.Join(segments, "/")
}
