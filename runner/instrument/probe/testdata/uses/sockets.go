package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"time"

	"golang.org/x/net/ipv4"
	"golang.org/x/sys/unix"
)

func init() {
	uses["http"] = func(context.Context) (any, error) {
		res, err := http.Get("http://web.example/page")
		if err != nil {
			return nil, err
		}
		defer res.Body.Close()
		said, err := io.ReadAll(res.Body)
		return string(said), err
	}
	uses["splice proxy"] = proxy
	uses["x/net/ipv4"] = packets
	uses["raw syscall"] = raw
	uses["child process"] = func(ctx context.Context) (any, error) {
		// A program that was not built by Sonde: it looks a name up by itself.
		out, err := exec.CommandContext(ctx, "getent", "hosts", "web.example").Output()
		return string(out), err
	}
}

// proxy passes on what arrives at a port. The kernel copies the data.
func proxy(context.Context) (any, error) {
	l, err := net.Listen("tcp", ":8080")
	if err != nil {
		return nil, err
	}
	go func() {
		in, err := l.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", "echo.example:7")
		if err != nil {
			in.Close()
			return
		}
		go func() { io.Copy(out, in); out.(*net.TCPConn).CloseWrite() }()
		io.Copy(in, out)
		in.Close()
	}()
	c, err := net.Dial("tcp", "localhost:8080")
	if err != nil {
		return nil, err
	}
	data := bytes.Repeat([]byte("0123456789"), 100_000)
	go func() { c.Write(data); c.(*net.TCPConn).CloseWrite() }()
	back, err := io.ReadAll(c)
	return fmt.Sprint(len(back), " the same: ", bytes.Equal(back, data)), err
}

// packets sends with a library that makes system calls itself.
func packets(context.Context) (any, error) {
	c, err := net.ListenPacket("udp4", ":0")
	if err != nil {
		return nil, err
	}
	to, err := net.ResolveUDPAddr("udp4", "udp.example:99")
	if err != nil {
		return nil, err
	}
	p := ipv4.NewPacketConn(c)
	p.SetDeadline(time.Now().Add(time.Second))
	if _, err := p.WriteTo([]byte("hello"), nil, to); err != nil {
		return nil, err
	}
	b := make([]byte, 100)
	n, _, from, err := p.ReadFrom(b)
	return fmt.Sprint(string(b[:n]), " from ", from), err
}

// raw connects by a system call.
func raw(context.Context) (any, error) {
	ips, err := net.LookupIP("echo.example")
	if err != nil {
		return nil, err
	}
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(s)
	_ = unix.Connect(s, &unix.SockaddrInet4{Port: 7, Addr: [4]byte(ips[0].To4())})
	return "the real network was asked", nil
}
