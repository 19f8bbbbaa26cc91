package gotest

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"
)

// driver starts, resets and stops the service through a driver: a small HTTP service, which docs/driver.md of Sonde
// describes.
type driver struct {
	url     string  // the URL of a driver that the tests do not start
	program program // the driver that the tests start; it has no command if the driver must be running
	path    string  // the service's base path, if the URL that the driver returns has none

	isInUse bool // the driver has started the service
}

// runTests has the driver start the service, and runs the tests. If SONDE_BASE_URL is set, it uses no driver.
func (d *driver) runTests(m *testing.M) int {
	if os.Getenv("SONDE_BASE_URL") != "" {
		return m.Run()
	}
	if running := os.Getenv("SONDE_DRIVER_URL"); running != "" {
		d.url, d.program.command = running, nil
	}
	d.program.isDriver, d.program.onQuit = true, d.stopService
	d.program.stopOnInterrupt()
	defer d.program.stop()
	defer d.stopService()
	if err := d.start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// start starts the driver, unless it is running already, and has it start the service.
func (d *driver) start() error {
	if len(d.program.command) > 0 {
		if err := d.program.start(); err != nil {
			return err
		}
	}
	if _, err := d.isServiceRunning(); err != nil {
		return err
	}
	return d.startService()
}

// isServiceRunning asks the driver whether the service runs. It returns an error if the driver has another protocol.
func (d *driver) isServiceRunning() (bool, error) {
	var state struct {
		Protocol int  `json:"protocol"`
		Running  bool `json:"running"`
	}
	err := d.ask("GET", "", &state)
	if err == nil && state.Protocol != 1 {
		err = fmt.Errorf("driver %q speaks protocol %d, these tests speak 1", d.address(), state.Protocol)
	}
	return state.Running, err
}

// startService has the driver start or restart the service, and sets the service's URL.
func (d *driver) startService() error {
	var started struct {
		URL string `json:"url"`
	}
	d.isInUse = true
	if err := d.ask("POST", "/start", &started); err != nil {
		return err
	}
	service, err := url.Parse(started.URL)
	if err != nil || service.Host == "" {
		return fmt.Errorf("driver %q says that the service is at %q, which is not a URL", d.address(), started.URL)
	}
	if !d.isNear(service.Hostname()) {
		return fmt.Errorf(
			"driver %q says that the service is at %q, which is neither this machine nor the driver's: to call it, set SONDE_BASE_URL",
			d.address(), started.URL,
		)
	}
	if service.Path == "" {
		started.URL += d.path
	}
	defaultURL = strings.TrimRight(started.URL, "/")
	return nil
}

// isNear reports whether a host is this machine or the driver's.
func (d *driver) isNear(host string) bool {
	own, err := url.Parse(d.address())
	return host == "localhost" || net.ParseIP(host).IsLoopback() || err == nil && host == own.Hostname()
}

// stopService has the driver stop the service, if the driver has started the service. It waits at most 5 seconds.
func (d *driver) stopService() {
	if d.isInUse {
		d.send(5*time.Second, "POST", "/stop")
	}
}

// begin shows the output of the driver during a test if the test fails and the tests have started the driver. If the
// driver or the service has ended, begin starts it again. It reports whether the tests use the driver: they do not if
// SONDE_BASE_URL is set.
func (d *driver) begin(t *testing.T) bool {
	t.Helper()
	if !d.isInUse {
		return false
	}
	d.program.begin(t)
	running, err := d.isServiceRunning()
	if err == nil && !running {
		err = d.startService()
	}
	if err != nil {
		t.Fatal(err)
	}
	return true
}

// reset has the driver bring the service back to its first state.
func (d *driver) reset(t *testing.T) {
	t.Helper()
	if !d.begin(t) {
		t.Log("the service of SONDE_BASE_URL is not reset: the tests may disturb each other")
		return
	}
	if err := d.ask("POST", "/reset", nil); err != nil {
		t.Fatal(err)
	}
}

// restart has the driver restart the service.
func (d *driver) restart(t *testing.T) {
	t.Helper()
	if !d.begin(t) {
		t.Log("the service of SONDE_BASE_URL is not reset: the tests may disturb each other")
		return
	}
	if err := d.startService(); err != nil {
		t.Fatal(err)
	}
}

// address returns the URL of the driver.
func (d *driver) address() string {
	if len(d.program.command) > 0 {
		return d.program.url
	}
	return d.url
}

// ask sends a request to the driver, and parses the JSON of the answer into result, unless result is nil. It waits at
// most two minutes.
func (d *driver) ask(method, path string, result any) error {
	what := fmt.Sprintf("driver %q, asked %s /controller%s,", d.address(), method, path)
	status, body, err := d.send(2*time.Minute, method, path)
	switch {
	case err != nil:
		return fmt.Errorf("%s gave no answer: %v", what, err)
	case status < 200 || status > 299:
		return fmt.Errorf("%s answered %d: %s", what, status, excerpt(body))
	case result == nil:
		return nil
	}
	if err := json.Unmarshal(body, result); err != nil {
		return fmt.Errorf("%s gave an answer that is not JSON: %v", what, err) // without the answer, which may have secrets
	}
	return nil
}

// send sends a request to the driver, and returns the status and the body of the answer.
func (d *driver) send(timeout time.Duration, method, path string) (int, []byte, error) {
	body := ""
	if method != "GET" {
		body = "{}"
	}
	req, err := http.NewRequest(method, strings.TrimRight(d.address(), "/")+"/controller"+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	client := http.Client{Timeout: timeout, CheckRedirect: httpClient.CheckRedirect, Transport: httpClient.Transport}
	res, err := client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	return res.StatusCode, text, err
}
