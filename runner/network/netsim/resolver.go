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

// resolver is the DNS server of services that have a resolver of their own, whichever
// server they ask.
type resolver struct {
	answer func(question []byte) []byte // nil for no answer
	udp    *net.UDPConn
	tcp    net.Listener
	real   netip.AddrPort
}

const (
	maxPortTries = 20
	maxIdleDNS   = 5 * time.Second
)

// newResolver starts a resolver on one port of loopback, by UDP and by TCP.
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

// close ends the resolver, if there is one.
func (r *resolver) close() {
	if r != nil {
		_ = r.udp.Close()
		_ = r.tcp.Close()
	}
}

// serveDatagrams answers from the address that was asked, if the socket reports it.
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

// serveStream answers the questions of one connection. Each follows its length.
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
