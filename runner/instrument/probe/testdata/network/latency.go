package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"
)

func init() {
	cases["latency"] = latency
}

// latency reads lines with an action and a count. It does each action that many times, and
// prints the nanoseconds for one action.
func latency() {
	c := must(net.Dial("tcp", os.Args[2]))
	ways := map[string]func(){
		"get":      func() { fetch(http.DefaultClient) },
		"get-anew": func() { fetch(&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}) },
		"ping":     func() { ping(c) },
		"ping-anew": func() {
			c := must(net.Dial("tcp", os.Args[2]))
			ping(c)
			c.Close()
		},
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var way string
		var n int
		must(fmt.Sscanf(lines.Text(), "%d %s", &n, &way))
		start := time.Now()
		for range n {
			ways[way]()
		}
		fmt.Println(time.Since(start).Nanoseconds() / int64(n))
	}
}

func fetch(c *http.Client) {
	res := must(c.Get("http://" + os.Args[3] + "/"))
	must(io.Copy(io.Discard, res.Body))
	res.Body.Close()
}

// ping sends four bytes and reads four bytes.
func ping(c net.Conn) {
	var b [4]byte
	must(c.Write([]byte("ping")))
	must(io.ReadFull(c, b[:]))
}
