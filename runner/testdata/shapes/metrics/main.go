// Metrics sums what an agent reports by TCP: a count, then that many lines such as hits:3|c|@0.5, then a dot. The
// agent may refer to another one.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// units are the kinds of values.
var units = map[string]string{"c": "count", "ms": "milliseconds", "g": "level", "s": "members"}

type sum struct {
	Unit  string  `json:"unit"`
	Total float64 `json:"total"`
}

func main() {
	http.HandleFunc("GET /metrics", metrics)
	http.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

var errAgent = errors.New("the agent is wrong")

func gather(agent string, sums map[string]sum, left int) error {
	c, err := net.DialTimeout("tcp", agent, time.Second)
	if err != nil {
		return err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(300 * time.Millisecond))
	fmt.Fprintf(c, "dump\r\n")
	lines := bufio.NewScanner(c)
	if !lines.Scan() {
		return fmt.Errorf("%w: it says nothing", errAgent)
	}
	first := lines.Text()
	if to, ok := strings.CutPrefix(first, "MOVED "); ok {
		if left == 0 {
			return fmt.Errorf("%w: it moves too often", errAgent)
		}
		if !strings.HasSuffix(to, ":8126") {
			return fmt.Errorf("%w: it moved to another port", errAgent)
		}
		return gather(to, sums, left-1)
	}
	count, ok := strings.CutPrefix(first, "OK ")
	if !ok {
		return fmt.Errorf("%w: %q", errAgent, first)
	}
	n, err := strconv.Atoi(count)
	if err != nil {
		return fmt.Errorf("%w: it counts wrong", errAgent)
	}
	for lines.Scan() {
		line := lines.Text()
		if line == "." {
			if n != 0 {
				return fmt.Errorf("%w: %d lines are missing", errAgent, n)
			}
			return nil
		}
		n--
		if err := add(line, sums); err != nil {
			return err
		}
	}
	return fmt.Errorf("%w: it has no end", errAgent)
}

func add(line string, sums map[string]sum) error {
	name, rest, ok := strings.Cut(line, ":")
	if !ok {
		return fmt.Errorf("%w: a line without a value", errAgent)
	}
	parts := strings.Split(rest, "|")
	if len(parts) < 2 || len(parts) > 3 {
		return fmt.Errorf("%w: %d parts", errAgent, len(parts))
	}
	value, err := strconv.ParseFloat(parts[0], 64)
	if err != nil {
		return fmt.Errorf("%w: %q is not a number", errAgent, parts[0])
	}
	unit, known := units[parts[1]]
	if !known {
		return fmt.Errorf("%w: unknown unit", errAgent)
	}
	if len(parts) == 3 {
		rate, ok := strings.CutPrefix(parts[2], "@")
		share, err := strconv.ParseFloat(rate, 64)
		if !ok || err != nil || share <= 0 || share > 1 {
			return fmt.Errorf("%w: a bad rate", errAgent)
		}
		value /= share
	}
	s := sums[name]
	switch unit {
	case "level":
		s.Total = value
	case "members":
		s.Total++
	default:
		s.Total += value
	}
	s.Unit = unit
	sums[name] = s
	return nil
}

func metrics(w http.ResponseWriter, r *http.Request) {
	sums := map[string]sum{}
	if err := gather("agent.example:8126", sums, 2); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	if name := r.FormValue("name"); name != "" {
		s, ok := sums[name]
		if !ok {
			http.Error(w, "no such metric", http.StatusNotFound)
			return
		}
		sums = map[string]sum{name: s}
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(sums)
}
