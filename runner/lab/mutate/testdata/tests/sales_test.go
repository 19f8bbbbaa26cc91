// Package sales has tests of the shop that look like the output of sonde generate: each has
// one oracle, and SONDE_BINARY names the binary of the service.
package sales

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"sonde/runner/testdata/port"
)

var (
	base  string
	mu    sync.Mutex
	heard []string // "charge 90"
)

func TestMain(m *testing.M) { os.Exit(around(m)) }

func around(m *testing.M) int {
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		heard = append(heard, strings.TrimPrefix(r.URL.Path, "/")+" "+string(body))
	}))
	defer provider.Close()
	at := strconv.Itoa(port.Free())
	base = "http://127.0.0.1:" + at
	service := exec.Command(os.Getenv("SONDE_BINARY"))
	service.Env = append(os.Environ(), "PORT="+at, "PROVIDER="+provider.URL)
	if err := service.Start(); err != nil {
		fmt.Println(err)
		return 1
	}
	ended := make(chan error, 1)
	go func() { ended <- service.Wait() }()
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGTERM)
	go func() {
		<-asked
		service.Process.Kill()
		os.Exit(1)
	}()
	defer func() {
		service.Process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(2 * time.Second):
			service.Process.Kill()
		}
	}()
	for range 500 {
		if res, err := http.Get(base + "/health"); err == nil {
			res.Body.Close()
			return m.Run()
		}
		select {
		case <-ended:
			fmt.Println("the service ended before it was ready")
			return 1
		case <-time.After(20 * time.Millisecond):
		}
	}
	fmt.Println("the service was not ready within 10s")
	return 1
}

// sale sells n pieces, and returns the answer and the calls that the provider received.
func sale(t *testing.T, n string) (answer string, calls []string) {
	t.Helper()
	mu.Lock()
	heard = nil
	mu.Unlock()
	client := http.Client{Timeout: 2 * time.Second}
	res, err := client.Post(base+"/sales/"+n, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	return fmt.Sprint(res.StatusCode, " ", strings.Split(string(body), ",")[0]), heard
}

func TestSell_OO(t *testing.T) {
	if got, _ := sale(t, "3"); got != `200 {"cents":30` {
		t.Error(got)
	}
	if got, _ := sale(t, "12"); got != `200 {"cents":108` {
		t.Error(got)
	}
}

func TestSell_PO(t *testing.T) {
	_, calls := sale(t, "3")
	if !slices.Contains(calls, "order 30") || !slices.Contains(calls, "charge 30") {
		t.Error(calls)
	}
}

func TestSell_CO(t *testing.T) {
	_, calls := sale(t, "3")
	var names []string
	for _, c := range calls {
		name, _, _ := strings.Cut(c, " ")
		names = append(names, name)
	}
	if !slices.Equal(names, []string{"order", "charge"}) {
		t.Error(names)
	}
}

func TestSellNothing_OO(t *testing.T) {
	if got, _ := sale(t, "0"); !strings.HasPrefix(got, "400 n: must be") {
		t.Error(got)
	}
}

// TestWrong fails even without a mutant.
func TestWrong_OO(t *testing.T) {
	if got, _ := sale(t, "0"); !strings.HasPrefix(got, "200") {
		t.Error(got)
	}
}
