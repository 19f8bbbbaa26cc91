package gotest

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
)

// apart runs each test with a service of its own.
var apart = flag.Bool("apart", false, "give each test a service of its own, and run as many tests at once as -parallel says")

// eachApart runs each test in a process of its own, and returns 1 if one fails.
func eachApart() int {
	names, err := allTests()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	var mu sync.Mutex
	var all sync.WaitGroup
	failed := 0
	turns := make(chan bool, flagOf("test.parallel").(int))
	for _, name := range names {
		turns <- true
		all.Add(1)
		go func(name string) {
			defer all.Done()
			output, err := self("-test.run=^"+name+"$", "-apart=false", "-test.testlogfile=").CombinedOutput()
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed = 1
			}
			if err != nil || fmt.Sprint(flagOf("test.v")) != "false" {
				os.Stdout.Write(bytes.TrimSuffix(output, []byte("PASS\n")))
			}
			<-turns
		}(name)
	}
	all.Wait()
	return failed
}

// allTests returns the names of the tests to run.
func allTests() ([]string, error) {
	which := flag.Lookup("test.run").Value.String()
	if which == "" {
		which = "."
	}
	list := self("-test.list="+which, "-apart=false", "-test.testlogfile=")
	list.Env = append(os.Environ(), "SONDE_BASE_URL=no call is made")
	output, err := list.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("the tests cannot be listed: %v: %s", err, output)
	}
	var names []string
	for _, name := range strings.Fields(string(output)) {
		if strings.HasPrefix(name, "Test") {
			names = append(names, name)
		}
	}
	return names, nil
}

// self returns this program with further arguments, as a command.
func self(args ...string) *exec.Cmd {
	return exec.Command(os.Args[0], append(append([]string(nil), os.Args[1:]...), args...)...)
}

func flagOf(name string) any { return flag.Lookup(name).Value.(flag.Getter).Get() }
