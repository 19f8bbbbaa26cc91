//go:build !unix

package vnet

import (
	"errors"
	"os"
)

// channel is not there: no descriptor can be handed down.
type channel struct{}

func newChannel(func(event)) (*channel, *os.File, error) {
	return nil, nil, errors.New("the virtual network needs Linux, macOS or a BSD: leave out --net")
}

func (*channel) pump()                 {}
func (*channel) sync() error           { return nil }
func (*channel) set(string) error      { return nil }
func (*channel) starve(string, string) {}
func (*channel) write(string) error    { return nil }
func (*channel) close()                {}
