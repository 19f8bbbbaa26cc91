package export_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sonde/export"
	"sonde/model"

	"github.com/google/go-cmp/cmp"
)

func runHurl(t *testing.T, dir, base string) (string, error) {
	t.Helper()
	return outcome(t, dir, nil, "hurl", "--test", "--no-color", "--variable", "base_url="+base, "sonde.hurl")
}

func TestHurlPasses(t *testing.T) {
	s := export.NewService(t)
	dir, _ := written(t, "hurl", export.Served())
	output, err := runHurl(t, dir, s.URL)
	if err != nil || !strings.Contains(output, "(100.0%)") {
		t.Errorf("%v, want a file that passes:\n%s\n%s", err, output, readFile(t, dir, "sonde.hurl"))
	}
	export.WantAsked(s, t)
}

func TestHurlSendsAllTexts(t *testing.T) {
	f := newFar(t)
	s := echoes(f.URL, 200)
	dir, made := written(t, "hurl", s)
	if output, err := runHurl(t, dir, f.URL); err != nil {
		t.Errorf("%v in\n%s", err, output)
	}
	wantArrived(t, f, s, made)
}

// A captured value that replaces a number is sent as a number if it is a number, else as a JSON string.
func TestHurlSendsWhatIsNoNumber(t *testing.T) {
	var sent []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		sent = append(sent, string(body))
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"word": "P\"\\409", "digits": "17", "number": 2.5, "yes": true}`)
	}))
	t.Cleanup(s.Close)
	test := model.Test{ID: "t", Calls: []model.Call{{Op: "GET /a", Status: 200}}}
	for i, pointer := range []string{"/word", "/digits", "/number", "/yes"} {
		body := &model.Payload{Media: "application/json", Data: `{"n": 1}`}
		test.Calls = append(test.Calls, model.Call{Op: "POST /b", Body: body, Status: 200})
		test.Links = append(test.Links, model.Link{From: 0, To: i + 1, Pointer: pointer, In: model.InBody, Name: "/n"})
	}
	dir, made := written(t, "hurl", export.Suite{BaseURL: s.URL, Tests: []model.Test{test}})
	if output, err := runHurl(t, dir, s.URL); err != nil {
		t.Fatalf("%v in\n%s\n%s", err, output, made.Text)
	}
	want := []string{"", `{"n": "P\"\\409"}`, `{"n": 17}`, `{"n": 2.5}`, `{"n": true}`}
	if diff := cmp.Diff(want, sent); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
