package cli_test

import (
	"fmt"
	"os/exec"
	"slices"
	"testing"
	"time"
)

// BenchmarkApp runs the same search of the demo alternately in the app, which draws the search, and with --plain, which
// prints few lines. Each search runs in its own process with the same seed and number of calls. BenchmarkApp reports
// the CPU time of both, and how much more the app needs.
func BenchmarkApp(b *testing.B) {
	const calls = "60000"
	var shown, plain []float64
	for b.Loop() {
		shown = append(shown, searchShown(b, calls))
		plain = append(plain, searchPlain(b, calls))
	}
	slices.Sort(shown)
	slices.Sort(plain)
	app, line := shown[len(shown)/2], plain[len(plain)/2]
	b.ReportMetric(app, "app-cpu-s")
	b.ReportMetric(line, "plain-cpu-s")
	b.ReportMetric(100*(app/line-1), "%-more")
	b.ReportMetric(0, "ns/op")
}

func searchShown(b *testing.B, calls string) float64 {
	cmd := command(b, b.TempDir(), "sonde", "--demo")
	s := begin(b, cmd, 120, 36)
	keys(b, s, "", "Gear shop", "5", "▸5 Search", "e", "esc cancel", calls, calls, enter, "60,000", enter, "calls/s", "", "Done in")
	if err := s.Type("q"); err != nil {
		b.Fatal(err)
	}
	if _, err := s.Wait(patience); err != nil {
		b.Fatal(err)
	}
	return cpu(cmd)
}

func searchPlain(b *testing.B, calls string) float64 {
	cmd := command(b, b.TempDir(), "sonde", "search", "--demo", "--plain", "--calls", calls, "--seed", "1", "-o", "run")
	if out, err := cmd.CombinedOutput(); cmd.ProcessState == nil {
		b.Fatal(fmt.Errorf("%w: %s", err, out)) // exit code 1 means that faults were found
	}
	return cpu(cmd)
}

func cpu(cmd *exec.Cmd) float64 {
	return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Round(time.Millisecond).Seconds()
}
