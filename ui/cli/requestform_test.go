package cli_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// albums is an API whose second operation takes a file or JSON, and an id of the first one.
const albums = `openapi: 3.0.3
info: {title: Albums, version: "1"}
paths:
  /albums:
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}}}}}}
      responses: {"201": {description: ok, content: {application/json: {schema: {properties: {albumId: {type: string}}}}}}}
  /albums/{albumId}/photos:
    post:
      parameters:
        - {name: albumId, in: path, required: true, schema: {type: string}}
        - {name: size, in: query, schema: {type: string, enum: [small, medium, large]}}
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema: {type: object, required: [photo], properties: {photo: {type: string, format: binary}, note: {type: string}}}
          application/json:
            schema: {type: object, required: [url], properties: {url: {type: string}, state: {enum: [draft, public]}}}
      responses: {"201": {description: ok}}
`

// sentPhoto is what the service received.
type sentPhoto struct {
	path, query, fileName, file, note, body string
	traces                                  []string
}

// albumService returns a service that sends what it received for each photo.
func albumService(t *testing.T) (url string, photos <-chan sentPhoto) {
	t.Helper()
	received := make(chan sentPhoto, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		if r.URL.Path == "/albums" {
			io.WriteString(w, `{"albumId": "a1"}`)
			return
		}
		sent := sentPhoto{path: r.URL.Path, query: r.URL.RawQuery, traces: r.Header["X-Trace"]}
		if strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/") {
			file, head, err := r.FormFile("photo")
			if err != nil {
				t.Error(err)
				return
			}
			content, err := io.ReadAll(file)
			if err != nil {
				t.Error(err)
			}
			sent.fileName, sent.file, sent.note = head.Filename, string(content), r.FormValue("note")
		} else {
			content, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			sent.body = string(content)
		}
		received <- sent
		io.WriteString(w, `{}`)
	}))
	t.Cleanup(server.Close)
	return server.URL, received
}

// The user adds headers that the spec does not declare, completes a value of an enumeration, uploads a file, and then
// sends JSON from the editor. The service receives all of it.
func TestRequestForm(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the editor of the test is a shell script")
	}
	url, photos := albumService(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"api.yaml": albums, "cat.png": "\x89PNG a cat",
		"editor": "#!/bin/sh\nprintf '{\"url\": \"http://cat.example\", \"state\": \"public\"}\\n' > \"$1\"\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	cmd := command(t, dir, "sonde", "api.yaml", "--url", url)
	cmd.Env = append(cmd.Env, "VISUAL=", "EDITOR="+filepath.Join(dir, "editor"))
	s := begin(t, cmd, 80, 40)
	keys(t, s, "", "New here?", ctrlX, "", "/", "to the list", "photos", "1 of 2", enter, "send a request",
		"r", "from POST /albums", down, "▸ ● albumId", down, "▸ ○ size", enter, "small | medium", "\x15m\t", "size    query  medium",
		enter, "photos?size=medium", down, "▸ add", enter, "Name: value", "X-Trace: one"+enter, "+ X-Trace", enter, "Name: value",
		"X-Trace: two"+enter, "two", down, "▸ body", right, "multipart/form-data  1 of 2", down, "▸ ● photo", enter, "path of a file",
		"ca\t", "cat.png", enter, "cat.png, 10 bytes", down, "▸ ○ note", enter, "note  string", "hello"+enter, "hello",
		"r", "✓ 201")
	want := sentPhoto{
		path: "/albums/a1/photos", query: "size=medium", traces: []string{"one", "two"},
		fileName: "cat.png", file: "\x89PNG a cat", note: "hello",
	}
	if got := <-photos; !reflect.DeepEqual(got, want) {
		t.Errorf("received %+v, want %+v", got, want)
	}
	keys(t, s, "\x1b[A\x1b[A", "▸ body", right, "application/json  2 of 2", "e", "http://cat.example", "r", "✓ 201")
	want = sentPhoto{path: want.path, query: want.query, traces: want.traces, body: `{"url": "http://cat.example", "state": "public"}`}
	if got := <-photos; !reflect.DeepEqual(got, want) {
		t.Errorf("received %+v, want %+v", got, want)
	}
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "sonde-*", "body.json")); err != nil || len(left) > 0 {
		t.Errorf("left %v, error %v", left, err)
	}
	keys(t, s, "q", "")
	if code, err := s.Wait(patience); code != 0 || err != nil {
		t.Errorf("exit code %d, error %v", code, err)
	}
}
