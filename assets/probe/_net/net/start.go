//go:build unix

// These declarations are added to package net. They redirect the network of the service:
//
//   - A table has the names, and a real address for each virtual address.
//   - The sockets of the service are real sockets on the loopback.
//   - A channel connects the service to Sonde, that is, to its package runner/network/netsim.
//     The service sends events, and Sonde sends commands.
//
// The functions that are wrapped here are renamed to sondeReal…. The files import only packages that
// net imports anyway, so that the order of initialisation does not change.
package net

import (
	"errors"
	"os"
	"syscall"
)

// Environment variables.
const (
	sondeTableEnv   = "SONDE_NET"       // the path of the first table
	sondeChannelEnv = "SONDE_NET_CTL"   // the descriptor of the channel for commands and events
	sondeSlotsEnv   = "SONDE_NET_SLOTS" // the path of the slots, which are memory shared with Sonde
)

func init() {
	if in := sondeOpenChannel(); in != nil {
		defer func() { go sondeExecuteCommands(in) }() // commands come later than the first table, which is read below
	}
	sondeOpenSlots()
	path, _ := syscall.Getenv(sondeTableEnv)
	if path == "" {
		return
	}
	text, err := os.ReadFile(path)
	if err == nil {
		err = sondeSetTable(string(text))
	}
	if t := sondeCurrentTable.Load(); t != nil && !sondeHasChannel() {
		t.resources = nil // this is a child process of the service, which cannot report what it uses
	}
	if err != nil { // use an empty table, and not the real network by mistake
		sondePrintError("the virtual network refuses all connections: " + path + ": " + err.Error())
		(&sondeTable{}).set()
	}
}

func sondePrintError(what string) {
	_, _ = syscall.Write(2, []byte("sonde: "+what+"\n"))
}

var errSondeTable = errors.New(`a table begins with "net 1", "record 1" or "off"`)
