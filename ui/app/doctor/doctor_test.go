package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/model/config"
)

// machine is an environment that tests change. All that it has works.
type machine struct {
	Environment
	variables map[string]string
	versions  map[string]string   // the output of programs, by command line; a program without an entry is missing
	wrong     map[string]error    // folders in which no file can be created
	free      map[string]uint64   // free bytes of folders
	lists     map[string][]string // the names in folders
	yaml      string              // the text of sonde.yaml, "" if there is none
	specs     map[string]*model.Spec
	called    []string // the sources of the specs that were opened
}

func newMachine() *machine {
	m := &machine{
		variables: map[string]string{"TERM": "xterm-256color", "LANG": "en_GB.UTF-8"},
		versions: map[string]string{
			"go version":                  "go version go1.26.0 linux/amd64\n",
			"python3 --version":           "Python 3.12.3\n",
			"python3 -m pytest --version": "pytest 8.1.1\n",
			"node --version":              "v20.1.0\n",
			"k6 --version":                "k6 v0.49.0 (commit/abc, go1.21, linux/amd64)\n",
			"java --version":              "openjdk 21 2023-09-19\nOpenJDK Runtime Environment (build 21+35-2513)\n",
			"mvn --version":               "\nApache Maven 3.9.6 (bc0240f)\nMaven home: /usr/share/maven\n",
			"curl --version":              "curl 8.5.0 (x86_64-pc-linux-gnu) libcurl/8.5.0\n",
		},
		wrong: map[string]error{},
		free:  map[string]uint64{"/tmp": 9 << 30, "/shm": 1 << 30},
		lists: map[string][]string{},
		specs: map[string]*model.Spec{},
	}
	m.Environment = Environment{
		System: System{
			Version: "sonde 1 go1.26.0", OS: "linux", Arch: "amd64", CanShareMemory: true, OldestGo: "go1.21",
			CheckNamespaces: func() error { return nil },
			CheckGo:         func(string) error { return nil },
		},
		Screen: Screen{
			IsTerminal: true, Colours: "TrueColor", Width: 80, Height: 24, MinWidth: 40, MinHeight: 12, HasClipboard: true,
		},
		Programs:   m,
		Files:      m,
		Settings:   m,
		Folders:    []Folder{{Name: "cache", Path: "/cache", Purpose: "runs", Advice: "give -o"}},
		TempFolder: "/tmp", MemoryFolder: "/shm",
		Variable: func(name string) (string, bool) { text, isSet := m.variables[name]; return text, isSet },
		Limit:    10 * time.Second,
	}
	return m
}

func (m *machine) Find(name string) (string, error) {
	for line := range m.versions {
		if strings.HasPrefix(line, name+" ") {
			return name, nil
		}
	}
	return "", errors.New("not found")
}

func (m *machine) Output(_ context.Context, path string, args ...string) (string, error) {
	text, ok := m.versions[strings.Join(append([]string{path}, args...), " ")]
	if !ok {
		return "", errors.New("exit status 1")
	}
	return text, nil
}

func (m *machine) CheckWritable(folder string) error  { return m.wrong[folder] }
func (m *machine) CheckCreatable(folder string) error { return m.wrong[folder] }

func (m *machine) FreeSpace(folder string) (uint64, error) {
	free, ok := m.free[folder]
	if !ok {
		return 0, errors.ErrUnsupported
	}
	return free, nil
}

func (m *machine) List(folder string) ([]string, error) {
	names, ok := m.lists[filepath.ToSlash(folder)]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return names, nil
}

func (m *machine) Config(variable func(string) (string, bool)) (config.Config, error) {
	if m.yaml == "" {
		return config.Config{}, fmt.Errorf("no file: %w", fs.ErrNotExist)
	}
	return config.Parse([]byte(m.yaml), variable)
}

func (m *machine) Spec(_ context.Context, path string) (*model.Spec, error) {
	m.called = append(m.called, path)
	if s := m.specs[path]; s != nil {
		return s, nil
	}
	return nil, fmt.Errorf("there is no file %q", path)
}

func (m *machine) Baseline(path string) ([]config.KnownFault, error) {
	if path != "known.yaml" {
		return nil, fmt.Errorf("there is no baseline %q", path)
	}
	return make([]config.KnownFault, 3), nil
}

// found returns the check of a name.
func found(t *testing.T, r Report, name string) Check {
	t.Helper()
	at := slices.IndexFunc(r.Checks, func(c Check) bool { return c.Name == name })
	if at < 0 {
		t.Fatalf("there is no check %s", name)
	}
	return r.Checks[at]
}

func TestAllWorks(t *testing.T) {
	r := Run(t.Context(), newMachine().Environment)
	if !r.Passed || r.Config != "" {
		t.Errorf("passed %v, configuration %q", r.Passed, r.Config)
	}
	var names []string
	for _, c := range r.Checks {
		names = append(names, c.Name)
		if c.Status != OK || c.Found == "" || c.Purpose == "" || c.Advice != "" || c.Needed {
			t.Errorf("got %+v", c)
		}
	}
	want := "version namespaces go terminal colours characters clipboard cache temporary memory " +
		"python3 pytest node k6 java maven curl"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestMachineChecks(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*machine)
		check  string
		status Status
		found  string
		advice string
	}{
		"no namespaces": {
			func(m *machine) { m.System.CheckNamespaces = func() error { return errors.New("not permitted") } },
			"namespaces", Limited, "not permitted", "a proxy takes its place",
		},
		"a panic": {
			func(m *machine) { m.System.CheckNamespaces = func() error { panic("oh") } },
			"namespaces", Limited, "the check failed: oh; please report this", "a proxy takes its place",
		},
		"no Go": {
			func(m *machine) { delete(m.versions, "go version") },
			"go", Limited, "no go command", "install Go",
		},
		"a version": {func(*machine) {}, "go", OK, "go1.26.0 (go1.21 or newer)", ""},
		"not like Go": {
			func(m *machine) { m.versions["go version"] = "weiqi 7" },
			"go", Limited, `prints "weiqi 7"`, "install Go",
		},
		"old Go": {
			func(m *machine) { m.System.CheckGo = tooOld },
			"go", Limited, "go1.26.0: probes need", "another release",
		},
		"shares nothing": {
			func(m *machine) { m.System.CanShareMemory = false },
			"go", Limited, "cannot run on this system", "black-box",
		},

		"no terminal": {
			func(m *machine) { m.Screen = Screen{} },
			"terminal", Limited, "not a terminal", "--plain",
		},
		"dumb": {
			func(m *machine) { m.variables["TERM"] = "dumb" },
			"terminal", Limited, "TERM is dumb", "--plain",
		},
		"small": {
			func(m *machine) { m.Screen.Width = 39 },
			"terminal", Limited, "39×24 cells", "40×12 cells or more",
		},
		"no size": {
			func(m *machine) { m.Screen.Width = 0 },
			"terminal", Limited, "its size is unknown", "reports its size",
		},
		"as asked": {
			func(m *machine) { m.Screen.Colours = ""; m.variables["NO_COLOR"] = "1" },
			"colours", OK, "NO_COLOR is set", "",
		},
		"no colours": {
			func(m *machine) { m.Screen.Colours = "" },
			"colours", Limited, "none", "set TERM",
		},
		"another locale": {
			func(m *machine) { m.variables["LC_ALL"] = "C" },
			"characters", Limited, `the locale "C" is not UTF-8`, "--ascii",
		},
		"no locale": {
			func(m *machine) { delete(m.variables, "LANG") },
			"characters", Limited, "are not set", "C.UTF-8",
		},
		"utf8": {
			func(m *machine) { m.variables["LC_CTYPE"] = "en_US.utf8" },
			"characters", OK, "UTF-8", "",
		},
		"Windows": {
			func(m *machine) { m.System.OS = "windows"; m.variables = nil },
			"characters", OK, "Unicode", "",
		},
		"no clipboard": {
			func(m *machine) { m.Screen.HasClipboard = false },
			"clipboard", Limited, "the system has none", "xclip",
		},
		"by SSH": {
			func(m *machine) { m.Screen.HasClipboard = false; m.variables["SSH_TTY"] = "/dev/pts/1" },
			"clipboard", OK, "OSC 52", "",
		},

		"read-only folder": {
			func(m *machine) { m.wrong["/cache"] = errors.New("permission denied") },
			"cache", Failed, "/cache cannot be written: permission denied", "give -o",
		},
		"no folder": {
			func(m *machine) {
				m.Folders[0] = Folder{Name: "cache", Err: errors.New("$HOME is not defined"), Advice: "give -o"}
			},
			"cache", Failed, "it cannot be written: $HOME is not defined", "give -o",
		},
		"full": {
			func(m *machine) { m.free["/tmp"] = 5 << 20 },
			"temporary", Limited, "/tmp, 5.0 MiB free", "TMPDIR",
		},
		"unknown space": {
			func(m *machine) { delete(m.free, "/tmp") },
			"temporary", OK, "free space unknown", "",
		},
		"no temp": {
			func(m *machine) { m.wrong["/tmp"] = fs.ErrNotExist },
			"temporary", Failed, "file does not exist", "TMPDIR",
		},
		"little memory": {
			func(m *machine) { m.free["/shm"] = 1 << 20 },
			"memory", Limited, "1.0 MiB free", "--shm-size",
		},
		"memory is not": {
			func(m *machine) { m.wrong["/shm"] = fs.ErrPermission },
			"memory", Limited, "cannot be written", "--shm-size",
		},
		"no memory": {
			func(m *machine) { m.MemoryFolder = "" },
			"memory", Limited, "there is no folder", "--shm-size",
		},
		"none on a Mac": {
			func(m *machine) { m.MemoryFolder, m.System.OS = "", "darwin" },
			"memory", OK, "takes its place", "",
		},
		"no pytest": {
			func(m *machine) { delete(m.versions, "python3 -m pytest --version") },
			"pytest", Limited, "exit status 1", "pip install",
		},
		"no node": {
			func(m *machine) { delete(m.versions, "node --version") },
			"node", Limited, "no node on the PATH", "nodejs.org",
		},
		"version of k6":   {func(*machine) {}, "k6", OK, "0.49.0", ""},
		"version of java": {func(*machine) {}, "java", OK, "21", ""},
		"of Maven":        {func(*machine) {}, "maven", OK, "3.9.6", ""},
		"no version": {
			func(m *machine) { m.versions["curl --version"] = "\n hello\n" },
			"curl", Limited, `curl --version prints "hello"`, "curl.se",
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine()
			c.change(m)
			r := Run(t.Context(), m.Environment)
			got := found(t, r, c.check)
			if got.Status != c.status || !strings.Contains(got.Found, c.found) || !strings.Contains(got.Advice, c.advice) {
				t.Errorf("got  %+v\nwant %s %q %q", got, c.status, c.found, c.advice)
			}
			if (got.Status == OK) != (got.Advice == "") {
				t.Errorf("%s has the advice %q", got.Status, got.Advice)
			}
			if !r.Passed {
				t.Error("did not pass, although there is no sonde.yaml")
			}
		})
	}
}

func tooOld(string) error { return errors.New("probes need go1.99 or newer") }

// A check that does not end does not stop the others.
func TestSlowChecks(t *testing.T) {
	m := newMachine()
	end := make(chan struct{})
	t.Cleanup(func() { close(end) })
	m.System.CheckNamespaces = func() error { <-end; return nil }
	m.Limit = 100 * time.Millisecond
	r := Run(t.Context(), m.Environment)
	if got := found(t, r, "namespaces"); got.Status != Limited || got.Found != "no result after 100ms" {
		t.Errorf("got %+v", got)
	}
	if got := found(t, r, "version"); got.Status != OK {
		t.Errorf("got %+v", got)
	}
}

const built = `
sut: {build: ./cmd/server, dir: api, env: {SECRET: "${SHOP_SECRET}"}}
spec: ${PLACE}/shop.yaml
auth:
  - name: ann
    bearer: ${ANN}
`

func TestProjectChecks(t *testing.T) {
	shop := &model.Spec{Format: "OpenAPI 3.0", Operations: []*model.Operation{{}, {}}}
	for name, c := range map[string]struct {
		yaml   string
		change func(*machine)
		check  string
		status Status
		found  string
		passed bool
	}{
		"valid":        {built, nil, "file", OK, "valid", true},
		"spec":         {built, nil, "spec", OK, "${PLACE}/shop.yaml: OpenAPI 3.0, 2 operations", true},
		"variables":    {built, nil, "variables", OK, "ANN, PLACE, SHOP_SECRET", true},
		"no address":   {built, nil, "service", OK, "started by Sonde on a free port", true},
		"package":      {built, nil, "build", OK, filepath.FromSlash("api/cmd/server"), true},
		"invalid":      {"speck: a", nil, "file", Failed, `line 1: unknown key "speck"`, false},
		"missing spec": {"spec: x.yaml", nil, "spec", Failed, `there is no file "x.yaml"`, false},
		"empty spec":   {"spec: none.yaml", nil, "spec", Failed, "0 operations", false},
		"problems":     {"spec: odd.yaml", nil, "spec", Limited, "2 operations, 1 problem", true},
		"spec at a URL": {
			"spec: HTTPS://ann:pw@x.example/a?key=1", nil,
			"spec", OK, "HTTPS://x.example/a, not called", true,
		},
		"standard input": {`spec: "-"`, nil, "spec", OK, "not read", true},
		"url": {
			"url: http://ann:pw@x.example/v1?key=1#a", nil,
			"service", OK, "http://x.example/v1", true,
		},
		"url of a variable": {
			"url: http://ann:pw@${HOST_NAME}:80/", func(m *machine) { m.variables["HOST_NAME"] = "secret" },
			"service", OK, "http://${HOST_NAME}:80/", true,
		},
		"nothing": {"seed: 1", nil, "service", OK, "no address: give --url", true},
		"driver": {
			"sut: {driver: \"http://127.0.0.1:1\"}", nil,
			"service", OK, "its driver http://127.0.0.1:1", true,
		},
		"unset": {
			built, func(m *machine) { delete(m.variables, "SHOP_SECRET") },
			"variables", Failed, "without a value: SHOP_SECRET", false,
		},
		"empty secret": {
			built, func(m *machine) { m.variables["ANN"] = "" },
			"variables", Failed, "without a value: ANN", false,
		},
		"empty value": {
			built, func(m *machine) { m.variables["SHOP_SECRET"] = "" },
			"variables", OK, "SHOP_SECRET", true,
		},
		"unset place": {
			built, func(m *machine) { delete(m.variables, "PLACE") },
			"spec", Failed, "has a variable without a value", false,
		},
		"no package": {
			built, func(m *machine) { m.lists = nil },
			"build", Failed, "does not exist", false,
		},
		"only tests": {
			built, func(m *machine) { m.lists["api/cmd/server"] = []string{"a_test.go", "README"} },
			"build", Failed, "has no Go files", false,
		},
		"import path": {
			"sut: {build: example.com/shop}", nil,
			"build", Limited, "an import path", true,
		},
		"no Go": {
			built, func(m *machine) { delete(m.versions, "go version") },
			"go", Failed, "no go command", false,
		},
		"no Go, run": {
			"sut: {run: [node, a.js]}", func(m *machine) { delete(m.versions, "go version") },
			"go", Limited, "no go command", true,
		},
		"program": {"sut: {run: [node, a.js]}", nil, "start", OK, "node", true},
		"no program": {
			"sut: {run: [ruby, a.rb]}", nil,
			"start", Failed, "ruby cannot be started: not found", false,
		},
		"baseline":         {"ci: {baseline: known.yaml}", nil, "baseline", OK, "known.yaml: 3 known faults", true},
		"missing baseline": {"ci: {baseline: none.yaml}", nil, "baseline", Failed, `there is no baseline "none.yaml"`, false},
		"full disk": {
			built, func(m *machine) { m.wrong["/tmp"] = fs.ErrPermission },
			"temporary", Failed, "permission denied", false,
		},
		"not needed": {
			"seed: 1", func(m *machine) { m.wrong["/tmp"] = fs.ErrPermission },
			"temporary", Failed, "permission denied", true,
		},
		"panic of spec": {
			"spec: panic.yaml", func(m *machine) { m.Settings = panicking{m} },
			"spec", Failed, "the check failed: spec", false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine()
			m.yaml = c.yaml
			m.variables["PLACE"], m.variables["SHOP_SECRET"], m.variables["ANN"] = "/home/ann", "hidden", "hidden"
			m.lists["api/cmd/server"] = []string{"main.go"}
			m.specs["/home/ann/shop.yaml"], m.specs["none.yaml"] = shop, &model.Spec{}
			m.specs["odd.yaml"] = &model.Spec{Operations: shop.Operations, Problems: make([]model.Problem, 1)}
			if c.change != nil {
				c.change(m)
			}
			r := Run(t.Context(), m.Environment)
			got := found(t, r, c.check)
			if got.Status != c.status || !strings.Contains(got.Found, c.found) || r.Passed != c.passed {
				t.Errorf("got  %+v, passed %v\nwant %s %q, %v", got, r.Passed, c.status, c.found, c.passed)
			}
			for _, secret := range []string{"pw@", "hidden", "key=1"} {
				if text := fmt.Sprint(r); strings.Contains(text, secret) {
					t.Errorf("%s is in %s", secret, text)
				}
			}
			if r.Config != config.FileName {
				t.Errorf("the configuration is %q", r.Config)
			}
		})
	}
}

// panicking panics when a spec is read.
type panicking struct{ *machine }

func (panicking) Spec(context.Context, string) (*model.Spec, error) { panic("spec") }

func TestURLsAreNotCalled(t *testing.T) {
	m := newMachine()
	m.yaml = "spec: Http://127.0.0.1:1/openapi.json\nurl: http://127.0.0.1:1"
	if r := Run(t.Context(), m.Environment); !r.Passed || len(m.called) > 0 {
		t.Errorf("passed %v, called %q", r.Passed, m.called)
	}
}

// A configuration that cannot be read in time counts as a failure.
func TestSlowConfiguration(t *testing.T) {
	m := newMachine()
	end := make(chan struct{})
	t.Cleanup(func() { close(end) })
	m.Settings = slowSettings{machine: m, end: end}
	m.Limit = 100 * time.Millisecond
	r := Run(t.Context(), m.Environment)
	if got := found(t, r, "file"); r.Passed || got.Status != Failed || got.Found != "no result after 100ms" {
		t.Errorf("got %+v, passed %v", got, r.Passed)
	}
}

type slowSettings struct {
	*machine
	end chan struct{}
}

func (s slowSettings) Config(func(string) (string, bool)) (config.Config, error) {
	<-s.end
	return config.Config{}, nil
}
