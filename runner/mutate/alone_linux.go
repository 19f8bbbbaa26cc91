package mutate

import (
	"os/exec"
	"syscall"

	"sonde/runner/netns"
)

// startAlone starts a command in a network namespace of its own, where it and its
// children reach each other and nobody else. Over lets go of the namespace.
func startAlone(c *exec.Cmd) (over func(), err error) {
	n, err := netns.New()
	if err != nil {
		return nil, err
	}
	// The namespace's keeper leaves it to the command itself to end when it is asked to.
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGTERM) }
	entered, err := n.Enter(c)
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
	go n.Events(func(netns.Event) {}) // the keeper waits for those who do not listen
	err = n.Start("")
	if err != nil {
		_ = c.Process.Kill()
		_ = c.Wait() // it has not run
		n.Close()
		return nil, err
	}
	return func() { n.Close() }, nil
}
