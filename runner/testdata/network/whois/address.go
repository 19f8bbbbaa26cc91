package main

import (
	"net/http"
	"net/netip"
	"strings"

	"sonde/runner/testdata/services/serve"
)

// network is the network of an address, with its owner.
type network struct {
	Owner   string `json:"owner"`
	Country string `json:"country"`
	Size    int    `json:"size"` // the bits of the prefix, 0 if only the first and last address are known
	Range   string `json:"range"`

	referral string
}

func (r *registry) address(c *serve.Call) (serve.Answer, error) {
	a, err := netip.ParseAddr(c.PathValue("address"))
	switch {
	case err != nil:
		return serve.Answer{}, serve.Refuse(http.StatusBadRequest, "address: must be one of the internet protocol")
	case a.IsPrivate(), a.IsLoopback(), a.IsUnspecified():
		return serve.Answer{}, serve.Refuse(http.StatusUnprocessableEntity, "address: is nobody's")
	}
	n, err := r.network(c, r.server, "n + "+a.String(), a)
	if err == nil && n.referral != "" {
		n, err = r.network(c, withPort(n.referral), a.String(), a)
	}
	switch {
	case err != nil:
		return serve.Answer{}, err
	case n.Owner == "":
		return serve.Answer{}, serve.Missing("owner")
	}
	return serve.OK(n)
}

func (r *registry) network(c *serve.Call, server, question string, a netip.Addr) (n network, err error) {
	lines, err := r.ask(c.Context(), server, question)
	for _, line := range lines {
		name, value, ok := strings.Cut(line, ":")
		if !ok || err != nil {
			continue
		}
		err = n.field(c, strings.ToLower(name), strings.TrimSpace(value), a)
	}
	return n, err
}

func (n *network) field(c *serve.Call, name, value string, a netip.Addr) error {
	switch name {
	case "orgname", "owner":
		n.Owner = value
	case "country":
		if len(value) != 2 {
			return strange("the server has a country %.20q", value)
		}
		n.Country = strings.ToUpper(value)
	case "cidr":
		prefix, err := netip.ParsePrefix(value)
		if err != nil || !prefix.Contains(a) {
			return strange("the server has a prefix %.50q", value)
		}
		n.Size = prefix.Bits()
	case "netrange", "inetnum":
		ends := strings.Split(value, " - ")
		// F04: the range has only one end.
		c.Fault("F04", len(ends) < 2)
		from, low := netip.ParseAddr(ends[0])
		to, high := netip.ParseAddr(ends[1])
		if low != nil || high != nil || a.Less(from) || to.Less(a) {
			return strange("the server has a range %.50q", value)
		}
		n.Range = value
	case "referralserver":
		scheme, host, _ := strings.Cut(value, "://")
		if scheme != "whois" {
			return strange("the server refers to %.20q", scheme)
		}
		n.referral = host
	}
	return nil
}
