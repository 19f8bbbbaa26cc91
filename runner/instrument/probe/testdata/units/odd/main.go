// Program odd calls functions that are hard to record. It prints what they return.
package main

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
	"time"
	"unsafe"
)

// Reader is what the functions call.
type Reader interface {
	Get(n int64, more ...string) (string, error)
	Close()
}

type reader struct{ closed *int }

func (r reader) Get(n int64, more ...string) (string, error) {
	_, file, line, _ := runtime.Caller(1)
	if n < 0 {
		panic("negative")
	}
	return fmt.Sprintf("%d%s at %s:%d", n, strings.Join(more, ""), file[strings.LastIndexByte(file, '/')+1:], line), nil
}

func (r reader) Close() { *r.closed++ }

func main() {
	r := reader{new(int)}
	fmt.Println(Generic(r, 5), Generic(r, "x"))
	e := &Embedding{Reader: r}
	fmt.Println(e.Run())
	fmt.Println(MethodValue(r.Get))
	fmt.Println(Closure(func() int { return *r.closed }))
	c := make(chan string, 1)
	Channel(r, c)
	fmt.Println(<-c)
	fmt.Println(NotANumber(r, map[float64]int{math.NaN(): 1, 2: 3}))
	fmt.Println(len(Huge(r, make([]byte, 1<<20))))
	n := &Node{}
	for range 100 {
		n = &Node{Next: n}
	}
	fmt.Println(Deep(r, n))
	fmt.Println(Recursive(r, 2))
	var done sync.WaitGroup
	done.Add(1)
	Outlives(r, &done)
	done.Wait()
	g := &Guarded{reader: r}
	fmt.Println(g.Unlocked())
	Deferred(r)
	_, err := Recovers(r)
	fmt.Println(*r.closed, err)
	x := 7
	fmt.Println(Unsafe(r, unsafe.Pointer(&x)), Shifted(r, 3), Spread(r, []string{"a", "b"}), atInit)
	for i := range 1000 {
		Loop(r, i)
	}
	fmt.Println(NoSplit(r))
	cycle := &Node{}
	cycle.Next = cycle
	fmt.Println(Deep(r, cycle))
}

// Generic has a type parameter.
func Generic[T any](r Reader, x T) string { return text(r.Get(1, fmt.Sprint(x))) }

// Embedding embeds an interface.
type Embedding struct{ Reader }

// Run calls a promoted method.
func (e *Embedding) Run() string { return text(e.Get(2)) }

// MethodValue calls a method value.
func MethodValue(get func(n int64, more ...string) (string, error)) string { return text(get(3)) }

// Closure calls a function that sees what it calls itself.
func Closure(count func() int) int { return count() + count() }

// Channel sends into a channel.
func Channel(r Reader, c chan<- string) { c <- text(r.Get(4)) }

// NotANumber has a map with the key NaN.
func NotANumber(r Reader, m map[float64]int) string { return text(r.Get(int64(len(m)))) }

// Huge has a large argument.
func Huge(r Reader, b []byte) []byte { return append(b, text(r.Get(5))...) }

// Node is a list.
type Node struct{ Next *Node }

// Deep has a long list, or a circle.
func Deep(r Reader, n *Node) string { return text(r.Get(6)) + fmt.Sprint(n.Next == n) }

// Recursive calls itself.
func Recursive(r Reader, n int64) string {
	if n == 0 {
		return text(r.Get(n))
	}
	return Recursive(r, n-1) + text(r.Get(n))
}

// Outlives starts a goroutine that calls after it has returned.
func Outlives(r Reader, done *sync.WaitGroup) {
	go func() {
		time.Sleep(20 * time.Millisecond)
		fmt.Println(text(r.Get(7)))
		done.Done()
	}()
}

// Guarded has a mutex.
type Guarded struct {
	mu     sync.Mutex
	reader Reader
}

// Unlocked locks the mutex and calls Locked.
func (g *Guarded) Unlocked() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.Locked()
}

// Locked is called while the mutex is locked.
func (g *Guarded) Locked() string { return text(g.reader.Get(8)) }

// Deferred defers a call, and makes one in another goroutine.
func Deferred(r Reader) {
	defer r.Close()
	var done sync.WaitGroup
	done.Add(1)
	go func() {
		defer done.Done()
		r.Close()
	}()
	done.Wait()
}

// Recovers recovers from a panic of the object that it calls.
func Recovers(r Reader) (s string, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = errors.New(fmt.Sprint("recovered: ", x))
		}
	}()
	return r.Get(-1)
}

// Unsafe has an unsafe pointer.
func Unsafe(r Reader, p unsafe.Pointer) string { return text(r.Get(int64(*(*int)(p)))) }

// Shifted passes an argument whose type depends on the parameter.
func Shifted(r Reader, by uint) string {
	s := text(r.Get(1 << by))
	return s + text(r.Get(9))
}

// Spread passes a slice as a variadic parameter, and the results of a call.
func Spread(r Reader, all []string) string {
	return text(r.Get(10, all...)) + text(r.Get(pair()))
}

func pair() (int64, string) { return 11, "pair" }

// Loop is called often.
func Loop(r Reader, i int) int {
	s, _ := r.Get(int64(i))
	return len(s)
}

// NoSplit has a directive.
//
//go:nosplit
func NoSplit(r Reader) string { return text(r.Get(12)) }

var atInit = AtInit(reader{new(int)})

// AtInit is called before main.
func AtInit(r Reader) string { return text(r.Get(13)) }

func text(s string, err error) string {
	if err != nil {
		return err.Error()
	}
	return s
}
