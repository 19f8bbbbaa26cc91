package app

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/config"
	"sonde/ui/app/service"
	"sonde/ui/app/specfile"
)

// workspaceIn returns a workspace for a service, in an empty folder. If file is not "", the folder has a
// configuration with this text.
func workspaceIn(t *testing.T, file string) *Workspace {
	t.Helper()
	t.Chdir(t.TempDir())
	o := Options{
		Specs:   &specfile.Loader{},
		Source:  "api.yaml",
		Service: service.Service{URL: "http://127.0.0.1:1"},
	}
	if file != "" {
		if err := os.WriteFile(config.FileName, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := config.Load(config.FileName)
		if err != nil {
			t.Fatal(err)
		}
		o.Config, o.Service.Users = service.Configuration{Config: c, Path: config.FileName}, c.Users
	}
	w := New(t.Context(), o)
	t.Cleanup(w.Close)
	w.session.current.spec = &model.Spec{Title: "Shop"}
	return w
}

// annWithToken returns the form of a user with a bearer token.
func annWithToken(w *Workspace) model.UserForm {
	t := w.logins.begin()
	t.Name, t.Method, t.Secret = "ann", model.AuthByBearer, "open barley"
	return t
}

func TestUsersOfTheApp(t *testing.T) {
	w := workspaceIn(t, "")
	if err := w.logins.add(annWithToken(w)); err != nil {
		t.Fatal(err)
	}
	if err := w.logins.add(annWithToken(w)); err == nil || !strings.Contains(err.Error(), `a user "ann" already`) {
		t.Errorf("a second ann: %v", err)
	}
	all := w.logins.all()
	if len(all) != 1 || all[0].Name != "ann" || all[0].How != "header Authorization" || !all[0].AddedHere {
		t.Errorf("users %+v", all)
	}
	if got := w.logins.names(); !slices.Equal(got, []string{"ann"}) {
		t.Errorf("requests by hand may be sent as %q", got)
	}
	if u := w.session.state().service.Users[0]; u.Sends[0].Value != "Bearer ${SONDE_ANN_AUTHORIZATION}" ||
		u.Secrets["SONDE_ANN_AUTHORIZATION"] != "open barley" {
		t.Errorf("user %+v", u)
	}
	if err := w.logins.forget("ann"); err != nil || len(w.logins.all()) > 0 {
		t.Errorf("left %v, error %v", w.logins.all(), err)
	}
	if _, err := os.Stat(config.FileName); err == nil {
		t.Error("a file was written unasked")
	}
}

// A user from the form is written to the configuration only on request, and without the secret. The rest of
// the file does not change.
func TestUsersAreWrittenIntoTheConfiguration(t *testing.T) {
	for name, file := range map[string]string{"none": "", "one": "# mine\nspec: api.yaml\nseed: 7 # lucky\n"} {
		t.Run(name, func(t *testing.T) {
			w := workspaceIn(t, file)
			if err := w.logins.add(annWithToken(w)); err != nil {
				t.Fatal(err)
			}
			path, set, err := w.logins.write("ann")
			if err != nil || path != config.FileName || !slices.Equal(set, []string{"SONDE_ANN_AUTHORIZATION"}) {
				t.Fatalf("path %q, variables %q, error %v", path, set, err)
			}
			text, err := os.ReadFile(path)
			if err != nil || strings.Contains(string(text), "barley") || !strings.HasPrefix(string(text), file) {
				t.Errorf("error %v, text\n%s", err, text)
			}
			c, err := config.Load(path)
			if err != nil || len(c.Users) != 1 || c.Users[0].Name != "ann" {
				t.Errorf("read again: %+v, %v", c.Users, err)
			}
			if w.logins.all()[0].AddedHere {
				t.Error("the user counts as one who is in no file")
			}
		})
	}
}

// A file to which the user cannot be added stays unchanged.
func TestUsersThatAreNotWritten(t *testing.T) {
	const file = "auth: [{name: joe, bearer: \"${PATH}\"}]\n"
	w := workspaceIn(t, file)
	if err := w.logins.add(annWithToken(w)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.logins.write("ann"); err == nil || !strings.Contains(err.Error(), "sonde.yaml stays as it is") {
		t.Errorf("error %v", err)
	}
	if text, err := os.ReadFile(config.FileName); err != nil || string(text) != file {
		t.Errorf("error %v, text %q", err, text)
	}
	w.session.current.config.Path = filepath.Join("gone", config.FileName)
	if _, _, err := w.logins.write("ann"); err == nil {
		t.Error("a file in a folder that is not there was written")
	}
	w.session.options.Source = service.DemoSource
	if _, _, err := w.logins.write("ann"); err == nil || !strings.Contains(err.Error(), "demo has no configuration") {
		t.Errorf("error %v", err)
	}
}
