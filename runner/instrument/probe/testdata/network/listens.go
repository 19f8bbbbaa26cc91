package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"syscall"
)

func init() {
	cases["listen"] = func() {
		l := must(net.Listen("tcp", os.Args[2]))
		_, err := net.Listen("tcp", os.Args[2])
		fmt.Println(l.Addr(), errors.Is(err, syscall.EADDRINUSE))
		l.Close()
		must(net.Listen("tcp", os.Args[2])).Close()
	}
	cases["serve"] = func() {
		l := must(net.Listen("tcp", os.Args[2]))
		for {
			c := must(l.Accept())
			fmt.Fprint(c, "at ", c.LocalAddr(), " from ", c.RemoteAddr())
			c.Close()
		}
	}
	cases["serve line"] = func() {
		c := must(must(net.Listen("tcp", ":8080")).Accept())
		line, err := bufio.NewReader(c).ReadString('\n')
		fmt.Printf("%q %t\n", line, errors.Is(err, syscall.ECONNRESET))
	}
	cases["self"] = self
	cases["families"] = families
	cases["hand on"] = func() {
		l := must(net.Listen("tcp", ":8080")).(*net.TCPListener)
		again := must(net.FileListener(must(l.File())))
		go answer(again, "me")
		fmt.Println(again.Addr().(*net.TCPAddr).Port == 8080, dialed("127.0.0.1:8080"))
	}
	cases["free port"] = func() {
		l := must(net.Listen("tcp", "127.0.0.1:0"))
		go answer(l, "me")
		fmt.Println(l.Addr().(*net.TCPAddr).Port != 0, dialed(l.Addr().String()))
	}
}

// self serves HTTP on a port, and calls itself.
func self() {
	l := must(net.Listen("tcp", ":8080"))
	_, again := net.Listen("tcp", ":8080")
	go http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "at ", r.Context().Value(http.LocalAddrContextKey))
	}))
	for _, host := range []string{"localhost", "127.0.0.1", "[::1]", "198.19.255.254", "0.0.0.0"} {
		res := must(http.Get("http://" + host + ":8080/"))
		fmt.Println(string(must(io.ReadAll(res.Body))))
	}
	_, isTCP := l.(*net.TCPListener)
	fmt.Println(l.Addr(), isTCP, errors.Is(again, syscall.EADDRINUSE))
}

// families listens on one port with all networks and address families.
func families() {
	go answer(must(net.Listen("tcp", "127.0.0.1:7000")), "loopback")
	go answer(must(net.Listen("tcp", "[::1]:7000")), "loopback 6")
	go answer(must(net.Listen("tcp4", ":7001")), "all of 4")
	go answer(must(net.Listen("tcp6", ":7001")), "all of 6")
	_, err := net.Listen("tcp", ":7001")
	fmt.Println(err)
	for _, a := range []string{"127.0.0.1:7000", "[::1]:7000", "127.0.0.1:7001", "[::1]:7001", "198.19.255.254:7000"} {
		fmt.Println(dialed(a))
	}
}

func answer(l net.Listener, what string) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		fmt.Fprint(c, what)
		c.Close()
	}
}

func dialed(address string) string {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return err.Error()
	}
	return string(must(io.ReadAll(c)))
}
