//go:build unix

// What is added to package net: which names there are and where addresses lead is
// what a table says, and sockets stay real ones on the loopback. The functions that
// are wrapped here are called sondeReal… there. Nothing is imported that the package
// does not import anyway, so that nothing is initialised in another order.
package net

import (
	"errors"
	"os"
	"syscall"
)

// The variables of the environment: a file with the table, the descriptor of the
// channel over which other tables come and events go, and a file of memory that is
// shared with the other end.
const (
	sondeTableFile = "SONDE_NET"
	sondeChannel   = "SONDE_NET_CTL"
	sondeSeatFile  = "SONDE_NET_SEATS"
)

func init() {
	sondeOpenChannel()
	sondeOpenSeats()
	path, _ := syscall.Getenv(sondeTableFile)
	if path == "" {
		return
	}
	text, err := os.ReadFile(path)
	if err == nil {
		err = sondeSetTable(string(text))
	}
	if err != nil { // never real by mistake
		sondeComplain("the virtual network refuses everything: " + path + ": " + err.Error())
		(&sondeTable{}).set()
	}
}

func sondeComplain(what string) {
	_, _ = syscall.Write(2, []byte("sonde: "+what+"\n"))
}

var errSondeTable = errors.New(`a table begins with "net 1", "record 1" or "off"`)
