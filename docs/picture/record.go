package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"sonde/ui/tty"
)

// record records a day of the demo shop. The folder home gets the recording, and dir has the programs.
func record(dir, home string) error {
	if err := build(dir, "day", "./runner/testdata/day"); err != nil {
		return err
	}
	day := filepath.Join(dir, "day")
	servers := exec.Command(day, "servers")
	if err := servers.Start(); err != nil {
		return err
	}
	defer stop(servers)
	cmd := exec.Command(filepath.Join(dir, "sonde"), strings.Fields(
		"record --demo --serial -o rec --in 127.0.0.1:8080=http://127.0.0.1:{port} --out 127.0.0.1:9001=http://127.0.0.1:7001"+
			" --out 127.0.0.1:9002=tcp://127.0.0.1:7002 --out 127.0.0.1:9003=udp://127.0.0.1:7003 -- "+
			filepath.Join(dir, "sonde")+
			" demo --addr 127.0.0.1:{port} --payments http://127.0.0.1:9001/charge --stock 127.0.0.1:9002 --metrics 127.0.0.1:9003")...)
	cmd.Dir = home
	t, err := tty.Start(cmd, 120, 36)
	if err != nil {
		return err
	}
	defer t.Kill()
	if err := t.WaitFor("in   http", stepTimeout); err != nil {
		return err
	}
	if out, err := exec.Command(day, "traffic", "--url", "http://127.0.0.1:8080").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	if err := t.Type("\x03"); err != nil {
		return err
	}
	_, err = t.Wait(time.Minute)
	return err
}

// stop interrupts a program and waits until it ends.
func stop(cmd *exec.Cmd) {
	_ = cmd.Process.Signal(os.Interrupt)
	_ = cmd.Wait() // the error only says that the program was interrupted
}
