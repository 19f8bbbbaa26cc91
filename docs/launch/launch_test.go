package launch

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain makes the test binary act as a service if LAUNCH_TEST is set.
func TestMain(m *testing.M) {
	switch os.Getenv("LAUNCH_TEST") {
	case "serve":
		serve()
	case "end":
		fmt.Println("no database")
	default:
		os.Exit(m.Run())
	}
}

// serve answers requests until the process receives SIGINT, and then prints a line. Other signals end the process
// without output.
func serve() {
	l, err := net.Listen("tcp", os.Getenv("ADDR"))
	if err != nil {
		panic(err)
	}
	go http.Serve(l, http.NotFoundHandler())
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGINT)
	<-asked
	fmt.Println("interrupted")
}

func TestStartAndStop(t *testing.T) {
	for stop, want := range map[syscall.Signal]string{syscall.SIGINT: "interrupted\n", 0: ""} {
		ports, err := FreePorts(1)
		if err != nil {
			t.Fatal(err)
		}
		addr := fmt.Sprintf("127.0.0.1:%d", ports[0])
		log := filepath.Join(t.TempDir(), "log")
		p, err := Start(t.Context(), Service{
			Run: []string{os.Args[0]}, Env: []string{"LAUNCH_TEST=serve", "ADDR=" + addr}, Dir: t.TempDir(),
			Ready: "http://" + addr + "/", Log: log, Stop: stop,
		})
		if err != nil {
			t.Fatal(err)
		}
		if p.EndsWithin(0) {
			t.Error("the service is ready, but has ended")
		}
		p.Stop()
		if !p.EndsWithin(time.Minute) {
			t.Error("the service runs after its end")
		}
		if got, err := os.ReadFile(log); err != nil || string(got) != want {
			t.Errorf("signal %v: the service said %q, want %q (%v)", stop, got, want, err)
		}
	}
}

func TestStartFails(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	_, err := Start(t.Context(), Service{
		Run: []string{os.Args[0]}, Env: []string{"LAUNCH_TEST=end"}, Ready: "http://127.0.0.1:1/", Log: log,
	})
	if err == nil || !strings.Contains(err.Error(), "the service ended before it answered: see "+log) {
		t.Errorf("error %v", err)
	}
	if got, _ := os.ReadFile(log); string(got) != "no database\n" {
		t.Errorf("the log has %q", got)
	}
}

func TestFreePortsDiffer(t *testing.T) {
	ports, err := FreePorts(4)
	slices.Sort(ports)
	if err != nil || len(slices.Compact(ports)) != 4 {
		t.Errorf("%v, %v", ports, err)
	}
}
