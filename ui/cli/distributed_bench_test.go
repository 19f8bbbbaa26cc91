//go:build unix

package cli_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// slowService answers each call after 20 ms. Its argument is a port.
const slowService = `package main

import (
	"net/http"
	"os"
	"time"
)

func main() {
	http.HandleFunc("/health", func(http.ResponseWriter, *http.Request) {})
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(20 * time.Millisecond)
		w.Header().Set("Content-Type", "application/json")
		w.Write([]byte("{\"id\": 1, \"name\": \"one\"}"))
	})
	http.ListenAndServe("127.0.0.1:"+os.Args[1], nil)
}
`

const slowSpec = `openapi: 3.0.3
info: {title: slow, version: "1"}
paths:
  /items:
    get: {responses: {"200": {description: all}}}
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
      responses: {"200": {description: made}}
  /items/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {"200": {description: one}}}
    delete: {responses: {"200": {description: gone}}}
`

// BenchmarkWorkerProcesses measures how much faster a study is with eight worker processes than with one. The study
// has 40 runs of 100 calls, of a service that answers after 20 ms.
func BenchmarkWorkerProcesses(b *testing.B) {
	dir := b.TempDir()
	write(b, filepath.Join(dir, "main.go"), slowService)
	binary := filepath.Join(dir, "slow")
	if out, err := exec.Command("go", "build", "-o", binary, filepath.Join(dir, "main.go")).CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	write(b, filepath.Join(dir, "openapi.yaml"), slowSpec)
	run := fmt.Sprintf("run: [%q, \"{port}\"]", binary)
	write(b, filepath.Join(dir, "commands.yaml"), "- {"+run+", dir: "+dir+"}\n")
	write(b, filepath.Join(dir, "sonde.yaml"), "spec: openapi.yaml\nsut: {"+run+", ready: /health}\n")
	write(b, filepath.Join(dir, "study.yaml"), "services: [{name: slow, config: sonde.yaml}]\nsmart: [0, 0.6]\nbudgets: [100]\nseeds: 20\n")
	urls := startCluster(b)
	for i := 0; b.Loop(); i++ {
		var took []time.Duration
		for _, n := range []int{1, 8} {
			workers := joinWorkers(b, n, dir, urls, "--allow-command", "commands.yaml")
			began := time.Now()
			c := join(b, "", dir, urls, "study", "study.yaml", "-o", fmt.Sprint("by-", n, "-", i))
			c.wait(b)
			took = append(took, time.Since(began))
			for _, w := range workers {
				w.drain(b)
			}
		}
		b.ReportMetric(took[0].Seconds(), "s/one")
		b.ReportMetric(took[1].Seconds(), "s/eight")
		b.ReportMetric(float64(took[0])/float64(took[1]), "times")
	}
}

// BenchmarkIslandProcesses measures how much faster a search of 10,000 calls is with four islands, each run by its
// own worker process, than without islands. The demo answers after 20 ms.
func BenchmarkIslandProcesses(b *testing.B) {
	dir := b.TempDir()
	writeCounted(b, dir, 20*time.Millisecond)
	urls := startCluster(b)
	search := []string{"search", "--calls", "10000", "-o"}
	for i := 0; b.Loop(); i++ {
		began := time.Now()
		if out, err := command(b, dir, program(b), append(search, fmt.Sprint("one-", i))...).CombinedOutput(); hasFailed(err) {
			b.Fatalf("%v: %s", err, out)
		}
		one := time.Since(began)
		workers := joinWorkers(b, 4, dir, urls, "--allow-command", "commands.yaml")
		began = time.Now()
		c := join(b, "", dir, urls, append(search, fmt.Sprint("four-", i), "--islands", "4")...)
		if err := c.Wait(); hasFailed(err) {
			b.Fatalf("%v: %s", err, c.errs)
		}
		four := time.Since(began)
		for _, w := range workers {
			w.drain(b)
		}
		b.ReportMetric(one.Seconds(), "s/one")
		b.ReportMetric(four.Seconds(), "s/four")
		b.ReportMetric(float64(one)/float64(four), "times")
	}
}
