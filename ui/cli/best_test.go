package cli

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"sonde/model"
	"sonde/ui/app/service"
)

// bestCalls is the file with the best known test of the demo, which is handwritten.
const bestCalls = "../../assets/demo/calls.txt"

// byHand matches a line of bestCalls: status, caller, method, target, body.
var byHand = regexp.MustCompile(`^(\d{3}) (\S+) ([A-Z]+) (\S+)(?: (.*))?$`)

// playBest starts the demo, plays the best test on it and stops it.
func playBest(start *model.Service) error {
	c := exec.Command(start.Command[0], "--addr", "127.0.0.1:0", "--reveal")
	c.Env = os.Environ()
	for name, value := range start.Env {
		c.Env = append(c.Env, name+"="+value)
	}
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		return err
	}
	var url string
	fmt.Fscanln(out, &url)
	err = callBest(url)
	c.Process.Signal(syscall.SIGTERM)
	c.Wait()
	return err
}

// callBest plays the best test on the demo at a URL.
func callBest(url string) error {
	text, err := os.ReadFile(bestCalls)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" {
			line = "204 - POST /__reset"
		}
		if line[0] == '#' {
			continue
		}
		if err := callByHand(url, line); err != nil {
			return err
		}
	}
	return nil
}

func callByHand(url, line string) error {
	m := byHand.FindStringSubmatch(line)
	if m == nil {
		return fmt.Errorf("no call: %s", line)
	}
	req, err := http.NewRequest(m[3], url+m[4], strings.NewReader(m[5]))
	if err != nil {
		return err
	}
	if m[2] != "-" {
		req.Header.Set("Authorization", "Bearer demo-"+m[2])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	said, err := io.ReadAll(res.Body)
	if err == nil && fmt.Sprint(res.StatusCode) != m[1] {
		err = fmt.Errorf("%s: answered %d %s", line, res.StatusCode, said)
	}
	return err
}

// The demo answers the best test with the statuses in the file.
func TestBestCalls(t *testing.T) {
	url, err := service.ServeDemo(t.Context(), "127.0.0.1:0")
	if err == nil {
		err = callBest(url)
	}
	if err != nil {
		t.Error(err)
	}
}
