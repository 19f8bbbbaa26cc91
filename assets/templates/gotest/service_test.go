package gotest

import (
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

// program is a service that the tests start. {port} is its port.
type program struct {
	base    string   // its URL
	port    int      // 0 takes a free one at each start
	command []string // it must stay in the foreground
	dir     string   // the folder in which it starts, relative to that of this file
	env     []string // NAME=value; ${OTHER} in it is an environment variable
	// It is ready when GET readyAt is answered with readyWith, or below 500 if that is
	// 0. Without readyAt it is ready when its port is open.
	readyAt     string
	readyWith   int
	readyWithin time.Duration
	stopBy      syscall.Signal
	stopWithin  time.Duration
	// prepare is called before the service is started on a port.
	prepare func(cmd *exec.Cmd, port int) error

	mu      sync.Mutex
	over    bool        // it must not start any more
	process *os.Process // nil if it does not run
	exited  chan struct{}
	drained chan struct{} // closed when all output has been read
	how     string        // how it exited
	printed journal
}

// around runs the tests with the service, unless SONDE_BASE_URL names one.
func (p *program) around(m *testing.M) int {
	if os.Getenv("SONDE_BASE_URL") != "" {
		return m.Run()
	}
	if binary := os.Getenv("SONDE_BINARY"); binary != "" && p.prepare == nil {
		p.command = instead(p.command, binary)
	}
	p.leaveNothing()
	defer p.end()
	if err := p.start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// leaveNothing stops the service if the tests are interrupted, or just before they run out of time.
func (p *program) leaveNothing() {
	quit := func(why string) {
		p.mu.Lock()
		p.over = true
		p.mu.Unlock()
		p.tell(syscall.SIGKILL)
		fmt.Fprintln(os.Stderr, why)
		os.Exit(1)
	}
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-interrupted
		quit("the tests were interrupted")
	}()
	flag.Parse()
	limit, _ := flag.Lookup("test.timeout").Value.(flag.Getter).Get().(time.Duration)
	if limit > 0 {
		// At the limit, package testing ends the tests without stopping the service.
		early := limit / 10
		if early > time.Second {
			early = time.Second
		}
		time.AfterFunc(limit-early, func() {
			quit(fmt.Sprintf("the tests ran out of time: -timeout is %v; -v shows which was running", limit))
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
	if happens(p.exited, 0) {
		p.restart(t)
	}
	p.printed.forget()
	t.Cleanup(func() {
		if t.Failed() {
			// Its last output may be on its way.
			if happens(p.drained, 100*time.Millisecond) && happens(p.exited, time.Second) {
				t.Logf("the service ended: %s", p.how)
			}
			t.Logf("the service printed:\n%s", p.printed.safe())
		}
	})
}

// restart brings the service back to its first state by starting it again.
func (p *program) restart(t *testing.T) {
	t.Helper()
	if p.exited == nil {
		t.Log("the service of SONDE_BASE_URL is not restarted: the tests may disturb each other")
		return
	}
	p.end()
	if err := p.start(); err != nil {
		t.Fatal(err)
	}
}

// start starts the service and waits until it is ready. If the service exits at once, another process may
// have taken its port. Unless the port is fixed, start then tries two more.
func (p *program) start() error {
	for tries := 3; ; tries-- {
		ended, err := p.startOnce()
		if err == nil || tries == 1 || p.port != 0 || !ended {
			return err
		}
	}
}

// startOnce also reports whether the service ended by itself before it was ready.
func (p *program) startOnce() (ended bool, err error) {
	port := p.port
	if port == 0 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return false, fmt.Errorf("no port for the service: %v", err)
		}
		port = l.Addr().(*net.TCPAddr).Port
		l.Close()
	}
	cmd, err := command(p.dir, p.env, port, p.command)
	if err == nil && p.prepare != nil {
		err = p.prepare(cmd, port)
	}
	if err != nil {
		return false, fmt.Errorf("the service cannot be started: %v", err)
	}
	defaultURL = strings.ReplaceAll(p.base, "{port}", strconv.Itoa(port))
	if err := p.launch(cmd); err != nil {
		return false, fmt.Errorf("the service cannot be started: %v", err)
	}
	if err := p.await(); err != nil {
		ended = happens(p.exited, 0)
		p.end()
		return ended, fmt.Errorf("the service %q %v; it printed:\n%s", p.command, err, p.printed.safe())
	}
	return false, nil
}

// launch runs the service in a process group of its own, so that the processes that it
// starts can be stopped with it.
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

// startProcess starts the process of the service, unless the tests are over. If they are interrupted meanwhile, they stop it.
func (p *program) startProcess(cmd *exec.Cmd) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
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
	p.printed.forget()
	go func() {
		io.Copy(&p.printed, output)
		output.Close()
		close(drained)
	}()
	go func() {
		cmd.Wait()
		p.how = cmd.ProcessState.String()
		close(exited)
	}()
}

// await waits until the service is ready. The text of its error follows the name of the service.
func (p *program) await() error {
	for limit := time.Now().Add(p.readyWithin); ; time.Sleep(20 * time.Millisecond) {
		err := p.ready()
		switch {
		case happens(p.exited, 0):
			return fmt.Errorf("ended before it was ready: %s", p.how)
		case err == nil:
			return nil
		case time.Now().After(limit):
			return fmt.Errorf("was not ready within %v: %v", p.readyWithin, err)
		}
	}
}

// ready returns why the service cannot be called yet.
func (p *program) ready() error {
	base, err := url.Parse(defaultURL)
	if err != nil {
		return err
	}
	conn, err := net.DialTimeout("tcp", base.Host, time.Second)
	if err != nil {
		return fmt.Errorf("nothing listens at %s", base.Host)
	}
	conn.Close()
	if p.readyAt == "" {
		return nil
	}
	client := http.Client{Timeout: 5 * time.Second, CheckRedirect: httpClient.CheckRedirect, Transport: httpClient.Transport}
	res, err := client.Get(strings.TrimRight(defaultURL, "/") + p.readyAt)
	if err != nil {
		return fmt.Errorf("GET %s got no answer", p.readyAt)
	}
	res.Body.Close()
	if p.readyWith == 0 && res.StatusCode >= 500 || p.readyWith != 0 && p.readyWith != res.StatusCode {
		return fmt.Errorf("GET %s answered %d", p.readyAt, res.StatusCode)
	}
	return nil
}

// end stops the service and its processes, and kills those that do not stop.
func (p *program) end() {
	limit := time.Now().Add(p.stopWithin)
	if p.tell(p.stopBy) == nil && happens(p.exited, time.Until(limit)) {
		happens(p.drained, time.Until(limit)) // its processes may still be stopping
	}
	if p.tell(syscall.SIGKILL) == nil {
		happens(p.exited, 2*time.Second)
		happens(p.drained, 2*time.Second)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.process = nil
}

// tell sends a signal to the service and its processes.
func (p *program) tell(s syscall.Signal) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.process == nil:
		return errors.New("it does not run")
	case runtime.GOOS != "windows":
		group, err := os.FindProcess(-p.process.Pid) // a negative number is a group's
		if err != nil {
			return err
		}
		return group.Signal(s)
	case s == syscall.SIGKILL:
		return exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(p.process.Pid)).Run()
	}
	return errors.New("no such signal here")
}
