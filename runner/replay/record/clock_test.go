package record

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"sonde/model"
)

// machine is a clock that can be set.
type machine struct{ set atomic.Int64 }

// now returns what time.Now returns after the clock was set: another wall time, but the same
// monotonic time. The first word of time.Time has the seconds of the wall time above 30 bits.
func (m *machine) now() time.Time {
	t := time.Now()
	*(*uint64)(unsafe.Pointer(&t)) += uint64(m.set.Load()) << 30
	return t
}

func (m *machine) jump(by time.Duration) { m.set.Add(int64(by / time.Second)) }

func TestMachine(t *testing.T) {
	var m machine
	before := m.now()
	m.jump(-3 * time.Hour)
	after := m.now()
	if wall := after.Round(0).Sub(before.Round(0)); wall > -2*time.Hour || after.Sub(before) < 0 ||
		after.Sub(before) > far {
		t.Fatalf("by the wall %v have passed, %v in earnest", wall, after.Sub(before))
	}
}

// echo starts a host that answers each line with the same line.
func echo(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for c, err := l.Accept(); err == nil; c, err = l.Accept() {
			go func() { defer c.Close(); io.Copy(c, c) }()
		}
	}()
	return "tcp://" + l.Addr().String()
}

// The machine's clock is set forwards and backwards while requests are in flight. All requests are
// recorded in their order, with their durations and causes.
func TestClockSet(t *testing.T) {
	for _, serial := range []bool{true, false} {
		t.Run(fmt.Sprint("serial ", serial), func(t *testing.T) {
			var m machine
			dep := serve(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { m.jump(-time.Hour) }))
			c := clientFor(t)
			s := monitor(
				t,
				Options{Serial: serial, machineClock: m.now},
				[]string{dep, echo(t)},
				func(outs []string) http.Handler {
					return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
						ask(c, r, outs[0], r.URL.Path, "Traceparent")
						m.jump(5 * time.Hour)
						exchangeLine(t, outs[1], r.URL.Path)
						m.jump(-9 * time.Hour)
					})
				},
			)
			for i := range 5 {
				call(t, clientFor(t), "GET", fmt.Sprint(s.in, "/orders/", i), "")
			}
			served, sent, notes := s.sink.all()
			if len(served) != 5 || len(sent) != 10 || len(notes) > 0 {
				t.Fatalf("%d served, %d sent, notes %q", len(served), len(sent), notes)
			}
			inOrder(t, served, sent)
		})
	}
}

// exchangeLine sends a line on a connection of its own and waits for the answer.
func exchangeLine(t *testing.T, addr, line string) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Error(err)
		return
	}
	defer c.Close()
	fmt.Fprintln(c, line)
	if got, err := bufio.NewReader(c).ReadString('\n'); got != line+"\n" {
		t.Errorf("it said %q, %v", got, err)
	}
}

// inOrder checks that the requests are in order, and that each outward call is within its request.
func inOrder(t *testing.T, served []model.ServedRequest, sent []model.OutwardCall) {
	t.Helper()
	for i, x := range served {
		if x.Took < 0 || x.Took > far || i > 0 && x.At.Before(served[i-1].EndTime()) ||
			x.Request.URL != fmt.Sprint("/orders/", i) {
			t.Errorf("%s came at %v and took %v", x.Request.URL, x.At, x.Took)
		}
		mine := slices.DeleteFunc(slices.Clone(sent), func(o model.OutwardCall) bool { return o.CauseID != x.ID })
		if len(mine) != 2 {
			t.Errorf("%d were sent for %s", len(mine), x.Request.URL)
		}
		for _, o := range mine {
			if o.At.Before(x.At) || o.At.After(x.EndTime()) || o.Took < 0 || o.Took > far {
				t.Errorf(
					"%s from %v to %v sent %s from %v to %v",
					x.Request.URL,
					x.At,
					x.EndTime(),
					o.Protocol,
					o.At,
					o.EndTime(),
				)
			}
		}
	}
}

// The code in the service reports times of the machine's clock, from before and after that clock was set to another
// time.
func TestClockSetWithin(t *testing.T) {
	var m machine
	s := monitor(
		t,
		Options{Serial: true, machineClock: m.now},
		nil,
		func([]string) http.Handler { return http.NotFoundHandler() },
	)
	for _, by := range []time.Duration{3 * time.Hour, -7 * time.Hour} {
		tracked := s.requests.begin(nil)
		m.jump(by)
		at := m.now()
		s.RecordOutward(model.OutwardCall{Host: "pay.example:80", Exchange: model.Exchange{At: at, Took: m.now().Sub(at)}})
		s.requests.end(tracked)
		_, sent, _ := s.sink.all()
		if x := sent[len(sent)-1]; x.CauseID != tracked.id || x.At.Before(s.requests.lastBegan) || x.EndTime().After(s.requests.lastEnded) {
			t.Errorf(
				"from %v to %v %q was served, and sent for %q at %v",
				s.requests.lastBegan,
				s.requests.lastEnded,
				tracked.id,
				x.CauseID,
				x.At,
			)
		}
	}
}
