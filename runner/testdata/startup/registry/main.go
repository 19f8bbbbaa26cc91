// Registry is a service that registers itself by TCP and asks a clock by UDP before it listens.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	lease, err := register("registry.example:4001")
	if err != nil {
		log.Fatal("registry: ", err)
	}
	offset, err := askClock("clock.example:1123")
	if err != nil {
		log.Fatal("clock: ", err)
	}
	http.HandleFunc("GET /lease", func(w http.ResponseWriter, r *http.Request) {
		kind := "short"
		if lease > time.Minute {
			kind = "long"
		}
		answer(w, map[string]any{"seconds": lease.Seconds(), "kind": kind})
	})
	http.HandleFunc("GET /clock", func(w http.ResponseWriter, r *http.Request) {
		state := "exact"
		switch {
		case offset > 0:
			state = "fast"
		case offset < 0:
			state = "slow"
		}
		answer(w, map[string]any{"state": state})
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

// register tries three times.
func register(host string) (lease time.Duration, err error) {
	for range 3 {
		lease, err = registerOnce(host)
		if err == nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	return lease, err
}

func registerOnce(host string) (time.Duration, error) {
	c, err := net.DialTimeout("tcp", host, time.Second)
	if err != nil {
		return 0, err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Second))
	fmt.Fprintf(c, "REGISTER shop\n")
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		return 0, err
	}
	words := strings.Fields(line)
	if len(words) != 2 || words[0] != "LEASE" {
		return 0, fmt.Errorf("unexpected answer %q", line)
	}
	seconds, err := strconv.Atoi(words[1])
	if err != nil || seconds < 1 || seconds > 3600 {
		return 0, fmt.Errorf("a lease of %s seconds", words[1])
	}
	return time.Duration(seconds) * time.Second, nil
}

func askClock(host string) (int, error) {
	c, err := net.Dial("udp", host)
	if err != nil {
		return 0, err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Second))
	fmt.Fprint(c, "time?")
	data := make([]byte, 64)
	n, err := c.Read(data)
	if err != nil {
		return 0, err
	}
	text, ok := strings.CutPrefix(string(data[:n]), "offset ")
	if !ok {
		return 0, fmt.Errorf("unexpected answer %q", data[:n])
	}
	return strconv.Atoi(strings.TrimSpace(text))
}
