// Twice asks hosts more than once in a call, and compares what they say.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

var client = http.Client{Timeout: 250 * time.Millisecond}

func main() {
	http.HandleFunc("GET /job", job)
	http.HandleFunc("GET /leader", leader)
	http.HandleFunc("GET /clock", clock)
	http.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}

// job waits until a job is done: its host says 202 until then.
func job(w http.ResponseWriter, r *http.Request) {
	for try := 1; try <= 3; try++ {
		res, err := client.Get("http://jobs.example/job")
		if err != nil {
			answer(w, 502, "no job")
			return
		}
		res.Body.Close()
		switch {
		case res.StatusCode == 202:
		case res.StatusCode != 200:
			answer(w, 424, "the job failed")
			return
		case try == 1:
			answer(w, 200, "done at once")
			return
		case try == 2:
			answer(w, 200, "done soon")
			return
		default:
			answer(w, 200, "done at last")
			return
		}
	}
	answer(w, 504, "not done")
}

// say connects to a host and returns the line that it answers.
func say(network, host, text string) (string, error) {
	c, err := net.DialTimeout(network, host, 250*time.Millisecond)
	if err != nil {
		return "", err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(250 * time.Millisecond))
	fmt.Fprintln(c, text)
	line, err := bufio.NewReader(c).ReadString('\n')
	if network == "udp" && line != "" {
		err = nil
	}
	return strings.TrimSpace(line), err
}

// leader asks who leads a cluster, before and after it takes the lock.
func leader(w http.ResponseWriter, r *http.Request) {
	before, err := say("tcp", "cluster.example:7400", "LEADER")
	if err != nil || before == "" {
		answer(w, 502, "no leader")
		return
	}
	lock, err := say("tcp", "cluster.example:7400", "LOCK")
	if err != nil {
		answer(w, 502, "no lock")
		return
	}
	after, err := say("tcp", "cluster.example:7400", "LEADER")
	switch {
	case err != nil:
		answer(w, 502, "lost")
	case after != before && lock == after:
		answer(w, 409, "the lock changed the leader")
	case after != before:
		answer(w, 409, "another leader")
	default:
		answer(w, 200, before)
	}
}

// clock asks a clock twice.
func clock(w http.ResponseWriter, r *http.Request) {
	first, err := say("udp", "clock.example:37", "time")
	if err != nil {
		answer(w, 502, "no clock")
		return
	}
	second, err := say("udp", "clock.example:37", "time")
	switch {
	case err != nil:
		answer(w, 502, "it stopped")
	case first == second:
		answer(w, 503, "it stands still")
	case first > second:
		answer(w, 503, "it goes backwards")
	default:
		answer(w, 200, second)
	}
}
