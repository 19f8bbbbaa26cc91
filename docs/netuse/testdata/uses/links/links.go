package links

import "net"

func Links() ([]net.Interface, error) { return net.Interfaces() }
