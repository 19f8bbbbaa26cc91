// Command fragile is a service for tests that can fail in many ways: it exits, panics, hangs, closes
// connections, and more.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
)

var (
	addr     = flag.String("addr", "127.0.0.1:"+os.Getenv("PORT"), "host:port to listen on")
	die      = flag.String("die", "", "print this text and exit at once")
	stubborn = flag.Bool("stubborn", false, "ignore the signal to end")
	unready  = flag.Int64("unready", 0, "number of calls of /health that are answered 503")
	post     = flag.String("post", "", "send a POST to this URL instead of serving; exit code 1 unless it is answered 2xx")
	sit      = flag.Bool("sit", false, "listen, print the address and wait, instead of serving")
)

func main() {
	flag.Parse()
	switch {
	case *die != "":
		fmt.Fprintln(os.Stderr, "starting\n\x1b[31m"+*die)
		os.Exit(4)
	case *post != "":
		send(*post)
	case *sit:
		stay()
	default:
		serve()
	}
}

func send(url string) {
	res, err := http.Post(url, "", nil)
	if err != nil || res.StatusCode/100 != 2 {
		fmt.Println("no luck:", err)
		os.Exit(1)
	}
}

// stay listens, prints the address, and waits.
func stay() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(l.Addr())
	select {}
}

func serve() {
	ends := make(chan os.Signal, 1)
	signal.Notify(ends, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		for s := range ends {
			fmt.Println("asked to end:", s)
			if !*stubborn {
				os.Exit(0)
			}
		}
	}()
	l, err := net.Listen("tcp", *addr)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("listening with", os.Getenv("SECRET"))
	http.Serve(l, (&shelf{things: map[string]bool{}, door: l}).routes())
	select {} // the handler that closed the listener ends the process
}

// shelf is the state of the service. While a call holds its lock, all other calls wait.
type shelf struct {
	door   net.Listener
	mu     sync.Mutex
	things map[string]bool
	asked  atomic.Int64
}

func (s *shelf) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", s.health)
	mux.HandleFunc("GET /about", about)
	mux.HandleFunc("POST /reset", s.reset)
	mux.HandleFunc("POST /things", s.create)
	mux.HandleFunc("GET /things/{id}", s.read)
	mux.HandleFunc("POST /exit", func(http.ResponseWriter, *http.Request) {
		fmt.Println("giving up")
		os.Exit(3)
	})
	mux.HandleFunc("POST /panic", func(http.ResponseWriter, *http.Request) {
		go panic("boom")
		select {}
	})
	mux.HandleFunc("POST /late", s.late)
	mux.HandleFunc("POST /full", s.full)
	mux.HandleFunc("POST /hang", func(http.ResponseWriter, *http.Request) {
		s.mu.Lock()
		select {}
	})
	mux.HandleFunc("POST /slow", func(http.ResponseWriter, *http.Request) { select {} })
	mux.HandleFunc("POST /drop", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	mux.HandleFunc("POST /child", child)
	mux.HandleFunc("POST /print", func(_ http.ResponseWriter, r *http.Request) { io.Copy(os.Stdout, r.Body) })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.mu.Unlock()
		mux.ServeHTTP(w, r)
	})
}

func (s *shelf) health(w http.ResponseWriter, _ *http.Request) {
	if s.asked.Add(1) <= *unready {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
}

func about(w http.ResponseWriter, _ *http.Request) {
	dir, _ := os.Getwd()
	json.NewEncoder(w).Encode(map[string]string{
		"pid": fmt.Sprint(os.Getpid()), "port": os.Getenv("PORT"), "url": os.Getenv("URL"), "secret": os.Getenv("SECRET"), "dir": dir,
	})
}

// reset removes all things. If the environment has RESET_KEY, the request must have that key.
func (s *shelf) reset(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if key := os.Getenv("RESET_KEY"); key != r.Header.Get("X-Key") || (key != "" && string(body) != `{"all":true}`) {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.things = map[string]bool{}
}

func (s *shelf) create(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := fmt.Sprint(1000 + len(s.things))
	s.things[id] = true
	w.Header().Set("Location", "/things/"+id)
	w.WriteHeader(http.StatusCreated)
}

func (s *shelf) read(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.things[r.PathValue("id")] {
		w.WriteHeader(http.StatusNotFound)
	}
}

// late answers first, and then ends the process. Before the answer it closes the listener, so
// that the next call cannot connect.
func (s *shelf) late(w http.ResponseWriter, _ *http.Request) {
	s.door.Close()
	w.Header().Set("Connection", "close")
	w.Header().Set("Content-Length", "2")
	io.WriteString(w, "ok")
	w.(http.Flusher).Flush()
	os.Exit(5)
}

// full does the same as late if there are things.
func (s *shelf) full(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.things) > 0 {
		s.late(w, r)
	}
}

// child starts a child process, which is never stopped, and answers with its address.
func child(w http.ResponseWriter, _ *http.Request) {
	c := exec.Command(os.Args[0], "--sit")
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	var at string
	fmt.Fscanln(out, &at)
	io.WriteString(w, at)
}
