// Command uses calls hosts with a library that services use, which its argument names,
// and prints the results. It does not import Sonde.
package main

import (
	"context"
	"fmt"
	"os"
	"time"
)

var uses = map[string]func(context.Context) (any, error){}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	use := uses[os.Args[1]]
	if use == nil {
		fmt.Println("no such use")
		os.Exit(2)
	}
	came, err := use(ctx)
	if err != nil {
		fmt.Println("error:", err)
		return
	}
	fmt.Println(came)
}
