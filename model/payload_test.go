package model_test

import (
	"bytes"
	"encoding/json"
	"mime/multipart"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sonde/model"
)

// Each body that is written is read back unchanged, whatever its bytes are.
func TestPayloadRoundTrip(t *testing.T) {
	texts := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
	rapid.Check(t, func(t *rapid.T) {
		want := model.Call{Op: "POST /a", Body: &model.Payload{Media: "image/png", Data: texts.Draw(t, "data")}}
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got model.Call
		if err := json.Unmarshal(data, &got); err != nil || *got.Body != *want.Body {
			t.Fatalf("got %+v, %v from %s, want %+v", got.Body, err, data, want.Body)
		}
	})
}

// Text is written as older versions did, and other bytes in base64.
func TestPayloadFile(t *testing.T) {
	for name, c := range map[string]struct {
		body model.Payload
		want string
	}{
		"text":     {model.Payload{Media: "text/plain", Data: "a <b> & \x00ü"}, `{"media":"text/plain","data":"a <b> & \u0000ü"}`},
		"no bytes": {model.Payload{Media: "image/png"}, `{"media":"image/png","data":""}`},
		"bytes":    {model.Payload{Media: "image/png", Data: "\x89PNG"}, `{"media":"image/png","base64":"iVBORw=="}`},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			e := json.NewEncoder(&b)
			e.SetEscapeHTML(false)
			if err := e.Encode(c.body); err != nil || strings.TrimSpace(b.String()) != c.want {
				t.Errorf("got %s, %v, want %s", b.String(), err, c.want)
			}
			var again model.Payload
			if err := json.Unmarshal([]byte(c.want), &again); err != nil || again != c.body {
				t.Errorf("read %+v, %v, want %+v", again, err, c.body)
			}
		})
	}
	for _, bad := range []string{`{"base64":"?"}`, `{"data":1}`, `[]`} {
		var p model.Payload
		if err := json.Unmarshal([]byte(bad), &p); err == nil {
			t.Errorf("%s is read as %+v, want an error", bad, p)
		}
	}
}

func TestPayloadDescribe(t *testing.T) {
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	if err := w.WriteField("title", "a cat"); err != nil {
		t.Fatal(err)
	}
	file, err := w.CreateFormFile("photo", "cat.png")
	if err != nil {
		t.Fatal(err)
	}
	file.Write([]byte("\x89PNG"))
	w.Close()
	for name, c := range map[string]struct {
		body model.Payload
		want string
	}{
		"text":          {model.Payload{Media: "text/plain", Data: "a\r\n\tb"}, "a\r\n\tb"},
		"bytes":         {model.Payload{Media: "image/png; q=1", Data: "\x89PNG"}, "image/png, 4 bytes"},
		"a control":     {model.Payload{Media: "a/b", Data: "\x1b"}, "a/b, 1 byte"},
		"hostile text":  {model.Payload{Media: "application/problem+json", Data: "\xff"}, "\xff"},
		"no media type": {model.Payload{Data: "\xff\xff"}, "binary data, 2 bytes"},
		"parts": {
			model.Payload{Media: w.FormDataContentType(), Data: form.String()},
			"title: a cat\nphoto: \"cat.png\", application/octet-stream, 4 bytes",
		},
		"no boundary":      {model.Payload{Media: "multipart/form-data", Data: "\xff\xff"}, "multipart/form-data, 2 bytes"},
		"another boundary": {model.Payload{Media: "multipart/form-data; boundary=x", Data: "\xff"}, "multipart/form-data, 1 byte"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.body.Describe(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
