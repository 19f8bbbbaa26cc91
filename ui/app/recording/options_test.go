package recording_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/config"
	"sonde/runner/replay/record"
	"sonde/runner/search"
	"sonde/ui/app/recording"
	"sonde/ui/app/service"
)

// contains reports whether the message of err contains a text. If the text is "", it reports whether err is nil.
func contains(err error, text string) bool {
	if text == "" {
		return err == nil
	}
	return err != nil && strings.Contains(err.Error(), text)
}

// Sonde listens at the address from the flags. If there are no such flags and Sonde starts the service, it listens on
// a free port. If Sonde does not start the service, the flags are required.
func TestInEndpoints(t *testing.T) {
	started := service.Service{StartCommand: &model.Service{Command: []string{"./x"}}}
	for name, c := range map[string]struct {
		options recording.Options
		want    []string
		err     string
	}{
		"given": {recording.Options{In: []string{"127.0.0.1:1=http://127.0.0.1:2"}}, []string{"127.0.0.1:1=http://127.0.0.1:2"}, ""},
		"configured": {
			recording.Options{Service: service.Service{URL: "http://127.0.0.1:2"}},
			[]string{"127.0.0.1:0=http://127.0.0.1:2"},
			"",
		},
		"started":   {recording.Options{Service: started}, []string{"127.0.0.1:0=http://127.0.0.1:{port}"}, ""},
		"a command": {recording.Options{Command: []string{"./x"}}, []string{"127.0.0.1:0=http://127.0.0.1:{port}"}, ""},
		"none":      {recording.Options{}, nil, "no service to record"},
		"remote":    {recording.Options{In: []string{"127.0.0.1:1=http://h.example"}}, nil, "--allow-host h.example"},
		"no scheme": {recording.Options{In: []string{"127.0.0.1:1=ftp://127.0.0.1"}}, nil, "http, https"},
		"no port":   {recording.Options{In: []string{"127.0.0.1:1=http://127.0.0.1:{port}"}}, nil, "Sonde does not start the service"},
		"allowed": {
			recording.Options{In: []string{"127.0.0.1:1=http://h.example"}, AllowHosts: []string{"h.example"}},
			[]string{"127.0.0.1:1=http://h.example"},
			"",
		},
	} {
		got, err := c.options.InEndpoints()
		if !slices.Equal(got, c.want) || !contains(err, c.err) {
			t.Errorf("%s: got %q, error %v", name, got, err)
		}
	}
}

// A service with a fixed URL gets the port of the URL.
func TestInEndpointsSetThePort(t *testing.T) {
	o := recording.Options{In: []string{"127.0.0.1:1=http://127.0.0.1:8080"}, Command: []string{"./x"}}
	if _, err := o.InEndpoints(); err != nil || o.Service.StartCommand.Port != 8080 || o.Service.URL != "http://127.0.0.1:8080" {
		t.Errorf("the service is %+v, error %v", o.Service.StartCommand, err)
	}
}

// A recording network is built for a Go service that Sonde builds, and for the demo.
func TestConfigureBuild(t *testing.T) {
	built := service.Configuration{Config: config.Config{Service: &model.Service{Build: &model.GoBuild{Package: "./x"}}}}
	for name, c := range map[string]struct {
		options recording.Options
		starts  bool
		err     string
	}{
		"both flags":     {recording.Options{Network: recording.BuildNetwork{On: true, Off: true}}, false, "exclude each other"},
		"nothing built":  {recording.Options{Network: recording.BuildNetwork{On: true}}, false, "needs a service that Sonde builds"},
		"ports":          {recording.Options{Network: recording.BuildNetwork{Allow: []string{"a:1"}}}, false, `--net-allow "a:1" needs`},
		"built":          {recording.Options{Config: built}, true, ""},
		"built, off":     {recording.Options{Config: built, Network: recording.BuildNetwork{Off: true}}, false, ""},
		"the demo":       {recording.Options{Demo: true, Network: recording.BuildNetwork{On: true}}, true, ""},
		"a command":      {recording.Options{Config: built, Command: []string{"./x"}}, false, ""},
		"nothing at all": {},
	} {
		err := c.options.ConfigureBuild()
		if !contains(err, c.err) || (c.options.Service.StartCommand != nil) != c.starts {
			t.Errorf("%s: starts %+v, error %v", name, c.options.Service.StartCommand, err)
		}
		if c.starts {
			c.options.Out = []string{"not an endpoint"}
			if out, err := c.options.OutEndpoints(); out != nil || err != nil {
				t.Errorf("%s: listens at %+v, error %v", name, out, err)
			}
		}
	}
}

func TestOutEndpoints(t *testing.T) {
	o := recording.Options{Out: []string{"127.0.0.1:9001=https://pay.example"}}
	if got, err := o.OutEndpoints(); err != nil || len(got) != 1 || got[0].To.Host != "pay.example" {
		t.Errorf("got %+v, error %v", got, err)
	}
	o.Out = []string{"127.0.0.1:9001"}
	if _, err := o.OutEndpoints(); !contains(err, "--out") {
		t.Errorf("error %v", err)
	}
}

func TestCheckReachable(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	var o recording.Options
	if err := o.CheckReachable(t.Context(), []string{"127.0.0.1:0=" + server.URL}); err != nil {
		t.Errorf("a service that answers: %v", err)
	}
	err := o.CheckReachable(t.Context(), []string{"127.0.0.1:0=http://127.0.0.1:1"})
	var unreachable *search.UnreachableError
	if !contains(err, "does not answer: start the service") || !errors.As(err, &unreachable) {
		t.Errorf("no service: %v", err)
	}
}

// Rules select operations and hosts. A rule that matches no operation is an error.
func TestScope(t *testing.T) {
	spec := &model.Spec{Operations: []*model.Operation{
		{ID: "GET /orders/{id}", Method: "GET", Path: "/orders/{id}", Tags: []string{"orders"}},
		{ID: "POST /orders", Method: "POST", Path: "/orders"},
		{ID: "GET /ping", Method: "GET", Path: "/ping"},
	}}
	for name, c := range map[string]struct {
		scope recording.Scope
		want  []model.OpID
		err   string
	}{
		"all":          {want: []model.OpID{"GET /orders/{id}", "POST /orders", "GET /ping"}},
		"an operation": {scope: recording.Scope{Only: []string{"GET /ping"}}, want: []model.OpID{"GET /ping"}},
		"a path":       {scope: recording.Scope{Only: []string{"/orders/**"}}, want: []model.OpID{"GET /orders/{id}", "POST /orders"}},
		"a tag":        {scope: recording.Scope{Except: []string{"tag:orders"}}, want: []model.OpID{"POST /orders", "GET /ping"}},
		"a method":     {scope: recording.Scope{Only: []string{"method:post"}}, want: []model.OpID{"POST /orders"}},
		"no rule":      {scope: recording.Scope{Only: []string{"orders"}}, err: `--only: "orders" is none of`},
		"no match":     {scope: recording.Scope{Except: []string{"/nothing"}}, err: `"/nothing" matches no operation`},
		"nothing left": {scope: recording.Scope{Except: []string{"/**"}}, err: "leave no operation of 3"},
	} {
		ops, choice, err := c.scope.Operations(spec, config.OperationScope{})
		var got []model.OpID
		for _, op := range ops {
			got = append(got, op.ID)
		}
		if !slices.Equal(got, c.want) || !contains(err, c.err) {
			t.Errorf("%s: got %q, error %v", name, got, err)
		}
		if err == nil && (choice.Ops == nil) != (len(got) == 3) {
			t.Errorf("%s: choice %+v", name, choice)
		}
	}
	hosts := recording.Scope{Only: []string{"host:a.example"}, Except: []string{"host:b.example"}}
	_, choice, err := hosts.Operations(spec, config.OperationScope{})
	if err != nil || !slices.Equal(choice.Hosts, []string{"a.example"}) || !slices.Equal(choice.NotHosts, []string{"b.example"}) {
		t.Errorf("hosts: %+v, error %v", choice, err)
	}
}

// The header has the absolute path or the URL of the spec, without a password, and the masks.
func TestHeader(t *testing.T) {
	masks, err := record.ParseMasks([]string{"key:card"})
	if err != nil {
		t.Fatal(err)
	}
	for source, want := range map[string]string{
		"/x/a.yaml":                         "/x/a.yaml",
		"https://ann:pw@h.example/api.json": "https://h.example/api.json",
		"-":                                 "-",
		service.DemoSource:                  service.DemoSource,
	} {
		o := recording.Options{Spec: source, Service: service.Service{URL: "http://127.0.0.1:1"}}
		h := o.Header(&model.Spec{Title: "Shop", Hash: "h"}, masks)
		if h.Spec != want || h.Title != "Shop" || h.SpecHash != "h" || h.BaseURL != "http://127.0.0.1:1" || len(h.Rules) == 0 {
			t.Errorf("%s: header %+v", source, h)
		}
	}
}
