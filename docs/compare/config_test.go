package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The configurations of this folder can be read, and the specs in own.yaml exist.
func TestConfigurations(t *testing.T) {
	for _, file := range []string{"own.yaml", "services.yaml"} {
		all, err := readConfig(file)
		if err != nil {
			t.Error(err)
		}
		for _, e := range all {
			if !filepath.IsAbs(e.Spec) || e.Build != nil && !filepath.IsAbs(e.Build.Dir) {
				t.Errorf("%s: %s has relative paths: %s", file, e.Name, e.Spec)
			}
			if _, err := os.Stat(e.Spec); file == "own.yaml" && err != nil {
				t.Error(err)
			}
		}
	}
}

func TestConfigErrors(t *testing.T) {
	const good = "{name: a, half: tuned, spec: a.json, run: [a], ready: /}"
	for text, want := range map[string]string{
		"":                                   "no documents",
		"services: []":                       "has no services",
		"services: [{nam: a}]":               "field nam not found",
		"services: [":                        "services.yaml: ",
		"services: [{half: tuned}]":          "service 1: name: ",
		"services: [{name: a/b}]":            "service a/b: name: ",
		"services: [{name: a, half: other}]": `service a: half: "other" is neither "tuned" nor "held out"`,
		"services: [{name: a, half: tuned}]": "service a: spec: ",
		"services: [{name: a, half: tuned, spec: a.json}]":                                 "service a: run: ",
		"services: [{name: a, half: tuned, spec: a.json, run: [a]}]":                       "service a: ready: ",
		strings.Replace("services: ["+good+"]", "ready", "build: {}, ready", 1):            "service a: build: dir: ",
		strings.Replace("services: ["+good+"]", "ready", "stop: KILL, ready", 1):           `service a: stop: "KILL" is not`,
		strings.Replace("services: ["+good+"]", "ready", "prefixes: {a: b}, ready", 1):     `service a: prefixes: "a" does not begin`,
		strings.Replace("services: ["+good+"]", "ready", "users: [{name: ann}], ready", 1): `service a: users: user "ann" needs`,
		"services: [" + good + "," + good + "]":                                            "service a: the name is taken",
	} {
		file := filepath.Join(t.TempDir(), "services.yaml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := readConfig(file)
		if err == nil {
			t.Errorf("%s: no error", text)
		} else if got := err.Error(); !strings.HasPrefix(got, file) || !strings.Contains(got, want) || strings.Contains(got, "\n") {
			t.Errorf("%s: error %v, want %q in one line", text, err, want)
		}
	}
}

func TestChoose(t *testing.T) {
	all := []entry{{Name: "a", Half: tuned}, {Name: "b", Half: heldOut}, {Name: "c", Half: tuned}}
	for _, c := range []struct {
		names      []string
		half, want string
	}{
		{nil, "", "abc"}, {[]string{"b"}, "", "b"}, {nil, tuned, "ac"}, {[]string{"c", "b"}, heldOut, "b"},
	} {
		got, err := choose(all, c.names, c.half)
		var names string
		for _, e := range got {
			names += e.Name
		}
		if err != nil || names != c.want {
			t.Errorf("%v, %q: got %s, want %s (%v)", c.names, c.half, names, c.want, err)
		}
	}
	if _, err := choose(all, []string{"d"}, ""); err == nil || !strings.Contains(err.Error(), `no service "d"`) {
		t.Errorf("error %v", err)
	}
	if _, err := choose(all, []string{"a"}, heldOut); err == nil || !strings.Contains(err.Error(), "none of the services") {
		t.Errorf("error %v", err)
	}
}
