// Package sondeunits records invocations of functions under test within a service, and the mockable calls that they make.
// Edits of the service's source call it; runner/instrument/probe makes them. The service's values are never wrapped, with
// the exception of the body of a request: the edited source passes targets, arguments and results through functions that
// return them unchanged, so type assertions, stack frames and evaluation order stay as they are:
//
//	func (s *Shop) Pay(ctx context.Context, n int) (r0 Receipt, r1 error) {
//		f := Enter(12)
//		if f != nil {
//			f.In(s, ctx, n)
//			defer func() { f.Out(r0, r1) }()
//		}
//		return Return2(Target(f, 3, s.bank).Charge(Arg(0, ctx), Arg(1, n)))
//	}
//
// The invocations within which a goroutine runs are found by its number. Values are read by reflection and by address, so
// fields that are not exported are read, too. A struct with a mutex is read only if the mutex is free.
//
// No function of this package panics, blocks on a lock of the service, or changes a result.
package sondeunits

import (
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"sonde/assets/probe/sondevalue"
)

// FileEnv is the environment variable with the path of the file to which lines are appended.
const FileEnv = "SONDE_UNITS"

var (
	recorded *file // nil if nothing is recorded
	// active is the number of open frames, and of mockable calls that belong to frames of other goroutines.
	active  atomic.Int32
	numbers atomic.Int64 // invocations so far
)

func init() {
	path, ok := syscall.Getenv(FileEnv)
	if !ok {
		return
	}
	f, err := openFile(path)
	if err != nil {
		_, _ = syscall.Write(2, []byte("sonde: no units are recorded: "+err.Error()+"\n"))
		return
	}
	recorded = f
}

// Frame is an invocation of a function under test that has not returned.
type Frame struct {
	function int
	parent   *Frame
	routine  *routine
	pending  int // length of routine.pending at the entry
	entered  time.Time
	receiver any
	args     []any

	mu     sync.Mutex // calls of other goroutines
	closed bool
	enc    encoder
	result sondevalue.Invocation
}

// maxDepth is the number of invocations within each other that are recorded.
const maxDepth = 6

// Enter begins an invocation. It returns nil if the invocation is not recorded.
func Enter(function int) *Frame {
	if recorded == nil || !limits[function].admit() {
		return nil
	}
	r := currentRoutine(true)
	depth := 0
	for f := r.top; f != nil; f = f.parent {
		depth++
	}
	if depth == maxDepth {
		return nil
	}
	f := &Frame{function: function, parent: r.top, routine: r, pending: len(r.pending), entered: time.Now()}
	f.enc.init()
	f.result.Function, f.result.Number = function, int(numbers.Add(1))
	if f.parent != nil {
		f.result.Parent = f.parent.result.Number
	}
	r.top = f
	active.Add(1)
	return f
}

// In records the receiver, if the function has one, and the arguments.
func (f *Frame) In(inputs ...any) {
	defer f.guard()()
	info := &functions[f.function]
	if info.Receiver {
		f.receiver, inputs = inputs[0], inputs[1:]
	}
	f.args = inputs
	f.mu.Lock()
	defer f.mu.Unlock()
	f.result.Before = f.state()
}

// state reads the inputs.
func (f *Frame) state() sondevalue.State {
	info := &functions[f.function]
	s := sondevalue.State{Objects: map[int]sondevalue.Value{}, Args: make([]sondevalue.Value, len(f.args))}
	f.enc.into(s.Objects)
	if info.Receiver {
		v := f.enc.receiver(f.receiver, info)
		s.Receiver = &v
	}
	for i, a := range f.args {
		s.Args[i] = f.enc.input(a, info.param(i))
	}
	return s
}

// Out ends the invocation. A deferred function must call it.
func (f *Frame) Out(results ...any) {
	panicked, exits := unwinding()
	defer f.guard()()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.close()
	if f.result.Panicked = panicked; exits {
		f.enc.fail("the goroutine has exited")
	}
	f.result.After = f.state()
	if !panicked {
		f.enc.into(f.result.After.Objects)
		for i, v := range results {
			f.result.Results = append(f.result.Results, f.enc.input(v, functions[f.function].result(i)))
		}
	}
	f.result.Nanoseconds = time.Since(f.entered).Nanoseconds()
	f.result.Why = f.enc.why
	if limits[f.function].keep(&f.result) {
		recorded.append(&f.result)
	}
}

// close removes the frame from its goroutine. Calls that have not returned have panicked.
func (f *Frame) close() {
	for _, c := range f.routine.pending[f.pending:] {
		c.panicked(f)
	}
	f.routine.pending = f.routine.pending[:f.pending]
	f.routine.top = f.parent
	f.routine.release()
	f.closed = true
	active.Add(-1)
}

// guard returns a function that must be deferred: it turns a panic of this package into a reason why the invocation cannot
// be used, and adds the time that was spent.
func (f *Frame) guard() func() {
	from := time.Now()
	return func() {
		if r := recover(); r != nil {
			f.enc.fail("a value cannot be read")
		}
		spent.add(time.Since(from))
	}
}

// unwinding reports whether the deferred function that called the caller runs because of a panic, or because the goroutine
// exits.
func unwinding() (panicked, exits bool) {
	var pcs [8]uintptr
	n := runtime.Callers(4, pcs[:]) // skips Callers, unwinding, Out and the deferred function
	frames := runtime.CallersFrames(pcs[:n])
	f, _ := frames.Next()
	switch f.Function {
	case "runtime.gopanic":
		return true, false
	case "runtime.Goexit":
		return true, true
	}
	return false, false
}
