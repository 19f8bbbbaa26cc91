// Command shop is a service that charges orders by a payment provider and asks a stock feed by TCP. If the
// variable MENDED is set, its fault is fixed.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"syscall"
	"time"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "")
	payments := flag.String("payments", "http://payments.example/charge", "")
	stock := flag.String("stock", cmp.Or(os.Getenv("STOCK"), "stock.example:7000"), "")
	metrics := flag.String("metrics", "metrics.example:8125", "")
	flag.Parse()
	_, mended := os.LookupEnv("MENDED")
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders/{id}/payments", func(w http.ResponseWriter, r *http.Request) {
		u, _ := net.Dial("udp", *metrics)
		if u != nil {
			fmt.Fprint(u, "pay:1|c\n")
			u.Close()
		}
		c := http.Client{Timeout: patience(r)}
		res, err := c.Post(*payments, "application/json", bytes.NewReader([]byte(`{"order": 17}`)))
		if err != nil {
			status := 500 // the fault
			if mended {
				status = 502
			}
			http.Error(w, "try later", status)
			return
		}
		defer res.Body.Close()
		var said struct{ Approved bool }
		if err := json.NewDecoder(res.Body).Decode(&said); err != nil {
			http.Error(w, "bad answer: "+err.Error(), 502)
			return
		}
		if !said.Approved {
			http.Error(w, "declined", 402)
			return
		}
		w.WriteHeader(201)
	})
	mux.HandleFunc("GET /stock/{sku}", func(w http.ResponseWriter, r *http.Request) {
		c, err := net.Dial("tcp", *stock)
		if err != nil {
			http.Error(w, err.Error(), 503)
			return
		}
		defer c.Close()
		fmt.Fprintf(c, "LEVEL %s\n", r.PathValue("sku"))
		line, err := bufio.NewReader(c).ReadString('\n')
		if err != nil {
			http.Error(w, "feed: "+err.Error(), 502)
			return
		}
		fmt.Fprintf(w, "%q", line)
	})
	mux.HandleFunc("GET /ask", func(w http.ResponseWriter, r *http.Request) {
		u, err := net.Dial("udp", *metrics)
		if err != nil {
			http.Error(w, err.Error(), 503)
			return
		}
		defer u.Close()
		u.SetReadDeadline(time.Now().Add(patience(r)))
		fmt.Fprint(u, "how")
		b := make([]byte, 100)
		n, err := u.Read(b)
		if err != nil {
			http.Error(w, err.Error(), 502)
			return
		}
		fmt.Fprintf(w, "%q", b[:n])
	})
	mux.HandleFunc("GET /page", func(w http.ResponseWriter, r *http.Request) {
		res, err := http.Get(r.URL.Query().Get("url"))
		if err != nil {
			http.Error(w, err.Error(), 502)
			return
		}
		defer res.Body.Close()
		fmt.Fprintf(w, "%d", res.StatusCode)
	})
	mux.HandleFunc("GET /machine", func(w http.ResponseWriter, r *http.Request) {
		name, err := os.Hostname()
		if err != nil {
			http.Error(w, err.Error(), 500)
			return
		}
		addrs, err := net.InterfaceAddrs()
		if err != nil {
			http.Error(w, err.Error(), 503)
			return
		}
		fmt.Fprintf(w, "%q", fmt.Sprint(name, addrs))
	})
	mux.HandleFunc("GET /note", func(w http.ResponseWriter, r *http.Request) {
		defer os.Remove("note.txt")
		switch err := os.WriteFile("note.txt", []byte("a note"), 0o600); {
		case errors.Is(err, syscall.ENOSPC):
			w.WriteHeader(507)
		case errors.Is(err, os.ErrPermission):
			w.WriteHeader(403)
		case errors.Is(err, os.ErrNotExist):
			w.WriteHeader(404)
		case err != nil:
			http.Error(w, err.Error(), 500)
		}
	})
	mux.HandleFunc("POST /reset", func(w http.ResponseWriter, r *http.Request) {
		if err := os.WriteFile("note.txt", []byte("no notes"), 0o600); err != nil {
			http.Error(w, err.Error(), 500)
		}
	})
	mux.HandleFunc("GET /wait", func(w http.ResponseWriter, r *http.Request) {
		l, err := net.Listen("tcp", ":7000")
		if err != nil {
			http.Error(w, err.Error(), 500)
			return
		}
		defer l.Close()
		c, err := l.Accept()
		if err != nil {
			http.Error(w, "no call: "+err.Error(), 504)
			return
		}
		defer c.Close()
		line, err := bufio.NewReader(c).ReadString('\n')
		if err != nil {
			http.Error(w, err.Error(), 502)
			return
		}
		fmt.Fprintf(w, "%q", line)
	})
	mux.HandleFunc("GET /hear", func(w http.ResponseWriter, r *http.Request) {
		u, err := net.ListenPacket("udp", ":7001")
		if err != nil {
			http.Error(w, err.Error(), 500)
			return
		}
		defer u.Close()
		all := ""
		b := make([]byte, 100)
		for range 2 {
			n, _, err := u.ReadFrom(b)
			if err != nil {
				http.Error(w, all+": "+err.Error(), 502)
				return
			}
			all += string(b[:n])
		}
		fmt.Fprintf(w, "%q", all)
	})
	panic(http.ListenAndServe(*addr, mux))
}

// patience returns how long the service waits for a host. A test in which the host does not answer can make it short.
func patience(r *http.Request) time.Duration {
	if limit, err := time.ParseDuration(r.Header.Get("X-Patience")); err == nil {
		return limit
	}
	return 5 * time.Second
}
