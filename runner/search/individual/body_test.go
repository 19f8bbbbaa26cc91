package individual

import (
	"io"
	"mime/multipart"
	"net/url"
	"strings"
	"testing"

	"sonde/model"

	"github.com/google/go-cmp/cmp"
)

func TestBodies(t *testing.T) {
	schema := &model.Schema{Type: "object", Properties: []model.Property{
		{Name: "a b", Required: true, Schema: &model.Schema{Type: "string", Enum: []any{"1&2"}}},
		{Name: "n", Required: true, Schema: &model.Schema{Type: "integer", Enum: []any{3}}},
	}}
	for _, c := range []struct{ media, wantMedia, want string }{
		{"application/json", "application/json", `{"a b":"1&2","n":3}`},
		{"application/hal+json", "application/hal+json", `{"a b":"1&2","n":3}`},
		{"*/*", "application/json", `{"a b":"1&2","n":3}`},
		{"application/*", "application/json", `{"a b":"1&2","n":3}`},
		{"text/*", "text/plain", `{"a b":"1&2","n":3}`},
		{"application/x-www-form-urlencoded; charset=utf-8", "application/x-www-form-urlencoded; charset=utf-8", "a+b=1%262&n=3"},
		{"application/x-www-form-urlencoded", "application/x-www-form-urlencoded", url.Values{"a b": {"1&2"}, "n": {"3"}}.Encode()},
		{"multipart/form-data", "multipart/form-data; boundary=" + boundary, "--" + boundary + "\r\n" +
			"Content-Disposition: form-data; name=\"a b\"\r\n\r\n1&2\r\n--" + boundary + "\r\n" +
			"Content-Disposition: form-data; name=\"n\"\r\n\r\n3\r\n--" + boundary + "--\r\n"},
	} {
		t.Run(c.media, func(t *testing.T) {
			op := &model.Operation{Body: &model.RequestBody{Required: true, Contents: []model.Content{{Media: c.media, Schema: schema}}}}
			got := newChromosome(op, false, model.Sizes{}).sample(chance(1)).message()
			if d := cmp.Diff(&model.Payload{Media: c.wantMedia, Data: c.want}, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// Services treat a part as a file only if it has a file name.
func TestFilesHaveNames(t *testing.T) {
	binary := model.Schema{Type: "string", Format: "binary"}
	schema := &model.Schema{Type: "object", Properties: []model.Property{
		{Name: "image", Required: true, Schema: &binary},
		{Name: "title", Required: true, Schema: &model.Schema{Type: "string", Enum: []any{"x"}}},
	}}
	contents := []model.Content{{Media: "multipart/form-data", Schema: schema}}
	op := &model.Operation{Body: &model.RequestBody{Required: true, Contents: contents}}
	body := newChromosome(op, false, model.Sizes{}).sample(chance(1)).message().Data
	reader := multipart.NewReader(strings.NewReader(body), boundary)
	form, err := reader.ReadForm(1 << 20)
	if err != nil || len(form.File["image"]) != 1 || form.Value["title"][0] != "x" {
		t.Errorf("form %+v, error %v", form, err)
	}
}

func TestTextIsSentAsItIs(t *testing.T) {
	if got := sent("text/plain", always(`a "b"`)); got.Data != `a "b"` || got.Media != "text/plain" {
		t.Errorf("got %+v", got)
	}
}

// A part with an object is JSON, and declares that.
func TestPartsThatAreObjects(t *testing.T) {
	thing := object("", model.Property{Name: "x", Schema: always("1")})
	body := sent(
		"multipart/form-data",
		object("", model.Property{Name: "one", Schema: thing}, model.Property{Name: "many", Schema: two(thing)}),
	)
	reader := multipart.NewReader(strings.NewReader(body.Data), boundary)
	for _, name := range []string{"one", "many", "many"} {
		part, err := reader.NextPart()
		if err != nil {
			t.Fatal(err)
		}
		data, _ := io.ReadAll(part)
		if part.FormName() != name || part.Header.Get("Content-Type") != "application/json" || string(data) != `{"x":"1"}` {
			t.Errorf("part %q of type %q holds %s", part.FormName(), part.Header.Get("Content-Type"), data)
		}
	}
}
