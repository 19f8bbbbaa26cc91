package gene

import (
	"testing"

	"sonde/model"
)

func BenchmarkNew(b *testing.B) {
	s := product()
	b.ReportAllocs()
	for b.Loop() {
		New(s)
	}
}

func BenchmarkSample(b *testing.B) {
	r, proto := source(1), New(product())
	b.ReportAllocs()
	for b.Loop() {
		proto.Clone().Sample(r)
	}
}

func BenchmarkMutate(b *testing.B) {
	r, trees := source(1), []Gene{sampled(product(), source(1))}
	b.ReportAllocs()
	for b.Loop() {
		Mutate(r, trees, NewPace(0.5, model.Sizes{}))
	}
}

func BenchmarkClone(b *testing.B) {
	g := sampled(product(), source(1))
	b.ReportAllocs()
	for b.Loop() {
		g.Clone()
	}
}

func BenchmarkJSON(b *testing.B) {
	g, dst := sampled(product(), source(1)), make([]byte, 0, 1024)
	b.ReportAllocs()
	for b.Loop() {
		g.AppendJSON(dst)
	}
}
