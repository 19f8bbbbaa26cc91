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

// isolated makes each test run with a service of its own.
var isolated = flag.Bool("apart", false, "give each test a service of its own, and run as many tests at once as -parallel says")

// runIsolated runs each test in a process of its own. It returns the exit code: 1 if a test fails.
func runIsolated() int {
	names, err := testNames()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	var mu sync.Mutex
	var running sync.WaitGroup
	exitCode := 0
	slots := make(chan bool, flagValue("test.parallel").(int))
	for _, name := range names {
		slots <- true
		running.Add(1)
		go func(name string) {
			defer running.Done()
			output, err := selfCommand("-test.run=^"+name+"$", "-apart=false", "-test.testlogfile=").CombinedOutput()
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				exitCode = 1
			}
			if err != nil || fmt.Sprint(flagValue("test.v")) != "false" {
				os.Stdout.Write(bytes.TrimSuffix(output, []byte("PASS\n")))
			}
			<-slots
		}(name)
	}
	running.Wait()
	return exitCode
}

// testNames returns the names of the tests to run.
func testNames() ([]string, error) {
	pattern := flag.Lookup("test.run").Value.String()
	if pattern == "" {
		pattern = "."
	}
	list := selfCommand("-test.list="+pattern, "-apart=false", "-test.testlogfile=")
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

// selfCommand returns a command that runs this program, with its own arguments and further ones.
func selfCommand(args ...string) *exec.Cmd {
	return exec.Command(os.Args[0], append(append([]string(nil), os.Args[1:]...), args...)...)
}

func flagValue(name string) any { return flag.Lookup(name).Value.(flag.Getter).Get() }
