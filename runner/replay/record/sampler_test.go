package record

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"sonde/model"
)

func TestSampling(t *testing.T) {
	dep := serve(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for _, c := range []struct {
		name         string
		options      Options
		served, sent int
	}{
		{"all", Options{}, 12, 6},
		{"every third", Options{Sampling: Sampling{Every: 3}}, 4, 2},
		{"the first of a shape", Options{Sampling: Sampling{First: 1}}, 3, 1},
		{"some operations", Options{Choice: Selection{Ops: map[model.OpID]bool{"GET /products": true}}}, 6, 0},
		{"no host", Options{Choice: Selection{NotHosts: []string{host(t, dep)}}}, 12, 0},
		{"another host", Options{Choice: Selection{Hosts: []string{"pay.example"}}}, 12, 0},
		{"the host", Options{Choice: Selection{Hosts: []string{"127.0.0.1"}}}, 12, 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			cl := clientFor(t)
			s := monitor(t, c.options, []string{dep}, func(outs []string) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if strings.HasPrefix(r.URL.Path, "/orders/") {
						ask(cl, r, outs[0], r.URL.Path, "Traceparent")
						fmt.Fprintf(w, `{"id":%q,"lines":[{"n":1},{"n":2}]}`, r.URL.Path)
						return
					}
					io.WriteString(w, r.URL.RawQuery)
				})
			})
			for i := range 6 {
				call(t, clientFor(t), "GET", fmt.Sprint(s.in, "/orders/", i), "")
				call(
					t,
					clientFor(t),
					"GET",
					s.in+"/products?"+map[bool]string{true: `{"a":1}`, false: `{"b":1}`}[i < 3],
					"",
				)
			}
			served, sent, _ := s.sink.all()
			if len(served) != c.served || len(sent) != c.sent {
				t.Errorf("%d served and %d sent, want %d and %d", len(served), len(sent), c.served, c.sent)
			}
			ids := map[string]bool{}
			for _, x := range served {
				ids[x.ID] = true
			}
			for _, x := range sent {
				if !ids[x.CauseID] {
					t.Errorf("%s was sent for a request that is not kept", x.Request.URL)
				}
			}
			rows, _ := s.OperationRows(shop.Operations)
			if rows[0].Seen != 6 || rows[2].Seen != 6 || rows[0].Statuses[200] != 6 {
				t.Errorf("rows %+v", rows)
			}
			if c.sent == 6 && (len(rows[0].Outward) != 1 ||
				rows[0].Outward[0].Call != "POST "+host(t, dep)+"/orders/{}" || rows[0].Outward[0].How[model.AttributedByTrace] != 6) {
				t.Errorf("outward %+v", rows[0].Outward)
			}
		})
	}
}

// Of refusals with the same message, only the first ones are kept, however many there are.
func TestFirstOfRefusals(t *testing.T) {
	s := newSampler(Sampling{First: 2})
	kept := 0
	for i := range 400 {
		says := fmt.Sprintf("%s: must be at most %d", []string{"a", "b", "c", "d"}[i%4], i)
		x := model.Exchange{Request: model.Request{Op: "POST /a"}, Reply: model.Reply{Status: 400, Body: []byte(says)}}
		if s.keeps(nil, model.ServedRequest{Exchange: x}, nil) {
			kept++
		}
	}
	if kept != 8 {
		t.Errorf("%d kept, want two of each of four", kept)
	}
}

func TestShapes(t *testing.T) {
	x := func(status int, body string) model.ServedRequest {
		return model.ServedRequest{
			Exchange: model.Exchange{
				Request: model.Request{Op: "GET /a"},
				Reply:   model.Reply{Status: status, Body: []byte(body)},
			},
		}
	}
	all := []model.ServedRequest{
		x(200, `{"a":1,"b":[{"c":"x"}]}`), x(200, `{"b":[{"c":"y"},{"c":"z"}],"a":2}`), x(200, `{"a":"1"}`),
		x(404, `{"a":"1"}`), x(200, "text"), x(200, ""),
	}
	if got := CountShapes(all)["GET /a"]; got != 5 {
		t.Errorf("%d shapes", got)
	}
}

// A service that uses the proxy is recorded.
func TestProxy(t *testing.T) {
	dep := serve(
		t,
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "from "+r.Host+r.URL.Path) }),
	)
	cl := clientFor(t)
	s := monitor(t, Options{}, nil, func([]string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, text := ask(cl, r, host(t, dep), "/charge", "Traceparent")
			io.WriteString(w, text)
		})
	})
	env, err := s.ListenAsProxy("127.0.0.1:0", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	all := s.Listening()
	at, err := url.Parse("http://" + all[len(all)-1].Addr)
	if err != nil {
		t.Fatal(err)
	}
	cl.Transport.(*http.Transport).Proxy = http.ProxyURL(at)
	if _, text := call(t, clientFor(t), "GET", s.in+"/products", ""); text != "from "+host(t, dep)+"/charge" {
		t.Errorf("got %q", text)
	}
	served, sent, _ := s.sink.all()
	if len(sent) != 1 || sent[0].Host != host(t, dep) || sent[0].Request.URL != "/charge" ||
		sent[0].CauseID != served[0].ID {
		t.Errorf("sent %+v", sent)
	}
	if res, _ := call(t, clientFor(t), "GET", at.String()+"/charge", ""); res.StatusCode != 400 {
		t.Errorf("status %d", res.StatusCode)
	}
	if len(env) != 8 || env[1] != "http_proxy="+at.String() || !strings.HasPrefix(env[4], "SSL_CERT_FILE=/") {
		t.Errorf("environment %q", env)
	}
}

// Data that is neither HTTP nor TLS is relayed through the proxy. It is not recorded, and a warning says so.
func TestProxyTunnel(t *testing.T) {
	dep := tcp(t, counts)
	s := monitor(t, Options{}, nil, func([]string) http.Handler { return http.NotFoundHandler() })
	if _, err := s.ListenAsProxy("127.0.0.1:0", t.TempDir()); err != nil {
		t.Fatal(err)
	}
	all := s.Listening()
	c, b := through(t, all[len(all)-1].Addr, strings.TrimPrefix(dep, "tcp://"))
	io.WriteString(c, "hello\n")
	if line, err := b.ReadString('\n'); line != "OK 1\n" {
		t.Errorf("%q, %v", line, err)
	}
	if _, sent, notes := s.sink.all(); len(sent) != 0 || len(notes) != 1 ||
		!strings.Contains(notes[0], "is not recorded") {
		t.Errorf("sent %v, notes %q", sent, notes)
	}
}

// Among exchanges with the same shape, an exchange is kept if it ran code that no kept exchange ran. Code counts as
// new again if so far it ran only while several requests were in progress, and now ran for this exchange for certain.
func TestSamplingKeepsNewCode(t *testing.T) {
	s := newSampler(Sampling{First: 1})
	for i, c := range []struct {
		ran      []int
		byOthers bool
		want     bool
	}{
		{[]int{1}, false, true}, // the first of its shape
		{[]int{1}, false, false},
		{nil, false, false},
		{[]int{1, 2}, true, true},
		{[]int{2}, true, false},
		{[]int{2}, false, true},
		{[]int{1, 2}, false, false},
	} {
		x := model.ServedRequest{CoveredByOthers: c.byOthers}
		for _, target := range c.ran {
			x.Covered.Add(target)
		}
		if got := s.keeps(nil, x, nil); got != c.want {
			t.Errorf("exchange %d, which ran %v: got %t, want %t", i, c.ran, got, c.want)
		}
	}
}
