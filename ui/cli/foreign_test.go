package cli

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/config"
	"sonde/ui/app/service"
	"sonde/ui/console"
)

func TestForeignConfiguration(t *testing.T) {
	foreign := config.Config{
		Service: &model.Service{Command: []string{"sh", "-c", "a b"}, Dir: "/svc"},
		Reset:   &model.Reset{Command: []string{"reset", "it"}},
		URL:     "http://127.0.0.1:1",
		Hosts:   []string{"h.example"},
	}
	x := service.ForeignConfig{
		Run:    "run",
		Path:   "/evil/sonde.yaml",
		Config: service.Configuration{Path: "sonde.yaml", Config: foreign},
	}
	if !x.IsOutside("/work") || x.IsOutside("/evil") {
		t.Error("a configuration outside the folder was not recognised")
	}
	var errs bytes.Buffer
	s := console.Streams{In: strings.NewReader("y\n"), Err: &errs}
	if err := console.Confirm(s, x.Description(), false); !errors.Is(err, console.ErrUnconfirmed) {
		t.Errorf("without a terminal: error %v", err)
	}
	if err := console.Confirm(s, x.Description(), true); err != nil {
		t.Error(err)
	}
	for _, want := range []string{
		`"/evil/sonde.yaml"`, `start sh -c 'a b'   (in "/svc")`, `reset by reset it   (in "/evil")`,
		"call http://127.0.0.1:1", "h.example",
	} {
		if !strings.Contains(errs.String(), want) {
			t.Errorf("there is no %q in %s", want, errs.String())
		}
	}
	for answer, want := range map[string]error{
		"y\n":   nil,
		"YES\n": nil,
		"":      console.ErrUnconfirmed,
		"n\n":   console.ErrUnconfirmed,
		"\n":    console.ErrUnconfirmed,
	} {
		if err := console.AskToContinue(&errs, strings.NewReader(answer)); !errors.Is(err, want) {
			t.Errorf("%q: error %v", answer, err)
		}
	}
	for source, want := range map[string]bool{
		"https://h.example/a.json": true,
		"http://127.0.0.1:1/a":     false,
		"http://localhost/a":       false,
		"/x/a.yaml":                false,
		"demo":                     false,
	} {
		if service.IsRemoteSource(source) != want {
			t.Errorf("%q is elsewhere: %t", source, !want)
		}
	}
}
