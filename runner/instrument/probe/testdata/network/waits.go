package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"time"
)

func init() {
	cases["read"] = func() {
		c := must(net.Dial("tcp", os.Args[2]))
		fmt.Fprint(c, "anybody?")
		_, err := io.ReadAll(c)
		fmt.Println(errors.Is(err, syscall.ECONNRESET), err)
	}
	cases["read first"] = func() {
		c := must(net.Dial("tcp", os.Args[2]))
		done := make(chan error)
		go func() { _, err := c.Read(make([]byte, 1)); done <- err }()
		time.Sleep(50 * time.Millisecond)
		fmt.Fprint(c, "anybody?")
		fmt.Println(<-done)
	}
	cases["accept"] = func() {
		_, err := must(net.Listen("tcp", ":8080")).Accept()
		fmt.Println(errors.Is(err, syscall.ECONNABORTED), err)
	}
	cases["recv"] = func() {
		c := must(net.ListenPacket("udp", ":7000"))
		_, _, err := c.ReadFrom(make([]byte, 1))
		fmt.Println(errors.Is(err, syscall.EAGAIN), err)
	}
	cases["deadline"] = deadline
	cases["write by the kernel"] = byKernel
	cases["pass on"] = passOn
	cases["ask"] = func() {
		for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
			say(net.LookupHost(lines.Text()))
		}
	}
	cases["close"] = func() {
		for range 500 {
			must(net.Dial("tcp", os.Args[2])).Close()
		}
		fmt.Println("done")
		io.Copy(io.Discard, os.Stdin)
	}
	cases["same port"] = samePort
	cases["often"] = func() {
		c := must(net.Dial("tcp", os.Args[2]))
		for range 3 {
			fmt.Fprint(c, "ping")
			must(c.Read(make([]byte, 4)))
		}
		fmt.Println("done")
	}
}

// samePort waits on 200 connections to one host, to which it sends their numbers. It calls another host until that one
// says that the call and one of the connections come from the same port.
func samePort() {
	for i := range 200 {
		c := must(net.Dial("tcp", os.Args[2]))
		must(c.Write([]byte{byte(i)}))
		go io.Copy(io.Discard, c)
	}
	for {
		c := must(net.Dial("tcp", os.Args[3])).(*net.TCPConn)
		var same [1]byte
		must(io.ReadFull(c, same[:]))
		if same[0] == 1 {
			fmt.Println("same")
			must(io.Copy(io.Discard, c))
			return
		}
		c.SetLinger(0) // frees the port at once
		c.Close()
	}
}

// deadline reads twice with a deadline of its own, and once without a deadline.
func deadline() {
	c := must(net.Dial("tcp", os.Args[2]))
	end := time.Now().Add(300 * time.Millisecond)
	c.SetReadDeadline(end)
	_, first := c.Read(make([]byte, 1))
	early := time.Now().Before(end)
	_, second := c.Read(make([]byte, 1))
	fmt.Println(early, first, errors.Is(second, os.ErrDeadlineExceeded), time.Now().Before(end))
	c.SetReadDeadline(time.Time{})
	_, third := c.Read(make([]byte, 1))
	fmt.Println(third)
}

// byKernel sends a file, several buffers and a few bytes, and waits.
func byKernel() {
	f := must(os.CreateTemp("", "sonde"))
	defer os.Remove(f.Name())
	f.Write(bytes.Repeat([]byte("f"), 100000))
	f.Seek(0, 0)
	c := must(net.Dial("tcp", os.Args[2])).(*net.TCPConn)
	must(c.ReadFrom(f))
	buffers := net.Buffers{[]byte("many"), []byte("buffers")}
	must(buffers.WriteTo(c))
	must(c.Write([]byte("few")))
	_, err := c.Read(make([]byte, 1))
	fmt.Println(err)
}

// passOn makes the kernel copy data between two connections, in both directions.
func passOn() {
	from, to := must(net.Dial("tcp", os.Args[2])), must(net.Dial("tcp", os.Args[3]))
	fmt.Fprint(from, "begin")
	go io.Copy(to, from)
	_, err := io.Copy(from, to)
	fmt.Println(strings.Contains(fmt.Sprint(err), "reset"))
}
