//go:build unix

package netsim_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/instrument/probe"
	"sonde/runner/testdata/port"
)

// front is a proxy in front of the demo. It gives each request a trace.
type front struct {
	mu    sync.Mutex
	paths map[string]string // method and path of a request, by the ID of its trace
}

func (f *front) listen(t *testing.T, to string) string {
	t.Helper()
	u, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(p *httputil.ProxyRequest) {
		f.mu.Lock()
		defer f.mu.Unlock()
		p.SetURL(u)
		id := id(len(f.paths) + 1)
		f.paths[id] = p.In.Method + " " + p.In.URL.Path
		p.Out.Header.Set("Traceparent", "00-"+id+"-00f067aa0ba902b7-01")
	}})
	t.Cleanup(s.Close)
	return s.URL
}

// With ten users of the demo shop at once, the recorder attributes each outward call to the request that the content
// of the call names.
func TestRecordDay(t *testing.T) {
	skipShort(t)
	dir := t.TempDir()
	day := filepath.Join(dir, "day")
	if out, err := exec.Command("go", "build", "-o", day, "../../testdata/day").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	shop, err := probe.Build(
		context.Background(),
		probe.Options{Dir: "../../..", Package: "./assets/demo/server", Out: filepath.Join(dir, "shop"), Net: true},
	)
	if err != nil {
		t.Fatal(err)
	}
	at := []string{port.Addr(), port.Addr(), port.Addr()}
	servers := exec.Command(day, "servers", "--payments", at[0], "--stock", at[1], "--metrics", at[2])
	if err := servers.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { servers.Process.Kill(); servers.Wait() })
	awaitAll(t, at[:2])
	o := newWorld(t).relay()
	o.Locations = map[string]string{
		"payments.example:80":  "http://" + at[0],
		"stock.example:7000":   "tcp://" + at[1],
		"metrics.example:8125": "udp://" + at[2],
	}
	r := record(
		t, o, nil, shop.Binary, "--addr", "127.0.0.1:0", "--payments", "http://payments.example/charge", "--stock",
		"stock.example:7000", "--metrics", "metrics.example:8125",
	)
	f := &front{paths: map[string]string{}}
	out, err := exec.Command(day, "traffic", "--url", f.listen(t, r.url)).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	r.r.Flush()
	seen := map[model.Protocol]int{}
	for _, s := range r.outwardCalls(1) {
		seen[s.Protocol]++
		if path := f.paths[s.CauseID]; !caused(t, s, path) {
			t.Errorf("%q to %s was for %q", words(s), s.Host, path)
		}
	}
	t.Logf("%s%v", out, seen)
	for _, p := range []model.Protocol{model.HTTP, model.TCP, model.UDP} {
		if seen[p] < 10 {
			t.Errorf("%d by %s", seen[p], p)
		}
	}
}

// awaitAll waits until the addresses accept connections.
func awaitAll(t *testing.T, addrs []string) {
	t.Helper()
	for _, addr := range addrs {
		for try := 0; ; try++ {
			if c, err := net.Dial("tcp", addr); err == nil {
				c.Close()
				break
			} else if try == 400 {
				t.Fatal(err)
			}
			time.Sleep(25 * time.Millisecond)
		}
	}
}

// caused reports whether the content of an outward call belongs to a request.
func caused(t *testing.T, s model.OutwardCall, request string) bool {
	t.Helper()
	switch s.Protocol {
	case model.HTTP:
		var charge struct{ OrderID int }
		if err := json.Unmarshal(s.Request.Body, &charge); err != nil {
			t.Error(err)
		}
		return request == fmt.Sprintf("%s /orders/%d/payments", http.MethodPost, charge.OrderID)
	case model.TCP:
		return request == "POST /stock/"+strings.TrimPrefix(words(s), "SKU ")+"/sync"
	}
	counter, _, _ := strings.Cut(words(s), ":")
	switch counter {
	case "orders.placed":
		return request == "POST /orders"
	case "orders.paid":
		return strings.HasPrefix(request, "POST /orders/") && strings.HasSuffix(request, "/payments")
	}
	return strings.HasPrefix(request, "PATCH /orders/")
}
