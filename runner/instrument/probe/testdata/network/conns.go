package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
)

func init() {
	cases["dial"] = func() {
		c, err := net.Dial("tcp", os.Args[2])
		if err != nil {
			judge(err)
			return
		}
		host, _, _ := net.SplitHostPort(c.LocalAddr().String())
		fmt.Println("from", host, "to", c.RemoteAddr())
	}
	cases["dial often"] = func() {
		for range 4 {
			c, err := net.Dial("tcp", os.Args[2])
			if err == nil {
				c.Close()
			}
			fmt.Println(err)
		}
	}
	cases["dial many"] = func() {
		var all []net.Conn
		for range must(strconv.Atoi(os.Args[3])) {
			all = append(all, must(net.Dial("tcp", os.Args[2])))
		}
		for _, c := range all {
			ping(c)
			c.Close()
		}
		fmt.Println(len(all))
	}
	cases["dial udp"] = func() {
		c, err := net.Dial("udp", os.Args[2])
		if err != nil {
			judge(err)
			return
		}
		fmt.Println("to", c.RemoteAddr())
	}
	cases["dial ip"] = func() {
		_, err := net.Dial("ip4:icmp", os.Args[2])
		fmt.Println(errors.Is(err, syscall.EPERM), err)
	}
	cases["echo"] = func() {
		c := must(net.Dial("tcp", os.Args[2])).(*net.TCPConn)
		fmt.Fprint(c, "hello")
		c.CloseWrite()
		fmt.Println(string(must(io.ReadAll(c))), "from", c.RemoteAddr())
	}
	cases["methods"] = methods
	cases["control"] = func() {
		d := net.Dialer{Control: func(network, address string, _ syscall.RawConn) error {
			fmt.Println(network, address)
			return errors.New("the service does not want that")
		}}
		_, err := d.Dial("tcp", os.Args[2])
		fmt.Println(err)
	}
	cases["from"] = func() {
		a := must(net.ResolveTCPAddr("tcp", os.Args[2]))
		c := must(net.DialTCP("tcp", &net.TCPAddr{IP: net.ParseIP("10.1.2.3"), Port: 4000}, a))
		fmt.Println(c.LocalAddr(), c.RemoteAddr())
	}
	cases["unix"] = unix
	cases["child"] = func() {
		fmt.Printf("%q\n", os.Getenv("SONDE_NET_CTL"))
		if len(os.Args) < 3 {
			c := exec.Command(os.Args[0], "child", "3")
			c.Stdout = os.Stdout
			must(0, c.Run())
			return
		}
		_, err := syscall.Write(3, []byte("x"))
		fmt.Println(err)
	}
}

// judge prints what a client would check about an error.
func judge(err error) {
	var op *net.OpError
	var e net.Error
	fmt.Println("refused", errors.Is(err, syscall.ECONNREFUSED), "op", errors.As(err, &op), "timeout", errors.As(err, &e) && e.Timeout(), err)
}

// methods calls methods that only real sockets have.
func methods() {
	a := must(net.ResolveTCPAddr("tcp", os.Args[2]))
	c := must((&net.Dialer{}).DialTCP(context.Background(), "tcp", netip.AddrPort{}, a.AddrPort()))
	kind := 0
	must(0, must(c.SyscallConn()).Control(func(fd uintptr) { kind = must(syscall.GetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_TYPE)) }))
	f := must(c.File())
	fmt.Println(kind == syscall.SOCK_STREAM, f.Close(), c.SetKeepAlive(true), c.SetNoDelay(true), c.SetLinger(0), c.SetReadBuffer(4096))
}

// unix uses a Unix socket, which has no address in the network.
func unix() {
	dir := must(os.MkdirTemp("", "sonde"))
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "socket")
	l := must(net.Listen("unix", path))
	go func() {
		c := must(l.Accept())
		io.Copy(c, c)
		c.Close()
	}()
	c := must(net.Dial("unix", path)).(*net.UnixConn)
	fmt.Fprint(c, "hello")
	c.CloseWrite()
	fmt.Println(string(must(io.ReadAll(c))))
}
