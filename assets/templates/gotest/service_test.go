package gotest

import (
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// program is a service, or its driver, that the tests start. {port} in base, command and env means its port.
type program struct {
	base    string   // the URL of the service
	port    int      // 0 means a free port at each start
	command []string // the command must stay in the foreground
	dir     string   // the folder in which the service starts, relative to the folder of this file
	env     []string // NAME=value; ${OTHER} in the value means an environment variable
	// The service is ready when it answers GET readyPath with readyStatus. If readyStatus is 0, any status below 500
	// will do. If readyPath is "", the service is ready when its port is open.
	readyPath    string
	readyStatus  int
	readyTimeout time.Duration
	stopSignal   syscall.Signal
	stopTimeout  time.Duration
	// prepare is called before the service is started on a port.
	prepare func(cmd *exec.Cmd, port int) error
	// onStart is called before each start of the service, and onQuit if the tests are interrupted. Both may be nil.
	onStart  func()
	onQuit   func()
	onStop   func() // called before the service is stopped; may be nil
	tempDir  string // a folder that is removed if the tests are interrupted; may be ""
	isDriver bool   // the program is a driver, which reports the URL of the service

	url        string // base with the port of the last start
	mu         sync.Mutex
	isShutDown bool        // the service must not start any more
	process    *os.Process // nil if the service does not run
	exited     chan struct{}
	drained    chan struct{} // closed when all output has been read
	exitStatus string        // how the service exited
	output     outputTail
}

// runTests starts the service and runs the tests. If SONDE_BASE_URL is set, it starts no service.
func (p *program) runTests(m *testing.M) int {
	if os.Getenv("SONDE_BASE_URL") != "" {
		return m.Run()
	}
	if binary := os.Getenv("SONDE_BINARY"); binary != "" && p.prepare == nil {
		p.command = replaceProgram(p.command, binary)
	}
	p.stopOnInterrupt()
	defer p.stop()
	if err := p.start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// stopOnInterrupt stops the service if the tests are interrupted, or just before the tests run out of time.
func (p *program) stopOnInterrupt() {
	quit := func(patience time.Duration, why string) {
		p.mu.Lock()
		p.isShutDown = true
		p.mu.Unlock()
		if p.onQuit != nil {
			done := make(chan bool)
			go func() {
				p.onQuit()
				close(done)
			}()
			select {
			case <-done:
			case <-time.After(patience):
			}
		}
		p.signal(syscall.SIGKILL)
		if p.tempDir != "" {
			os.RemoveAll(p.tempDir)
		}
		fmt.Fprintln(os.Stderr, why)
		os.Exit(1)
	}
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-interrupted
		quit(5*time.Second, "the tests were interrupted")
	}()
	flag.Parse()
	timeout, _ := flag.Lookup("test.timeout").Value.(flag.Getter).Get().(time.Duration)
	if timeout > 0 {
		// At the limit, package testing ends the tests without stopping the service.
		margin := timeout / 10
		if margin > time.Second {
			margin = time.Second
		}
		time.AfterFunc(timeout-margin, func() {
			quit(margin/2, fmt.Sprintf("the tests ran out of time: -timeout is %v; -v shows which was running", timeout))
		})
	}
}

// begin shows the output of the service during a test if the test fails. If the service has exited, begin
// starts it again.
func (p *program) begin(t *testing.T) {
	t.Helper()
	if p.exited == nil {
		return // the tests did not start the service
	}
	if waitFor(p.exited, 0) {
		p.restart(t)
	}
	p.output.reset()
	t.Cleanup(func() {
		if t.Failed() {
			// The last output of the service may not have been read yet.
			if waitFor(p.drained, 100*time.Millisecond) && waitFor(p.exited, time.Second) {
				t.Logf("%s ended: %s", p.noun(), p.exitStatus)
			}
			t.Logf("%s printed:\n%s", p.noun(), p.output.printable())
		}
	})
}

// restart stops the service and starts it again, which brings the service back to its first state. It only logs a
// message if the tests did not start the service.
func (p *program) restart(t *testing.T) {
	t.Helper()
	if p.exited == nil {
		t.Log("the service of SONDE_BASE_URL is not restarted: the tests may disturb each other")
		return
	}
	p.stop()
	if err := p.start(); err != nil {
		t.Fatal(err)
	}
}

// noun returns "the service" or "the driver", for messages about the program.
func (p *program) noun() string {
	if p.isDriver {
		return "the driver"
	}
	return "the service"
}

// start starts the service and waits until it is ready. If the service ends before that, another process may have
// taken the service's port: unless the port is fixed, start tries again with two more ports.
func (p *program) start() error {
	for tries := 3; ; tries-- {
		ended, err := p.startOnce()
		if err == nil || tries == 1 || p.port != 0 || !ended {
			return err
		}
	}
}

// startOnce starts the service once. ended reports whether the service ended by itself before it was ready.
func (p *program) startOnce() (ended bool, err error) {
	port := p.port
	if port == 0 {
		if port, err = freePort(); err != nil {
			return false, fmt.Errorf("no port for %s: %v", p.noun(), err)
		}
	}
	if p.onStart != nil {
		p.onStart()
	}
	cmd, err := command(p.dir, p.env, port, p.command)
	if err == nil && p.prepare != nil {
		err = p.prepare(cmd, port)
	}
	if err != nil {
		return false, fmt.Errorf("%s cannot be started: %v", p.noun(), err)
	}
	p.url = strings.ReplaceAll(p.base, "{port}", strconv.Itoa(port))
	if !p.isDriver {
		defaultURL = p.url
	}
	if err := p.launch(cmd); err != nil {
		return false, fmt.Errorf("%s cannot be started: %v", p.noun(), err)
	}
	if err := p.awaitReady(); err != nil {
		ended = waitFor(p.exited, 0)
		p.stop()
		return ended, fmt.Errorf("%s %q %v; it printed:\n%s", p.noun(), p.command, err, p.output.printable())
	}
	return false, nil
}

// freePort returns a port on which no program listens. It is below the ports that operating systems choose by
// themselves, for example for outgoing connections, so that no other program takes the port before the service does.
func freePort() (port int, err error) {
	for i := 0; i < 100; i++ {
		var b [2]byte
		if _, err := rand.Read(b[:]); err != nil {
			return 0, err
		}
		port = 20_000 + (int(b[0])<<8|int(b[1]))%12_000
		l, listenErr := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if listenErr == nil {
			return port, l.Close()
		}
		err = listenErr
	}
	return 0, err
}

// launch runs the service in a process group of its own, so that processes that the service starts can be stopped
// together with the service.
func (p *program) launch(cmd *exec.Cmd) error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = w, w, &syscall.SysProcAttr{}
	if group := reflect.ValueOf(cmd.SysProcAttr).Elem().FieldByName("Setpgid"); group.IsValid() {
		group.SetBool(true) // a field that Windows does not have
	}
	err = p.startProcess(cmd)
	w.Close()
	for _, f := range cmd.ExtraFiles {
		f.Close()
	}
	if err != nil {
		r.Close()
		return err
	}
	p.watch(cmd, r)
	return nil
}

// startProcess starts the process of the service. It returns an error if the tests are over. It holds the mutex, so
// that an interrupt during the start also stops the new process.
func (p *program) startProcess(cmd *exec.Cmd) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.isShutDown {
		return errors.New("the tests are over")
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	p.process = cmd.Process
	return nil
}

// watch records the output of the service and its exit.
func (p *program) watch(cmd *exec.Cmd, output io.ReadCloser) {
	exited, drained := make(chan struct{}), make(chan struct{})
	p.exited, p.drained = exited, drained
	p.output.reset()
	go func() {
		io.Copy(&p.output, output)
		output.Close()
		close(drained)
	}()
	go func() {
		cmd.Wait()
		p.exitStatus = cmd.ProcessState.String()
		close(exited)
	}()
}

// awaitReady waits until the service is ready. The text of an error continues a sentence that begins with the name of
// the service.
func (p *program) awaitReady() error {
	for deadline := time.Now().Add(p.readyTimeout); ; time.Sleep(20 * time.Millisecond) {
		err := p.checkReady()
		switch {
		case waitFor(p.exited, 0):
			return fmt.Errorf("ended before it was ready: %s", p.exitStatus)
		case err == nil:
			return nil
		case time.Now().After(deadline):
			return fmt.Errorf("was not ready within %v: %v", p.readyTimeout, err)
		}
	}
}

// checkReady returns an error that says why the service is not ready, or nil if it is ready.
func (p *program) checkReady() error {
	base, err := url.Parse(p.url)
	if err != nil {
		return err
	}
	conn, err := net.DialTimeout("tcp", base.Host, time.Second)
	if err != nil {
		return fmt.Errorf("nothing listens at %s", base.Host)
	}
	conn.Close()
	if p.readyPath == "" {
		return nil
	}
	client := http.Client{Timeout: 5 * time.Second, CheckRedirect: httpClient.CheckRedirect, Transport: httpClient.Transport}
	res, err := client.Get(strings.TrimRight(p.url, "/") + p.readyPath)
	if err != nil {
		return fmt.Errorf("GET %s got no answer", p.readyPath)
	}
	res.Body.Close()
	if p.readyStatus == 0 && res.StatusCode >= 500 || p.readyStatus != 0 && p.readyStatus != res.StatusCode {
		return fmt.Errorf("GET %s answered %d", p.readyPath, res.StatusCode)
	}
	return nil
}

// stop stops the service and the processes that it started. It kills those that do not stop within stopTimeout.
func (p *program) stop() {
	if p.onStop != nil {
		p.onStop()
	}
	deadline := time.Now().Add(p.stopTimeout)
	if p.signal(p.stopSignal) == nil && waitFor(p.exited, time.Until(deadline)) {
		waitFor(p.drained, time.Until(deadline)) // processes that the service started may still be stopping
	}
	if p.signal(syscall.SIGKILL) == nil {
		waitFor(p.exited, 2*time.Second)
		waitFor(p.drained, 2*time.Second)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.process = nil
}

// signal sends a signal to the service and the processes that it started.
func (p *program) signal(sig syscall.Signal) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.process == nil:
		return errors.New("it does not run")
	case runtime.GOOS != "windows":
		group, err := os.FindProcess(-p.process.Pid) // a negative number means the process group
		if err != nil {
			return err
		}
		return group.Signal(sig)
	case sig == syscall.SIGKILL:
		return exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(p.process.Pid)).Run()
	}
	return errors.New("no such signal here")
}
