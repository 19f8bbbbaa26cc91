package model_test

import (
	"slices"
	"testing"

	"sonde/model"
)

func TestTexts(t *testing.T) {
	for name, tt := range map[string]struct {
		body model.Payload
		want []model.BodyText
	}{
		"form": {
			model.Payload{Media: "application/x-www-form-urlencoded", Data: "b=%24%7BX%7D&a=1&a=2"},
			[]model.BodyText{{"/a", "1"}, {"/b", "${X}"}},
		},
		"JSON": {
			model.Payload{Media: "application/json", Data: `{"n":1,"u":{"a/b":"x"},"l":["y"]}`},
			[]model.BodyText{{"/u/a~1b", "x"}},
		},
		"other JSON": {model.Payload{Media: "application/vnd.x+json; v=1", Data: `{"a":"x"}`}, []model.BodyText{{"/a", "x"}}},
		"not JSON":   {model.Payload{Media: "application/json", Data: `{"a":`}, nil},
		"a list":     {model.Payload{Media: "application/json", Data: `["a"]`}, nil},
		"text":       {model.Payload{Media: "text/plain", Data: "a=1"}, nil},
		"no media":   {model.Payload{Data: "a=1"}, nil},
	} {
		if got := tt.body.Texts(); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %v, want %v", name, got, tt.want)
		}
	}
}

func TestLogin(t *testing.T) {
	form := &model.Payload{Media: "application/x-www-form-urlencoded", Data: "name=ann"}
	for name, tt := range map[string]struct {
		login model.Login
		op    model.OpID
		texts []model.BodyText
	}{
		"fields": {
			model.Login{Method: "POST", Path: "/in?x=1", Body: form, Fields: []model.LoginField{{Name: "pw", Value: "${P}"}}},
			"POST /in",
			[]model.BodyText{{"/pw", "${P}"}},
		},
		"a body":     {model.Login{Method: "PUT", Path: "/in", Body: form}, "PUT /in", []model.BodyText{{"/name", "ann"}}},
		"no body":    {model.Login{Method: "GET", Path: "/in"}, "GET /in", nil},
		"other host": {model.Login{Method: "POST", URL: "https://id.example/in", Body: form}, "", []model.BodyText{{"/name", "ann"}}},
	} {
		if op, texts := tt.login.Operation(), tt.login.BodyTexts(); op != tt.op || !slices.Equal(texts, tt.texts) {
			t.Errorf("%s: got %q with %v", name, op, texts)
		}
	}
}
