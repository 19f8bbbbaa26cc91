package export_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"sonde/export"
	"sonde/export/format"
	"sonde/model"
)

// playIn has, by format, a function that runs the written files with the tools of the language.
var playIn = map[string]func(t *testing.T, dir, base string) (string, error){
	"go": func(t *testing.T, dir, base string) (string, error) {
		buildGo(t, dir)
		return runGo(t, dir, []string{"SONDE_BASE_URL=" + base})
	},
	"go-table": func(t *testing.T, dir, base string) (string, error) { return runTable(t, dir, "SONDE_BASE_URL="+base) },
	"pytest":   func(t *testing.T, dir, base string) (string, error) { return runPytest(t, dir, "SONDE_BASE_URL="+base) },
	"node":     func(t *testing.T, dir, base string) (string, error) { return runNode(t, dir, "SONDE_BASE_URL="+base) },
	"junit5":   func(t *testing.T, dir, base string) (string, error) { return runJava(t, dir, "SONDE_BASE_URL="+base) },
	"k6":       func(t *testing.T, dir, base string) (string, error) { return runK6(t, dir, "SONDE_BASE_URL="+base) },
	"curl": func(t *testing.T, dir, base string) (string, error) {
		return runCurl(t, dir, []string{"SONDE_BASE_URL=" + base})
	},
	"hurl":    runHurl,
	"postman": runPostman,
	"http":    runHTTPFile,
	"bruno":   runBruno,
}

// notPlayed are the formats whose files TestEachFormatIsPlayed cannot run, with the reason.
var notPlayed = map[string]string{
	"har":    "a HAR has requests and no assertions",
	"arazzo": "a workflow needs the spec of the service: see TestArazzoRuns",
}

func TestEachFormatIsPlayed(t *testing.T) {
	for _, f := range format.Formats {
		if playIn[f.Name] == nil && notPlayed[f.Name] == "" {
			t.Errorf("%s is not in playIn: add how its files are run", f.Name)
		}
	}
}

// forgetful starts a service that answers the first request of each connection and closes the connection
// when the next request arrives. A polite service announces the close in its answer if the request asks for
// it. forgetful returns the URL and the number of requests that arrived on a used connection.
func forgetful(t *testing.T, polite bool) (url string, late *atomic.Int32) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	late = new(atomic.Int32)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go answerOnce(c, polite, late)
		}
	}()
	return "http://" + l.Addr().String(), late
}

func answerOnce(c net.Conn, polite bool, late *atomic.Int32) {
	defer c.Close()
	r := bufio.NewReader(c)
	request, err := http.ReadRequest(r)
	if err != nil {
		return
	}
	io.Copy(io.Discard, request.Body)
	header := "Content-Type: application/json"
	if polite && request.Close {
		header += "\r\nConnection: close"
	}
	fmt.Fprintf(c, "HTTP/1.1 201 Created\r\n%s\r\nContent-Length: 8\r\n\r\n{\"id\":1}", header)
	if _, err := r.ReadByte(); err == nil {
		late.Add(1)
	}
}

// severalCalls returns a suite of three tests of three calls.
func severalCalls() export.Suite {
	suite := export.Suite{Title: "Forgetful"}
	for i := range 3 {
		test := model.Test{ID: fmt.Sprint("t", i), Links: []model.Link{{From: 0, To: 1, Pointer: "/id", In: model.InPath, Name: "id"}}}
		for _, op := range []model.OpID{"POST /things", "POST /things/{id}/parts", "POST /things"} {
			test.Calls = append(
				test.Calls,
				model.Call{Op: op, Status: 201, Body: &model.Payload{Media: "application/json", Data: fmt.Sprint(i)}},
			)
		}
		test.Calls[1].Args = []model.Arg{{In: model.InPath, Name: "id", Value: "x"}}
		suite.Tests = append(suite.Tests, test)
	}
	return suite
}

// A service may close a connection after an answer without notice, so exported tests do not send a second request on
// a connection. There are exceptions. Newman, httpYac and Bruno can only ask the service to close the connection. Hurl may use a
// connection again, but opens a new one if the service has closed the old one.
func TestNoConnectionIsUsedTwice(t *testing.T) {
	t.Parallel()
	suite := severalCalls()
	for name, play := range playIn {
		t.Run(name, func(t *testing.T) {
			url, late := forgetful(t, slices.Contains([]string{"postman", "http", "bruno"}, name))
			dir, _ := written(t, name, suite)
			if output, err := play(t, dir, url); err != nil || late.Load() > 0 && name != "hurl" {
				t.Errorf("%v, with %d requests on connections that were used before:\n%s", err, late.Load(), output)
			}
		})
	}
}

// oddJSON has names and texts with control characters.
const oddJSON = `{"\u0000":{"a\u0000b\u001b":"\u0000\u0007x"},"\u0000\u0000":"\u0000\u0000",` +
	`"id":"a\u0000\u0001\u007f","n":1.50}`

// checksOddJSON returns a suite that checks and captures values of oddJSON.
func checksOddJSON() export.Suite {
	return export.Suite{Title: "Odd", Tests: []model.Test{{
		ID: "odd",
		Calls: []model.Call{
			{Op: "GET /odd", Status: 200},
			{Op: "POST /echo", Status: 200, Body: &model.Payload{Media: "application/json", Data: `{"id":"x"}`}},
		},
		Links: []model.Link{{From: 0, To: 1, Pointer: "/\x00/a\x00b\x1b", In: model.InBody, Name: "/id"}},
		Checks: []model.Check{
			{Call: 0, Pointer: "", Equals: []byte(oddJSON)},
			{Call: 0, Pointer: "/\x00/a\x00b\x1b", Equals: []byte(`"\u0000\u0007x"`)},
			{Call: 0, Pointer: "/\x00\x00", Equals: []byte(`"\u0000\u0000"`)},
			{Call: 0, Pointer: "/n", Equals: []byte("15e-1")},
			{Call: 0, Pointer: "/\x00"},
			{Call: 1, Pointer: "/id", Equals: []byte(`"\u0000\u0007x"`)},
		},
	}}}
}

// Names and texts with control characters can be checked and captured.
func TestControlCharactersInJSON(t *testing.T) {
	t.Parallel()
	suite := checksOddJSON()
	for _, name := range []string{"go", "go-table", "node", "curl", "pytest", "junit5", "k6"} {
		t.Run(name, func(t *testing.T) {
			f := newFar(t)
			f.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				if r.Method == "POST" {
					io.Copy(w, r.Body)
					return
				}
				io.WriteString(w, oddJSON)
			})
			dir, made := written(t, name, suite)
			if output, err := playIn[name](t, dir, f.URL); err != nil ||
				!slices.Equal(made.Tests, []string{"odd"}) || strings.Contains(output, "ignored null byte") {
				t.Errorf("%v:\n%s", err, output)
			}
		})
	}
}
