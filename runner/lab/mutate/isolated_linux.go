package mutate

import (
	"os/exec"
	"syscall"

	"sonde/runner/network/netns"
)

// startIsolated starts a command in a network namespace of its own, where it and its
// children reach only each other. release releases the namespace.
func startIsolated(c *exec.Cmd) (release func(), err error) {
	n, err := netns.New()
	if err != nil {
		return nil, err
	}
	// The signal goes to the command itself: the namespace's keeper does not forward it.
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGTERM) }
	entered, err := n.PrepareCommand(c)
	if err != nil {
		n.Close()
		return nil, err
	}
	err = c.Start()
	entered()
	if err != nil {
		n.Close()
		return nil, err
	}
	go n.HandleEvents(func(netns.Event) {}) // the keeper blocks unless its events are read
	err = n.Start("")
	if err != nil {
		_ = c.Process.Kill()
		_ = c.Wait() // an error only says that the process was killed
		n.Close()
		return nil, err
	}
	return func() { n.Close() }, nil
}
