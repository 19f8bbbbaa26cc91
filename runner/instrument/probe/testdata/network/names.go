package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
)

func init() {
	cases["lookup"] = func() { say(net.LookupHost(os.Args[2])) }
	cases["lookup often"] = func() {
		for range 4 {
			say(net.LookupHost(os.Args[2]))
		}
	}
	cases["lookup ip6"] = func() { say(net.DefaultResolver.LookupIP(context.Background(), "ip6", os.Args[2])) }
	cases["cname"] = func() { say(net.LookupCNAME(os.Args[2])) }
	cases["txt"] = func() { say(net.LookupTXT(os.Args[2])) }
	cases["ptr"] = func() { say(net.LookupAddr(os.Args[2])) }
	cases["mx"] = func() {
		for _, mx := range must(net.LookupMX(os.Args[2])) {
			fmt.Println(mx.Pref, mx.Host)
		}
	}
	cases["ns"] = func() {
		for _, ns := range must(net.LookupNS(os.Args[2])) {
			fmt.Println(ns.Host)
		}
	}
	cases["srv"] = func() {
		_, all, err := net.LookupSRV("ldap", "tcp", os.Args[2])
		must(all, err)
		for _, srv := range all {
			fmt.Println(*srv)
		}
	}
	cases["lookup error"] = func() {
		_, err := net.LookupHost(os.Args[2])
		var d *net.DNSError
		fmt.Println(errors.As(err, &d), d.IsNotFound, d.IsTimeout, d.IsTemporary, err)
	}
	cases["own resolver"] = func() {
		r := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
			return nil, errors.New("the resolver dials")
		}}
		say(r.LookupHost(context.Background(), os.Args[2]))
	}
	cases["here"] = func() {
		say(os.Hostname())
		say(net.InterfaceAddrs())
		for _, i := range must(net.Interfaces()) {
			fmt.Println(i.Index, i.Name, must(i.Addrs()))
		}
		say(net.InterfaceByName("eth0"))
	}
}
