// Command family tests processes: "family again" replaces its process by itself,
// "family parent PROGRAM ARGUMENT" runs a program as a child, "family stubborn"
// ignores the signal to end.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

func again() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return syscall.Exec(self, []string{self, "child"}, os.Environ())
}

func parent(program, argument string) error {
	c := exec.Command(program, argument)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	return c.Run()
}

func stubborn() {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGTERM)
	fmt.Println("ready")
	<-asked
	fmt.Println("no")
	time.Sleep(time.Hour)
}

func child() {
	fmt.Println("child")
}

func main() {
	var err error
	switch os.Args[1] {
	case "again":
		err = again()
	case "parent":
		err = parent(os.Args[2], os.Args[3])
	case "stubborn":
		stubborn()
	case "child":
		child()
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
