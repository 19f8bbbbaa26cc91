// Command far plays the hosts that its parent command, named uses, calls. It prints their
// addresses as lines of a table, and ends when its input ends.
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"

	"github.com/gorilla/websocket"
	"github.com/miekg/dns"
	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
)

func main() {
	fmt.Println("unknown resolve")
	mux := http.NewServeMux()
	mux.HandleFunc("/page", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "page of ", r.Host) })
	mux.HandleFunc("/ws", sockets)
	go http.Serve(listen("web.example", "198.18.0.1", "80"), mux)
	g := grpc.NewServer()
	healthpb.RegisterHealthServer(g, health.NewServer())
	go g.Serve(listen("grpc.example", "198.18.0.2", "50051"))
	each(listen("echo.example", "198.18.0.3", "7"), func(c net.Conn) { io.Copy(c, c) })
	each(listen("redis.example", "198.18.0.4", "6379"), redis)
	each(listen("mysql.example", "198.18.0.5", "3306"), func(c net.Conn) {
		const tooMany = "\xff\x10\x04#08004Too many connections"
		c.Write(append([]byte{byte(len(tooMany)), 0, 0, 0}, tooMany...))
	})
	each(listen("pg.example", "198.18.0.6", "5432"), func(c net.Conn) {
		c.Read(make([]byte, 4096))
		io.WriteString(c, "R\x00\x00\x00\x08\x00\x00\x00\x00Z\x00\x00\x00\x05I")
		io.Copy(io.Discard, c)
	})
	each(listen("mail.example", "198.18.0.7", "25"), mail)
	names()
	datagrams()
	fmt.Println()
	io.Copy(io.Discard, os.Stdin)
}

// listen listens for a host, and prints the address.
func listen(name, addr, port string) net.Listener {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("dns %s A %s\nroute tcp %s:%s %s\n", name, addr, addr, port, l.Addr())
	return l
}

func each(l net.Listener, do func(net.Conn)) {
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { do(c); c.Close() }()
		}
	}()
}

func sockets(w http.ResponseWriter, r *http.Request) {
	c, err := new(websocket.Upgrader).Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer c.Close()
	if kind, said, err := c.ReadMessage(); err == nil {
		c.WriteMessage(kind, append([]byte("re: "), said...))
	}
}

func redis(c net.Conn) {
	b := make([]byte, 4096)
	for {
		n, err := c.Read(b)
		if err != nil {
			return
		}
		for _, command := range strings.Split(strings.ToLower(string(b[:n])), "*")[1:] {
			if strings.Contains(command, "ping") {
				io.WriteString(c, "+PONG\r\n")
			} else {
				io.WriteString(c, "-ERR unknown command\r\n")
			}
		}
	}
}

func mail(c net.Conn) {
	io.WriteString(c, "220 mail.example ready\r\n")
	body := false
	for lines := bufio.NewScanner(c); lines.Scan(); {
		switch line := lines.Text(); {
		case body && line != ".":
		case line == "DATA":
			body = true
			io.WriteString(c, "354 go on\r\n")
		case line == "QUIT":
			io.WriteString(c, "221 bye\r\n")
		default:
			body = false
			io.WriteString(c, "250 ok\r\n")
		}
	}
}

// names answers DNS questions for all names.
func names() {
	answer := dns.HandlerFunc(func(w dns.ResponseWriter, q *dns.Msg) {
		m := new(dns.Msg).SetReply(q)
		record, _ := dns.NewRR(q.Question[0].Name + " 1 IN A 198.18.0.1")
		m.Answer = append(m.Answer, record)
		w.WriteMsg(m)
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	p, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("route tcp *:53 %s\nroute udp *:53 %s\n", l.Addr(), p.LocalAddr())
	go (&dns.Server{Listener: l, Handler: answer}).ActivateAndServe()
	go (&dns.Server{PacketConn: p, Handler: answer}).ActivateAndServe()
}

func datagrams() {
	p, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("dns udp.example A 198.18.0.8\nroute udp 198.18.0.8:99 %s\n", p.LocalAddr())
	go func() {
		b := make([]byte, 2000)
		for {
			n, from, err := p.ReadFrom(b)
			if err != nil {
				return
			}
			p.WriteTo(b[:n], from)
		}
	}()
}
