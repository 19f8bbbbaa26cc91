package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sonde/ui/tty"
)

// operationRow matches the row of an operation in the list on Explore.
var operationRow = regexp.MustCompile(`(GET|POST|PUT|PATCH|DELETE) +/`)

// BenchmarkStart starts Sonde in a terminal on each file of SONDE_BENCH_SPECS. It reports the minimum and
// the maximum of the time from the start of the process to the first picture with an operation. It also
// reports the CPU time and the peak memory (VmHWM) at that moment, and the peak memory after the work in
// the background. The CPU time and the memory need Linux.
func BenchmarkStart(b *testing.B) {
	if os.Getenv("SONDE_BENCH_SPECS") == "" {
		b.Skip("SONDE_BENCH_SPECS lists no specs")
	}
	binary := filepath.Join(b.TempDir(), "sonde")
	if out, err := exec.Command("go", "build", "-o", binary, "sonde").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	for _, file := range filepath.SplitList(os.Getenv("SONDE_BENCH_SPECS")) {
		b.Run(filepath.Base(file), func(b *testing.B) {
			var took, cpu, first, all []float64
			for b.Loop() {
				s := startOf(b, binary, file)
				took, cpu = append(took, s.took), append(cpu, s.cpu)
				first, all = append(first, s.firstPeak), append(all, s.peak)
			}
			b.ReportMetric(slices.Min(took), "first-min-ms")
			b.ReportMetric(slices.Max(took), "first-max-ms")
			b.ReportMetric(slices.Max(cpu), "first-cpu-max-ms")
			b.ReportMetric(slices.Max(first), "first-peak-MB")
			b.ReportMetric(slices.Max(all), "all-peak-MB")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// start is the result of one start of Sonde. took is the time until the first picture, and cpu the CPU time until
// then, in milliseconds. firstPeak is the peak memory at that moment, and peak the peak memory after the work in the
// background, in MB.
type start struct{ took, cpu, firstPeak, peak float64 }

func startOf(b *testing.B, binary, file string) start {
	b.Helper()
	cmd := command(b, b.TempDir(), binary, file)
	begun := time.Now()
	s, err := tty.Start(cmd, 120, 36)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Kill()
	if err := s.Until("an operation", patience, operationRow.MatchString); err != nil {
		b.Fatal(err)
	}
	pid := cmd.Process.Pid
	measured := start{took: float64(time.Since(begun).Milliseconds()), cpu: usedCPU(pid), firstPeak: peakMemory(pid)}
	for cpu := -1.0; cpu != usedCPU(pid); time.Sleep(time.Second) {
		cpu = usedCPU(pid)
	}
	measured.peak = peakMemory(pid)
	return measured
}

// peakMemory returns the peak memory of a process in MB, 0 if it is not known on this system.
func peakMemory(pid int) float64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	var kilobytes float64
	_, _ = fmt.Sscan(peak, &kilobytes)
	return kilobytes / 1024
}

// usedCPU returns the CPU time of a process in milliseconds, 0 if it is not known on this system.
func usedCPU(pid int) float64 {
	const tick = 10 // milliseconds
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	fields := strings.Fields(string(stat)[strings.LastIndex(string(stat), ")")+1:])
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return tick * (user + system)
}
