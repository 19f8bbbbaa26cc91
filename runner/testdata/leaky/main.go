// Command leaky is a service for tests that asks other hosts for the weather and for the owner of a
// domain. It keeps its connections to them open. With --close it closes them.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"
)

func main() {
	closes := flag.Bool("close", false, "")
	flag.Parse()
	// A timeout of the client would close the connections after a while.
	client := &http.Client{Transport: &http.Transport{ResponseHeaderTimeout: time.Second}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /weather", func(w http.ResponseWriter, r *http.Request) {
		res, err := client.Get("http://weather.example/now")
		if err != nil {
			http.Error(w, "unknown", http.StatusServiceUnavailable)
			return
		}
		if *closes {
			defer res.Body.Close()
			io.Copy(io.Discard, res.Body)
		}
		fmt.Fprintf(w, `{"known":%t}`, res.StatusCode == http.StatusOK)
	})
	mux.HandleFunc("GET /owner", func(w http.ResponseWriter, r *http.Request) {
		c, err := net.DialTimeout("tcp", "whois.example:43", time.Second)
		if err != nil {
			http.Error(w, "unknown", http.StatusServiceUnavailable)
			return
		}
		if *closes {
			defer c.Close()
		} else {
			kept = append(kept, c)
		}
		c.SetDeadline(time.Now().Add(time.Second))
		fmt.Fprint(c, "owner\r\n")
		_, err = bufio.NewReader(c).ReadString('\n')
		fmt.Fprintf(w, `{"known":%t}`, err == nil)
	})
	mux.HandleFunc("POST /reset", func(w http.ResponseWriter, r *http.Request) {})
	panic(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), mux))
}

// kept has connections that are never closed. It keeps them from the garbage collector, which would
// close them.
var kept []net.Conn
