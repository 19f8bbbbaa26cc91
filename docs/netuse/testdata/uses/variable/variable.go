package variable

import "net"

var Dial = net.Dial

func Listen(network string) (net.Listener, error) { return net.Listen(network, ":0") }
