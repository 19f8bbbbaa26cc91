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
	drained chan struct{} // closed when nobody holds its output any more
	output  *os.File      // what we read of it
	guard   *os.File      // see guard; nil where there is none

	stopping atomic.Bool // its end does not mean that of its children at once
	over     sync.Once   // see kill
}

// How long we wait for what the system should do at once: for a killed process
// to be gone, for what it printed to be read, for one that has closed its
// connections to end.
const grace = 2 * time.Second

// launch starts a command in a process group of its own. What it prints goes to
// the journal. Where it is to leave its children, they outlive it.
func launch(args []string, at place, j *journal, leave bool) (*process, error) {
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

// start starts the process, on a network if it is to enter one.
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

// live is the process's life. It stays on one thread, because Linux takes the
// end of the thread that started a process for the end of its parent. Children
// of a process that nobody asked to end die with it.
func (p *process) live(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	_ = p.cmd.Wait() // how it ended is in its ProcessState
	if !p.stopping.Load() {
		kill(p.cmd.Process)
	}
	close(p.exited)
}

// ended reports whether the command has ended. Children of it may go on.
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

// how tells how the command ended: "exit status 3", "signal: killed".
func (p *process) how() string { return p.cmd.ProcessState.String() }

// stop asks the command and its children to end, and kills what has not ended
// in time.
func (p *process) stop(s model.ShutdownOptions) {
	p.stopping.Store(true)
	limit := time.Now().Add(cmp.Or(s.Timeout, 5*time.Second))
	if !p.ended() && ask(p.cmd.Process, s.Signal) && p.endsWithin(time.Until(limit)) {
		// Some commands only pass on, as "go run" does: what they started may
		// still be ending.
		closes(p.drained, time.Until(limit))
	}
	p.kill()
}

// kill ends the command and its children at once, and waits until what they
// printed is read. It does so once: later the number of the process may be
// another's.
func (p *process) kill() {
	p.over.Do(func() {
		if !p.ended() || p.stopping.Load() {
			kill(p.cmd.Process)
		}
		p.guard.Close()
		p.endsWithin(grace)
		if !closes(p.drained, grace) {
			p.output.SetReadDeadline(time.Now()) // held by somebody who left the group
			<-p.drained
		}
	})
}

// quoted puts what a program printed behind a text.
func quoted(before, words string) string {
	if words == "" {
		return ""
	}
	return fmt.Sprintf("%s%q", before, words)
}
