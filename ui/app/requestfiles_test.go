package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/app/collection"
	"sonde/ui/app/service"
	"sonde/ui/app/usecase"
)

// shopWorkspace returns a workspace in an empty folder with a configuration, and with .http files.
func shopWorkspace(t *testing.T, files map[string]string) *Workspace {
	t.Helper()
	w := workspaceIn(t, "spec: api.yaml\nvariables:\n  tenant: acme\n")
	w.session.current.spec = &model.Spec{Title: "Shop", Operations: []*model.Operation{
		{ID: "GET /products", Method: "GET", Path: "/products"},
		{ID: "POST /products", Method: "POST", Path: "/products"},
	}}
	w.session.current.config.URL = "http://user:pw@127.0.0.1:1"
	for name, text := range files {
		if err := os.MkdirAll(collection.Folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(collection.Folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// The files are read with their problems. Users whose secrets are known are added, once, and variables of the
// configuration stay.
func TestLoadRequestFiles(t *testing.T) {
	t.Setenv("KNOWN_TOKEN", "open barley")
	w := shopWorkspace(t, map[string]string{
		"a.http": "### List\nGET /products?tenant={{tenant}}\nAuthorization: Bearer {{KNOWN_TOKEN}}\n\n### List\nGET /products\n",
		"b.http": "### Secret\nGET /products\nX-Api-Key: {{UNKNOWN_KEY}}\n\n### Gone\nGET /gone\n\n### Wrong\nwrong\n",
	})
	e := w.Engine().RequestFiles
	for _, users := range [][]string{{"known_token"}, nil} {
		got, err := e.Load()
		if err != nil || !slices.Equal(got.Users, users) || len(got.Files) != 2 || filepath.Base(got.Path) != "requests" {
			t.Fatalf("%+v, %v", got, err)
		}
		var lines []string
		for _, f := range got.Files {
			for _, s := range f.Seqs {
				lines = append(lines, s.Name+" by "+s.Test.Calls[0].User)
			}
			for _, p := range f.Problems {
				lines = append(lines, p.Text)
			}
		}
		want := []string{
			"List by known_token", "List (2) by ",
			`"Secret" needs the secret {{UNKNOWN_KEY}}: set the environment variable UNKNOWN_KEY before Sonde starts, ` +
				`or add a user with it (header X-Api-Key)`,
			`"Gone" is left out: the path: no path of the spec is like /gone`,
			`"wrong" is no request: write METHOD URL`,
		}
		if !slices.Equal(lines, want) {
			t.Errorf("got %q, want %q", lines, want)
		}
		if a := got.Files[0].Seqs[0].Test.Calls[0].Args[0]; a.Value != "${tenant}" {
			t.Errorf("the variable of the configuration is %q", a.Value)
		}
	}
	before := e.Stamp()
	if err := os.WriteFile(filepath.Join("requests", "c.http"), []byte("GET /products"), 0o600); err != nil {
		t.Fatal(err)
	}
	if before == "" || e.Stamp() == before {
		t.Error("a new file does not change the stamp")
	}
}

// A test is saved with the URL of the service, without its password, and can be loaded.
func TestSaveRequestFile(t *testing.T) {
	w := shopWorkspace(t, nil)
	e := w.Engine().RequestFiles
	test := model.Test{Origin: model.OriginManual, Calls: []model.Call{{
		Op: "POST /products", Args: []model.Arg{{In: model.InHeader, Name: "X-Tenant", Value: "${tenant}"}},
	}}}
	request := usecase.SavedRequest{File: "shop", Name: "Create", Test: test}
	got, err := e.Save(request, false)
	if err != nil || got.Name != "Create" || got.Path != filepath.Join("requests", "shop.http") {
		t.Fatalf("%+v, %v", got, err)
	}
	text, err := os.ReadFile(got.Path)
	const want = "### Create\n@base = http://127.0.0.1:1\nPOST {{base}}/products\nX-Tenant: {{tenant}}\n"
	if err != nil || string(text) != want {
		t.Errorf("%v, wrote\n%s", err, text)
	}
	if c := "mkdir -p requests && cat >> requests/shop.http <<'END_OF_REQUEST'\n" + want + "END_OF_REQUEST"; got.Command != c {
		t.Errorf("command %q, want %q", got.Command, c)
	}
	if _, err := e.Save(request, false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("the same name: %v", err)
	}
	if got, err := e.Save(request, true); err != nil || !got.Replaced || got.Command != "" {
		t.Errorf("replaced: %+v, %v", got, err)
	}
	loaded, err := e.Load()
	if err != nil || len(loaded.Files) != 1 || loaded.Files[0].Seqs[0].Test.Calls[0].Args[0].Value != "${tenant}" {
		t.Errorf("%+v, %v", loaded, err)
	}
}

// The folder is beside the configuration, or else beside the spec, or in the current folder. The demo has none.
func TestFolderOfRequestFiles(t *testing.T) {
	w := shopWorkspace(t, nil)
	w.session.current.config.Path = filepath.Join("conf", "sonde.yaml")
	if got := w.requests.folder(); got != filepath.Join("conf", "requests") {
		t.Errorf("beside the configuration: %q", got)
	}
	w.session.current.config.Path = ""
	for source, want := range map[string]string{
		filepath.Join("api", "openapi.yaml"): filepath.Join("api", "requests"),
		"https://shop.example/openapi.json":  "requests",
		"-":                                  "requests",
	} {
		w.session.options.Source = source
		if got := w.requests.folder(); got != want {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
	if err := os.Mkdir("requests", 0o700); err != nil {
		t.Fatal(err)
	}
	w.session.options.Source = filepath.Join("api", "openapi.yaml")
	if got := w.requests.folder(); got != "requests" {
		t.Errorf("a folder of sonde import: %q", got)
	}
	w.session.options.Source = service.DemoSource
	if e := w.Engine().RequestFiles; e.Load != nil || e.Save != nil {
		t.Error("the demo has files")
	}
}

func TestAppendCommand(t *testing.T) {
	for _, text := range []string{"", "a\nEND_OF_REQUEST\n"} {
		if got := appendCommand("a.http", text); got != "" {
			t.Errorf("%q: %q", text, got)
		}
	}
	if got := appendCommand("my files/a.http", "x\n"); !strings.HasPrefix(got, "mkdir -p 'my files' && cat >> 'my files/a.http' <<") {
		t.Errorf("got %q", got)
	}
}
