package vnet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"time"
)

// resolver is the DNS server of services that ask one by themselves, whatever its
// address.
type resolver struct {
	n    *Network
	udp  *net.UDPConn
	tcp  net.Listener
	real netip.AddrPort
}

const (
	mostTries   = 20
	mostIdleDNS = 5 * time.Second
)

func newResolver(n *Network) (*resolver, error) {
	var err error
	for range mostTries {
		r := &resolver{n: n}
		r.udp, err = net.ListenUDP("udp4", &net.UDPAddr{IP: loopback})
		if err != nil {
			break
		}
		r.real = place(r.udp.LocalAddr())
		r.tcp, err = net.Listen("tcp4", r.real.String())
		if err == nil {
			r.serve()
			return r, nil
		}
		r.udp.Close()
	}
	return nil, fmt.Errorf("no port on loopback for names: %w", err)
}

func (r *resolver) serve() {
	go r.datagrams()
	go r.streams()
}

func (r *resolver) close() {
	if r != nil {
		_ = r.udp.Close()
		_ = r.tcp.Close()
	}
}

// datagrams answers from whatever address was asked, if the socket tells that.
func (r *resolver) datagrams() {
	buf, asked := make([]byte, 64<<10), make([]byte, 128)
	for {
		size, told, _, from, err := r.udp.ReadMsgUDPAddrPort(buf, asked)
		if err == nil {
			if says := r.n.resolve(buf[:size]); says != nil {
				_, _, _ = r.udp.WriteMsgUDPAddrPort(says, asked[:told], from)
			}
		} else if errors.Is(err, net.ErrClosed) {
			return
		}
	}
}

func (r *resolver) streams() {
	for {
		c, err := r.tcp.Accept()
		if err == nil {
			go r.stream(c)
		} else if errors.Is(err, net.ErrClosed) {
			return
		} else {
			time.Sleep(5 * time.Millisecond)
		}
	}
}

// stream answers the questions of one connection, each behind its length.
func (r *resolver) stream(c net.Conn) {
	defer c.Close()
	for {
		_ = c.SetDeadline(time.Now().Add(mostIdleDNS))
		var size [2]byte
		if _, err := io.ReadFull(c, size[:]); err != nil {
			return
		}
		question := make([]byte, binary.BigEndian.Uint16(size[:]))
		if _, err := io.ReadFull(c, question); err != nil {
			return
		}
		says := r.n.resolve(question)
		if says == nil {
			return
		}
		if _, err := c.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(says))), says...)); err != nil {
			return
		}
	}
}
