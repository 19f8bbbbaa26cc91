//go:build !unix

package netsim

import (
	"errors"
	"os"
)

// channel cannot be used on this system, on which no process inherits descriptors.
type channel struct{}

func newChannel(func(event)) (*channel, *os.File, error) {
	return nil, nil, errors.New("the virtual network needs Linux, macOS or a BSD: leave out --net")
}

func (*channel) pump()                  {}
func (*channel) sync() error            { return nil }
func (*channel) setTable(string) error  { return nil }
func (*channel) endWait(string, string) {}
func (*channel) write(string) error     { return nil }
func (*channel) close()                 {}
