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
	drained chan struct{} // closed when no process has its output open any more
	output  *os.File      // our end of its output
	guard   *os.File      // see guard; nil if there is none

	stopping atomic.Bool // its children may outlive it for a while
	over     sync.Once   // see kill
}

// grace is how long we wait for what the system should do at once: end a killed process, deliver
// its output, and end a process that has closed its connections.
const grace = 2 * time.Second

// launch starts a command in a process group of its own. Its output goes to the journal. If leave
// is set, its children outlive it.
func launch(args []string, at commandEnv, j *journal, leave bool) (*process, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p := &process{exited: make(chan struct{}), drained: make(chan struct{}), output: r}
	p.stopping.Store(leave)
	p.cmd = exec.Command(args[0], args[1:]...)
	p.cmd.Dir, p.cmd.Env = at.dir, append(os.Environ(), at.env...)
	p.cmd.Stdout, p.cmd.Stderr = w, w
	own(p.cmd)
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
		j.drain(r)
		r.Close()
		close(p.drained)
	}()
	return p, nil
}

// start starts the process, on a virtual network if enter is not nil.
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
	go p.live(started)
	begun := <-started
	err := entered(begun)
	if err != nil && begun == nil {
		kill(p.cmd.Process)
		<-p.exited
	}
	return err
}

// live waits for the process. It stays on one thread, because Linux takes the end of the thread
// that started a process for the end of its parent. If the process was not stopped by Sonde, its
// children are killed when it ends.
func (p *process) live(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	_ = p.cmd.Wait() // its ProcessState has the result
	if !p.stopping.Load() {
		kill(p.cmd.Process)
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

// endsWithin waits for the command to end.
func (p *process) endsWithin(d time.Duration) bool { return closes(p.exited, d) }

func closes(c <-chan struct{}, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-c:
		return true
	case <-timer.C:
		return false
	}
}

// how returns how the command ended: "exit status 3", "signal: killed".
func (p *process) how() string { return p.cmd.ProcessState.String() }

// stop asks the command and its children to end, and kills those that have not ended in time.
func (p *process) stop(s model.ShutdownOptions) {
	p.stopping.Store(true)
	limit := time.Now().Add(cmp.Or(s.Timeout, 5*time.Second))
	if !p.ended() && ask(p.cmd.Process, s.Signal) && p.endsWithin(time.Until(limit)) {
		// Some commands only start others, as "go run" does: their children may still
		// be ending.
		closes(p.drained, time.Until(limit))
	}
	p.kill()
}

// kill ends the command and its children at once, and waits until their output is read. It does so
// only once: later another process may have the process ID.
func (p *process) kill() {
	p.over.Do(func() {
		if !p.ended() || p.stopping.Load() {
			kill(p.cmd.Process)
		}
		p.guard.Close()
		p.endsWithin(grace)
		if !closes(p.drained, grace) {
			p.output.SetReadDeadline(time.Now()) // a process that left the group has it open
			<-p.drained
		}
	})
}

// quoted appends what a program printed to a text.
func quoted(before, words string) string {
	if words == "" {
		return ""
	}
	return fmt.Sprintf("%s%q", before, words)
}
