package main

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"sonde/runner/testdata/services/serve"
)

// found has the devices that answered.
type found struct {
	Devices []string `json:"devices"`
	Ready   int      `json:"ready"`
	Strange int      `json:"strange"`
	More    bool     `json:"more"` // more devices answered than are listed
}

// mostDevices is the largest number of listed devices. After mostStrange answers that are not
// understood, the search ends.
const mostDevices, mostStrange = 4, 3

// whoIsThere is the broadcast question.
const whoIsThere = "WHO_IS_THERE"

// discover asks all devices by broadcast, and asks again after each new device.
func (h *hub) discover(c *serve.Call) (serve.Answer, error) {
	v, err := h.shout(whoIsThere)
	if err != nil {
		return serve.Answer{}, err
	}
	defer v.Close()
	v.SetReadDeadline(time.Now().Add(patience))
	all, text := found{Devices: []string{}}, make([]byte, 512)
	for {
		n, _, err := v.ReadFrom(text)
		if err != nil || !all.hear(c, text[:n]) || v.say(whoIsThere) != nil {
			break
		}
	}
	if len(all.Devices) == 0 && all.Strange == 0 {
		return serve.Answer{}, serve.Missing("device around")
	}
	return serve.OK(all)
}

// hear handles a datagram such as "HERE printer Lobby ready", and reports whether to wait for more.
func (f *found) hear(c *serve.Call, text []byte) bool {
	words := strings.Fields(string(text))
	switch {
	case !utf8.Valid(text), len(words) == 0:
		f.Strange++
		return f.Strange < mostStrange
	case words[0] == "BYE":
		return false
	case words[0] != "HERE":
		f.Strange++
		return f.Strange < mostStrange
	}
	// F04: the answer of the device lacks its kind.
	c.Fault("F04", len(words) < 2)
	kind, name := words[1], strings.Join(words[2:], " ")
	if name == "" {
		name = "the " + kind
	}
	name, ready := strings.CutSuffix(name, " ready")
	switch {
	case slices.Contains(f.Devices, name):
		return false
	case len(f.Devices) == mostDevices:
		f.More = true
		return false
	case ready:
		f.Ready++
	}
	f.Devices = append(f.Devices, name)
	return true
}
