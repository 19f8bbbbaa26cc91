package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// kept has the results of earlier runs, by the name that runOf returns. The name contains the versions of
// the tool and of the service, so a change to Sonde repeats only Sonde's runs.
type kept struct {
	file string // has a run as JSON in each line; "" means that no runs are kept
	runs map[string]result
}

// line is one line of kept.file.
type line struct {
	Run    string
	Result result
}

// readKept reads a file of earlier runs. If file is "" or does not exist, the result has no runs.
func readKept(file string) (*kept, error) {
	k := &kept{file, map[string]result{}}
	if file == "" {
		return k, nil
	}
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return k, nil
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("-keep: %s:%d is not a run: %w", file, n, err)
		}
		k.runs[l.Run] = l.Result
	}
	return k, lines.Err()
}

// run returns the result of the earlier run with a name. If there is none, it calls make, and appends the
// result to the file if there is one.
func (k *kept) run(name string, make func() (result, error)) (result, error) {
	if r, ok := k.runs[name]; ok {
		return r, nil
	}
	r, err := make()
	if err != nil || k.file == "" {
		return r, err
	}
	return r, k.add(name, r)
}

// add appends the result of a run to the file.
func (k *kept) add(run string, r result) error {
	text, err := json.Marshal(line{run, r})
	if err != nil {
		return err
	}
	f, err := os.OpenFile(k.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(append(text, '\n'))
	return errors.Join(err, f.Close())
}

// fingerprint returns a short hash of a text and of the contents of files.
func fingerprint(text []byte, files ...string) (string, error) {
	sum := sha256.New()
	sum.Write(text)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		sum.Write(text)
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:6]), nil
}

// runOf returns the name of a run in kept.
func runOf(t tool, s service, j job) string {
	return fmt.Sprintf("%s (%s), %s (%s), %d requests, %s, seed %d", s.Name, s.version, t.name, t.version, j.requests, j.limit, j.seed)
}
