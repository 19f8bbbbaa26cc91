package probe

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/instrument/probedata"
)

// variant is a build of a program. Its memory and reader are nil if the build has no probes.
type variant struct {
	name, binary string
	memory       *probedata.Memory
	reader       *probedata.Reader
}

// newVariants returns four builds of a program, which are compared: without probes, with probes, with additional
// probes of operations that may panic, and with go build -cover.
func newVariants(b *testing.B, dir string) []*variant {
	b.Helper()
	plain, cover := filepath.Join(b.TempDir(), "plain"), filepath.Join(b.TempDir(), "cover")
	run(b, dir, "go", "build", "-o", plain, ".")
	run(b, dir, "go", "build", "-cover", "-o", cover, ".")
	return []*variant{
		{name: "plain", binary: plain},
		newProbedVariant(b, "probes", Options{Dir: dir}),
		newProbedVariant(b, "panics", Options{Dir: dir, Panics: true}),
		{name: "cover", binary: cover},
	}
}

func newProbedVariant(b *testing.B, name string, o Options) *variant {
	b.Helper()
	o.Package, o.Out = ".", filepath.Join(b.TempDir(), name)
	r, err := Build(context.Background(), o)
	if err != nil {
		b.Fatal(err)
	}
	v := &variant{name: name, binary: r.Binary}
	v.memory, err = probedata.NewMemory(r.Manifest)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { v.memory.Close() })
	v.reader = probedata.NewReader(r.Manifest, v.memory)
	v.reader.WatchOperands(true)
	return v
}

func (v *variant) command(b *testing.B, args ...string) *exec.Cmd {
	c := exec.Command(v.binary, args...)
	c.Env = append(os.Environ(), "GOCOVERDIR="+b.TempDir())
	if v.reader != nil {
		v.reader.Reset()
		c.Env = append(c.Env, v.memory.EnvVariable())
	}
	c.Stderr = os.Stderr
	return c
}

// measure runs each build in turn, several times. It reports the medians of the processor time, in relation to that of
// the first build.
func measure(b *testing.B, all []*variant, used func(v *variant) time.Duration) {
	ratios := make([][]float64, len(all))
	for b.Loop() {
		first := used(all[0]).Seconds()
		for i, v := range all[1:] {
			ratios[i] = append(ratios[i], used(v).Seconds()/first)
		}
	}
	for i, v := range all[1:] {
		b.ReportMetric(median(ratios[i]), v.name+"/"+all[0].name)
	}
	b.ReportMetric(0, "ns/op")
}

func median(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}

func usedBy(c *exec.Cmd) time.Duration {
	return c.ProcessState.UserTime() + c.ProcessState.SystemTime()
}

// BenchmarkLoop measures the time of probes in loops, where probes cost the most time.
//
//	go test ./runner/instrument/probe -run '^$' -bench Loop -benchtime 11x
func BenchmarkLoop(b *testing.B) {
	all := newVariants(b, "testdata/speed")
	for _, loop := range []struct {
		name  string
		times int
	}{{"distance", 1500}, {"fibonacci", 3000}, {"sort", 800}, {"scan", 200_000}, {"sieve", 5_000}, {"matrix", 1500}, {"calls", 1000}} {
		b.Run(loop.name, func(b *testing.B) {
			measure(b, all, func(v *variant) time.Duration {
				c := v.command(b, loop.name, fmt.Sprint(loop.times))
				if err := c.Run(); err != nil {
					b.Fatal(err)
				}
				return usedBy(c)
			})
		})
	}
}

// BenchmarkServer measures the processor time of probes in a service. A test has three calls, and
// the probes are reset after it.
//
//	go test ./runner/instrument/probe -run '^$' -bench Server -benchtime 11x
func BenchmarkServer(b *testing.B) {
	measure(b, newVariants(b, "testdata/speed"), func(v *variant) time.Duration {
		c := v.command(b, "serve")
		in, err := c.StdinPipe()
		if err != nil {
			b.Fatal(err)
		}
		out, err := c.StdoutPipe()
		if err != nil {
			b.Fatal(err)
		}
		if err := c.Start(); err != nil {
			b.Fatal(err)
		}
		address, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			b.Fatal(err)
		}
		var compared []model.ComparedOperands
		for range 2000 {
			test(b, "http://"+strings.TrimSpace(address)+"/items")
			if v.reader != nil {
				compared = v.reader.AppendOperands(compared[:0])
				v.reader.Reset()
			}
		}
		in.Close()
		if err := c.Wait(); err != nil {
			b.Fatal(err)
		}
		return usedBy(c)
	})
}

// test sends the calls of a test.
func test(b *testing.B, url string) {
	for _, body := range []string{`{"name":"lamp","price":12.5,"quantity":3,"tags":["red","new"]}`, `{"name":"x"}`} {
		answered(b, func() (*http.Response, error) { return http.Post(url, "application/json", strings.NewReader(body)) })
	}
	answered(b, func() (*http.Response, error) { return http.Get(url + "?tag=red") })
}

func answered(b *testing.B, call func() (*http.Response, error)) {
	r, err := call()
	if err != nil {
		b.Fatal(err)
	}
	defer r.Body.Close()
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		b.Fatal(err)
	}
}
