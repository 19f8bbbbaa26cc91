package search_test

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"sonde/analysis"
	"sonde/assets/demo"
	"sonde/model"
	"sonde/model/openapi"
	"sonde/runner/search"
)

// recorder answers every request with an empty 200, and records requests while recording is on.
type recorder struct {
	on      atomic.Bool
	seen    []requestsSent
	headers map[string]http.Header // equal headers are stored once: 5,000 copies would slow down garbage collection
}

// requestsSent is a request as the service received it.
type requestsSent struct {
	method, target string
	header         http.Header
	body           []byte
}

func (r *recorder) ServeHTTP(_ http.ResponseWriter, q *http.Request) {
	if r.on.Load() {
		body, _ := io.ReadAll(q.Body)
		r.seen = append(r.seen, requestsSent{method: q.Method, target: q.RequestURI, header: r.header(q.Header), body: body})
	}
}

func (r *recorder) header(h http.Header) http.Header {
	h = h.Clone()
	h.Del("Content-Length") // the client of the plain loop sets it
	if r.headers == nil {
		r.headers = map[string]http.Header{}
	}
	key := fmt.Sprint(h)
	if r.headers[key] == nil {
		r.headers[key] = h
	}
	return r.headers[key]
}

// shopPlan returns the plan of a search with the demo's spec. The service at the URL need not be the demo.
func shopPlan(b *testing.B, url string, calls int) model.Plan {
	b.Helper()
	spec, err := openapi.Parse(context.Background(), "demo", demo.Specification(), openapi.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return model.Plan{
		Spec:      spec,
		Templates: analysis.Analyze(spec, analysis.Options{}).Templates(),
		BaseURL:   url,
		Seed:      1,
		Tuning:    model.DefaultTuning(),
		Limits:    model.Limits{Calls: calls},
		Users:     []model.User{{Name: "ann", Header: "Authorization", Public: "Bearer " + demo.Users()[0].Token}},
	}
}

func runSearch(b *testing.B, p model.Plan) *search.Run {
	b.Helper()
	run, err := search.New(context.Background(), p)
	if err != nil {
		b.Fatal(err)
	}
	run.Start(context.Background(), search.Sink{})
	return run
}

// replay sends requests in a plain loop over net/http, and reads the answers. Timeout 0 means no timeout. A search
// always has a timeout, because a service may hang.
func replay(b *testing.B, url string, all []requestsSent, timeout time.Duration) {
	b.Helper()
	c := &http.Client{Transport: &http.Transport{DisableCompression: true}, Timeout: timeout}
	defer c.CloseIdleConnections()
	for _, s := range all {
		req, err := http.NewRequest(s.method, url+s.target, bytes.NewReader(s.body))
		if err != nil {
			b.Fatal(err)
		}
		req.Header = s.header
		res, err := c.Do(req)
		if err != nil {
			b.Fatal(err)
		}
		io.ReadAll(res.Body)
		res.Body.Close()
	}
}

// BenchmarkEngineCost reports how many calls a second a search makes. It also reports this rate divided by the rate
// of a plain loop that sends the same requests to the same service: once for a loop with a timeout, as a search has,
// and once for a loop without. The service answers each request at once with an empty 200. Search and loops take
// turns and the median is used, so that other load on the machine matters little.
func BenchmarkEngineCost(b *testing.B) {
	const calls = 5000
	r := &recorder{}
	s := httptest.NewServer(r)
	defer s.Close()
	p := shopPlan(b, s.URL, calls)
	r.on.Store(true)
	runSearch(b, p).Wait()
	r.on.Store(false)
	var searched, bare, endless []spent
	for b.Loop() {
		searched = append(searched, spend(func() { runSearch(b, p).Wait() }))
		bare = append(bare, spend(func() { replay(b, s.URL, r.seen, 10*time.Second) }))
		endless = append(endless, spend(func() { replay(b, s.URL, r.seen, 0) }))
	}
	sent := float64(len(r.seen))
	b.ReportMetric(sent/median(seconds(searched)), "calls/s")
	b.ReportMetric(sent/median(seconds(bare)), "bare/s")
	report(b, "ratio", bare, searched)
	report(b, "endless-ratio", endless, searched)
}

// report divides each time in its first slice by the time of the same turn in its second slice, and reports the median
// of these ratios: once for clock time and, if it is known, once for processor time.
func report(b *testing.B, name string, of, all []spent) {
	var clock, cpu []float64
	for i := range all {
		clock = append(clock, of[i].clock.Seconds()/all[i].clock.Seconds())
		cpu = append(cpu, of[i].cpu.Seconds()/all[i].cpu.Seconds())
	}
	b.ReportMetric(median(clock), name)
	if all[0].cpu > 0 {
		b.ReportMetric(median(cpu), name+"-cpu")
	}
}

// spent is the time that a function took: by the clock, and the processor time of this process.
type spent struct{ clock, cpu time.Duration }

func spend(do func()) spent {
	start, cpu := time.Now(), cpuTime()
	do()
	return spent{time.Since(start), cpuTime() - cpu}
}

func seconds(all []spent) []float64 {
	var some []float64
	for _, s := range all {
		some = append(some, s.clock.Seconds())
	}
	return some
}

func median[T cmp.Ordered](all []T) T { return slices.Sorted(slices.Values(all))[len(all)/2] }

var memoryCalls = flag.Int("memory-calls", 1_000_000, "calls of BenchmarkMemory")

// BenchmarkMemory reports the size of the heap at three times: after a tenth of the calls of a long search, near the
// end of the search, and after it. The search calls either a service whose answers are empty, or the demo. The demo
// runs in the same process and is reset.
func BenchmarkMemory(b *testing.B) {
	b.Run("empty", func(b *testing.B) { memory(b, &recorder{}, nil) })
	b.Run("demo", func(b *testing.B) {
		memory(b, demo.NewShop(demo.Config{}), &model.Reset{Method: "POST", Path: "/__reset"})
	})
}

func memory(b *testing.B, h http.Handler, reset *model.Reset) {
	s := httptest.NewServer(h)
	defer s.Close()
	p := shopPlan(b, s.URL, *memoryCalls)
	p.Reset = reset
	for b.Loop() {
		run := runSearch(b, p)
		for run.Snapshot().Summary.Calls < *memoryCalls/10 {
			time.Sleep(time.Millisecond)
		}
		early := live()
		for run.Snapshot().Used < 0.89 { // the last tenth is for checking
			time.Sleep(time.Millisecond)
		}
		late := live()
		run.Wait()
		b.ReportMetric(early, "MB-early")
		b.ReportMetric(late, "MB-late")
		b.ReportMetric(live(), "MB-end")
		runtime.KeepAlive(run)
	}
}

// live returns the size of the heap in MiB, after a garbage collection.
func live() float64 {
	runtime.GC()
	return float64(heap()) / (1 << 20)
}
