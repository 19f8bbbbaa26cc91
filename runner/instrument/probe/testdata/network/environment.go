package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
)

func init() {
	cases["hostname"] = func() {
		for range 3 {
			say(os.Hostname())
		}
		say(net.LookupHost(must(os.Hostname())))
	}
	cases["hostname again"] = func() {
		for range 3 {
			os.Hostname()
		}
		net.LookupHost("end.example") // sends the reports that wait
		os.Stdin.Read(make([]byte, 1))
	}
	cases["interfaces"] = func() {
		for range 2 {
			all, err := net.Interfaces()
			if err != nil {
				fmt.Println(err, os.IsPermission(errors.Unwrap(errors.Unwrap(err))), errors.Is(err, syscall.EACCES))
				continue
			}
			for _, i := range all {
				fmt.Println(i.Name, i.Flags&net.FlagUp != 0, must(i.Addrs()))
			}
		}
		fmt.Println(net.InterfaceAddrs())
	}
	cases["taken port"] = func() {
		for _, network := range []string{"tcp", "udp"} {
			for range 2 {
				fmt.Println(listenOnce(network, os.Args[2]))
			}
		}
	}
}

// listenOnce listens on an address, and closes the socket.
func listenOnce(network, address string) string {
	if network == "udp" {
		c, err := net.ListenPacket(network, address)
		if err != nil {
			return described(err)
		}
		defer c.Close()
		return c.LocalAddr().String()
	}
	l, err := net.Listen(network, address)
	if err != nil {
		return described(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// described returns an error with the errors that it is.
func described(err error) string {
	text := err.Error()
	for name, is := range map[string]bool{
		" EADDRINUSE": errors.Is(err, syscall.EADDRINUSE), " permission": errors.Is(err, os.ErrPermission),
	} {
		if is {
			text += name
		}
	}
	return text
}
