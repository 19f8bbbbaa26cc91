package model

import (
	"mime"
	"net/url"
	"slices"
	"strings"
)

// Variables returns the names in "${NAME}" references of the arguments and the bodies, without duplicates. Only requests
// by hand have variables; elsewhere such a text has no meaning.
func (t Test) Variables() (names []string) {
	collect := func(text string) string {
		for _, name := range SecretNames(text) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		return text
	}
	for _, call := range t.Calls {
		for _, a := range call.Args {
			collect(a.Value)
		}
		if call.Body != nil {
			call.Body.MapTexts(collect)
		}
	}
	return names
}

// MapTexts returns the body with a function applied to the texts in it that may have variables: the names and values of a
// form, the parts of a multipart body that are no files, and the whole of any other body. It leaves the content of a
// file as it is.
func (p Payload) MapTexts(change func(text string) string) Payload {
	if p.FromFile {
		return p
	}
	media, params, err := mime.ParseMediaType(p.Media)
	switch {
	case err == nil && media == "application/x-www-form-urlencoded":
		p.Data = mapForm(p.Data, change)
	case err == nil && strings.HasPrefix(media, "multipart/") && params["boundary"] != "":
		p.Data = mapParts(p.Data, params["boundary"], change)
	default:
		p.Data = change(p.Data)
	}
	return p
}

// mapForm changes the names and the values of a form. What does not change keeps its escapes.
func mapForm(data string, change func(string) string) string {
	pairs := strings.Split(data, "&")
	for i, pair := range pairs {
		texts := strings.SplitN(pair, "=", 2)
		for j, text := range texts {
			plain, err := url.QueryUnescape(text)
			if err != nil {
				continue
			}
			if changed := change(plain); changed != plain {
				texts[j] = url.QueryEscape(changed)
			}
		}
		pairs[i] = strings.Join(texts, "=")
	}
	return strings.Join(pairs, "&")
}

// mapParts changes the content of the parts that have no name of a file. All other bytes stay.
func mapParts(data, boundary string, change func(string) string) string {
	parts := strings.Split(data, "--"+boundary)
	for i, part := range parts {
		head, content, found := strings.Cut(part, "\r\n\r\n")
		if found && !strings.Contains(strings.ToLower(head), "filename") {
			parts[i] = head + "\r\n\r\n" + change(content)
		}
	}
	return strings.Join(parts, "--"+boundary)
}
