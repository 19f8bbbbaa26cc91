package openapi_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"sync"
	"testing"

	"sonde/model/openapi"
)

// BenchmarkLoadFolder loads all specs of a folder with one worker for each core. It reports the bytes of specs per
// second, and the memory for each megabyte of specs.
func BenchmarkLoadFolder(b *testing.B) {
	for _, folder := range []string{"oas2", "emb"} {
		for _, cores := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/cores=%d", folder, cores), func(b *testing.B) {
				files := realSpecs(b, folder)
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
				b.SetBytes(size(b, files))
				start := allocated()
				for b.Loop() {
					loadAll(b, files, cores)
				}
				megabytes := float64(size(b, files)) * float64(b.N) / 1e6
				b.ReportMetric(float64(allocated()-start)/megabytes, "B/MB")
				b.ReportMetric(b.Elapsed().Seconds()/megabytes, "s/MB")
			})
		}
	}
}

// size returns the total size of all files in bytes.
func size(b *testing.B, files []string) int64 {
	b.Helper()
	total := int64(0)
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			b.Fatal(err)
		}
		total += info.Size()
	}
	return total
}

// allocated returns the number of bytes that were allocated since the program started.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// loadAll loads files with a number of workers.
func loadAll(b *testing.B, files []string, workers int) {
	b.Helper()
	todo := make(chan string)
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for file := range todo {
				if _, err := openapi.Load(context.Background(), file, openapi.Options{}); err != nil {
					b.Error(err)
				}
			}
		})
	}
	for _, file := range files {
		todo <- file
	}
	close(todo)
	all.Wait()
}

// BenchmarkParseLargest parses the largest real spec.
func BenchmarkParseLargest(b *testing.B) {
	var largest []byte
	var name string
	for _, file := range append(realSpecs(b, "oas2"), realSpecs(b, "emb")...) {
		data, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		if len(data) > len(largest) {
			largest, name = data, file
		}
	}
	b.SetBytes(int64(len(largest)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := openapi.Parse(context.Background(), name, largest, openapi.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
