package main

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"syscall"
	"time"
)

func init() {
	cases["udp"] = func() {
		c := must(net.Dial("udp", os.Args[2]))
		fmt.Fprint(c, "ping")
		b := make([]byte, 100)
		n, err := c.Read(b)
		fmt.Println(string(b[:n]), err, errors.Is(err, syscall.ECONNREFUSED), c.RemoteAddr())
	}
	cases["udp ways"] = ways
	cases["udp send"] = func() {
		c := must(net.ListenPacket("udp", ":0"))
		n, err := c.WriteTo([]byte("to\x00nobody"), must(net.ResolveUDPAddr("udp", os.Args[2])))
		fmt.Println(n, err)
	}
	cases["udp raw"] = func() {
		c := must(net.ListenUDP("udp4", nil))
		must(0, must(c.SyscallConn()).Write(func(fd uintptr) bool {
			fmt.Println(syscall.Sendto(int(fd), []byte("ping"), 0, &syscall.SockaddrInet4{Addr: [4]byte{198, 18, 0, 7}, Port: 99}))
			return true
		}))
	}
	cases["udp serve"] = func() {
		c := must(net.ListenPacket("udp", os.Args[2]))
		b := make([]byte, 100)
		for {
			n, from, err := c.ReadFrom(b)
			must(n, err)
			fmt.Fprint(os.Stderr, from)
			must(c.WriteTo(append([]byte("you said "), b[:n]...), from))
		}
	}
	cases["udp self"] = func() {
		server, client := must(net.ListenPacket("udp", ":7000")), must(net.Dial("udp", "127.0.0.1:7000"))
		fmt.Fprint(client, "ping")
		b := make([]byte, 100)
		n, from, err := server.ReadFrom(b)
		must(n, err)
		must(server.WriteTo([]byte("pong"), from))
		n = must(client.Read(b))
		fmt.Println(string(b[:n]), from.String() == client.LocalAddr().String())
	}
	cases["multicast"] = multicast
	cases["udp mute"] = func() {
		c := must(net.Dial("udp", os.Args[2]))
		fmt.Fprint(c, "ping")
		c.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
		_, err := c.Read(make([]byte, 1))
		fmt.Println(errors.Is(err, os.ErrDeadlineExceeded))
	}
}

// ways sends and receives datagrams by all methods.
func ways() {
	network := "udp"
	if len(os.Args) > 3 {
		network = os.Args[3]
	}
	a := must(net.ResolveUDPAddr("udp", os.Args[2]))
	to := netip.AddrPortFrom(a.AddrPort().Addr().Unmap(), a.AddrPort().Port())
	c := must(net.ListenUDP(network, nil))
	b := make([]byte, 100)
	must(c.WriteTo([]byte("WriteTo"), a))
	n, from, err := c.ReadFrom(b)
	same("ReadFrom", b[:n], from.(*net.UDPAddr).AddrPort(), to, err)
	must(c.WriteToUDP([]byte("WriteToUDP"), a))
	n, fromUDP, err := c.ReadFromUDP(b)
	same("ReadFromUDP", b[:n], fromUDP.AddrPort(), to, err)
	must(c.WriteToUDPAddrPort([]byte("WriteToUDPAddrPort"), to))
	n, fromPort, err := c.ReadFromUDPAddrPort(b)
	same("ReadFromUDPAddrPort", b[:n], fromPort, to, err)
	_, _, err = c.WriteMsgUDP([]byte("WriteMsgUDP"), nil, a)
	must(0, err)
	n, _, _, fromUDP, err = c.ReadMsgUDP(b, nil)
	same("ReadMsgUDP", b[:n], fromUDP.AddrPort(), to, err)
	_, _, err = c.WriteMsgUDPAddrPort([]byte("WriteMsgUDPAddrPort"), nil, to)
	must(0, err)
	n, _, _, fromPort, err = c.ReadMsgUDPAddrPort(b, nil)
	same("ReadMsgUDPAddrPort", b[:n], fromPort, to, err)
}

// same prints what was received, and whether the sender is the one to whom it wrote.
func same(how string, what []byte, from, to netip.AddrPort, err error) {
	from = netip.AddrPortFrom(from.Addr().Unmap(), from.Port())
	fmt.Println(how, string(what), from == to, err)
}

// multicast receives what it sends to a group, and by broadcast.
func multicast() {
	group := &net.UDPAddr{IP: net.IPv4(224, 0, 0, 9), Port: 7000}
	l := must(net.ListenMulticastUDP("udp4", nil, group))
	must(net.ListenMulticastUDP("udp", nil, &net.UDPAddr{IP: net.ParseIP("ff02::9"), Port: 7001}))
	c := must(net.ListenUDP("udp4", nil))
	b := make([]byte, 100)
	for _, to := range []*net.UDPAddr{group, {IP: net.IPv4bcast, Port: 7000}} {
		must(c.WriteToUDP([]byte("all of you"), to))
		n, _, err := l.ReadFrom(b)
		fmt.Println(string(b[:n]), err, l.LocalAddr())
	}
}
