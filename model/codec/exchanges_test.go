package codec_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/codec"
)

func TestOpenExchangesOfRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	w, err := codec.CreateRun(dir, codec.RunHeader{}, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WriteTraffic(played()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := codec.OpenExchanges(dir)
	if err != nil || !got.Generated {
		t.Fatalf("generated %v, error %v", got.Generated, err)
	}
	var sent []model.Exchange
	for _, p := range played() {
		for _, x := range p.Exchanges {
			if !x.At.IsZero() {
				sent = append(sent, x)
			}
		}
	}
	if len(got.All) != len(sent) {
		t.Fatalf("%d exchanges, want %d", len(got.All), len(sent))
	}
	for _, x := range got.All {
		if x.Base == "" || !strings.HasPrefix(x.Request.URL, "/") || x.At.IsZero() {
			t.Errorf("base %q, URL %q, at %v", x.Base, x.Request.URL, x.At)
		}
	}
}

func TestOpenExchangesOfWhatIsNone(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct{ text, want string }{
		"broken.har": {`{"log": {"entries": 1}}`, "HAR file"},
		"other.json": {`{"swagger": "2.0"}`, "it has no entries"},
		"pathless":   {`{"log": {"entries": [{"request": {"method": "GET"}}]}}`, "no URL"},
		"body.har": {
			`{"log": {"entries": [
				{"request": {"method": "GET", "url": "/"}, "response": {"content": {"text": "YQ==!", "encoding": "base64"}}}
			]}}`,
			"the body of response 1 is not base64",
		},
		"missing.har": {"", "name a run, a recording or a HAR file"},
		"":            {"", "is not a recording"},
	} {
		path := filepath.Join(dir, name)
		if c.text != "" {
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, err := codec.OpenExchanges(path)
		says := func(text string) bool { return err != nil && strings.Contains(err.Error(), text) }
		if !says(c.want) || !says(path) || says("\n") {
			t.Errorf("%s: got %v, want one line with %q and the path", name, err, c.want)
		}
	}
}
