// Sonde is a terminal explorer for HTTP APIs.
package main

import (
	"os"

	"sonde/ui/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
