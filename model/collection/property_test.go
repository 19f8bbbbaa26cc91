package collection_test

import (
	"slices"
	"strings"
	"testing"

	"sonde/model/collection"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// drawnText draws a text of one line, of parts with a meaning in .http files, without white space around it.
func drawnText(t *rapid.T, label string) string {
	parts := rapid.SliceOfN(rapid.SampledFrom([]string{
		"a", "B", "7", "é", "#", "##", "###", "/", "//", " ", ":", "=", "&", "?", "%", "%20", "+", "<", "> ", "{", "}", "{{v}}", "@",
		`"`, "'", "--", "\\", "|", ";", ",", "HTTP/1.1", " / ", "{%", "%}", "??", "GET /x", "name=", "-",
	}), 1, 6).Draw(t, label)
	return strings.TrimSpace(strings.Join(strings.Fields(strings.Join(parts, "")), " "))
}

// drawnLines draws a text of some lines.
func drawnLines(t *rapid.T, label string) string {
	var lines []string
	for range rapid.IntRange(1, 4).Draw(t, label+" lines") {
		lines = append(lines, drawnText(t, label))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), " \n")
}

func drawnBody(t *rapid.T) *collection.Body {
	media := rapid.SampledFrom([]string{"", "application/json", "text/plain; charset=utf-8"}).Draw(t, "media")
	var fields []collection.Field
	for range rapid.IntRange(1, 3).Draw(t, "fields") {
		fields = append(fields, collection.Field{Name: "f" + drawnText(t, "field"), Value: drawnLines(t, "value")})
	}
	switch rapid.IntRange(0, 4).Draw(t, "body") {
	case 0:
		return nil
	case 1:
		return &collection.Body{Media: media, File: "./" + rapid.SampledFrom([]string{"a.json", "b c.png", "é"}).Draw(t, "file")}
	case 2:
		return &collection.Body{Media: collection.FormMedia, Fields: fields}
	case 3:
		for i := range fields {
			fields[i].Name = strings.ReplaceAll(fields[i].Name, `"`, "'")
			fields[i].Media = media
			if rapid.Bool().Draw(t, "is file") {
				fields[i].Value, fields[i].File = "", "./a.png"
			}
		}
		return &collection.Body{Media: collection.MultipartMedia, Fields: fields}
	}
	text := drawnLines(t, "text")
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return &collection.Body{Media: media, Text: text}
}

func drawnRequest(t *rapid.T) collection.Request {
	r := collection.Request{
		Method: rapid.SampledFrom([]string{"GET", "POST", "QUERY", "X-OWN"}).Draw(t, "method"),
		URL: rapid.SampledFrom([]string{"http://x.example/", "{{v}}/", "/", "x.example/"}).Draw(t, "base") +
			strings.ReplaceAll(drawnText(t, "url"), " ", "%20"),
		Name: "N" + strings.ReplaceAll(drawnText(t, "name"), " / ", "/"),
		Body: drawnBody(t),
	}
	for range rapid.IntRange(0, 2).Draw(t, "folders") {
		r.Folder = append(r.Folder, "F"+rapid.SampledFrom([]string{"", " b", "#", ":"}).Draw(t, "folder"))
	}
	for range rapid.IntRange(0, 2).Draw(t, "headers") {
		name := rapid.SampledFrom([]string{"Accept", "X-Own", "Authorization", "x_{{v}}"}).Draw(t, "header")
		r.Headers = append(r.Headers, collection.Field{Name: name, Value: drawnText(t, "header value")})
	}
	return r
}

// A collection that is written as a .http file and read again is the same, but for the requests that are left out with a
// reason.
func TestWrittenAndRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := collection.Collection{Variables: []collection.Variable{{Name: "v", Value: drawnText(t, "variable")}}}
		for range rapid.IntRange(1, 4).Draw(t, "requests") {
			c.Requests = append(c.Requests, drawnRequest(t))
		}
		text, left := collection.WriteHTTP(c)
		kept := slices.DeleteFunc(slices.Clone(c.Requests), func(r collection.Request) bool { return collection.Unwritable(r) != "" })
		if len(kept)+len(left) != len(c.Requests) {
			t.Fatalf("%d requests, %d kept, omissions %v", len(c.Requests), len(kept), left)
		}
		if len(kept) == 0 {
			return
		}
		again, err := collection.ParseHTTP(string(text))
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if diff := cmp.Diff(collection.Collection{Variables: c.Variables, Requests: kept}, again, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("(-want +got):\n%s\n%s", diff, text)
		}
	})
}
