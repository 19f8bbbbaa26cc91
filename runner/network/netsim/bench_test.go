//go:build unix

package netsim_test

import (
	"testing"

	"sonde/model"
	"sonde/runner/network/netsim"
)

// BenchmarkTest measures the time that the network adds to a test without contacts, and to a test with
// one request.
func BenchmarkTest(b *testing.B) {
	for _, asks := range []bool{false, true} {
		b.Run(map[bool]string{false: "nothing", true: "request"}[asks], func(b *testing.B) {
			n, s := start(b, netsim.Options{})
			c := s.client()
			for b.Loop() {
				if err := n.BeginTest([]model.Stub{web("a.example:80", model.Answer{Body: "x"})}); err != nil {
					b.Fatal(err)
				}
				n.BeginCall(0)
				if asks {
					if _, err := get(c, "http://a.example/"); err != nil {
						b.Fatal(err)
					}
				}
				n.EndCall()
				n.EndTest()
			}
		})
	}
}
