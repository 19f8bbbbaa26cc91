package model_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"sonde/model"
)

func TestVariables(t *testing.T) {
	test := model.Test{Calls: []model.Call{
		{Args: []model.Arg{{Name: "a", Value: "${ONE}-${TWO}"}, {Name: "${NAME}", Value: "plain"}}},
		{Args: []model.Arg{{Name: "b", Value: "${ONE}"}}, Body: &model.Payload{Media: "text/plain", Data: "$X ${THREE} ${not a name}"}},
	}}
	if got, want := test.Variables(), []string{"ONE", "TWO", "THREE"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := (model.Test{}).Variables(); len(got) > 0 {
		t.Errorf("no calls have %q", got)
	}
}

// Variables are in the values of a form, also if its escapes hide them, and in the parts of a multipart body that are no
// files. The content of a file has none. What has no variable keeps its bytes.
func TestMapTexts(t *testing.T) {
	const part = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n${ONE}\r\n"
	const file = "--b\r\nContent-Disposition: form-data; name=\"f\"; FileName=\"x\"\r\n\r\n${ONE}\r\n\r\n${ONE}\r\n--b--\r\n"
	const form, multipart = "application/x-www-form-urlencoded", "multipart/form-data; boundary=b"
	for _, tt := range []struct {
		name        string
		body        model.Payload
		want        string
		hasVariable bool
	}{
		{"text", model.Payload{Media: "text/plain", Data: "a ${ONE}"}, "a &1", true},
		{"no media type", model.Payload{Data: "${ONE}"}, "&1", true},
		{"form", model.Payload{Media: form, Data: "a%20b=%24%7BONE%7D&c=${ONE}&d=%7e&%zz&&e"}, "a%20b=%261&c=%261&d=%7e&%zz&&e", true},
		{"multipart", model.Payload{Media: multipart, Data: part + file}, strings.Replace(part, "${ONE}", "&1", 1) + file, true},
		{"only a file", model.Payload{Media: multipart, Data: file}, file, false},
		{"no boundary", model.Payload{Media: "multipart/form-data", Data: "${ONE}"}, "&1", true},
		{"from a file", model.Payload{Media: "text/plain", Data: "${ONE}", FromFile: true}, "${ONE}", false},
	} {
		got := tt.body.MapTexts(func(text string) string { return strings.ReplaceAll(text, "${ONE}", "&1") })
		if got.Data != tt.want || got.Media != tt.body.Media || got.FromFile != tt.body.FromFile {
			t.Errorf("%s: got %+v, want %q", tt.name, got, tt.want)
		}
		test := model.Test{Calls: []model.Call{{Body: &tt.body}}}
		if names := test.Variables(); slices.Contains(names, "ONE") != tt.hasVariable {
			t.Errorf("%s: the variables are %q", tt.name, names)
		}
	}
}

// A body in a file of Sonde says that it is the content of a file.
func TestPayloadFromFile(t *testing.T) {
	for _, data := range []string{"text", "\xff"} {
		want := model.Payload{Media: "a/b", Data: data, FromFile: true}
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got model.Payload
		if err := json.Unmarshal(text, &got); err != nil || got != want {
			t.Errorf("%s: got %+v, error %v", text, got, err)
		}
	}
}
