package send

import (
	"mime"
	"mime/multipart"
	"net/url"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"
)

const upload1 = "POST /photos"

// photos returns an API with an operation that takes bodies of several media types, a list and an object in the query.
func photos() *screen.AnalyzedSpec {
	text, number := &model.Schema{Type: "string"}, &model.Schema{Type: "integer"}
	low, high := 1.0, 9.0
	photo := &model.Schema{Type: "object", Properties: []model.Property{
		{Name: "title", Required: true, Schema: &model.Schema{Type: "string", Description: "What is seen. In a few words."}},
		{Name: "size", Schema: &model.Schema{Type: "integer", Min: &low, Max: &high}},
		{Name: "state", Schema: &model.Schema{Type: "string", Enum: []any{"draft", "public"}}},
		{Name: "albumId", Schema: text},
		{Name: "created", Schema: &model.Schema{Type: "string", ReadOnly: true}},
	}}
	file := &model.Schema{Type: "object", Properties: []model.Property{
		{Name: "photo", Required: true, Schema: &model.Schema{Type: "string", Format: "binary"}},
		{Name: "note", Schema: text},
	}}
	return &screen.AnalyzedSpec{Spec: &model.Spec{Operations: []*model.Operation{{
		ID: upload1, Method: "POST", Path: "/photos",
		Params: []model.Parameter{
			{Name: "tag", In: model.InQuery, Explode: true, Style: "form", Schema: &model.Schema{Type: "array", Items: text}},
			{Name: "filter", In: model.InQuery, Explode: true, Style: "deepObject", Schema: &model.Schema{
				Type: "object", Properties: []model.Property{{Name: "min", Schema: number}},
			}},
			{Name: "sort", In: model.InQuery, Description: "The order.", Schema: &model.Schema{Enum: []any{"asc", "desc"}}},
		},
		Body: &model.RequestBody{Contents: []model.Content{
			{Media: "application/json", Schema: photo},
			{Media: "application/x-www-form-urlencoded", Schema: photo},
			{Media: "multipart/form-data", Schema: file},
			{Media: "image/*"},
		}},
	}}}}
}

const photoParts = "--b\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"photo.png\"\r\n" +
	"Content-Type: image/png\r\n\r\n\x89PNG\r\n--b--\r\n"

// drivePhotos opens the pane with a request for a photo. args are the arguments of the draft.
func drivePhotos(t *testing.T, args ...model.Arg) *driver {
	t.Helper()
	d := drive(t, demo)
	bodies := []model.Payload{
		{Media: "application/json", Data: `{"title":"example"}`},
		{Media: "application/x-www-form-urlencoded", Data: "title=a+b"},
		{Media: "multipart/form-data; boundary=b", Data: photoParts},
		{Media: "image/png", Data: "\x89PNG"},
	}
	d.drafts = map[model.OpID]usecase.RequestDraft{upload1: {
		Test:   model.Test{Calls: []model.Call{{Op: upload1, Args: args, Body: &bodies[0]}}},
		Bodies: bodies,
		Args: []model.Arg{
			{In: model.InQuery, Name: "tag", Value: "x"},
			{In: model.InQuery, Name: "filter[min]", Value: "1"},
			{In: model.InQuery, Name: "sort", Value: "asc"},
		},
	}}
	d.files = map[string]string{"cat.png": "a cat", "car.txt": "a car", "pics/dog": "a dog"}
	d.take(screen.SpecOpened{Spec: photos()})
	d.do(d.pane.OpenOperation(upload1, nil))
	return d
}

// at moves the cursor to the row with a name in its line.
func (d *driver) at(kind rowKind, index int) *driver {
	d.pane.form.goTo(row{kind: kind, index: index})
	return d
}

// sent1 sends the form and returns its request.
func (d *driver) sent1() model.Call {
	d.t.Helper()
	n := len(d.sent)
	d.press("r")
	if len(d.sent) != n+1 {
		d.t.Fatalf("nothing was sent: %s", d.message)
	}
	return d.sent[n].Calls[0]
}

// Arguments that the operation does not declare are rows of the form. They are sent with their order and repetitions.
func TestUndeclaredArguments(t *testing.T) {
	theme := model.Arg{In: model.InCookie, Name: "theme", Value: "dark"}
	d := drivePhotos(t, model.Arg{In: model.InHeader, Name: "X-Trace", Value: "1"}, theme)
	d.sees("+ X-Trace header 1", "+ theme   cookie dark")
	d.at(extraRow, 0).press("enter").write("2").press("enter").sees("X-Trace header 12")
	d.at(addRow, 0).press("enter").sees("Name: value").write("X-Trace: b: c").press("enter").sees("X-Trace header b: c")
	d.press("right").sees("add     ").press("enter").write("q=a&b").press("enter").sees("+ q       query  a&b")
	d.press("right", "right").at(extraRow, 1).press("x").misses("theme")
	want := []model.Arg{
		{In: model.InHeader, Name: "X-Trace", Value: "12"},
		{In: model.InHeader, Name: "X-Trace", Value: "b: c"},
		{In: model.InQuery, Name: "q", Value: "a&b"},
	}
	if got := d.sent1().Args; !slices.Equal(got, want) {
		t.Errorf("sent %+v, want %+v", got, want)
	}
	d.at(extraRow, 0).press(" ").sees("X-Trace header left out")
	if got := d.sent1().Args; !slices.Equal(got, want[1:]) {
		t.Errorf("sent %+v, want %+v", got, want[1:])
	}
}

// Tab completes the names of usual headers.
func TestHeaderNames(t *testing.T) {
	d := drivePhotos(t).at(addRow, 0).press("enter").write("if-").sees("tab  If-Match  If-Modified-Since  If-None-Match")
	d.write("n").press("tab").sees("If-None-Match: ").write("7").press("enter").sees("+ If-None-Match header 7")
}

// A typed argument that is malformed stays open, with a message. A content type is that of the body.
func TestMalformedArguments(t *testing.T) {
	for typed, want := range map[string]string{
		"X-Trace":        "✗ type a header as Name: value",
		": x":            "✗ type a header as Name: value",
		"X Trace: 1":     `✗ "X Trace" cannot be the name of a header: names have letters, digits and hyphens`,
		"cookie: a=b":    `✗ add the cookie as a cookie: ← and → on the row "add" choose`,
		"Content-Type: ": "",
	} {
		d := drivePhotos(t).at(addRow, 0).press("enter").write(typed).press("enter")
		if d.message != want || d.pane.Typing() != (want != "") {
			t.Errorf("%q: said %q, typing %t, want %q", typed, d.message, d.pane.Typing(), want)
		}
	}
	d := drivePhotos(t).at(addRow, 0).press("enter").write("content-type: application/problem+json").press("enter")
	if got := d.sent1(); got.Body.Media != "application/problem+json" || len(got.Args) > 0 {
		t.Errorf("sent %+v with %+v", got.Body, got.Args)
	}
	d = drivePhotos(t).at(bodyRow, 0).press("right").at(addRow, 0).press("enter").write("Content-Type: text/csv").press("enter")
	if !strings.Contains(d.message, "the body is a form") {
		t.Errorf("said %q", d.message)
	}
}

// Lists and objects are sent as several arguments.
func TestListsAndObjects(t *testing.T) {
	property := func(name, value string) model.Arg { return model.Arg{In: model.InQuery, Name: name, Value: value} }
	d := drivePhotos(t, property("filter[min]", "2"), property("filter[max]", "3"))
	d.sees("filter[min]=2", "tag     query  left out").at(fieldRow, 0).press(" ").sees("tag     query  x")
	d.press("enter").write(",y").press("enter").at(fieldRow, 1).press("enter").press("backspace").write("4 5").press("enter")
	want := []model.Arg{
		{In: model.InQuery, Name: "tag", Value: "x"},
		{In: model.InQuery, Name: "tag", Value: "y"},
		{In: model.InQuery, Name: "filter[min]", Value: "2"},
		{In: model.InQuery, Name: "filter[max]", Value: "4 5"},
	}
	if got := d.sent1().Args; !slices.Equal(got, want) {
		t.Errorf("sent %+v, want %+v", got, want)
	}
	d.at(fieldRow, 1).press(" ", " ").sees("filter[min]=1", "/photos?tag=x&tag=y&filter[min]=1")
}

// The row of the body switches between the media types, each with its draft. Edits of each are kept.
func TestBodies(t *testing.T) {
	d := drivePhotos(t).at(bodyRow, 0).sees("application/json  1 of 4", `"title": "example"`)
	d.press("right").sees("x-www-form-urlencoded  2 of 4", "● title   field  a b", "○ size    field  left out")
	d.misses("created")
	if got := d.sent1().Body; got.Data != "title=a+b" || got.Media != "application/x-www-form-urlencoded" {
		t.Errorf("sent %+v", got)
	}
	d.at(formFieldRow, 2).press(" ", "enter").sees("state  draft | public").press("tab", "enter")
	d.at(addRow, 0).press("right", "right", "right").sees("form field  not in").press("enter").write("é=1 & 2").press("enter")
	if got := d.sent1().Body.Data; got != "title=a+b&state=public&%C3%A9=1+%26+2" {
		t.Errorf("sent %q", got)
	}
	d.at(bodyRow, 0).press("right").sees("multipart/form-data  3 of 4", "photo   field  photo.png, 4 bytes", "note    field  left out")
	if got := d.sent1().Body; got.Data != photoParts {
		t.Errorf("sent %q", got.Data)
	}
	d.press("right").sees("image/png  4 of 4", "image/png, 4 bytes").press("left", "left").sees("é       field  1 & 2")
	d.press("left", "left").sees("4 of 4").press(" ").sees("body             left out")
	if got := d.sent1(); got.Body != nil {
		t.Errorf("sent %+v", got.Body)
	}
}

// A file is read when the request is sent. The form shows its name and size.
func TestUpload(t *testing.T) {
	d := drivePhotos(t).at(bodyRow, 0).press("right", "right").at(formFieldRow, 0).press("enter").sees("path of a file")
	d.write("ca").press("tab").sees("car.txt", "cat.png").write("t").press("tab").sees("cat.png")
	d.press("enter").sees("cat.png, 5 bytes")
	d.files["cat.png"] = "another cat \x00"
	d.at(formFieldRow, 1).press("enter").write("hello").press("enter")
	body := d.sent1().Body
	_, params, err := mime.ParseMediaType(body.Media)
	if err != nil {
		t.Fatal(err)
	}
	form, err := multipart.NewReader(strings.NewReader(body.Data), params["boundary"]).ReadForm(1 << 20)
	if err != nil || len(form.File["photo"]) != 1 || form.Value["note"][0] != "hello" {
		t.Fatalf("sent %q, error %v", body.Data, err)
	}
	if f := form.File["photo"][0]; f.Filename != "cat.png" || f.Size != 13 || f.Header.Get("Content-Type") != "image/png" {
		t.Errorf("sent the file %+v", f)
	}

	d.at(bodyRow, 0).press("right", "enter").write("pics/dog").press("enter").sees("dog, 5 bytes", "image/png")
	if got := d.sent1().Body; got.Data != "a dog" || got.Media != "image/png" || !got.FromFile {
		t.Errorf("sent %+v", got)
	}
	d.at(textRow, 0).press("x").sees("image/png, 4 bytes")
	d.press("r")
	d.at(bodyRow, 0).press("f").write("none").press("enter")
	if !strings.Contains(d.message, "no such file") {
		t.Errorf("said %q", d.message)
	}
	n := len(d.sent)
	d.press("r")
	if len(d.sent) != n || !strings.Contains(d.message, "no such file") {
		t.Errorf("sent %d, said %q", len(d.sent)-n, d.message)
	}
}

// A field without a value is sent only after the user has given it one.
func TestFieldWithoutAValue(t *testing.T) {
	d := drivePhotos(t).at(bodyRow, 0).press("right", "right").at(formFieldRow, 1)
	d.press(" ").sees("note  string").press("esc").sees("note    field  left out")
	d.press(" ").write("x").press("enter").sees("note    field  x").press(" ").sees("note    field  left out").press(" ").sees("field  x")
}

// A value of several lines stays as it is if the user does not change it.
func TestLinesOfAField(t *testing.T) {
	d := drivePhotos(t).at(bodyRow, 0).press("right")
	d.pane.form.form.sentBody().fields[0].value = "a\nb"
	d.at(formFieldRow, 0).press("enter", "enter")
	if got := d.sent1().Body.Data; got != "title=a%0Ab" {
		t.Errorf("sent %q", got)
	}
}

// Unsafe characters of a spec, of answers and of files reach neither the screen nor the text.
func TestHostileCompletions(t *testing.T) {
	evil := "\x1b[2J\u202eevil"
	s := &model.Schema{Type: "string", Enum: []any{evil}}
	c := completeField(valueTexts(s, nil), "")
	if text, _ := c.next(""); text != "evil" {
		t.Errorf("completed %q", text)
	}
	h := jsonHint(&model.Schema{Properties: []model.Property{{Name: evil, Schema: s}}}, "{", 1, func(string) []string { return nil })
	if text, _ := h.completion.next("{"); strings.ContainsAny(text, "\x1b\u202e") || !strings.Contains(text, `\u202eevil`) {
		t.Errorf("completed %q", text)
	}
	d := drivePhotos(t)
	d.files["ca"+evil] = ""
	d.at(bodyRow, 0).press("f").write("ca").press("tab").sees("car.txt").misses("evil")
}

// A request whose files are being read is not sent after the form was closed.
func TestUploadIsDropped(t *testing.T) {
	d := drivePhotos(t).at(bodyRow, 0).press("f").write("cat.png").press("enter")
	d.hold = true
	d.press("r", "esc").release()
	if len(d.sent) > 0 || d.pane.Open() {
		t.Errorf("sent %d, open %t", len(d.sent), d.pane.Open())
	}
}

// The files of a part do not end the body: a boundary that a part contains is replaced.
func TestBoundaryInAFile(t *testing.T) {
	b := newBody(model.Payload{Media: "multipart/form-data; boundary=b", Data: photoParts}, model.Content{})
	b.fields[0].file, b.edited = &upload{path: "x.png"}, true
	p, err := b.payload(func(string) (string, error) { return "--b\r\n", nil })
	if err != nil || strings.Contains(p.Media, "boundary=b;") || strings.HasSuffix(p.Media, "boundary=b") {
		t.Errorf("sent %+v, error %v", p, err)
	}
}

// While a JSON body is typed, the schema of the value at the cursor is shown, and tab completes names and values.
func TestJSONHints(t *testing.T) {
	d := drivePhotos(t)
	d.seen = []model.SeenValues{{In: model.InBody, Pointer: "/albumId", Values: []string{"a7", "12"}}}
	d.take(screen.RequestSent{Result: paid(201, "{}")})
	d.at(bodyRow, 0).press("enter").sees("body  object")
	d.press("down", "right", "right", "right").sees("title  string, required  What is seen").misses("In a few words")
	d.press("end").write(",").press("enter").sees("tab  size  state  albumId", "✗ line 4, column 1: invalid character")
	d.press("tab").sees(`"size":`, "tab  size  state  albumId").press("tab").sees(`"state":`).misses(`"size"`)
	d.write(`"p`).sees("state  draft | public").press("tab").sees(`"state": "public"`)
	d.write(", ").write(`"al`).press("tab").sees(`"albumId": `).press("tab").sees(`"albumId": "a7"`, "tab  a7  12").press("tab")
	d.write(`, "x": 1`).sees("x is not in the spec").press("ctrl+s").sees(`"albumId": "12", "x": 1`)
	want := "{\n  \"title\": \"example\",\n\"state\": \"public\", \"albumId\": \"12\", \"x\": 1\n}"
	if got := d.sent1().Body.Data; got != want {
		t.Errorf("sent %q, want %q", got, want)
	}
	d.at(bodyRow, 0).press("enter").write("x").press("ctrl+s").sees("✗ line 1, column 1: invalid")
}

// The cursor of the text area begins in the line under the cursor of the form.
func TestEditALine(t *testing.T) {
	d := drivePhotos(t).at(textRow, 1).press("enter", "end").write("!").press("ctrl+s").sees(`"example"!`)
	if d.pane.Typing() {
		t.Error("the text area is open")
	}
	d.pane.form.form.bodies[0].setText("[\n" + strings.Repeat("1,\n", 200) + "7\n]")
	d.at(textRow, 201).press("enter").sees("│ 7 ").press("end").write("8").press("ctrl+s").sees("▸   78")
}

// Tab completes a parameter with what its schema allows and with values in answers.
func TestFieldHints(t *testing.T) {
	d := drive(t, demo)
	d.seen = []model.SeenValues{{In: model.InPath, Name: "orderId", Values: []string{"42", "41"}}}
	d.do(d.pane.OpenOperation(pay, nil))
	d.at(fieldRow, 0).press("enter", "backspace").sees("orderId  integer, required", "tab  42  41").press("tab", "tab", "enter")
	d.sees("orderId path   41")
	d = drivePhotos(t).at(fieldRow, 2).press("enter").sees("sort  asc | desc  The order", "tab  desc")
	d.press("tab", "enter").sees("sort    query  desc")
	if got := d.sent1().Args; len(got) != 1 || got[0].Value != "desc" {
		t.Errorf("sent %+v", got)
	}
}

// The editor gets the body in a file with the ending of its format. What it writes replaces the body.
func TestEditor(t *testing.T) {
	d := drivePhotos(t).at(bodyRow, 0).press("e")
	if !slices.Equal(d.edited, []string{"body.json"}) || d.files["body.json"] != "{\n  \"title\": \"example\"\n}" {
		t.Fatalf("opened %v with %q", d.edited, d.files["body.json"])
	}
	d.files["body.json"] = "{\"title\": 1}\n"
	d.take(editorClosed{id: d.pane.form.tasks.id, file: "body.json"}).sees(`{"title": 1}`)
	if got := d.sent1().Body.Data; got != `{"title": 1}` || d.files["body.json"] != "" || d.mouse != 1 {
		t.Errorf("sent %q, file %q, enabled the mouse %d times", got, d.files["body.json"], d.mouse)
	}
	d.press("e").take(editorClosed{id: d.pane.form.tasks.id, file: "body.json", err: errDriver}).sees(`{"title": 1}`)
	if !strings.Contains(d.message, "the editor failed") {
		t.Errorf("said %q", d.message)
	}
	d.take(editorTextRead{id: d.pane.form.tasks.id - 1, text: "old"}).misses("old")
	d.press("right").at(formFieldRow, 0).press("e")
	if d.edited[len(d.edited)-1] != "field.txt" {
		t.Errorf("opened %v", d.edited)
	}
	d.files["field.txt"] = "new title\n"
	d.take(editorClosed{id: d.pane.form.tasks.id, file: "field.txt"}).sees("● title   field  new title")
	d.at(bodyRow, 0).press("right").at(formFieldRow, 0).press("e")
	if d.message != "needs the body, or a field of a form, that is text" {
		t.Errorf("said %q", d.message)
	}
}

// The form shows the request as it will be sent. A service that is started later has no address yet.
func TestAddress(t *testing.T) {
	d := drivePhotos(t).sees("POST http://127.0.0.1:41873/photos")
	d.at(fieldRow, 2).press(" ").sees("POST http://127.0.0.1:41873/photos?sort=asc")
	d.take(screen.SurroundingsChanged{Surroundings: usecase.Surroundings{Net: true}}).sees("POST /photos?sort=asc")
	long := address{method: "GET", url: "/" + strings.Repeat("a", 90) + url.PathEscape("/end")}
	if lines := long.lines(60, 20); len(lines) != 2 || !strings.Contains(lines[1], "end") {
		t.Errorf("got %q", lines)
	}
	if lines := long.lines(60, 8); len(lines) != 1 || !strings.Contains(lines[0], "…") || !strings.Contains(lines[0], "end") {
		t.Errorf("got %q", lines)
	}
	if lines := long.lines(60, 3); len(lines) != 0 {
		t.Errorf("got %q", lines)
	}
}

// An operation without a body can have one that the user adds.
func TestAddABody(t *testing.T) {
	d := drive(t, demo)
	d.do(d.pane.OpenOperation("GET /health", nil))
	d.misses("body").at(addRow, 0).press("left").sees("body  not in the spec").press("enter").sees("{}")
	d.press("esc").sees("body  ", "left out")
	d.at(bodyRow, 0).press("enter", "ctrl+s", "r")
	if got := d.sent[0].Calls[0].Body; got == nil || got.Data != "{}" || got.Media != "application/json" {
		t.Errorf("sent %+v", got)
	}
}

// Every visible key has an effect on the rows of bodies and undeclared arguments.
func TestShownKeysActOnBodies(t *testing.T) {
	begin := func() *driver { return drivePhotos(t, model.Arg{In: model.InHeader, Name: "X-Trace", Value: "1"}) }
	for name, at := range map[string]func(*driver) *driver{
		"extra":     func(d *driver) *driver { return d.at(extraRow, 0) },
		"bodies":    func(d *driver) *driver { return d.at(bodyRow, 0) },
		"text":      func(d *driver) *driver { return d.at(textRow, 1) },
		"part":      func(d *driver) *driver { return d.at(bodyRow, 0).press("right", "right").at(formFieldRow, 0) },
		"note":      func(d *driver) *driver { return d.at(bodyRow, 0).press("right", "right").at(formFieldRow, 1) },
		"file":      func(d *driver) *driver { return d.at(bodyRow, 0).press("f").write("cat.png").press("enter") },
		"path":      func(d *driver) *driver { return d.at(bodyRow, 0).press("f").write("ca") },
		"completes": func(d *driver) *driver { return d.at(fieldRow, 2).press("enter") },
	} {
		for _, b := range at(begin()).pane.Keys() {
			for _, k := range b.Keys() {
				d := at(begin())
				before, effects := d.view(), len(d.sent)+len(d.message)+len(d.edited)
				d.press(k)
				if !d.pane.Open() || isMove(k) {
					continue
				}
				if before == d.view() && effects == len(d.sent)+len(d.message)+len(d.edited) {
					t.Errorf("%s: %q (%s) does nothing", name, k, b.Help().Desc)
				}
			}
		}
	}
}

// isMove reports whether a key only moves the cursor, which may be at an end already.
func isMove(k string) bool {
	return slices.Contains([]string{"up", "k", "down", "j", "home", "end", "pgup", "pgdown", "ctrl+u", "ctrl+d"}, k)
}
