package sut

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"sonde/model"
	"sonde/runner/target/client"
)

// started is a service that Sonde starts.
type started struct {
	plan    model.Plan
	options Options
	log     *serviceLog
	process *process // nil if the service was not started
	stopped bool

	at     commandEnv
	client *client.Client
	reset  *resetter
}

// newStarted checks the service of a plan and gives the service a port.
func newStarted(p model.Plan, o Options) (*started, error) {
	p.BaseURL = cmp.Or(p.BaseURL, "http://127.0.0.1:"+model.PortPlaceholder)
	if err := check(p, o); err != nil {
		return nil, err
	}
	if dir := p.Service.Dir; dir != "" {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("the service's folder %q does not exist: name another", dir)
		}
	}
	s := &started{plan: p, options: o}
	return s, s.assignPort()
}

// check returns an error of one line if the service of a plan is not valid.
func check(p model.Plan, o Options) error {
	s := p.Service
	_, known := signals[s.Stop.Signal]
	switch {
	case len(s.Command) == 0 || s.Command[0] == "":
		return errors.New("the service has no command: give its start command")
	case !known:
		return fmt.Errorf("signal %q cannot stop a service: use TERM, INT, HUP, QUIT or KILL", s.Stop.Signal)
	case s.Port < 0 || s.Port > 65535:
		return fmt.Errorf("%d is not a port: leave it out to use a free one", s.Port)
	case s.Port > 0 && o.Copy > 0 && o.Network == nil:
		return fmt.Errorf(
			"only one copy of the service can have port %d: leave the port out and put %s into its command",
			s.Port, model.PortPlaceholder,
		)
	case s.Port == 0 && !strings.Contains(p.BaseURL, model.PortPlaceholder):
		return fmt.Errorf("base URL %q has no %s, and the service has no fixed port: give one of them", p.BaseURL, model.PortPlaceholder)
	case s.Ready.Timeout < 0 || s.Stop.Timeout < 0:
		return errors.New("a timeout of the service is negative: leave it out, or give a longer one")
	}
	return nil
}

// assignPort sets the port of the service, and what depends on the port: the environment, the
// resetter and the client.
func (s *started) assignPort() (err error) {
	port := s.plan.Service.Port
	if !s.fixed() {
		port, err = reserve()
		if err != nil {
			return err
		}
	}
	s.at, err = commandEnvOf(s.plan.Service, port)
	if err == nil {
		s.at.env = append(s.at.env, s.options.Env...)
		s.reset, err = newResetter(s.plan, s.at.forCommands(), s.options.Clean)
	}
	if err == nil {
		s.client, err = client.New(s.at.externalURL(s.plan.BaseURL), s.options.Client)
	}
	if err != nil {
		release(port)
	}
	return err
}

// fixed reports whether the service can be called only at the port of its plan.
func (s *started) fixed() bool { return s.plan.Service.Port > 0 && s.options.Network == nil }

func (s *started) Start(ctx context.Context) (err error) {
	if s.log == nil {
		s.log, err = openLog(s.logPath(), secretMatcher(s.plan), s.plan.Resume != nil)
		if err != nil {
			return err
		}
	}
	return s.startOnFreePort(ctx)
}

// maxPorts is the number of ports on which startOnFreePort tries to start the service.
const maxPorts = 3

// startOnFreePort starts the process and waits until the service is ready. If another program has taken the port and
// the port is not fixed, it tries other ports, at most maxPorts in all; each has a new client.
func (s *started) startOnFreePort(ctx context.Context) error {
	for tried := 1; ; tried++ {
		var taken *portTaken
		err := s.begin(ctx)
		if s.fixed() || tried == maxPorts || !errors.As(err, &taken) {
			return err
		}
		release(s.at.port)
		s.client.Close()
		if err := s.assignPort(); err != nil {
			return err
		}
	}
}

// logPath returns the path of this copy's log, such as "service-2.log" for the second copy.
func (s *started) logPath() string {
	path := s.plan.Service.Log
	if path == "" || s.options.Copy == 0 {
		return path
	}
	ext := filepath.Ext(path)
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(path, ext), s.options.Copy+1, ext)
}

// portTaken is the error of a port on which another program listens.
type portTaken struct {
	port  int
	cause error // the error of the service, nil if the service was not started
}

func (p *portTaken) Error() string {
	if p.cause != nil {
		return fmt.Sprintf("%v; another program listens on port %d", p.cause, p.port)
	}
	return fmt.Sprintf("port %d is in use: stop the program that listens there, or give the service no fixed port", p.port)
}

// begin starts the process and waits until the service is ready.
func (s *started) begin(ctx context.Context) (err error) {
	if n := s.options.Network; n != nil {
		n.ProcessEnded()
	}
	if !free(s.at.port) {
		return &portTaken{port: s.at.port}
	}
	args := s.at.args(s.plan.Service.Command)
	s.log.begin(fmt.Sprintf("started on port %d: %s", s.at.port, strings.Join(s.plan.Service.Command, " ")))
	err = s.launch(args)
	if err != nil {
		return err
	}
	err = s.waitUntilReady(ctx)
	if err == nil && s.cleans() {
		err = s.reset.run(ctx, s.client) // the rows of now are those of the first state, unless the service was restarted
	}
	if err == nil {
		return nil
	}
	ended := s.process.ended()
	s.process.kill()
	if ended && !free(s.at.port) {
		return &portTaken{s.at.port, err}
	}
	return err
}

// cleans reports whether the reset cleans databases.
func (s *started) cleans() bool { return s.reset != nil && s.reset.reset.Clean }

// launch starts the process, on its virtual network if it has one.
func (s *started) launch(args []string) (err error) {
	at := s.at
	if n := s.options.Network; n != nil {
		n.BindPort(at.listenPort, at.port)
		at.enter = n.PrepareCommand
	}
	s.log.maskIssued(cmp.Or(s.options.users, s.client).MaskOutput)
	s.process, err = launch(args, at, s.log, false)
	return err
}

func (s *started) Client() *client.Client { return s.client }
func (s *started) CanReset() bool         { return s.reset != nil }

func (s *started) ResetCost() int {
	if s.CanReset() && s.reset.reset.Restart && s.plan.Service.Ready.Path != "" {
		return 1
	}
	return s.reset.cost()
}

func (s *started) Reset(ctx context.Context) error {
	if !s.CanReset() || !s.reset.reset.Restart {
		return s.reset.run(ctx, s.client)
	}
	s.end()
	err := s.startOnFreePort(ctx)
	if err != nil && ctx.Err() == nil && !errors.Is(err, client.ErrBudget) {
		return &ResetError{s.reset.reset, "failed: " + err.Error()}
	}
	return err
}

// Restart kills the process, without asking it to end, and starts another.
func (s *started) Restart(ctx context.Context) error {
	if s.process != nil {
		s.process.kill()
	}
	return s.startOnFreePort(ctx)
}

func (s *started) Stop() {
	if s.stopped { // another service may have the port
		return
	}
	s.stopped = true
	if s.cleans() && s.process != nil && !s.process.ended() {
		_ = s.reset.run(context.Background(), s.client) // an error leaves rows of the last test
	}
	s.end()
	s.client.Close()
	if s.log != nil {
		s.log.close()
	}
	release(s.at.port)
}

// end stops the process, if there is one.
func (s *started) end() {
	if s.process != nil {
		s.process.stop(s.plan.Service.Stop)
	}
}
