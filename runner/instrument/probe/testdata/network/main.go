// Command network does the network action that its argument names, and prints the
// results. It does not import Sonde.
package main

import (
	"fmt"
	"net"
	"os"
)

var cases = map[string]func(){}

// early is dialed while packages are initialised.
var early = func() string {
	if len(os.Args) < 2 || os.Args[1] != "early" {
		return ""
	}
	c, err := net.Dial("tcp", "echo.example:7")
	if err != nil {
		return err.Error()
	}
	defer c.Close()
	return "connected to " + c.RemoteAddr().String()
}()

func main() {
	cases["early"] = func() { fmt.Println(early) }
	do := cases[os.Args[1]]
	if do == nil {
		fmt.Println("no such case")
		os.Exit(2)
	}
	do()
}

// say prints a result, or an error.
func say(what any, err error) {
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(what)
}

// must ends the program on an unexpected error.
func must[T any](v T, err error) T {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	return v
}
