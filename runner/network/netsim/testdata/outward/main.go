// Command outward is a service that calls other hosts in many ways. It does not import Sonde.
// It sends to the hosts the key that its client has sent.
package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime/pprof"
	"strings"
	"sync"
	"time"
)

// ways has the ways to call other hosts, by path.
var ways = map[string]func(r *http.Request, key string) (string, error){
	"/post": func(r *http.Request, key string) (string, error) {
		return post(http.DefaultClient, "http://pay.example", key)
	},
	"/context": inWorker,
	"/labels":  labels,
	"/many":    many,
	"/late":    late,
	"/shared":  shared.say,
	"/own":     own,
	"/udp":     datagram,
	"/open":    unconnected,
	"/secret":  func(r *http.Request, key string) (string, error) { return post(secret, "https://example.com", key) },
	"/strict": func(r *http.Request, key string) (string, error) {
		return post(http.DefaultClient, "https://secret.example", key)
	},
	"/two": func(r *http.Request, key string) (string, error) { return post(two, "http://two.example:8080", key) },
	"/refused": func(r *http.Request, key string) (string, error) {
		return post(http.DefaultClient, "http://down.example", key)
	},
	"/self": func(r *http.Request, key string) (string, error) {
		return post(http.DefaultClient, "http://"+r.Host, key)
	},
	"/host":    func(r *http.Request, key string) (string, error) { return get(r.URL.Query().Get("url")) },
	"/greeted": greeted,
	"/upgrade": upgrade,
	"/worker":  lazily,
}

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println("http://" + l.Addr().String())
	go http.Serve(l, http.HandlerFunc(serve))
	io.Copy(io.Discard, os.Stdin)
}

func serve(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Sonde-Request") != "" {
		panic("a header that is nobody's business")
	}
	way := ways[r.URL.Path]
	if way == nil {
		fmt.Fprint(w, "hello")
		return
	}
	said, err := way(r, r.URL.Query().Get("key"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprint(w, said)
}

func post(c *http.Client, url, key string) (string, error) {
	res, err := c.Post(url+"/keys?q=1", "text/plain", strings.NewReader(key))
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	said, err := io.ReadAll(res.Body)
	return string(said), err
}

func get(url string) (string, error) {
	res, err := http.Get(url)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	said, err := io.ReadAll(res.Body)
	return string(said), err
}

// jobs are done by workers that started before all requests, with the contexts of requests.
var jobs = func() chan func() {
	c := make(chan func())
	for range 3 {
		go func() {
			for job := range c {
				job()
			}
		}()
	}
	return c
}()

func inWorker(r *http.Request, key string) (said string, err error) {
	done := make(chan bool)
	jobs <- func() {
		defer close(done)
		var req *http.Request
		if req, err = http.NewRequestWithContext(r.Context(), "POST", "http://pay.example/keys", strings.NewReader(key)); err == nil {
			var res *http.Response
			if res, err = http.DefaultClient.Do(req); err == nil {
				defer res.Body.Close()
				var b []byte
				b, err = io.ReadAll(res.Body)
				said = string(b)
			}
		}
	}
	<-done
	return said, err
}

func labels(r *http.Request, key string) (said string, err error) {
	pprof.Do(r.Context(), pprof.Labels("shop", "books"), func(ctx context.Context) {
		if shop, _ := pprof.Label(ctx, "shop"); shop != "books" {
			err = fmt.Errorf("the label is %q", shop)
			return
		}
		_, err = post(http.DefaultClient, "http://pay.example", key)
	})
	if err != nil {
		return "", err
	}
	return post(http.DefaultClient, "http://pay.example", key)
}

// many calls hosts from goroutines, which start more goroutines.
func many(r *http.Request, key string) (string, error) {
	var all sync.WaitGroup
	errs := make(chan error, 4)
	for range 2 {
		all.Go(func() {
			all.Go(func() { _, err := post(http.DefaultClient, "http://pay.example", key); errs <- err })
			_, err := say("feed.example:7000", key)
			errs <- err
		})
	}
	all.Wait()
	for range 4 {
		if err := <-errs; err != nil {
			return "", err
		}
	}
	return "called", nil
}

// late calls a host after the request was answered.
func late(r *http.Request, key string) (string, error) {
	go func() {
		time.Sleep(20 * time.Millisecond)
		post(http.DefaultClient, "http://pay.example", key)
	}()
	return "later", nil
}

// say opens a connection, sends a line and reads a line.
func say(addr, key string) (string, error) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return "", err
	}
	defer c.Close()
	if _, err := fmt.Fprintln(c, key); err != nil {
		return "", err
	}
	return bufio.NewReader(c).ReadString('\n')
}

func own(r *http.Request, key string) (string, error) { return say("feed.example:7000", key) }

// line is a connection that all requests share.
type line struct {
	mu sync.Mutex
	c  net.Conn
	in *bufio.Reader
}

var shared line

func (l *line) say(r *http.Request, key string) (said string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.c == nil {
		if l.c, err = net.Dial("tcp", "feed.example:7000"); err != nil {
			return "", err
		}
		l.in = bufio.NewReader(l.c)
	}
	if _, err := fmt.Fprintln(l.c, key); err != nil {
		return "", err
	}
	return l.in.ReadString('\n')
}

func datagram(r *http.Request, key string) (string, error) {
	c, err := net.Dial("udp", "meter.example:8125")
	if err != nil {
		return "", err
	}
	defer c.Close()
	if _, err := c.Write([]byte(key)); err != nil {
		return "", err
	}
	b := make([]byte, 100)
	c.SetReadDeadline(time.Now().Add(10 * time.Second))
	n, err := c.Read(b)
	return string(b[:n]) + " from " + c.RemoteAddr().String(), err
}

// open opens a socket for datagrams, which all requests share.
var open = sync.OnceValues(func() (net.PacketConn, error) { return net.ListenPacket("udp", ":0") })

func unconnected(r *http.Request, key string) (string, error) {
	c, err := open()
	if err != nil {
		return "", err
	}
	to, err := net.ResolveUDPAddr("udp", "meter.example:8125")
	if err != nil {
		return "", err
	}
	_, err = c.WriteTo([]byte(key), to)
	return "sent", err
}

// secret is a client that trusts only the service's own certificate authority.
var secret = func() *http.Client {
	pem, _ := os.ReadFile(os.Getenv("OWN_ROOTS"))
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	return &http.Client{Transport: &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: roots}, DialContext: toSecret}}
}()

// toSecret dials the address in the environment, whatever the host.
func toSecret(ctx context.Context, network, _ string) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, network, os.Getenv("AT_SECRET"))
}

var two = func() *http.Client {
	p := new(http.Protocols)
	p.SetUnencryptedHTTP2(true)
	return &http.Client{Transport: &http.Transport{Protocols: p}}
}()

// greeted connects to a host that sends first.
func greeted(r *http.Request, key string) (string, error) {
	c, err := net.Dial("tcp", "mail.example:25")
	if err != nil {
		return "", err
	}
	defer c.Close()
	in := bufio.NewReader(c)
	greeting, err := in.ReadString('\n')
	if err != nil {
		return "", err
	}
	fmt.Fprintln(c, key)
	c.(*net.TCPConn).CloseWrite()
	rest, err := io.ReadAll(in)
	return greeting + string(rest), err
}

// upgrade switches a connection to a protocol other than HTTP.
func upgrade(r *http.Request, key string) (string, error) {
	c, err := net.Dial("tcp", "pay.example:80")
	if err != nil {
		return "", err
	}
	defer c.Close()
	fmt.Fprint(c, "GET /upgrade HTTP/1.1\r\nHost: pay.example\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
	in := bufio.NewReader(c)
	if _, err := http.ReadResponse(in, nil); err != nil {
		return "", err
	}
	fmt.Fprintln(c, key)
	return in.ReadString('\n')
}

// lazily calls hosts in a goroutine that the first request starts for all requests.
func lazily(r *http.Request, key string) (string, error) {
	once.Do(func() {
		go func() {
			for key := range queue {
				post(http.DefaultClient, "http://pay.example", key)
			}
		}()
	})
	queue <- key
	return "queued", nil
}

var (
	once  sync.Once
	queue = make(chan string, 100)
)
