//go:build linux

package record

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"sonde/model/codec"
	"sonde/runner/target/client"
)

// Environment variables that turn the test program into a proxy. The first one selects the proxy: Go's own or the
// recorder. The second one is the URL of the service.
const (
	proxyKind = "SONDE_BENCH_PROXY"
	proxyTo   = "SONDE_BENCH_TO"
)

func TestMain(m *testing.M) {
	if kind := os.Getenv(proxyKind); kind != "" {
		if err := beProxy(kind, os.Getenv(proxyTo)); err != nil {
			log.Fatal(err)
		}
		return
	}
	os.Exit(m.Run())
}

// beProxy starts a proxy, prints its address, and waits until the standard input ends. It then prints the CPU time in
// µs and the maximum memory in KB. It reads the memory from /proc, because getrusage counts from the memory of the
// parent process.
func beProxy(kind, to string) error {
	addr, end, err := proxies[kind](to)
	if err != nil {
		return err
	}
	defer end()
	fmt.Println(addr)
	_, _ = io.Copy(io.Discard, os.Stdin)
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return err
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	fmt.Println(time.Duration(r.Utime.Nano()+r.Stime.Nano()).Microseconds(), strings.Fields(peak)[0])
	return nil
}

var proxies = map[string]func(to string) (addr string, end func(), err error){
	// bare is Go's own proxy with its default settings.
	"bare": func(to string) (string, func(), error) { return bareProxy(to, nil) },
	// keeping is like bare, but keeps all connections to the service open; bare keeps two.
	"keeping": func(to string) (string, func(), error) {
		return bareProxy(to, &http.Transport{MaxIdleConnsPerHost: 256, DisableCompression: true})
	},
	"recording": func(to string) (string, func(), error) {
		dir, err := os.MkdirTemp("", "sonde-bench-")
		if err != nil {
			return "", nil, err
		}
		rec, err := codec.CreateRecording(dir, codec.RecordingHeader{}, false)
		if err != nil {
			return "", nil, err
		}
		w, err := ParseEndpoint("127.0.0.1:0="+to, "http")
		if err != nil {
			return "", nil, err
		}
		m, err := New(Options{Spec: shop, Sink: rec, Callers: client.NewCallerIndex(users)})
		if err == nil {
			err = m.ListenInward(w)
		}
		if err != nil {
			return "", nil, err
		}
		return m.Listening()[0].Addr, func() { m.Close(); rec.Close(); os.RemoveAll(dir) }, nil
	},
}

func bareProxy(to string, t http.RoundTripper) (addr string, end func(), err error) {
	u, err := url.Parse(to)
	if err != nil {
		return "", nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	p := httputil.NewSingleHostReverseProxy(u)
	p.Transport = t
	s := &http.Server{Handler: p}
	go s.Serve(l)
	return l.Addr().String(), func() { s.Close() }, nil
}

// measurements has what the benchmark measured for one proxy. Times are in µs.
type measurements struct {
	latencies      []float64 // latencies of requests that were sent one at a time
	busy           time.Duration
	n              int // number of requests while 10 clients sent requests at once
	cpu, memory, m float64
}

// child is a proxy in a process of its own.
type child struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	url string
	measurements
}

func spawn(b *testing.B, kind, to string) *child {
	b.Helper()
	c := &child{cmd: exec.Command(os.Args[0])}
	c.cmd.Env = append(os.Environ(), proxyKind+"="+kind, proxyTo+"="+to)
	c.cmd.Stderr = os.Stderr
	var err error
	c.in, err = c.cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		b.Fatal(err)
	}
	c.out = bufio.NewReader(out)
	addr, err := c.out.ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	c.url = "http://" + strings.TrimSpace(addr)
	return c
}

// end stops the proxy and reads the measurements that it prints.
func (c *child) end(b *testing.B) {
	c.in.Close()
	if _, err := fmt.Fscan(c.out, &c.cpu, &c.memory); err != nil {
		b.Fatal(err)
	}
	if err := c.cmd.Wait(); err != nil {
		b.Fatal(err)
	}
}

// round sends requests one by one, and then from 10 clients.
func (c *child) round(b *testing.B, cl *http.Client) {
	for range 300 {
		begun := time.Now()
		order(b, cl, c.url)
		c.latencies = append(c.latencies, float64(time.Since(begun).Nanoseconds())/1000)
	}
	begun := time.Now()
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			for range 100 {
				order(b, cl, c.url)
			}
		})
	}
	all.Wait()
	c.busy += time.Since(begun)
	c.n += 1000
	c.m += 1300
}

var ordered = `{"customer":17,"note":"` + strings.Repeat("leave it at the door ", 5) +
	`","lines":[{"sku":"TENT-2","count":1},{"sku":"MAT-1","count":2}],"payment":{"method":"invoice"}}`

func order(b *testing.B, c *http.Client, to string) {
	req, err := http.NewRequest("POST", to+"/orders?coupon=SPRING", strings.NewReader(ordered))
	if err != nil {
		b.Error(err)
		return
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer ann-token-0123456789")
	res, err := c.Do(req)
	if err != nil {
		b.Error(err)
		return
	}
	_, _ = io.Copy(io.Discard, res.Body)
	res.Body.Close()
}

// BenchmarkProxy compares the recorder with Go's httputil.ReverseProxy. Each proxy has its own process in front of the
// same service, and the proxies take turns. For each proxy, the benchmark reports the median latency of one request at
// a time, the requests per second of 10 clients, the CPU time per request and the maximum memory.
func BenchmarkProxy(b *testing.B) {
	for name, works := range map[string]time.Duration{"at-once": 0, "works-1ms": time.Millisecond} {
		b.Run(name, func(b *testing.B) { sideBySide(b, works) })
	}
}

// sideBySide compares the proxies in front of a service that takes a given time for each request.
func sideBySide(b *testing.B, works time.Duration) {
	answer := []byte(
		`{"orderId":4711,"status":"placed","totalCents":12900,"lines":[` +
			strings.Repeat(`{"sku":"TENT-2","name":"Tent for two","priceCents":12900,"count":1},`, 12) + `null]}`,
	)
	service := serve(b, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		time.Sleep(works)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(201)
		_, _ = w.Write(answer)
	}))
	cl := clientFor(b)
	kinds := []string{"bare", "keeping", "recording"}
	var all []*child
	for _, kind := range kinds {
		all = append(all, spawn(b, kind, service))
	}
	for b.Loop() {
		for _, c := range all {
			c.round(b, cl)
		}
	}
	for i, c := range all {
		c.end(b)
		c.report(b, kinds[i])
	}
	b.ReportMetric(0, "ns/op")
}

func (c *child) report(b *testing.B, kind string) {
	slices.Sort(c.latencies)
	b.ReportMetric(c.latencies[len(c.latencies)/2], kind+"-p50-µs")
	b.ReportMetric(float64(c.n)/c.busy.Seconds(), kind+"-req/s")
	b.ReportMetric(c.cpu/c.m, kind+"-cpu-µs/req")
	b.ReportMetric(c.memory/1024, kind+"-MB")
}
