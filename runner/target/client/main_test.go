package client_test

import (
	"flag"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", "8"); err != nil { // parallel tests wait; the flag -parallel takes precedence
		panic(err)
	}
	os.Exit(m.Run())
}
