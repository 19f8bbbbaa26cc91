package lookup

import (
	"context"
	"net"
)

func Own(dial func(context.Context, string, string) (net.Conn, error)) *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: dial}
}

func Servers(name string) ([]*net.MX, error) { return net.LookupMX(name) }
