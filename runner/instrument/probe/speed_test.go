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

// variants are builds of a program that are compared.
type variants struct {
	plain, cover string
	probed       *Result
	memory       *probedata.Memory
	reader       *probedata.Reader
}

func newVariants(b *testing.B, dir string) *variants {
	b.Helper()
	v := &variants{plain: filepath.Join(b.TempDir(), "plain"), cover: filepath.Join(b.TempDir(), "cover")}
	run(b, dir, "go", "build", "-o", v.plain, ".")
	run(b, dir, "go", "build", "-cover", "-o", v.cover, ".")
	var err error
	v.probed, err = Build(context.Background(), Options{Dir: dir, Package: ".", Out: filepath.Join(b.TempDir(), "probed")})
	if err != nil {
		b.Fatal(err)
	}
	v.memory, err = probedata.NewMemory(v.probed.Manifest)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { v.memory.Close() })
	v.reader = probedata.NewReader(v.probed.Manifest, v.memory)
	v.reader.WatchOperands(true)
	return v
}

func (v *variants) command(b *testing.B, binary string, args ...string) *exec.Cmd {
	c := exec.Command(binary, args...)
	c.Env = append(os.Environ(), "GOCOVERDIR="+b.TempDir())
	if binary == v.probed.Binary {
		v.reader.Reset()
		c.Env = append(c.Env, v.memory.EnvVariable())
	}
	c.Stderr = os.Stderr
	return c
}

// measured runs each build in turn, several times. It reports the medians of the additional processor
// time with probes, and with go build -cover.
func (v *variants) measured(b *testing.B, used func(binary string) time.Duration) {
	var probes, cover []float64
	for b.Loop() {
		plain := used(v.plain).Seconds()
		probes = append(probes, used(v.probed.Binary).Seconds()/plain)
		cover = append(cover, used(v.cover).Seconds()/plain)
	}
	b.ReportMetric(median(probes), "probes/plain")
	b.ReportMetric(median(cover), "cover/plain")
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
	v := newVariants(b, "testdata/speed")
	for _, loop := range []struct {
		name  string
		times int
	}{{"distance", 1500}, {"fibonacci", 3000}, {"sort", 800}, {"scan", 200_000}, {"sieve", 5_000}} {
		b.Run(loop.name, func(b *testing.B) {
			v.measured(b, func(binary string) time.Duration {
				c := v.command(b, binary, loop.name, fmt.Sprint(loop.times))
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
	v := newVariants(b, "testdata/speed")
	v.measured(b, func(binary string) time.Duration {
		c := v.command(b, binary, "serve")
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
			compared = v.reader.AppendOperands(compared[:0])
			v.reader.Reset()
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
