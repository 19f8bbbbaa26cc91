package mutate

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
)

// sweeps is the maximum number of times that [killLeftovers] looks for processes. It looks several times, because a
// process may start another one meanwhile.
const sweeps = 10

// killLeftovers kills the processes whose environment has a variable, given as NAME=value. The tests of a trial
// usually stop their service. But if the tests are killed, the service and its child processes continue to run.
func killLeftovers(variable string) {
	for range sweeps {
		found := processesWith(variable)
		if len(found) == 0 {
			return
		}
		for _, pid := range found {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
		}
	}
}

// processesWith returns the IDs of the processes whose environment has a variable, given as NAME=value. It leaves out processes
// whose environment it cannot read, such as those of other users and those that have ended.
func processesWith(variable string) []int {
	var pids []int
	files, _ := filepath.Glob("/proc/[0-9]*/environ") // the pattern is valid
	for _, file := range files {
		environ, err := os.ReadFile(file)
		if err != nil || !slices.ContainsFunc(bytes.Split(environ, []byte{0}), func(v []byte) bool { return string(v) == variable }) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}
