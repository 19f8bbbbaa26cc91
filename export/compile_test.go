package export

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"sonde/model"

	"pgregory.net/rapid"
)

// compiler type-checks Go files. Its importer must not be used by several goroutines.
var compiler struct {
	sync.Mutex
	importer types.Importer
}

// exportData has the export data file of each package of the standard library, by its path. The type
// checker reads these files.
type exportData map[string]string

// open opens the export data of a package. If the package is new, open runs the go command once, and gets the export
// data of all dependencies as well. In contrast, importer.Default runs the go command for each package.
func (e exportData) open(path string) (io.ReadCloser, error) {
	if e[path] == "" {
		list, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", path).Output()
		if err != nil {
			return nil, fmt.Errorf("go list %s: %w", path, err)
		}
		for line := range strings.Lines(string(list)) {
			name, file, _ := strings.Cut(strings.TrimSpace(line), " ")
			e[name] = file
		}
	}
	return os.Open(e[path])
}

// compile type-checks a Go file and returns the names of its functions.
func compile(text []byte) (functions []string, err error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, TestsFileName, text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	compiler.Lock()
	defer compiler.Unlock()
	if compiler.importer == nil {
		files := exportData{}
		if f, err := files.open("net/http"); err == nil { // net/http depends on most of the packages
			f.Close()
		}
		compiler.importer = importer.ForCompiler(token.NewFileSet(), "gc", files.open)
	}
	config := types.Config{Importer: compiler.importer, GoVersion: "go1.18"}
	if _, err := config.Check("apitest", fset, []*ast.File{file}, nil); err != nil {
		return nil, err
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			functions = append(functions, f.Name.Name)
		}
	}
	return functions, nil
}

// wantSound checks four properties of the Go file of a suite. The file compiles. It is formatted. It has a function for
// each test that was run, or for each oracle of the test. An update with the same suite does not change it.
func wantSound(t rapid.TB, s Suite) {
	text, err := GoFile(s)
	if err != nil {
		if strings.Contains(err.Error(), "cannot be written as Go") || strings.Contains(err.Error(), "\n") {
			t.Fatalf("%v", err)
		}
		return
	}
	functions, err := compile(text)
	if err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	if formatted, err := format.Source(text); err != nil || !bytes.Equal(formatted, text) {
		t.Fatalf("not formatted (%v):\n%s", err, text)
	}
	if again, _ := GoFile(s); !bytes.Equal(again, text) {
		t.Fatalf("the second file differs from the first:\n%s\n%s", text, again)
	}
	got, want := 0, 0
	for _, f := range functions {
		if strings.HasPrefix(f, "Test") && f != "TestMain" {
			got++
		}
	}
	for _, test := range s.Tests {
		switch {
		case last(test) < 0:
		case test.Mock == nil:
			want++
		case s.CombineOracles:
			want += min(1, len(s.oracles().of(test)))
		default:
			want += len(s.oracles().of(test))
		}
	}
	if got != want {
		t.Fatalf("got %d tests, want %d:\n%s", got, want, text)
	}
}

// leaveOutTypeChecks skips a test that type-checks files in short mode.
func leaveOutTypeChecks(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("it type-checks files, for which the tools of Go find the standard library: left out by -short")
	}
}

func TestSuitesAreSound(t *testing.T) {
	t.Parallel()
	leaveOutTypeChecks(t)
	for _, s := range []Suite{shop(), hostile(), {Tests: []model.Test{refused()}}} {
		wantSound(t, s)
	}
	checkSome(t, func(t *rapid.T) { wantSound(t, anySuite().Draw(t, "suite")) })
}

// checkSome is rapid.Check for properties of whole files. It checks a quarter of the default number of
// values, unless the flag -rapid.checks is set.
func checkSome(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue {
		usual, err := strconv.Atoi(checks.DefValue)
		if err != nil {
			t.Fatal(err)
		}
		checks.Value.Set(strconv.Itoa(usual / 4))
		defer checks.Value.Set(checks.DefValue)
	}
	rapid.Check(t, property)
}

// nasty are texts that break a generator that does not escape them.
var nasty = []string{
	"", "id", "/id", "/", "a", "`", "\"", "\\", "*/", "\n", "\r\n", "\x00", "\xff", "\u2028", "\u202e", "\ufeff", "{id}", "{", "%2F",
	"+build x", "//go:build x", "# H", "- x", "1. x", "[a]: b", "``x''", "type", "t", "string", "call", "nil", "url",
	`{"a":{"id":1}}`, `{"a":1`, "application/json", "text/plain", "Location", "ann", "日本", "e\u0301", "/a", "/a/id",
}

func text() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom(nasty), rapid.String(), rapid.Map(rapid.SliceOfN(
		rapid.SampledFrom(nasty), 0, 4,
	), func(s []string) string {
		return strings.Join(s, "")
	}))
}

func anyPlace() *rapid.Generator[model.Location] {
	return rapid.SampledFrom([]model.Location{model.InPath, model.InQuery, model.InHeader, model.InCookie, model.InBody, model.InResponse})
}

func anySuite() *rapid.Generator[Suite] {
	return rapid.Custom(func(t *rapid.T) Suite {
		s := Suite{
			Title: text().Draw(t, "title"), BaseURL: text().Draw(t, "base"), Command: text().Draw(t, "command"),
			Users: rapid.SliceOfN(anyUser(), 1, 3).Draw(t, "users"),
			Tests: rapid.SliceOfN(anyTest(), 1, 4).Draw(t, "tests"),
		}
		texts, pairs := rapid.SliceOfN(text(), 1, 3), rapid.MapOfN(text(), text(), 0, 2)
		switch rapid.IntRange(0, 3).Draw(t, "resets") {
		case 1:
			s.Reset = &model.Reset{
				Method: text().Draw(t, "reset"),
				Path:   text().Draw(t, "path"),
				Header: pairs.Draw(t, "header"),
				Body:   jsonBody(text().Draw(t, "body")),
			}
		case 2:
			s.Reset = &model.Reset{Command: texts.Draw(t, "reset")}
		case 3:
			s.Reset = &model.Reset{Restart: true}
		}
		if rapid.Bool().Draw(t, "network") {
			s.Net, s.Build, s.Service = &model.VirtualNetwork{
				Allow:      texts.Draw(t, "allow"),
				Hostname:   text().Draw(t, "host"),
				Interfaces: texts.Draw(t, "interfaces"),
			}, texts.Draw(t, "build"), &model.Service{Command: texts.Draw(t, "command")}
			s.Net.Stubs = rapid.SliceOfN(anyStub(), 0, 2).Draw(t, "usual")
			for i := range s.Tests {
				s.Tests[i].Stubs = rapid.SliceOfN(anyStub(), 0, 3).Draw(t, "stubs")
			}
		}
		if rapid.Bool().Draw(t, "starts") {
			s.Dir = text().Draw(t, "dir")
			s.Service = &model.Service{
				Command: texts.Draw(t, "command"),
				Env:     pairs.Draw(t, "env"),
				Port:    rapid.IntRange(0, 9).Draw(t, "port"),
				Ready:   model.ReadinessCheck{Path: text().Draw(t, "ready"), Timeout: time.Duration(rapid.Int64Min(0).Draw(t, "timeout"))},
				Stop:    model.ShutdownOptions{Signal: text().Draw(t, "signal")},
			}
		}
		return s
	})
}

func anyUser() *rapid.Generator[model.User] {
	return rapid.Custom(func(t *rapid.T) model.User {
		u := model.User{Name: "ann", Header: text().Draw(t, "header"), Env: text().Draw(t, "env"), Public: text().Draw(t, "public")}
		u.Sends = rapid.SliceOfN(anyCredential(), 0, 2).Draw(t, "sends")
		if rapid.Bool().Draw(t, "logs in") {
			u.Login = anyLogin().Draw(t, "login")
		}
		return u
	})
}

// secretive draws texts that contain references to secrets, such as ${KEY}, or incomplete ones, such as ${.
func secretive() *rapid.Generator[string] {
	return rapid.OneOf(text(), rapid.Just("${KEY}"), rapid.Map(text(), func(s string) string { return s + "${KEY}" + s + "${A}${" }))
}

func anyCredential() *rapid.Generator[model.Credential] {
	return rapid.Custom(func(t *rapid.T) model.Credential {
		return model.Credential{
			In: anyPlace().Draw(t, "in"), Name: rapid.OneOf(text(), rapid.Just("Cookie")).Draw(t, "name"),
			Value: secretive().Draw(t, "value"), Basic: rapid.Bool().Draw(t, "basic"),
		}
	})
}

func anyLogin() *rapid.Generator[*model.Login] {
	return rapid.Custom(func(t *rapid.T) *model.Login {
		l := &model.Login{
			Method:  text().Draw(t, "method"),
			Path:    secretive().Draw(t, "path"),
			URL:     secretive().Draw(t, "url"),
			Cookies: rapid.Bool().Draw(t, "cookies"),
			Headers: rapid.SliceOfN(anyCredential(), 0, 1).Draw(t, "headers"),
			Token: &model.LoginToken{
				Header: text().Draw(t, "header"), Pointer: text().Draw(t, "pointer"), In: anyPlace().Draw(t, "in"),
				Name: text().Draw(t, "name"), Template: secretive().Draw(t, "template") + model.TokenPlaceholder,
			},
		}
		if rapid.Bool().Draw(t, "body") {
			media := rapid.OneOf(
				text(), rapid.SampledFrom([]string{"application/json", "application/x-www-form-urlencoded"}),
			).Draw(t, "media")
			l.Body = &model.Payload{Media: media, Data: secretive().Draw(t, "data")}
			for range rapid.IntRange(0, 2).Draw(t, "fields") {
				l.Fields = append(l.Fields, model.LoginField{Name: text().Draw(t, "field"), Value: secretive().Draw(t, "secret")})
			}
		}
		return l
	})
}

func anyTest() *rapid.Generator[model.Test] {
	return rapid.Custom(func(t *rapid.T) model.Test {
		test := model.Test{ID: text().Draw(t, "id"), Calls: rapid.SliceOfN(anyCall(), 1, 5).Draw(t, "calls")}
		n := len(test.Calls)
		for range rapid.IntRange(0, 2*n-2).Draw(t, "links") {
			to := rapid.IntRange(min(1, n-1), n-1).Draw(t, "to")
			test.Links = append(test.Links, model.Link{
				From: rapid.IntRange(0, max(0, to-1)).Draw(t, "from"), To: to, In: anyPlace().Draw(t, "in"), Name: text().Draw(t, "name"),
				Header: text().Draw(t, "header"), Pointer: text().Draw(t, "pointer"), Param: text().Draw(t, "param"),
			})
		}
		for range rapid.IntRange(0, 3).Draw(t, "checks") {
			test.Checks = append(test.Checks, model.Check{
				Call: rapid.IntRange(0, n-1).Draw(t, "call"), Pointer: text().Draw(t, "pointer"), Equals: anyEquals().Draw(t, "equals"),
			})
		}
		return test
	})
}

func anyStub() *rapid.Generator[model.Stub] {
	return rapid.Custom(func(t *rapid.T) model.Stub {
		pairs := rapid.MapOfN(text(), text(), 0, 2)
		match := model.StubMatch{
			Method: text().Draw(t, "method"),
			Path:   text().Draw(t, "path"),
			Query:  pairs.Draw(t, "query"),
			Header: pairs.Draw(t, "header"),
			JSON:   text().Draw(t, "json"),
			Equals: text().Draw(t, "equals"),
			Prefix: text().Draw(t, "prefix"),
			Nth:    rapid.IntRange(0, 2).Draw(t, "nth"),
		}
		protocol := rapid.SampledFrom([]model.Protocol{model.HTTP, model.TCP, model.UDP, model.DNS, model.Environment}).Draw(t, "protocol")
		s := model.Stub{Protocol: protocol, Host: text().Draw(t, "name"), Match: match, Repeat: rapid.Bool().Draw(t, "repeat")}
		if protocol != model.DNS && protocol != model.Environment {
			s.Host += "x:80"
			s.Inward = protocol != model.HTTP && rapid.Bool().Draw(t, "inward")
		}
		s.Answers = rapid.SliceOfN(anyAnswer(protocol), 1, 3).Draw(t, "answers")
		if rapid.Bool().Draw(t, "else") {
			last := anyAnswer(protocol).Draw(t, "last")
			s.Else = &last
		}
		return s
	})
}

func anyAnswer(p model.Protocol) *rapid.Generator[model.Answer] {
	return rapid.Custom(func(t *rapid.T) model.Answer {
		fields := rapid.MapOfN(text(), rapid.SliceOfN(text(), 1, 2), 0, 2)
		faults := []model.NetFault{""}
		for _, f := range slices.Sorted(maps.Keys(model.NetFaults)) {
			if slices.Contains(model.NetFaults[f], p) {
				faults = append(faults, f)
			}
		}
		return model.Answer{
			Status:  rapid.SampledFrom([]int{0, 200, 503}).Draw(t, "status"),
			Header:  fields.Draw(t, "header"),
			Trailer: fields.Draw(t, "trailer"),
			Body:    text().Draw(t, "body"),
			Bytes:   rapid.SliceOfN(rapid.Byte(), 0, 3).Draw(t, "bytes"),
			Records: []model.DNSRecord{{Type: text().Draw(t, "type"), Value: text().Draw(t, "value")}},
			Close:   rapid.Bool().Draw(t, "close"),
			Fault:   rapid.SampledFrom(faults).Draw(t, "fault"),
			After:   rapid.IntRange(0, 9).Draw(t, "after"),
			Latency: rapid.IntRange(0, 9).Draw(t, "latency"),
		}
	})
}

func anyEquals() *rapid.Generator[json.RawMessage] {
	return rapid.Map(anyJSON(2), func(v any) json.RawMessage {
		data, _ := json.Marshal(v)
		return data
	})
}

func anyCall() *rapid.Generator[model.Call] {
	return rapid.Custom(func(t *rapid.T) model.Call {
		method := rapid.SampledFrom([]string{"GET ", "POST ", "PUT ", "DELETE ", ""}).Draw(t, "method")
		c := model.Call{
			Op:     model.OpID(method + rapid.SampledFrom([]string{"/a/{id}", "/type", "/", ""}).Draw(t, "path") + text().Draw(t, "op")),
			User:   rapid.SampledFrom([]string{"", "", "ann"}).Draw(t, "user"),
			Status: rapid.SampledFrom([]int{0, 200, 200, 201, 404, 500}).Draw(t, "status"),
		}
		for range rapid.IntRange(0, 3).Draw(t, "args") {
			c.Args = append(c.Args, model.Arg{In: anyPlace().Draw(t, "in"), Name: text().Draw(t, "name"), Value: text().Draw(t, "value")})
		}
		if rapid.Bool().Draw(t, "body") {
			c.Body = &model.Payload{Media: text().Draw(t, "media"), Data: text().Draw(t, "data")}
		}
		return c
	})
}

// FuzzGo uses the fuzzed text in all places of a suite that have a text.
func FuzzGo(f *testing.F) {
	leaveOutTypeChecks(f)
	f.Add("Shop", "POST /products/{id}", "id", "a/b", `{"id":1}`, "/id", []byte(`"x"`))
	for _, bad := range nasty {
		f.Add(bad, "POST /"+bad, bad, bad, `{"a`+bad+`":1}`, "/"+bad, []byte(bad))
	}
	f.Fuzz(func(t *testing.T, title, op, name, value, data, pointer string, equals []byte) {
		wantSound(t, Suite{
			Title: title, BaseURL: value, Command: value, Reset: &model.Reset{Method: name, Path: value},
			Users: []model.User{{Name: name, Header: name, Env: title, Public: value}},
			Tests: []model.Test{{
				ID: title,
				Calls: []model.Call{
					{Op: model.OpID(op), User: name, Status: 201, Args: []model.Arg{inPath(name, value)}},
					{Op: model.OpID(op), Status: 500, Args: []model.Arg{inPath(name, value), inQuery(name, value)}, Body: jsonBody(data)},
				},
				Links: []model.Link{
					{From: 0, To: 1, Pointer: pointer, Header: title, In: model.InPath, Name: name},
					{From: 0, To: 1, Pointer: pointer, In: model.InBody, Name: pointer},
				},
				Checks: []model.Check{{Call: 0, Pointer: pointer, Equals: equals}, present(1, value)},
			}},
		})
	})
}

func BenchmarkGo200Tests(b *testing.B) {
	s := many(200)
	for b.Loop() {
		if _, err := GoFile(s); err != nil {
			b.Fatal(err)
		}
	}
}

// many returns a suite of n tests.
func many(n int) Suite {
	s := shop()
	kinds := s.Tests[:4]
	s.Tests = nil
	for i := range n {
		s.Tests = append(s.Tests, kinds[i%len(kinds)])
	}
	return s
}
