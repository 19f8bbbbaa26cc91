//go:build unix

package probe

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// BenchmarkLatency is how long the virtual network takes beside the loopback itself:
// a request, and four bytes there and back, over a connection that stays and over one
// of their own. "virtual" is a connection of which nothing is told unless it is asked
// for, "watched" one of which each wait is, and "unwatched" one of which nothing is
// any more from the first wait on.
//
//	go test ./runner/probe -run '^$' -bench Latency -benchtime 101x
func BenchmarkLatency(b *testing.B) {
	plain := filepath.Join(b.TempDir(), "plain")
	run(b, "testdata/network", "go", "build", "-o", plain, ".")
	virtual, err := netProgram()
	if err != nil {
		b.Fatal(err)
	}
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "page") }))
	b.Cleanup(page.Close)
	web, raw := page.Listener.Addr().String(), serve(b, pong)
	routes := "net 1\nroute tcp 198.18.0.7:7 " + raw + "%[1]s\nroute tcp 198.18.0.7:80 " + web + "%[1]s\n"
	programs := []*latency{
		newLatency(b, plain, "off\n", raw, web, false), newLatency(b, virtual, fmt.Sprintf(routes, " ask"), "198.18.0.7:7", "198.18.0.7:80", false),
		newLatency(b, virtual, fmt.Sprintf(routes, " watch"), "198.18.0.7:7", "198.18.0.7:80", false), newLatency(b, virtual, fmt.Sprintf(routes, " watch"), "198.18.0.7:7", "198.18.0.7:80", true),
	}
	for way, n := range map[string]int{"get": 500, "get-anew": 200, "ping": 2000, "ping-anew": 200} {
		b.Run(way, func(b *testing.B) {
			var took [4][]float64
			for b.Loop() {
				for i, p := range programs {
					took[i] = append(took[i], p.each(way, n))
				}
			}
			base := median(took[0])
			b.ReportMetric(base, "plain-ns")
			b.ReportMetric(median(took[1])/base, "virtual/plain")
			b.ReportMetric(median(took[2])/base, "watched/plain")
			b.ReportMetric(median(took[3])/base, "unwatched/plain")
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

// latency is a program that measures how long it takes to do something.
type latency struct {
	*player
	answers *bufio.Reader
}

// newLatency starts it; it may be told of each socket that nobody watches it.
func newLatency(b *testing.B, binary, table, raw, web string, unwatch bool) *latency {
	b.Helper()
	p := newPlayer(b, binary, table, "latency", raw, web)
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	p.start()
	go func() {
		for e := range p.events {
			if id, ok := strings.CutPrefix(e, "wait "); ok && unwatch {
				id, _, _ = strings.Cut(id, " ")
				p.send("unwatch %s\n", id)
			}
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
