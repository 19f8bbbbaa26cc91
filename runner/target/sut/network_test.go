package sut

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"sonde/model"
)

// around is a network that records the calls of its methods. If wrong is not nil, each process of the service gets
// this error when it enters the network.
type around struct {
	calls []string
	wrong error
}

func (a *around) BindPort(port, real int) {
	a.calls = append(a.calls, fmt.Sprintf("bind %t", port == real))
}
func (a *around) ProcessEnded() { a.calls = append(a.calls, "leave") }

func (a *around) PrepareCommand(c *exec.Cmd) (func(error) error, error) {
	a.calls = append(a.calls, "enter")
	c.Env = append(c.Environ(), "SECRET=from the network")
	return func(started error) error {
		a.calls = append(a.calls, fmt.Sprintf("entered %v", started))
		return errors.Join(started, a.wrong)
	}, nil
}

// Each process of a service enters the network after the previous process has left it.
func TestNetwork(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts a service twice")
	}
	a := &around{}
	s := open(t, model.Plan{Service: service(t)}, Options{Network: a})
	if err := s.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := about(t, s)["secret"]; got != "from the network" {
		t.Errorf("its environment has %q", got)
	}
	if err := s.Restart(context.Background()); err != nil {
		t.Fatal(err)
	}
	once := "leave, bind true, enter, entered <nil>"
	if got := strings.Join(a.calls, ", "); got != once+", "+once {
		t.Errorf("told %s", got)
	}
}

// A process that cannot enter its network is killed.
func TestNoNetwork(t *testing.T) {
	a := &around{wrong: errors.New("no room")}
	s := open(t, model.Plan{Service: service(t)}, Options{Network: a})
	if err := s.Start(context.Background()); err == nil || !strings.HasSuffix(err.Error(), "no room") {
		t.Errorf("started: %v", err)
	}
	p := model.Plan{Service: &model.Service{Command: []string{"/no/such/command"}}}
	if err := open(t, p, Options{Network: a}).Start(context.Background()); err == nil ||
		!strings.Contains(err.Error(), "/no/such/command") {
		t.Errorf("started: %v", err)
	}
}
