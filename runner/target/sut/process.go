package sut

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"sonde/model"
)

// process is a command with all of its children.
type process struct {
	cmd     *exec.Cmd
	exited  chan struct{} // closed when the command has ended
	drained chan struct{} // closed when the output has been read to its end
	output  *os.File      // the end of the output pipe from which Sonde reads
	guard   *os.File      // keeps the guard process alive while it is open; nil if there is no guard

	stopping atomic.Bool // if true, children are not killed when the command ends
	killed   sync.Once
}

// grace is how long Sonde waits for what should happen at once: a killed process ends, its output
// arrives, or a process that has closed its connections ends.
const grace = 2 * time.Second

// launch starts a command in a process group of its own and writes its output to l. If leave is true,
// the command's children may outlive the command.
func launch(args []string, at commandEnv, l *serviceLog, leave bool) (*process, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p := &process{exited: make(chan struct{}), drained: make(chan struct{}), output: r}
	p.stopping.Store(leave)
	p.cmd = exec.Command(args[0], args[1:]...)
	p.cmd.Dir, p.cmd.Env = at.dir, append(os.Environ(), at.env...)
	p.cmd.Stdout, p.cmd.Stderr = w, w
	setProcessGroup(p.cmd)
	err = p.start(at.enter)
	w.Close()
	if err != nil {
		r.Close()
		return nil, fmt.Errorf("cannot start %q: %w", args[0], err)
	}
	if !leave {
		p.guard = guard(p.cmd.Process)
	}
	go func() {
		l.drain(r)
		r.Close()
		close(p.drained)
	}()
	return p, nil
}

// start starts the process. If enter is not nil, it puts the process into a network; see commandEnv.enter.
func (p *process) start(enter func(*exec.Cmd) (func(error) error, error)) error {
	entered := func(started error) error { return started }
	if enter != nil {
		var err error
		entered, err = enter(p.cmd)
		if err != nil {
			return err
		}
	}
	started := make(chan error, 1)
	go p.run(started)
	begun := <-started
	err := entered(begun)
	if err != nil && begun == nil {
		killGroup(p.cmd.Process)
		<-p.exited
	}
	return err
}

// run starts the process, sends the result to started, and waits until the process ends. Then it kills the process's
// children, unless p.stopping is set. run stays on one thread, because Linux sends a process its parent-death signal
// when the thread that started the process ends.
func (p *process) run(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	_ = p.cmd.Wait() // the command's ProcessState has the result
	if !p.stopping.Load() {
		killGroup(p.cmd.Process)
	}
	close(p.exited)
}

// ended reports whether the command has ended. Its children may still run.
func (p *process) ended() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// endsWithin waits at most d for the command to end, and reports whether it has.
func (p *process) endsWithin(d time.Duration) bool { return closedWithin(p.exited, d) }

// closedWithin waits at most d for c to be closed, and reports whether it is.
func closedWithin(c <-chan struct{}, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-c:
		return true
	case <-timer.C:
		return false
	}
}

// exitState describes how the command ended, such as "exit status 3" or "signal: killed".
func (p *process) exitState() string { return p.cmd.ProcessState.String() }

// stop asks the command and its children to end, waits at most for the timeout, and then kills those that still run.
func (p *process) stop(s model.ShutdownOptions) {
	p.stopping.Store(true)
	limit := time.Now().Add(cmp.Or(s.Timeout, 5*time.Second))
	if !p.ended() && signalGroup(p.cmd.Process, s.Signal) && p.endsWithin(time.Until(limit)) {
		// The children of a command that only starts another, such as "go run", may still be ending.
		closedWithin(p.drained, time.Until(limit))
	}
	p.kill()
}

// kill ends the command and its children at once, and waits until their output is read. Only the first call of kill
// has an effect, because another process may have the process ID later.
func (p *process) kill() {
	p.killed.Do(func() {
		if !p.ended() || p.stopping.Load() {
			killGroup(p.cmd.Process)
		}
		p.guard.Close()
		p.endsWithin(grace)
		if !closedWithin(p.drained, grace) {
			p.output.SetReadDeadline(time.Now()) // a process that left the group still has the output open
			<-p.drained
		}
	})
}

// quoted returns the text before, followed by words in quotes. It returns "" if words is empty.
func quoted(before, words string) string {
	if words == "" {
		return ""
	}
	return fmt.Sprintf("%s%q", before, words)
}
