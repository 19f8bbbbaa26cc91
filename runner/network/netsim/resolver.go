package netsim

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"time"
)

// resolver is a DNS server. With a network built in it answers services that have their own
// resolver, whichever server they ask. In a namespace it answers all programs.
type resolver struct {
	answer func(question []byte) []byte // returns nil for no answer
	udp    *net.UDPConn
	tcp    net.Listener
	real   netip.AddrPort // the address on loopback, if newResolver started it
}

const (
	maxPortTries = 20
	maxIdleDNS   = 5 * time.Second
)

// newResolver starts a resolver on loopback, with the same port for UDP and TCP.
func newResolver(answer func(question []byte) []byte) (*resolver, error) {
	var err error
	for range maxPortTries {
		r := &resolver{answer: answer}
		r.udp, err = net.ListenUDP("udp4", &net.UDPAddr{IP: loopback})
		if err != nil {
			break
		}
		r.real = addrPort(r.udp.LocalAddr())
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
	go r.serveDatagrams()
	go r.serveStreams()
}

// close stops the resolver. r may be nil.
func (r *resolver) close() {
	if r != nil {
		_ = r.udp.Close()
		_ = r.tcp.Close()
	}
}

// serveDatagrams answers questions by UDP. Each reply is sent from the address that was asked,
// if control data of the socket names that address.
func (r *resolver) serveDatagrams() {
	buf, control := make([]byte, 64<<10), make([]byte, 128)
	for {
		size, controlSize, _, from, err := r.udp.ReadMsgUDPAddrPort(buf, control)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			continue
		}
		if reply := r.answer(buf[:size]); reply != nil {
			_, _, _ = r.udp.WriteMsgUDPAddrPort(reply, control[:controlSize], from)
		}
	}
}

func (r *resolver) serveStreams() {
	for {
		c, err := r.tcp.Accept()
		switch {
		case err == nil:
			go r.serveStream(c)
		case errors.Is(err, net.ErrClosed):
			return
		default:
			time.Sleep(acceptRetry) // no descriptor is free
		}
	}
}

// serveStream answers the questions on one connection. A length of 16 bits precedes each
// question and each reply.
func (r *resolver) serveStream(c net.Conn) {
	defer c.Close()
	for {
		_ = c.SetDeadline(time.Now().Add(maxIdleDNS))
		var size [2]byte
		if _, err := io.ReadFull(c, size[:]); err != nil {
			return
		}
		question := make([]byte, binary.BigEndian.Uint16(size[:]))
		if _, err := io.ReadFull(c, question); err != nil {
			return
		}
		reply := r.answer(question)
		if reply == nil {
			return
		}
		framed := append(binary.BigEndian.AppendUint16(nil, uint16(len(reply))), reply...)
		if _, err := c.Write(framed); err != nil {
			return
		}
	}
}
