package individual

import (
	"errors"
	"image/png"
	"io"
	"maps"
	"mime/multipart"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/search/gene"
	"sonde/runner/search/upload"
)

// uploading returns an operation that takes a body.
func uploading(path string, contents ...model.Content) *model.Operation {
	id := model.OpID("POST " + path)
	return &model.Operation{ID: id, Method: "POST", Path: path, Body: &model.RequestBody{Required: true, Contents: contents}}
}

// formOf returns a multipart body with properties.
func formOf(properties ...model.Property) model.Content {
	return model.Content{Media: "multipart/form-data", Schema: &model.Schema{Type: "object", Properties: properties}}
}

var binary = &model.Schema{Type: "string", Format: "binary"}

// partsIn returns the file names, media types and contents of the parts of a body, by name.
func partsIn(t *testing.T, p *model.Payload) map[string][3]string {
	t.Helper()
	all := map[string][3]string{}
	for r := multipart.NewReader(strings.NewReader(p.Data), boundary); ; {
		part, err := r.NextRawPart()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(part)
		if err != nil {
			t.Fatal(err)
		}
		all[part.FormName()] = [3]string{part.FileName(), part.Header.Get("Content-Type"), string(data)}
	}
}

// best returns a call of an operation with the files that are tried first.
func best(op *model.Operation) call {
	c := newChromosome(op, false, model.Sizes{}).sample(chance(1))
	c.chooseFiles(0)
	return c
}

// The parts of a form are files of the kinds that the spec suggests. A string of a plain media type is no file.
func TestFilesOfForm(t *testing.T) {
	text := &model.Schema{Type: "string"}
	content := formOf(
		model.Property{Name: "avatar", Required: true, Schema: binary},
		model.Property{Name: "pages", Required: true, Schema: &model.Schema{Type: "array", MinItems: 1, Items: binary}},
		model.Property{Name: "rows", Required: true, Schema: text},
		model.Property{Name: "sign", Required: true, Schema: &model.Schema{Type: "string", Format: "binary", ContentMedia: "image/gif"}},
		model.Property{Name: "meta", Required: true, Schema: text},
		model.Property{Name: "title", Required: true, Schema: text},
	)
	content.Parts = []model.PartMedia{
		{Name: "pages", Media: "application/pdf, image/png"}, {Name: "rows", Media: "text/csv"}, {Name: "meta", Media: "application/json"},
	}
	got := partsIn(t, best(uploading("/users", content)).message())
	for name, want := range map[string][2]string{
		"avatar": {"photo.png", "image/png"}, "pages": {"document.pdf", "application/pdf"}, "rows": {"table.csv", "text/csv"},
		"sign": {"picture.gif", "image/gif"}, "meta": {}, "title": {},
	} {
		if p := got[name]; p[0] != want[0] || p[1] != want[1] {
			t.Errorf("%s: got the file %q of %q, want %q", name, p[0], p[1], want)
		}
	}
	if _, err := png.Decode(strings.NewReader(got["avatar"][2])); err != nil {
		t.Errorf("avatar: %v", err)
	}
}

// A body is a file if its schema or its media type says so.
func TestFileAsBody(t *testing.T) {
	text, object := &model.Schema{Type: "string"}, &model.Schema{Type: "object"}
	for name, c := range map[string]struct {
		contents []model.Content
		media    string // the media type that is sent
		start    string // the start of the body
	}{
		"no schema":      {[]model.Content{{Media: "image/png"}}, "image/png", "\x89PNG"},
		"a string":       {[]model.Content{{Media: "application/pdf", Schema: text}}, "application/pdf", "%PDF"},
		"binary":         {[]model.Content{{Media: "application/vnd.x", Schema: binary}}, "application/vnd.x", "PK"},
		"of any kind":    {[]model.Content{{Media: "application/octet-stream", Schema: binary}}, "application/octet-stream", "PK"},
		"a range":        {[]model.Content{{Media: "image/*", Schema: binary}}, "image/png", "\x89PNG"},
		"any range":      {[]model.Content{{Media: "*/*", Schema: binary}}, "application/zip", "PK"},
		"an object":      {[]model.Content{{Media: "application/yaml", Schema: object}}, "application/yaml", "{"},
		"text":           {[]model.Content{{Media: "text/plain", Schema: always("x")}}, "text/plain", "x"},
		"one of several": {[]model.Content{{Media: "text/csv"}, {Media: "text/plain"}, {Media: "image/png"}}, "text/csv", "id,"},
		"JSON before any file": {
			[]model.Content{{Media: "image/png"}, {Media: "application/json", Schema: always("x")}}, "application/json", `"x"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := best(uploading("/backups", c.contents...)).message(); got.Media != c.media || !strings.HasPrefix(got.Data, c.start) {
				t.Errorf("got %s %.20q, want %s %q", got.Media, got.Data, c.media, c.start)
			}
		})
	}
}

// Attempts begin with the best file, and try each other file. The first file that the operation accepts becomes the
// best.
func TestFilesOfAttempts(t *testing.T) {
	op := uploading("/things", formOf(model.Property{Name: "file", Required: true, Schema: binary}))
	p := New(model.Plan{Spec: &model.Spec{Operations: []*model.Operation{op}}, Sampling: model.Sampling{Attempts: 1}})
	c := p.operations.byID[op.ID].sample(chance(1))
	file := func(turn int) string {
		c.chooseFiles(turn)
		return partsIn(t, c.message())["file"][0]
	}
	var tried []string
	for turn := range 40 {
		tried = append(tried, file(turn))
	}
	count := len(slices.Compact(slices.Sorted(slices.Values(tried))))
	if all := len(c.files["file"].files); tried[0] != "notes.txt" || tried[1] == tried[0] || count != all {
		t.Errorf("tried %d of %d files: %q", count, all, tried)
	}
	file(slices.Index(tried, "archive.zip"))
	p.RecordSuccess(&Individual{calls: []call{c}}, 0)
	if got := file(0); got != "archive.zip" {
		t.Errorf("after archive.zip was accepted, the best file is %q", got)
	}
	c.violation = violation{in: model.InBody, whole: true}
	gene.AssignText(c.payload, "x")
	p.RecordSuccess(&Individual{calls: []call{c}}, 0)
	if got := file(0); got != "archive.zip" {
		t.Errorf("after a call with a violation, the best file is %q", got)
	}
}

// A text in the examples of the spec is a file, too.
func TestFileOfExample(t *testing.T) {
	s := &model.Schema{Type: "string", Format: "binary", Examples: []any{7.0, "", "BEGIN:VCARD"}}
	c := best(uploading("/cards", formOf(model.Property{Name: "file", Required: true, Schema: s})))
	c.chooseFiles(1)
	if got := partsIn(t, c.message())["file"]; got != [3]string{"example", "text/plain", "BEGIN:VCARD"} {
		t.Errorf("got %q", got)
	}
}

// AdoptTest restores a kept test whose body is a file.
func TestAdoptFile(t *testing.T) {
	op := uploading("/things", model.Content{Media: "application/octet-stream", Schema: binary})
	p := New(model.Plan{Spec: &model.Spec{Operations: []*model.Operation{op}}})
	for _, f := range p.operations.byID[op.ID].files[""].files {
		kept := model.Test{Calls: []model.Call{{Op: op.ID, Body: &model.Payload{Media: f.Media, Data: f.Data}}}}
		if got := p.AdoptTest(chance(1), kept).Test().Calls[0].Body; *got != *kept.Calls[0].Body {
			t.Errorf("%s: got %.20q of %s", f.Name, got.Data, got.Media)
		}
	}
}

// Negative tests send each file with each defect. In a form, they also give the file unusual names. If the call has
// no file, they add one.
func TestEdgeCasesOfFiles(t *testing.T) {
	form := formOf(model.Property{Name: "avatar", Schema: binary}, model.Property{Name: "note", Required: true, Schema: always("x")})
	c := best(uploading("/users", form))
	gene.OmitOptional(c.payload)
	all := map[edgeKind]*model.Payload{}
	for _, e := range c.edgeCases() {
		next := c.clone()
		e.apply(chance(1), &next)
		all[e.kind] = next.violation.put(model.Call{Body: next.message()}).Body
	}
	of := func(detail string) [3]string {
		return partsIn(t, all[edgeKind{class: "body file", detail: detail}])["avatar"]
	}
	whole := c.files["avatar"].files[0].Data
	for detail, want := range map[string][3]string{
		"0 \"empty \"":       {"photo.png", "image/png", ""},
		"0 \"half \"":        {"photo.png", "image/png", whole[:len(whole)/2]},
		"0 \"parent name \"": {"photo.png", "image/png", whole}, // part.FileName has no folders
		"0 \"no name \"":     {"", "image/png", whole},
		"0 \"missing \"":     {},
	} {
		if got := of(detail); got != want {
			t.Errorf("%s: got %q, want %q", detail, got, want)
		}
	}
	if got := of(`0 "long name "`); len(got[0]) != 300 {
		t.Errorf("the long name has %d characters, want 300", len(got[0]))
	}
	if got := of(`0 "odd name {{7*7}}${7*"`); got[0] != "{{7*7}}${7*7}<%= 7*7 %>.png" {
		t.Errorf("the odd name is %q in %v", got[0], slices.Collect(maps.Keys(all)))
	}
	withNUL := all[edgeKind{class: "body file", detail: `0 "odd name a\x00b"`}]
	if withNUL == nil || !strings.Contains(withNUL.Data, "filename=\"a\x00b.png\"") {
		t.Errorf("the name with a NUL is in %+v", withNUL)
	}
	for kind := range all {
		if strings.Contains(kind.detail, "etc/passwd") {
			t.Errorf("a file is named %q", kind.detail)
		}
	}
	raw := best(uploading("/users", model.Content{Media: "image/png"}))
	var kinds []string
	for _, e := range raw.edgeCases() {
		if !strings.HasSuffix(e.kind.class, "undeclared") {
			kinds = append(kinds, e.kind.class)
		}
	}
	if got := strings.Join(kinds, ", "); got != "body file, body whole, body file, body whole, body file" {
		t.Errorf("the edge cases of a body that is a file are %s", got)
	}
}

// Once an operation has accepted a file other than the first, its negative tests send the accepted file with each
// defect.
func TestEdgeCasesOfAcceptedFile(t *testing.T) {
	op := uploading("/things", formOf(model.Property{Name: "file", Required: true, Schema: binary}))
	p, r := New(model.Plan{Spec: &model.Spec{Operations: []*model.Operation{op}}}), chance(1)
	sent := func() map[string]bool {
		names := map[string]bool{}
		for ind := p.NegativeTest(r); ind != nil; ind = p.NegativeTest(r) {
			for _, c := range ind.calls {
				if c.violation.file == upload.Half {
					names[partsIn(t, c.message())["file"][0]] = true
				}
			}
		}
		return names
	}
	if got := sent(); !maps.Equal(got, map[string]bool{"notes.txt": true}) {
		t.Fatalf("sent halves of %v", got)
	}
	c := best(op)
	c.chromosome = p.operations.byID[op.ID]
	gene.AssignValue(c.payload, map[string]any{"file": "archive.zip"})
	p.RecordSuccess(&Individual{calls: []call{c}}, 0)
	if got := sent(); !maps.Equal(got, map[string]bool{"archive.zip": true}) {
		t.Errorf("after archive.zip was accepted, sent halves of %v", got)
	}
}
