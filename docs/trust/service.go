package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"go.yaml.in/yaml/v4"
)

// service is a service under trial. In Run and Env, {port} is replaced by a free port, {tools} by
// the folder of tools, {dir} by the folder of the list, and {data} by a folder for the service's
// data, which is empty in a new copy.
type service struct {
	Name   string            `yaml:"name"`
	Config string            `yaml:"config"` // sonde.yaml, relative to the list
	Run    []string          `yaml:"run"`
	Env    map[string]string `yaml:"env"`
	Ready  string            `yaml:"ready"` // a path that answers once the service is ready
	Base   string            `yaml:"base"`  // path that follows host and port in the URL that is searched
	// Secrets are the values of the ${NAME} in the configuration. They are secrets of test services
	// only.
	Secrets map[string]string `yaml:"secrets"`
	// Planted are the known faults of the service, as "GET /path oracle".
	Planted []string `yaml:"planted"`

	dir, tools string
}

// readServices reads a list of services.
func readServices(file, tools string) ([]service, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var all struct {
		Services []service `yaml:"services"`
	}
	if err := yaml.Unmarshal(data, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return nil, err
	}
	tools, err = filepath.Abs(tools)
	if err != nil {
		return nil, err
	}
	for i := range all.Services {
		s := &all.Services[i]
		if s.Name == "" || len(s.Run) == 0 || s.Config == "" {
			return nil, fmt.Errorf("%s: service %d needs a name, a config and a run", file, i+1)
		}
		s.dir, s.tools = dir, tools
	}
	return all.Services, nil
}

// secrets returns the environment of this process with the service's secrets added.
func (s service) secrets() []string {
	env := os.Environ()
	for name, value := range s.Secrets {
		env = append(env, name+"="+value)
	}
	return env
}

// writeConfig writes the service's configuration to a file, with an absolute path of the spec, and with or
// without the reset.
func (s service) writeConfig(to, way string) error {
	from := filepath.Join(s.dir, s.Config)
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	var config map[string]any
	if err := yaml.Unmarshal(data, &config); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	if spec, ok := config["spec"].(string); ok {
		config["spec"] = filepath.Join(filepath.Dir(from), spec)
	}
	if way == withoutReset {
		delete(config, "reset")
	}
	data, err = yaml.Marshal(config)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}

// process is a running copy of a service.
type process struct {
	url  string
	cmd  *exec.Cmd
	done chan struct{}
}

// start starts the service with its data in a folder and waits until it answers.
func (s service) start(ctx context.Context, data, log string) (*process, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(data, 0o700); err != nil {
		return nil, err
	}
	fill := strings.NewReplacer("{port}", strconv.Itoa(port), "{tools}", s.tools, "{dir}", s.dir, "{data}", data)
	args := make([]string, len(s.Run))
	for i, arg := range s.Run {
		args[i] = fill.Replace(arg)
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env = s.dir, s.secrets()
	for name, value := range s.Env {
		cmd.Env = append(cmd.Env, name+"="+fill.Replace(value))
	}
	out, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{url: "http://127.0.0.1:" + strconv.Itoa(port), cmd: cmd, done: make(chan struct{})}
	go func() {
		cmd.Wait() // done reports the end
		close(p.done)
	}()
	if err := p.wait(ctx, s.Ready); err != nil {
		p.stop()
		return nil, fmt.Errorf("%w: see %s", err, log)
	}
	return p, nil
}

// startLimit is how long a service may take to start, even on a busy machine.
const startLimit = 2 * time.Minute

// wait waits until the service answers a request with any status. It is an error if the service ends, or
// does not answer within startLimit.
func (p *process) wait(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	for tick := time.NewTicker(50 * time.Millisecond); ; {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url+path, nil)
		if err != nil {
			return err
		}
		if answer, err := http.DefaultClient.Do(req); err == nil {
			answer.Body.Close()
			return nil
		}
		select {
		case <-p.done:
			return errors.New("the service ended before it answered")
		case <-ctx.Done():
			return fmt.Errorf("the service didn't answer: %w", ctx.Err())
		case <-tick.C:
		}
	}
}

// stop stops the service by SIGTERM, or by SIGKILL if the service does not end within 10 seconds.
func (p *process) stop() {
	p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.done:
	case <-time.After(10 * time.Second):
		p.cmd.Process.Kill()
		<-p.done
	}
	http.DefaultClient.CloseIdleConnections()
}

// freePort returns a port that nothing listened on a moment ago.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
