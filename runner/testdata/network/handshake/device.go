package main

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"sonde/runner/testdata/services/serve"
)

// read reads the first line of a device: "HAND_SHAKE/2 printer Lobby toner=7 host=lobby.example:9100".
func read(c *serve.Call, t *talk) (*device, error) {
	words := t.words()
	// F01: the line is empty or missing.
	c.Fault("F01", len(words) == 0)
	version, ok := strings.CutPrefix(words[0], handShake)
	switch {
	case !ok:
		return nil, strange("invalid header: %.40q", words[0])
	case len(words) < 3:
		return nil, strange("the device does not say who it is")
	case !slices.Contains([]string{"printer", "scanner", "hub"}, words[1]):
		return nil, strange("nobody pairs with a %.20q", words[1])
	}
	d := &device{Kind: words[1], Name: words[2], Version: 1, Children: []string{}, Warnings: []string{}}
	switch version {
	case "", "/1":
		d.Warnings = append(d.Warnings, "old")
	case "/2":
		d.Version = 2
		if err := t.challenge(); err != nil {
			return nil, err
		}
	default:
		return nil, strange("version %.10q is not known", version)
	}
	for _, w := range words[3:] {
		name, value, _ := strings.Cut(w, "=")
		if err := d.trait(name, value); err != nil {
			return nil, err
		}
	}
	if d.Kind == "hub" {
		return d, d.family(c, t)
	}
	return d, nil
}

// challenge asks a device for a secret that only genuine devices know.
func (t *talk) challenge() error {
	fmt.Fprintln(t, "CHALLENGE 4711")
	words := t.words()
	switch {
	case len(words) == 0:
		return unreachable("the device hung up when it was asked")
	case words[0] == "REFUSED":
		return serve.Refuse(http.StatusForbidden, "the device does not want to be paired")
	case words[0] != "RESPONSE" || len(words) != 2:
		return strange("the device answers %.40q", words[0])
	case words[1] != "1174":
		return serve.Refuse(http.StatusForbidden, "the device is not one of ours")
	}
	return nil
}

// trait stores a property that a device reports about itself.
func (d *device) trait(name, value string) error {
	switch name {
	case "toner", "battery":
		left, err := strconv.Atoi(value)
		if err != nil || left < 0 || left > 100 {
			return strange("%s is %.20q", name, value)
		}
		if left < 20 {
			d.Warnings = append(d.Warnings, name+" is low")
		}
	case "dpi":
		if d.Kind != "scanner" {
			return strange("a %s has no dpi", d.Kind)
		}
		if fine, err := strconv.Atoi(value); err != nil || fine < 100 {
			d.Warnings = append(d.Warnings, "coarse")
		}
	case "host":
		if !strings.Contains(value, ":") {
			value += ":9100"
		}
		d.At = value
	default:
		d.Warnings = append(d.Warnings, "unknown "+name)
	}
	return nil
}

// family reads the devices that are connected to a hub: "COUNT 2", and then two lines such as "CHILD lamp".
func (d *device) family(c *serve.Call, t *talk) error {
	words := t.words()
	if len(words) != 2 || words[0] != "COUNT" {
		return strange("the hub does not count its devices")
	}
	n, err := strconv.Atoi(words[1])
	if err != nil || n > 16 {
		return strange("the hub has %.20q devices", words[1])
	}
	// F02: the count is negative.
	c.Fault("F02", n < 0)
	d.Children = make([]string, 0, n)
	for range n {
		child := t.words()
		switch {
		case len(child) == 0:
			return unreachable("the hub hung up behind %d devices", len(d.Children))
		case child[0] != "CHILD" || len(child) != 2:
			return strange("the hub has %.40q", child[0])
		case slices.Contains(d.Children, child[1]):
			return strange("the hub has %.40q twice", child[1])
		}
		d.Children = append(d.Children, child[1])
	}
	return nil
}
