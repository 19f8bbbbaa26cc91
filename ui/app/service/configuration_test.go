package service

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/config"
)

func TestAtURL(t *testing.T) {
	spec := &model.Spec{Servers: []string{"https://api.example/v1/"}}
	for base, want := range map[string]Service{
		"http://127.0.0.1:80":             {URL: "http://127.0.0.1:80/v1", Path: "/v1"},
		"http://127.0.0.1:80/":            {URL: "http://127.0.0.1:80"},
		"http://127.0.0.1:80/v2/":         {URL: "http://127.0.0.1:80/v2"},
		"http://127.0.0.1:{port}":         {URL: "http://127.0.0.1:{port}/v1", Path: "/v1"},
		"http://shop.example.invalid:1/x": {URL: "http://shop.example.invalid:1/x"},
	} {
		got := AtURL(base, spec)
		if got.URL != want.URL || got.Path != want.Path {
			t.Errorf("%s: got %q with path %q, want %q with %q", base, got.URL, got.Path, want.URL, want.Path)
		}
		if got.IsRemote() != strings.Contains(base, "example") {
			t.Errorf("%s: remote %t", base, got.IsRemote())
		}
	}
}

// The way to start the service depends on the configuration: built with probes, by a command, or by a
// driver.
func TestServiceOfAConfiguration(t *testing.T) {
	built := &model.Service{
		Command: []string{"{binary}", "--port", "1"},
		Build:   &model.GoBuild{Package: "./cmd/x", Tags: "t", Vendor: true},
	}
	for name, c := range map[string]struct {
		config             Configuration
		observable, starts bool
		command            string
	}{
		"built":  {Configuration{Config: config.Config{Service: built}}, true, true, "go run -tags=t -mod=vendor ./cmd/x --port 1"},
		"run":    {Configuration{Config: config.Config{Service: &model.Service{Command: []string{"./x"}}}}, false, true, "./x"},
		"driver": {Configuration{Config: config.Config{Driver: "http://127.0.0.1:7"}}, true, false, ""},
		"none":   {Configuration{}, false, false, ""},
	} {
		if c.config.Observable() != c.observable || c.config.StartsWithoutDriver() != c.starts {
			t.Errorf("%s: observable %t, starts %t", name, c.config.Observable(), c.config.StartsWithoutDriver())
		}
		s := c.config.ServiceAt("", &model.Spec{})
		if got := startCommand(s); got != c.command || s.Observable() != c.observable || s.CanReset() != (name == "driver") {
			t.Errorf("%s: starts %q, observable %t, can reset %t", name, got, s.Observable(), s.CanReset())
		}
		if c.starts && s.URL != "http://127.0.0.1:"+model.PortPlaceholder {
			t.Errorf("%s: URL %q", name, s.URL)
		}
	}
}

func startCommand(s Service) string {
	if s.StartCommand == nil {
		return ""
	}
	return strings.Join(s.StartCommand.Command, " ")
}

func TestSpecSourceOfAConfiguration(t *testing.T) {
	starts := Configuration{Config: config.Config{Service: &model.Service{}}, Path: "sonde.yaml"}
	for want, c := range map[string]struct {
		config Configuration
		args   []string
	}{
		"a.yaml":                          {starts, []string{"a.yaml"}},
		"b.yaml":                          {Configuration{Config: config.Config{Spec: "b.yaml"}}, nil},
		"http://127.0.0.1:1/openapi.json": {Configuration{}, nil},
	} {
		if got, err := c.config.SpecSource(c.args, "http://127.0.0.1:1/"); got != want || err != nil {
			t.Errorf("got %q, error %v, want %q", got, err, want)
		}
	}
	if _, err := starts.SpecSource(nil, ""); err == nil || !strings.Contains(err.Error(), "set spec in sonde.yaml") {
		t.Errorf("a service that is not started yet: error %v", err)
	}
}

func TestFilterOperations(t *testing.T) {
	spec := &model.Spec{Operations: []*model.Operation{
		{ID: "GET /a", Method: "GET", Path: "/a"},
		{ID: "GET /b", Method: "GET", Path: "/b"},
	}}
	c := Configuration{Path: "sonde.yaml"}
	c.Scope.Exclude = []config.ScopeRule{{Paths: []string{"/b"}}}
	if less, err := c.FilterOperations(spec); err != nil || len(less.Operations) != 1 || len(spec.Operations) != 2 {
		t.Errorf("left %+v, error %v", less, err)
	}
	c.Scope.Exclude[0].Paths = []string{"/**"}
	if _, err := c.FilterOperations(spec); err == nil || !strings.Contains(err.Error(), `"sonde.yaml" leave no operation of 2`) {
		t.Errorf("nothing is left: error %v", err)
	}
}

// The configuration decides how the service of a recording is started. It adds the reset and the users that the
// recording lacks.
func TestCompleteRecording(t *testing.T) {
	c := Configuration{Config: config.Config{
		URL:     "http://127.0.0.1:2",
		Service: &model.Service{Command: []string{"./x"}},
		Reset:   &model.Reset{Restart: true},
		Users:   []model.User{{Name: "ann", Header: "Theirs"}, {Name: "joe"}},
	}}
	rec := model.Recording{BaseURL: "http://127.0.0.1:1", Users: []model.User{{Name: "ann", Header: "Mine"}}}
	c.CompleteRecording(&rec)
	if rec.BaseURL != "http://127.0.0.1:2" || rec.Service != c.Service || rec.Reset != c.Reset {
		t.Errorf("completed to %+v", rec)
	}
	if len(rec.Users) != 2 || rec.Users[0].Header != "Mine" || rec.Users[1].Name != "joe" {
		t.Errorf("users %+v", rec.Users)
	}
}

func TestRelativeSpec(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for source, want := range map[string]string{
		"-":                               "",
		"a.yaml":                          "../a.yaml",
		"/x/a.yaml":                       "/x/a.yaml",
		"https://ann:pw@h.example/a.yaml": "https://h.example/a.yaml",
	} {
		if got := RelativeSpec(source, filepath.Join(dir, "sub")); got != want {
			t.Errorf("%s: got %q, want %q", source, got, want)
		}
	}
}

// Flags take precedence over the configuration. Args returns them as typed.
func TestNetworkFlags(t *testing.T) {
	n := Network{On: true, Allow: []string{"127.0.0.1:5432"}, Stubs: []string{"s.yaml"}, Providers: []string{"h.example=h.yaml"}}
	want := []string{"--net", "--net-allow", "127.0.0.1:5432", "--stubs", "s.yaml", "--provider", "h.example=h.yaml"}
	if got := n.Args(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := n.Check(config.Network{}, true); err != nil {
		t.Errorf("error %v", err)
	}
	for want, bad := range map[string]Network{
		"exclude each other": {On: true, Off: true},
		"add --net":          {Stubs: []string{"s.yaml"}},
		"is not HOST:PORT":   {On: true, Allow: []string{"127.0.0.1"}},
	} {
		if err := bad.Check(config.Network{}, true); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want %q", bad, err, want)
		}
	}
	if err := n.Check(config.Network{}, false); err == nil || !strings.Contains(err.Error(), "needs a service that Sonde starts") {
		t.Errorf("a service that Sonde does not start: error %v", err)
	}
	if got := n.WithSwitch(false, config.Network{On: true}); !got.Off || len(got.Allow) > 0 {
		t.Errorf("switched off: %+v", got)
	}
}

func TestLoadNetwork(t *testing.T) {
	file := filepath.Join(t.TempDir(), "stock.yaml")
	text := "openapi: 3.0.3\ninfo: {title: Stock, version: '1'}\npaths: {/a: {get: {responses: {'200': {description: ok}}}}}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	n := Network{On: true, Allow: []string{"127.0.0.1:1"}, Providers: []string{"stock.example=" + file}}
	got, err := n.LoadNetwork(t.Context(), config.Network{
		Allow:     []string{"127.0.0.1:2"},
		Providers: map[string]string{"stock.example": "other.yaml"},
	})
	if err != nil || !slices.Equal(got.Allow, []string{"127.0.0.1:1", "127.0.0.1:2"}) || got.Providers["stock.example"].Title != "Stock" {
		t.Errorf("got %+v, error %v", got, err)
	}
	if got, err := (Network{}).LoadNetwork(t.Context(), config.Network{}); got != nil || err != nil {
		t.Errorf("without --net: %+v, error %v", got, err)
	}
	n.Providers = []string{"stock.example"}
	if _, err := n.LoadNetwork(t.Context(), config.Network{}); err == nil || !strings.Contains(err.Error(), "--provider") {
		t.Errorf("a provider without a spec: error %v", err)
	}
}

// Without probes, go run starts a service that another program starts, such as a shell. If go run cannot pass on the
// arguments of that program, the command has go run in place of the binary.
func TestWithoutProbes(t *testing.T) {
	for _, c := range []struct{ command, want []string }{
		{[]string{"{binary}", "-p", "{port}"}, []string{"go", "run", "./x", "-p", "{port}"}},
		{
			[]string{"sh", "-c", `umask 7; exec "$0" "$@"`, "{binary}", "-p", "{port}"},
			[]string{"go", "run", "-exec", `'sh' '-c' 'umask 7; exec "$0" "$@"'`, "./x", "-p", "{port}"},
		},
		{[]string{"sh", "-c", "exec '$0'", "{binary}"}, []string{"go", "run", "-exec", `'sh' '-c' "exec '$0'"`, "./x"}},
		{[]string{"sh", "-c", "exec {binary} -p 1"}, []string{"sh", "-c", "exec go run ./x -p 1"}},
		{[]string{"sh", "-c", `'a' "$0"`, "{binary}"}, []string{"sh", "-c", `'a' "$0"`, "go", "run", "./x"}},
		{[]string{"strace", "{binary}", "{binary}"}, []string{"strace", "go", "run", "./x", "go", "run", "./x"}},
	} {
		got := WithoutProbes(&model.Service{Command: c.command, Build: &model.GoBuild{Package: "./x"}})
		if !slices.Equal(got.Command, c.want) || got.Build != nil {
			t.Errorf("%q becomes %q, want %q", c.command, got.Command, c.want)
		}
	}
}

// A service that a shell starts runs without probes.
func TestWithoutProbesStarts(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a program")
	}
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module x\n\ngo 1.22\n",
		"main.go": "package main\n\nimport \"os\"\n\nfunc main() { println(os.Getenv(\"MADE\"), os.Args[1]) }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := WithoutProbes(&model.Service{
		Command: []string{"sh", "-c", `MADE=here exec "$0" "$@"`, "{binary}", "now"}, Build: &model.GoBuild{Package: "."},
	})
	run := exec.Command(s.Command[0], s.Command[1:]...)
	run.Dir = dir
	if got, err := run.CombinedOutput(); err != nil || string(got) != "here now\n" {
		t.Errorf("%q: %v: %s", s.Command, err, got)
	}
}
