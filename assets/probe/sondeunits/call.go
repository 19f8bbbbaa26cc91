package sondeunits

import (
	"reflect"

	"sonde/assets/probe/sondevalue"
)

// call is a mockable call that has not returned.
type call struct {
	site   int
	target any
	args   []typed
	frames []callFrame
	// concurrent reports whether a frame is one of another goroutine.
	concurrent bool
}

// callFrame is a frame within which a call is made, and the index of the call there.
type callFrame struct {
	*Frame
	index int
}

// Target returns the target of a mockable call. f is the invocation in whose source the call is, nil if it is not recorded.
func Target[X any](f *Frame, site int, x X) X {
	if active.Load() != 0 {
		begin(f, site, x, false)
	}
	return x
}

// TargetLater is Target for the call of a go or defer statement, or another call whose results are not recorded.
func TargetLater[X any](f *Frame, site int, x X) X {
	if active.Load() != 0 {
		begin(f, site, x, true)
	}
	return x
}

// Arg returns x, which is the argument of a call with the index i.
func Arg[X any](i int, x X) X {
	if active.Load() != 0 {
		argument(i, x, reflect.TypeFor[X]())
	}
	return x
}

// Args2 returns the arguments of a call such as f(g()).
func Args2[X, Y any](x X, y Y) (X, Y) { return Arg(0, x), Arg(1, y) }

// Args3 is Args2 for three arguments.
func Args3[X, Y, Z any](x X, y Y, z Z) (X, Y, Z) { return Arg(0, x), Arg(1, y), Arg(2, z) }

// EndLater ends the arguments of a call whose results are not recorded; see TargetLater. It returns its argument, the last of the call.
func EndLater[X any](x X) X {
	if active.Load() != 0 {
		end(false)
	}
	return x
}

// Return0 ends a call without results.
func Return0() {
	if active.Load() != 0 {
		end(true)
	}
}

// Return1 returns the result of a call.
func Return1[X any](x X) X {
	if active.Load() != 0 {
		end(true, typed{x, reflect.TypeFor[X]()})
	}
	return x
}

// Return2 returns the results of a call.
func Return2[X, Y any](x X, y Y) (X, Y) {
	if active.Load() != 0 {
		end(true, typed{x, reflect.TypeFor[X]()}, typed{y, reflect.TypeFor[Y]()})
	}
	return x, y
}

// Return3 is Return2 for three results.
func Return3[X, Y, Z any](x X, y Y, z Z) (X, Y, Z) {
	if active.Load() != 0 {
		end(true, typed{x, reflect.TypeFor[X]()}, typed{y, reflect.TypeFor[Y]()}, typed{z, reflect.TypeFor[Z]()})
	}
	return x, y, z
}

// Return4 is Return2 for four results.
func Return4[X, Y, Z, W any](x X, y Y, z Z, w W) (X, Y, Z, W) {
	if active.Load() != 0 {
		end(true, typed{x, reflect.TypeFor[X]()}, typed{y, reflect.TypeFor[Y]()}, typed{z, reflect.TypeFor[Z]()},
			typed{w, reflect.TypeFor[W]()})
	}
	return x, y, z, w
}

// typed is a value with its static type.
type typed struct {
	value any
	as    reflect.Type
}

// begin begins a call. later says that the results will not be known.
func begin(lexical *Frame, site int, target any, later bool) {
	r := currentRoutine(lexical != nil)
	if r == nil {
		return
	}
	c := &call{site: site, target: target}
	for f := r.top; f != nil; f = f.parent {
		c.join(f, r, false)
	}
	if lexical != nil && !within(lexical, r.top) {
		for f := lexical; f != nil; f = f.parent {
			c.join(f, r, true)
		}
		if c.concurrent {
			active.Add(1)
		}
	}
	r.pending = append(r.pending, c)
	if later && siteOf(site).Args == 0 {
		end(false)
	}
}

// within reports whether a frame is one of those that begin with top.
func within(f, top *Frame) bool {
	for ; top != nil; top = top.parent {
		if top == f {
			return true
		}
	}
	return false
}

// join adds the call to a frame.
func (c *call) join(f *Frame, r *routine, concurrent bool) {
	defer f.guard()()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed || len(f.result.Calls) == maxCalls {
		f.enc.fail("it makes more than 200 calls")
		return
	}
	c.frames = append(c.frames, callFrame{f, len(f.result.Calls)})
	c.concurrent = c.concurrent || concurrent
	info := siteOf(c.site)
	f.result.Calls = append(f.result.Calls, sondevalue.Call{
		Site: c.site, Caller: info.Function, Instance: f.enc.instance(c.target), Concurrent: concurrent, Panicked: true,
		Within: r.indexIn(f),
		Args:   info.constants(), Objects: map[int]sondevalue.Value{}, Written: map[int]sondevalue.Value{},
	})
}

// argument records an argument of the innermost call.
func argument(i int, x any, as reflect.Type) {
	c := innermost()
	if c == nil {
		return
	}
	c.args = append(c.args, typed{x, as})
	c.each(func(f *Frame, made *sondevalue.Call) {
		f.enc.into(made.Objects)
		for len(made.Args) <= i {
			made.Args = append(made.Args, sondevalue.Value{})
		}
		made.Args[i] = f.enc.typed(x, as)
	})
}

// innermost returns the innermost call of this goroutine, nil if there is none.
func innermost() *call {
	r := currentRoutine(false)
	if r == nil || len(r.pending) == 0 {
		return nil
	}
	return r.pending[len(r.pending)-1]
}

// end ends the innermost call. returned says that it has returned results.
func end(returned bool, results ...typed) {
	c := innermost()
	if c == nil {
		return
	}
	r := currentRoutine(false)
	r.pending = r.pending[:len(r.pending)-1]
	c.each(func(f *Frame, made *sondevalue.Call) {
		made.Panicked = false
		if !returned {
			return
		}
		f.enc.into(made.Written)
		for _, a := range c.args {
			f.enc.typed(a.value, a.as) // reads what the call has written
		}
		f.enc.changes(made.Objects, made.Written)
		for _, x := range results {
			made.Results = append(made.Results, f.enc.typed(x.value, x.as))
		}
	})
	if c.concurrent {
		active.Add(-1)
	}
	r.release()
}

// panicked marks the call of a frame that ends.
func (c *call) panicked(*Frame) {
	if c.concurrent {
		active.Add(-1)
		c.concurrent = false
	}
}

// each calls do for each frame of the call that is still open.
func (c *call) each(do func(f *Frame, made *sondevalue.Call)) {
	for _, in := range c.frames {
		func() {
			defer in.guard()()
			in.mu.Lock()
			defer in.mu.Unlock()
			if !in.closed {
				do(in.Frame, &in.result.Calls[in.index])
			}
		}()
	}
}
