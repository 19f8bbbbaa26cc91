// Command vet checks packages like go vet, for the system that GOOS names. It reads the types of all
// dependencies from their source; go vet would compile them and the standard library for that system first.
//
//	go build -o vet ./docs/vet
//	CGO_ENABLED=0 GOOS=windows ./vet ./...
package main

import (
	"golang.org/x/tools/go/analysis/multichecker"
	"golang.org/x/tools/go/analysis/suite/vet"
)

func main() {
	multichecker.Main(vet.Suite...)
}
