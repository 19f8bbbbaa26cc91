package cli_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sonde/ui/tty"
)

// countingService answers 200 and counts the requests that read and those that write.
type countingService struct {
	*httptest.Server
	reads, writes atomic.Int64
	tenant        atomic.Value // the header X-Tenant of the last request
}

func newCountingService(t *testing.T) *countingService {
	t.Helper()
	s := &countingService{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		s.tenant.Store(r.Header.Get("X-Tenant"))
		if r.Method == http.MethodGet {
			s.reads.Add(1)
		} else {
			s.writes.Add(1)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// environmentsFolder returns a folder with a spec, and with a configuration of three environments.
func environmentsFolder(t *testing.T, local, staging, production *countingService) string {
	t.Helper()
	dir := t.TempDir()
	file := fmt.Sprintf("spec: things.yaml\nurl: %s\nenvironments:\n"+
		"  staging: {url: %s, headers: {X-Tenant: \"${tenant}\"}, variables: {tenant: t1}}\n"+
		"  live-eu: {url: %s, production: true}\n", local.URL, staging.URL, production.URL)
	for name, text := range map[string]string{"sonde.yaml": file, "things.yaml": guardSpec} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// fillOf returns the colour of a text on the screen.
func fillOf(t *testing.T, s *tty.Session, text string) (red, green, blue int64) {
	t.Helper()
	var picture strings.Builder
	if err := s.WriteSVG(&picture); err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`fill="#(..)(..)(..)" xml:space="preserve">` + text).FindStringSubmatch(picture.String())
	if m == nil {
		t.Fatalf("%q is not in\n%s", text, strings.Join(s.Lines(), "\n"))
	}
	for i, channel := range []*int64{&red, &green, &blue} {
		*channel, _ = strconv.ParseInt(m[i+1], 16, 64)
	}
	return red, green, blue
}

// awaitQuestion waits until an open question accepts keys. A question ignores keys for half a second.
func awaitQuestion() { time.Sleep(600 * time.Millisecond) }

const ctrlE = "\x05"

// The user switches between environments, which takes effect without a restart. In production, the title is red, a
// request that reads is sent, one that writes is asked about, and a search in progress refuses the switch.
func TestEnvironmentsInTheApp(t *testing.T) {
	t.Parallel()
	local, staging, production := newCountingService(t), newCountingService(t), newCountingService(t)
	dir := environmentsFolder(t, local, staging, production)
	s := begin(t, command(t, dir, program(t)), 110, 36)
	keys(t, s, "", "Things", ctrlE, "▸ ● default", "\x1b[B", "▸   staging", enter, "● staging  127.0.0.1:",
		"r", "send GET /things", "r", "✓ 200")
	if local.reads.Load() != 0 || staging.reads.Load() != 1 || staging.tenant.Load() != "t1" {
		t.Errorf("%d reads here, %d on staging with the tenant %v", local.reads.Load(), staging.reads.Load(), staging.tenant.Load())
	}
	keys(t, s, ctrlE, "▸ ● staging", "\x1b[B", "PRODUCTION  no users", enter, "● PRODUCTION live-eu  127.0.0.1:")
	if red, green, blue := fillOf(t, s, " PRODUCTION live-eu"); red < 2*green || red < 2*blue {
		t.Errorf("the title is #%02x%02x%02x, want red", red, green, blue)
	}
	keys(t, s, "", "r sends this to", "r", "✓ 200", esc, "← operations", "\x1b[D", "⏎ open", "\x1b[B", "╭─ POST /things",
		"r", "send POST /things", "r", "Write to production?")
	if production.reads.Load() != 1 || production.writes.Load() != 0 {
		t.Errorf("%d reads and %d writes before the answer", production.reads.Load(), production.writes.Load())
	}
	awaitQuestion()
	keys(t, s, "n", "r sends this to", "r", "Write to production?")
	awaitQuestion()
	keys(t, s, "y", "✓ 200")
	if n := production.writes.Load(); n != 1 {
		t.Errorf("%d writes after one yes", n)
	}
	keys(t, s, "5", "PRODUCTION  live-eu", "e", "esc cancel", "9000000", "9000000", enter, "9,000,000", enter, "Write to production?")
	awaitQuestion()
	keys(t, s, "y", "running", ctrlE, "▸ ● live-eu", "\x1b[A", "▸   staging", enter, "a search is running: stop it first",
		"q", "● PRODUCTION live-eu", "x", "stopped", ctrlE, "▸ ● live-eu", "\x1b[A", "▸   staging", enter, "● staging", "q", "")
	runs := find(t, dir, "run.json")
	if len(runs) != 1 {
		t.Fatalf("runs on disk: %v", runs)
	}
	text, err := os.ReadFile(runs[0])
	for _, want := range []string{`"environment": "live-eu"`, "--env live-eu --config sonde.yaml"} {
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s, error %v", want, text, err)
		}
	}
	if code, err := s.Wait(patience); code != 0 || err != nil {
		t.Errorf("exit code %d, error %v", code, err)
	}
}

// Without colours, production is named in words.
func TestProductionWithoutColours(t *testing.T) {
	t.Parallel()
	local, staging, production := newCountingService(t), newCountingService(t), newCountingService(t)
	cmd := command(t, environmentsFolder(t, local, staging, production), program(t), "--env", "live-eu")
	cmd.Env = append(cmd.Env, "NO_COLOR=1")
	s := begin(t, cmd, 80, 24)
	keys(t, s, "", "PRODUCTION live-eu  127.0.0.1:", ctrlE, "PRODUCTION  no users", "q", "Things", "q", "")
	if code, err := s.Wait(patience); code != 0 || err != nil {
		t.Errorf("exit code %d, error %v", code, err)
	}
}
