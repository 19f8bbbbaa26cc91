package main

import "strings"

// class is a way to use the network.
type class string

// The classes that the virtual network handles: package net, to which it adds its hooks, does the work of all of them.
const (
	dialTCP     class = "dial by TCP"
	dialUDP     class = "dial by UDP"
	dialAny     class = "dial by a variable network"
	listenTCP   class = "listen by TCP"
	listenUDP   class = "listen by UDP"
	listenAny   class = "listen by a variable network"
	accept      class = "accept"
	lookup      class = "look up names"
	ownResolver class = "a resolver of its own"
	interfaces  class = "network interfaces"
	httpClient  class = "HTTP client"
	httpServer  class = "HTTP server"
	gRPC        class = "gRPC"
	rpc         class = "net/rpc"
	mail        class = "mail by SMTP"
	tlsSession  class = "TLS"
	database    class = "database/sql"
)

// The classes that the virtual network does not handle.
const (
	unixSocket class = "Unix socket"
	rawIP      class = "raw IP socket"
	systemCall class = "system call on sockets"
	ancillary  class = "packages such as x/net/ipv4"
	inherited  class = "socket from a file"
	passedOn   class = "socket as a file"
	socketsInC class = "sockets in C"
	ownChecks  class = "own checks of certificates"
)

// notHandled has the reasons why the virtual network does not handle a class; see the limits in docs/network.md.
var notHandled = map[class]string{
	unixSocket: "Unix sockets are real",
	rawIP:      "raw IP sockets are not permitted",
	systemCall: "system calls are not redirected",
	ancillary:  "they make system calls, which are not redirected",
	inherited:  "an inherited socket is real",
	passedOn:   "a listener that is passed on as a file has its real address",
	socketsInC: "C code is not redirected",
	ownChecks:  "a module that pins certificates does not trust virtual hosts",
}

// isHandled reports whether the virtual network handles a class.
func (c class) isHandled() bool { return notHandled[c] == "" }

// isNetwork reports whether a module that only uses this class counts as one that uses the network.
func (c class) isNetwork() bool { return c != tlsSession && c != database && c != ownChecks }

// classes has all classes in the order of the tables.
var classes = []class{
	httpClient, httpServer, dialTCP, dialUDP, dialAny, listenTCP, listenUDP, listenAny, accept, lookup, ownResolver, interfaces,
	tlsSession, gRPC, rpc, mail, database, unixSocket, systemCall, ancillary, rawIP, inherited, passedOn, socketsInC, ownChecks,
}

// byNetwork are the classes of a function that gets a network such as "tcp4" as an argument.
type byNetwork struct{ tcp, udp, other class }

var (
	dialing   = byNetwork{dialTCP, dialUDP, dialAny}
	listening = byNetwork{listenTCP, listenUDP, listenAny}
)

// of returns the class of a network. network is "" if it is not a constant.
func (b byNetwork) of(network string) class {
	switch {
	case network == "":
		return b.other
	case strings.HasPrefix(network, "t"):
		return b.tcp
	case strings.HasPrefix(network, "un"):
		return unixSocket
	case strings.HasPrefix(network, "u"):
		return b.udp
	}
	return rawIP
}

// unixNetworks are the networks of Unix sockets.
var unixNetworks = []string{"unix", "unixgram", "unixpacket"}

// opening is a function that opens a socket, and the index of its argument with the network.
type opening struct {
	byNetwork
	argument int
}

// openings are the functions of the standard library that get a network as an argument.
var openings = map[string]opening{
	"net.Dial":                         {dialing, 0},
	"net.DialTimeout":                  {dialing, 0},
	"(*net.Dialer).Dial":               {dialing, 0},
	"(*net.Dialer).DialContext":        {dialing, 1},
	"crypto/tls.Dial":                  {dialing, 0},
	"crypto/tls.DialWithDialer":        {dialing, 1},
	"(*crypto/tls.Dialer).Dial":        {dialing, 0},
	"(*crypto/tls.Dialer).DialContext": {dialing, 1},
	"net/textproto.Dial":               {dialing, 0},
	"net/rpc.Dial":                     {dialing, 0},
	"net/rpc.DialHTTP":                 {dialing, 0},
	"net/rpc.DialHTTPPath":             {dialing, 0},
	"net/rpc/jsonrpc.Dial":             {dialing, 0},
	"log/syslog.Dial":                  {byNetwork{dialTCP, dialUDP, unixSocket}, 0},
	"net.Listen":                       {listening, 0},
	"net.ListenPacket":                 {listening, 0},
	"(*net.ListenConfig).Listen":       {listening, 1},
	"(*net.ListenConfig).ListenPacket": {listening, 1},
	"crypto/tls.Listen":                {listening, 0},
}

// names has the class of each function, variable and constant whose use is a use of the network. The name of a type
// with {} means a literal of that type.
var names = classByName(map[class][]string{
	dialTCP:   {"net.DialTCP", "(*net.Dialer).DialTCP"},
	dialUDP:   {"net.DialUDP", "(*net.Dialer).DialUDP"},
	listenTCP: {"net.ListenTCP"},
	listenUDP: {"net.ListenUDP", "net.ListenMulticastUDP"},
	accept:    {"(net.Listener).Accept", "(*net.TCPListener).Accept", "(*net.TCPListener).AcceptTCP"},
	rawIP:     {"net.DialIP", "net.ListenIP", "(*net.Dialer).DialIP"},
	unixSocket: {
		"net.DialUnix", "net.ListenUnix", "net.ListenUnixgram", "(*net.Dialer).DialUnix", "(*net.UnixListener).Accept",
		"(*net.UnixListener).AcceptUnix", "log/syslog.New", "log/syslog.NewLogger",
	},
	lookup: {
		"net.LookupAddr", "net.LookupCNAME", "net.LookupHost", "net.LookupIP", "net.LookupMX", "net.LookupNS", "net.LookupSRV",
		"net.LookupTXT", "net.ResolveIPAddr", "net.ResolveTCPAddr", "net.ResolveUDPAddr", "net.DefaultResolver",
		"(*net.Resolver).LookupAddr", "(*net.Resolver).LookupCNAME", "(*net.Resolver).LookupHost", "(*net.Resolver).LookupIP",
		"(*net.Resolver).LookupIPAddr", "(*net.Resolver).LookupMX", "(*net.Resolver).LookupNS", "(*net.Resolver).LookupNetIP",
		"(*net.Resolver).LookupSRV", "(*net.Resolver).LookupTXT",
	},
	ownResolver: {"net.Resolver{}"},
	interfaces: {
		"net.Interfaces", "net.InterfaceAddrs", "net.InterfaceByName", "net.InterfaceByIndex", "(*net.Interface).Addrs",
		"(*net.Interface).MulticastAddrs",
	},
	httpClient: {
		"net/http.Get", "net/http.Head", "net/http.Post", "net/http.PostForm", "net/http.DefaultClient", "net/http.DefaultTransport",
		"net/http.Client{}", "net/http.Transport{}", "(*net/http.Client).Do", "(*net/http.Client).Get", "(*net/http.Client).Head",
		"(*net/http.Client).Post", "(*net/http.Client).PostForm", "(net/http.RoundTripper).RoundTrip", "(*net/http.Transport).RoundTrip",
		"net/http/httputil.ReverseProxy{}", "net/http/httputil.NewSingleHostReverseProxy",
	},
	httpServer: {
		"net/http.ListenAndServe", "net/http.ListenAndServeTLS", "net/http.Serve", "net/http.ServeTLS", "net/http.Server{}",
		"(*net/http.Server).ListenAndServe", "(*net/http.Server).ListenAndServeTLS", "(*net/http.Server).Serve",
		"(*net/http.Server).ServeTLS", "net/http/fcgi.Serve", "net/http/httptest.NewServer", "net/http/httptest.NewTLSServer",
		"net/http/httptest.NewUnstartedServer",
	},
	tlsSession: {
		"crypto/tls.Client", "crypto/tls.Server", "crypto/tls.NewListener", "crypto/tls.Config{}", "crypto/tls.Dial",
		"crypto/tls.DialWithDialer", "crypto/tls.Listen", "crypto/tls.Dialer{}", "(*crypto/tls.Dialer).Dial",
		"(*crypto/tls.Dialer).DialContext",
	},
	gRPC: {
		"google.golang.org/grpc.Dial", "google.golang.org/grpc.DialContext", "google.golang.org/grpc.NewClient",
		"(*google.golang.org/grpc.Server).Serve",
	},
	rpc: {
		"net/rpc.Accept", "(*net/rpc.Server).Accept", "net/rpc.Dial", "net/rpc.DialHTTP", "net/rpc.DialHTTPPath", "net/rpc/jsonrpc.Dial",
	},
	mail:     {"net/smtp.Dial", "net/smtp.SendMail"},
	database: {"database/sql.Open", "database/sql.OpenDB", "database/sql.Register"},
	systemCall: both(
		"syscall.", "golang.org/x/sys/unix.",
		"Socket", "Connect", "Bind", "Listen", "Accept", "Accept4", "Sendto", "Sendmsg", "SendmsgN", "SendmsgBuffers", "Recvfrom",
		"Recvmsg", "RecvmsgBuffers", "NetlinkRIB", "SYS_SOCKET", "SYS_SOCKETCALL", "SYS_CONNECT", "SYS_BIND", "SYS_LISTEN", "SYS_ACCEPT",
		"SYS_ACCEPT4", "SYS_SENDTO", "SYS_SENDMSG", "SYS_SENDMMSG", "SYS_RECVFROM", "SYS_RECVMSG", "SYS_RECVMMSG",
	),
	ancillary: append(
		both("golang.org/x/net/ipv4.", "golang.org/x/net/ipv6.", "NewConn", "NewPacketConn", "NewRawConn"),
		"golang.org/x/net/icmp.ListenPacket", "golang.org/x/net/route.FetchRIB",
	),
	inherited: {"net.FileConn", "net.FileListener", "net.FilePacketConn"},
	passedOn: {
		"(*net.TCPListener).File", "(*net.UnixListener).File", "(*net.TCPConn).File", "(*net.UDPConn).File", "(*net.IPConn).File",
		"(*net.UnixConn).File",
	},
	ownChecks: {"crypto/tls.VerifyPeerCertificate", "crypto/tls.VerifyConnection"}, // fields of Config
})

// both returns the names qualified by each of two packages. first and second are the paths of the packages with a "."
// at the end.
func both(first, second string, names ...string) (all []string) {
	for _, n := range names {
		all = append(all, first+n, second+n)
	}
	return all
}

// classByName inverts a map. A name may have several classes.
func classByName(all map[class][]string) map[string][]class {
	by := map[string][]class{}
	for _, c := range classes {
		for _, n := range all[c] {
			by[n] = append(by[n], c)
		}
	}
	return by
}
