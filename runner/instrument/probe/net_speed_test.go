//go:build unix

package probe

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// BenchmarkLatency compares the virtual network with the plain loopback. It measures an HTTP request
// (get), and an exchange of four bytes over TCP (ping), both on a connection that is kept and on new
// connections. "shown" means that a connection shows its waits in shared memory, as with Sonde.
// "told" means that it reports each wait, as in exported tests.
//
//	go test ./runner/instrument/probe -run '^$' -bench Latency -benchtime 101x
func BenchmarkLatency(b *testing.B) {
	plain := filepath.Join(b.TempDir(), "plain")
	run(b, "testdata/network", "go", "build", "-o", plain, ".")
	virtual := netProgram(b)
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "page") }))
	b.Cleanup(page.Close)
	web, raw := page.Listener.Addr().String(), serve(b, pong)
	routes := "net 1\nroute tcp 198.18.0.7:7 " + raw + " watch\nroute tcp 198.18.0.7:80 " + web + " watch\n"
	programs := []*latency{
		newLatency(b, plain, "off\n", raw, web, false), newLatency(b, virtual, routes, "198.18.0.7:7", "198.18.0.7:80", true),
		newLatency(b, virtual, routes, "198.18.0.7:7", "198.18.0.7:80", false),
	}
	for way, n := range map[string]int{"get": 500, "get-anew": 200, "ping": 2000, "ping-anew": 200} {
		b.Run(way, func(b *testing.B) {
			var took [3][]float64
			for b.Loop() {
				for _, i := range rand.Perm(len(programs)) { // the order of the programs affects the times
					took[i] = append(took[i], programs[i].each(way, n))
				}
			}
			base := median(took[0])
			b.ReportMetric(base, "plain-ns")
			b.ReportMetric(median(took[1])/base, "shown/plain")
			b.ReportMetric(median(took[2])/base, "told/plain")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func pong(c net.Conn) {
	b := make([]byte, 4)
	for {
		if _, err := io.ReadFull(c, b); err != nil {
			c.Close()
			return
		}
		c.Write(b)
	}
}

// latency is a program that measures how long its actions take.
type latency struct {
	*player
	answers *bufio.Reader
}

// newLatency starts the program that measures latencies. If shows is true, the program shows in shared memory when it
// waits.
func newLatency(b *testing.B, binary, table, raw, web string, shows bool) *latency {
	b.Helper()
	p := newPlayer(b, binary, table, "latency", raw, web)
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if shows {
		p.share()
	}
	p.start()
	go func() {
		for range p.events {
		}
	}()
	return &latency{p, bufio.NewReader(out)}
}

func (l *latency) each(way string, n int) float64 {
	l.t.Helper()
	fmt.Fprintln(l.in, n, way)
	line, err := l.answers.ReadString('\n')
	took, bad := strconv.ParseFloat(strings.TrimSpace(line), 64)
	if err != nil || bad != nil {
		l.t.Fatalf("%q: %v, %v", line, err, bad)
	}
	return took
}
