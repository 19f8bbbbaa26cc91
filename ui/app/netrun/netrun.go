// Package netrun runs any command on a virtual network, whose hosts answer from stubs.
package netrun

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"time"

	"sonde/model"
	"sonde/runner/network/netns"
	"sonde/runner/network/netsim"
)

// Options are the options of Run.
type Options struct {
	Command []string
	// Network has the stubs, the hosts that stay real, and the name and the interfaces of the machine.
	Network *model.VirtualNetwork
	// Ports are ports on which the command listens. Clients on this machine reach them at 127.0.0.1.
	Ports []int
	In    io.Reader
	// Out and Err get the output of the command.
	Out, Err io.Writer
	// IsInteractive reports whether In is a terminal. The keys of a terminal, such as Ctrl-C, send signals to the
	// command as well as to this process.
	IsInteractive bool
	// Contact is called for each contact of the command with the network, one at a time. It must return quickly.
	Contact func(model.Contact)
}

// Ground returns how a command gets the network on this machine: by a network namespace, or by a proxy. For a proxy,
// why is the reason why there is no network namespace; otherwise why is nil.
func Ground() (g model.NetworkGround, why error) {
	if why = netns.CheckSupport(); why != nil {
		return model.GroundProxy, why
	}
	return model.GroundNamespace, nil
}

// stopTimeout is how long a command may take to end after Run was cancelled.
const stopTimeout = 5 * time.Second

// Run runs a command and returns its exit code. If a signal has ended the command, the code is 128 plus the number of
// the signal, as in a shell. If ctx is cancelled, Run asks the command to end, and kills it after stopTimeout. See
// prepareSignals for commands on a terminal.
func Run(ctx context.Context, o Options) (code int, err error) {
	for _, stub := range o.Network.Stubs {
		if stub.Inward {
			return 0, fmt.Errorf("the stub of %q calls the command, which hosts do only in the tests of a search: leave it out", stub.Host)
		}
	}
	n, err := netsim.New(netsim.Options{
		Ground:     o.Network.Ground,
		Allow:      o.Network.Allow,
		Stubs:      o.Network.PermanentStubs(),
		Hostname:   o.Network.Hostname,
		Interfaces: o.Network.Interfaces,
		Observe:    o.Contact,
	})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, n.Close()) }()
	for _, port := range o.Ports {
		n.BindPort(port, port)
	}
	ctx, prepare, stop := prepareSignals(ctx, o.IsInteractive)
	defer stop()
	c := exec.CommandContext(ctx, o.Command[0], o.Command[1:]...)
	c.Stdin, c.Stdout, c.Stderr = o.In, o.Out, o.Err
	c.WaitDelay = stopTimeout
	prepare(c)
	// Linux kills the command when the thread that started it ends.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	entered, err := n.PrepareCommand(c)
	if err != nil {
		return 0, err
	}
	err = entered(c.Start())
	if err != nil {
		if c.Process != nil {
			_ = c.Process.Kill()
			_ = c.Wait() // it was killed
		}
		return 0, fmt.Errorf("cannot start %q: %w", o.Command[0], err)
	}
	err = c.Wait()
	if _, ended := errors.AsType[*exec.ExitError](err); ended || ctx.Err() != nil {
		err = nil
	}
	n.ProcessEnded()
	return exitCode(c.ProcessState), err
}
