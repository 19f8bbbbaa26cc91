//go:build unix

// These declarations are added to package net: a table defines names and where
// addresses lead, and sockets are real ones on the loopback. The functions that are
// wrapped here are renamed to sondeReal…. Nothing is imported that the package does not
// import anyway, so that the order of initialisation stays.
package net

import (
	"errors"
	"os"
	"syscall"
)

// The environment variables: a file with the table, the descriptor of the channel for
// further tables and events, and a file of memory that is shared with the other end.
const (
	sondeTableFile = "SONDE_NET"
	sondeChannel   = "SONDE_NET_CTL"
	sondeSeatFile  = "SONDE_NET_SEATS"
)

func init() {
	sondeOpenChannel()
	sondeOpenSlots()
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
