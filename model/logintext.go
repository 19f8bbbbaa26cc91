package model

import (
	"encoding/json"
	"maps"
	"mime"
	"net/url"
	"slices"
	"strings"
)

// BodyText is a text in a body: the value of a form's field, or a string in a JSON object.
type BodyText struct {
	Pointer string // JSON pointer of the text
	Text    string
}

// Operation returns the ID that an operation with the method and the path of the log-in has. It is "" for a log-in at
// another host.
func (l *Login) Operation() OpID {
	if l.URL != "" {
		return ""
	}
	path, _, _ := strings.Cut(l.Path, "?")
	return OpID(l.Method + " " + path)
}

// BodyTexts returns the texts in the body of the log-in, which may refer to secrets. See Payload.Texts.
func (l *Login) BodyTexts() (all []BodyText) {
	if l.Body == nil {
		return nil
	}
	for _, f := range l.Fields {
		all = append(all, BodyText{memberOf("", f.Name), f.Value})
	}
	if len(all) == 0 {
		return l.Body.Texts()
	}
	return all
}

// Texts returns the values of a form, or the strings in a JSON object and in its nested objects, sorted by their places.
// Of several values of a field, it returns the first. It returns nil for other bodies.
func (p Payload) Texts() []BodyText {
	media, _, err := mime.ParseMediaType(p.Media)
	switch {
	case err != nil:
		return nil
	case media == "application/x-www-form-urlencoded":
		return formTexts(p.Data)
	case media == "application/json" || strings.HasSuffix(media, "+json"):
		var object map[string]any
		if json.Unmarshal([]byte(p.Data), &object) == nil {
			return objectTexts(object, "")
		}
	}
	return nil
}

func formTexts(data string) (all []BodyText) {
	form, err := url.ParseQuery(data)
	if err != nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(form)) {
		all = append(all, BodyText{memberOf("", name), form.Get(name)})
	}
	return all
}

func objectTexts(object map[string]any, place string) (all []BodyText) {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		switch v := object[name].(type) {
		case string:
			all = append(all, BodyText{memberOf(place, name), v})
		case map[string]any:
			all = append(all, objectTexts(v, memberOf(place, name))...)
		}
	}
	return all
}

// memberOf returns the JSON pointer of a member of the object at a place.
func memberOf(place, name string) string {
	return place + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}
