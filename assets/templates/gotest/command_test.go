package gotest

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"
)

// run runs a command, and waits until it has ended. {port} in args and env means the service's port.
func run(t *testing.T, dir string, env []string, args ...string) {
	t.Helper()
	base, _ := url.Parse(baseURL(t))
	port := 0
	if base != nil {
		port, _ = strconv.Atoi(base.Port())
	}
	cmd, err := command(dir, env, port, args)
	if err != nil {
		t.Fatalf("%q cannot run: %v", args, err)
	}
	output, err := os.CreateTemp(t.TempDir(), "output") // not a pipe, because remaining processes would keep it open
	if err != nil {
		t.Fatal(err)
	}
	defer output.Close()
	cmd.Stdout, cmd.Stderr = output, output
	if err := cmd.Start(); err != nil {
		t.Fatalf("%q cannot run: %v", args, err)
	}
	defer time.AfterFunc(time.Minute, func() { cmd.Process.Kill() }).Stop()
	if err := cmd.Wait(); err != nil {
		text, _ := os.ReadFile(output.Name())
		t.Fatalf("%q failed: %v: %s", args, err, excerpt(text))
	}
}

// command returns a command to run in the folder dir. It replaces {port} in args and env by the service's port, and
// sets PORT to that port.
func command(dir string, env []string, port int, args []string) (*exec.Cmd, error) {
	withPort := func(text string) string { return strings.ReplaceAll(text, "{port}", strconv.Itoa(port)) }
	cmd := exec.Command(withPort(args[0]))
	for _, a := range args[1:] {
		cmd.Args = append(cmd.Args, withPort(a))
	}
	if _, err := os.Stat(dir); dir != "" && err != nil {
		return nil, fmt.Errorf("there is no folder %q to start in", dir)
	}
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PORT="+strconv.Itoa(port))
	for _, variable := range env {
		full, err := expandEnv(variable)
		if err != nil {
			return nil, err
		}
		cmd.Env = append(cmd.Env, withPort(full))
	}
	return cmd, nil
}

// buildService builds the service by a command, to which it adds the path of the binary. Then it sets SONDE_BINARY to
// this path. It does nothing if SONDE_BINARY names a binary already.
func buildService(build []string, dir, binary string) error {
	if os.Getenv("SONDE_BINARY") != "" {
		return nil
	}
	cmd := exec.Command(build[0], append(append([]string(nil), build[1:]...), "-o", binary)...)
	cmd.Dir = dir
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("the service cannot be built: %v\n%s\nBuild it by %q, and set SONDE_BINARY to the binary", err, output, build)
	}
	return os.Setenv("SONDE_BINARY", binary)
}

// replaceProgram returns a command that runs another program. The program takes the place of the command's first
// word, or of "go run", its flags and its package. If the command begins with env, the words of env remain.
func replaceProgram(command []string, binary string) []string {
	if full, err := filepath.Abs(binary); err == nil {
		binary = full
	}
	envLength := envPrefixLength(command)
	env, replaced := append([]string(nil), command[:envLength]...), 1
	command = command[envLength:]
	if len(command) > 2 && command[0] == "go" && command[1] == "run" {
		boolFlag := regexp.MustCompile(`^-(.*=.*|a|n|v|x|race|msan|asan|cover|work|trimpath|json)$`)
		for replaced = 2; replaced < len(command)-1 && strings.HasPrefix(command[replaced], "-"); replaced++ {
			if !boolFlag.MatchString(command[replaced]) {
				replaced++ // the value of the flag
			}
		}
		replaced++
	}
	return append(append(env, binary), command[replaced:]...)
}

// envPrefixLength returns how many words at the start of a command belong to env: env itself, its options and its
// assignments. It returns 0 if the command does not begin with env, or if no program follows.
func envPrefixLength(command []string) int {
	if len(command) == 0 || filepath.Base(command[0]) != "env" {
		return 0
	}
	n := 1
	for n < len(command) && (strings.HasPrefix(command[n], "-") || strings.Contains(command[n], "=")) {
		switch command[n] {
		case "-u", "--unset", "-C", "--chdir":
			n++ // the value of the option
		}
		n++
	}
	if n >= len(command) {
		return 0
	}
	return n
}

// expandEnv replaces each "${NAME}" by the environment variable NAME. It returns an error if a variable is not set.
func expandEnv(text string) (string, error) {
	missing := ""
	text = regexp.MustCompile(`\$\{\w+\}`).ReplaceAllStringFunc(text, func(name string) string {
		value, ok := os.LookupEnv(name[2 : len(name)-1])
		if !ok {
			missing = name[2 : len(name)-1]
		}
		return value
	})
	if missing != "" {
		return "", fmt.Errorf("set %s in the environment, for %s", missing, strings.SplitN(text, "=", 2)[0])
	}
	return text, nil
}

// waitFor waits until a channel is closed or has a value, and reports whether that happened in time.
func waitFor(event <-chan struct{}, timeout time.Duration) bool {
	select {
	case <-event:
		return true
	default:
	}
	select {
	case <-event:
		return true
	case <-time.After(timeout):
		return false
	}
}

// outputTail keeps the end of the output of a program, at most 32 KiB.
type outputTail struct {
	mu   sync.Mutex
	tail []byte
}

// Write appends text, and removes the oldest output if there is more than 32 KiB.
func (o *outputTail) Write(text []byte) (int, error) {
	const maxLength = 32 << 10
	o.mu.Lock()
	defer o.mu.Unlock()
	o.tail = append(o.tail, text...)
	if excess := len(o.tail) - maxLength; excess > 0 {
		o.tail = append([]byte(nil), o.tail[excess:]...)
	}
	return len(text), nil
}

// reset removes all output.
func (o *outputTail) reset() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.tail = nil
}

// printable returns the output, with a space for each character that is not printable, except newlines.
func (o *outputTail) printable() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return strings.Map(func(r rune) rune {
		if r != '\n' && !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, string(o.tail))
}
