package app

import (
	"os"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/config"
	"sonde/ui/app/service"
)

const teams = `{"openapi": "3.0.3", "info": {"title": "Teams", "version": "1"}, "paths": {"/teams/{id}": {"get": {
"parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
"responses": {"200": {"description": "ok"}}}}}}`

// A correction is in the file and in all specs that are loaded later, until it is removed.
func TestCorrectionsAreKept(t *testing.T) {
	attribute := model.ValueCorrection{Value: "team.id", Kind: model.KindAttribute}
	for name, file := range map[string]string{
		"without a configuration": "",
		"with a configuration":    "# mine\nspec: api.yaml\nvalues: # of teams\n  - {value: x.y, is: y.z}\n",
	} {
		t.Run(name, func(t *testing.T) {
			w := workspaceIn(t, file)
			if err := os.WriteFile("api.yaml", []byte(teams), 0o600); err != nil {
				t.Fatal(err)
			}
			before := slices.Clone(w.session.state().config.Values)
			check := func(want ...model.ValueCorrection) {
				t.Helper()
				spec, err := w.Load(t.Context(), "api.yaml")
				if err != nil || !slices.Equal(spec.Corrections, want) {
					t.Fatalf("error %v, corrections %+v, want %+v", err, spec.Corrections, want)
				}
				c, err := config.Load(config.FileName)
				if err != nil && file != "" || !slices.Equal(c.Values, want) {
					t.Fatalf("error %v, in the file %+v, want %+v", err, c.Values, want)
				}
			}
			check(before...)
			put, remove := w.Engine().Corrections.Put, w.Engine().Corrections.Remove
			for _, c := range []model.ValueCorrection{{Value: "team.id", Is: "group.id"}, attribute} {
				if path, err := put(c); err != nil || path != config.FileName {
					t.Fatalf("path %q, error %v", path, err)
				}
				check(append(before, c)...)
			}
			text, err := os.ReadFile(config.FileName)
			if err != nil || !strings.HasPrefix(string(text), file) || !strings.Contains(string(text), "spec: api.yaml") {
				t.Errorf("error %v, the file is\n%s", err, text)
			}
			if _, err := remove(model.ValueCorrection{Value: "team.id"}); err != nil {
				t.Fatal(err)
			}
			check(before...)
			if _, err := remove(attribute); err == nil || !strings.Contains(err.Error(), "stays as it is") {
				t.Errorf("removing what is not there: %v", err)
			}
		})
	}
}

// A file for another spec, or in a layout that is hard to change, stays unchanged.
func TestCorrectionsThatAreNotKept(t *testing.T) {
	const file = "values: [{value: x.y, is: y.z}]\n"
	c := model.ValueCorrection{Value: "team.id", Kind: model.KindAttribute}
	w := workspaceIn(t, file)
	put := w.Engine().Corrections.Put
	for _, tt := range []struct {
		change func()
		want   string
	}{
		{func() {}, "sonde.yaml stays as it is: its values is written in one line"},
		{func() { w.session.current.config.Path = "" }, "another spec"},
		{func() { w.session.options.Source = service.DemoSource }, "demo has no configuration"},
	} {
		tt.change()
		if _, err := put(c); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("error %v, want %q", err, tt.want)
		}
	}
	if text, err := os.ReadFile(config.FileName); err != nil || string(text) != file {
		t.Errorf("error %v, text %q", err, text)
	}
	if got := w.session.state().config.Values; len(got) != 1 {
		t.Errorf("used are %+v", got)
	}
}

// If the user changes the corrections in the configuration file, the file stamp changes, and the next load has the
// new corrections. If the file has a mistake, the load fails, and the open spec stays as it is.
func TestCorrectionsAreReadAgain(t *testing.T) {
	w := workspaceIn(t, "spec: api.yaml\n")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("api.yaml", teams)
	stamp := w.Engine().Specs.FileStamp
	check := func(source string, want ...model.ValueCorrection) {
		t.Helper()
		spec, err := w.Load(t.Context(), source)
		if err != nil || !slices.Equal(spec.Corrections, want) {
			t.Fatalf("error %v, corrections %+v, want %+v", err, spec.Corrections, want)
		}
	}
	check("api.yaml")
	before, remote := stamp([]string{"api.yaml"}), stamp([]string{"https://api.example/api.yaml"})
	write(config.FileName, "spec: api.yaml\nvalues:\n  - {value: team.id, is: group.id}\n")
	if before == stamp([]string{"api.yaml"}) || remote == stamp([]string{"https://api.example/api.yaml"}) {
		t.Error("the change of the configuration is not noticed")
	}
	check("api.yaml", model.ValueCorrection{Value: "team.id", Is: "group.id"})
	write(config.FileName, "spec: api.yaml\nvalues:\n  - {value: team.id, knd: attribute}\n")
	if _, err := w.Load(t.Context(), "api.yaml"); err == nil || !strings.Contains(err.Error(), `"sonde.yaml": line 3`) {
		t.Errorf("error %v of a mistake", err)
	}
	if now := w.session.state(); len(now.spec.Corrections) != 1 || len(now.config.Values) != 1 {
		t.Errorf("after a mistake the open spec has %+v", now.spec.Corrections)
	}
	if err := os.Remove(config.FileName); err != nil {
		t.Fatal(err)
	}
	check("api.yaml")
	if got := stamp([]string{"missing.yaml"}); got != "" {
		t.Errorf("stamp %q of a spec that is missing", got)
	}
}
