package search

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"time"

	"sonde/model"
	"sonde/runner/network/netsim"
)

// The functions in this file find out from the contacts of a start how far the service came.

// isUnanswered reports whether a contact is an attempt to use a host for which there is no stub.
func isUnanswered(c model.Contact) bool {
	return !c.Inward && c.Stub < 0 && !c.IsReal() &&
		(c.Kind == model.ContactDial && c.Outcome != connected || c.Kind == model.ContactMessage)
}

// contactTargets returns the IDs of the targets that contacts cover. An ID names the host, and describes without
// values what the service sent to it. Uses of the environment cover no target.
func contactTargets(contacts []model.Contact) (ids []string) {
	for _, c := range contacts {
		if c.Inward || c.Kind == model.ContactUse {
			continue
		}
		path, _, _ := strings.Cut(c.Request.URL, "?")
		id := strings.Join([]string{"contact", string(c.Kind), string(c.Protocol), c.Host, c.Request.Method, path}, " ")
		if c.Protocol.IsDatabase() {
			id += model.AnyArguments(c.Request.Body).JSON
		}
		if c.Kind == model.ContactDial {
			id += " " + c.Outcome
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// withoutUses returns the contacts, except uses of the environment.
func withoutUses(contacts []model.Contact) []model.Contact {
	return slices.DeleteFunc(slices.Clone(contacts), func(c model.Contact) bool { return c.Kind == model.ContactUse })
}

// withoutAnsweredHosts returns the contacts of a start, except contacts with hosts for which stubs answered. Stubs of
// tests cannot change what these hosts answer during a start.
func withoutAnsweredHosts(contacts []model.Contact) (other []model.Contact) {
	answered := map[string]bool{}
	for _, c := range contacts {
		if !c.Inward && c.Stub >= 0 {
			answered[hostName(c.Host)] = true
		}
	}
	for _, c := range contacts {
		if c.Inward || !answered[hostName(c.Host)] {
			other = append(other, c)
		}
	}
	return other
}

// hostName returns the name in the host of a contact. The host has a port unless the contact is a lookup.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return host
}

// errStalled is the error of a start during which the service waited too long.
var errStalled = errors.New("the service did not become ready, and contacted no further host")

// Bounds for a start in which a service repeats its contacts. The service counts as stalled after repeatTime if it
// has made each of its contacts maxRepeats times on average.
const (
	maxRepeats = 4
	repeatTime = 300 * time.Millisecond
)

// endStalled calls end when a start stalls. A start stalls if the service has contacted hosts, but has contacted
// nothing new for longer than patience. If the service repeats its contacts again and again, the start stalls
// earlier, after repeatTime. A stalled service most likely waits for another answer. endStalled returns when ctx
// ends.
func endStalled(ctx context.Context, end func(), n *netsim.Network, patience time.Duration) {
	const interval = 20 * time.Millisecond
	number := 0
	for last := time.Now(); ctx.Err() == nil; time.Sleep(interval) {
		all := withoutUses(n.StartupContacts())
		now, still := len(contactTargets(all)), time.Since(last)
		switch {
		case now > number:
			number, last = now, time.Now()
		case number > 0 && (still > patience || still > repeatTime && len(all) >= maxRepeats*number):
			end()
		}
	}
}
