package cli

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/config"
)

func TestRecordedCommands(t *testing.T) {
	here := t.TempDir()
	recorded := func(dir string) model.Recording {
		return model.Recording{Service: &model.Service{Command: []string{"sh", "-c", "touch \x1b[31mx"}, Dir: dir}, Reset: &model.Reset{Command: []string{"rm", "-rf", "data"}}}
	}
	for name, c := range map[string]struct {
		rec  model.Recording
		want bool
	}{
		"of this folder":       {recorded(here), false},
		"of one within":        {recorded(filepath.Join(here, "shop")), false},
		"of another":           {recorded(t.TempDir()), true},
		"of the one above":     {recorded(filepath.Dir(here)), true},
		"of one by its name":   {recorded("shop"), true},
		"of none":              {recorded(""), true},
		"a reset alone":        {model.Recording{Reset: &model.Reset{Command: []string{"rm"}}}, true},
		"nothing to start":     {model.Recording{}, false},
		"a reset by a request": {model.Recording{Reset: &model.Reset{Method: "POST", Path: "/__reset"}}, false},
		"a build":              {model.Recording{Service: &model.Service{Build: &model.Build{Package: "./x"}, Dir: "/x"}}, true},
	} {
		all := strings.Join(recordedCommands("rec", c.rec, here), "\n")
		if (all != "") != c.want || strings.Contains(all, "\x1b") {
			t.Errorf("%s: %q", name, all)
		}
		if s := c.rec.Service; c.want && s != nil && len(s.Command) > 0 && (!strings.Contains(all, "start sh -c ") || !strings.Contains(all, "reset by rm -rf data")) {
			t.Errorf("%s: it shows %q", name, all)
		}
	}
}

func TestForeignConfiguration(t *testing.T) {
	x := foreign{run: "run", path: "/evil/sonde.yaml", config: configured{path: "sonde.yaml", Config: config.Config{
		Service: &model.Service{Command: []string{"sh", "-c", "a b"}, Dir: "/svc"}, Reset: &model.Reset{Command: []string{"reset", "it"}},
		URL: "http://127.0.0.1:1", Hosts: []string{"h.example"},
	}}}
	if !x.lies("/work") || x.lies("/evil") {
		t.Error("it lies elsewhere")
	}
	var errs bytes.Buffer
	s := streams{in: strings.NewReader("y\n"), err: &errs}
	if err := confirm(s, x.lines(), false); !errors.Is(err, errUnconfirmed) {
		t.Errorf("without a terminal: error %v", err)
	}
	if err := confirm(s, x.lines(), true); err != nil {
		t.Error(err)
	}
	for _, want := range []string{`"/evil/sonde.yaml"`, `start sh -c 'a b'   (in "/svc")`, `reset by reset it   (in "/evil")`, "call http://127.0.0.1:1", "h.example"} {
		if !strings.Contains(errs.String(), want) {
			t.Errorf("there is no %q in %s", want, errs.String())
		}
	}
	for answer, want := range map[string]error{"y\n": nil, "YES\n": nil, "": errUnconfirmed, "n\n": errUnconfirmed, "\n": errUnconfirmed} {
		if err := ask(&errs, strings.NewReader(answer)); !errors.Is(err, want) {
			t.Errorf("%q: error %v", answer, err)
		}
	}
	for source, want := range map[string]bool{"https://h.example/a.json": true, "http://127.0.0.1:1/a": false, "http://localhost/a": false, "/x/a.yaml": false, "demo": false} {
		if elsewhere(source) != want {
			t.Errorf("%q is elsewhere: %t", source, !want)
		}
	}
}
