// Command asker is a service that sends requests to another host. The body of POST / has a request in each line: a
// method, a path and a body. The answer has the result of each request.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// limit is the time limit of a request.
const limit = 700 * time.Millisecond

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "")
	upstream := flag.String("upstream", "http://upstream.example", "")
	flag.Parse()
	client := &http.Client{Timeout: limit}
	panic(http.ListenAndServe(*addr, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		all := []string{}
		for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
			all = append(all, ask(client, *upstream, line))
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(all)
	})))
}

// ask sends a request and returns the status, the body and the cookies of its answer. If the answer ends too early, or
// there is none, the result ends with "error".
func ask(client *http.Client, upstream, line string) string {
	words := append(strings.SplitN(line, " ", 3), "", "")
	// Without the length, the body is sent in chunks.
	r, err := http.NewRequest(words[0], upstream+words[1], io.MultiReader(strings.NewReader(words[2])))
	if err != nil {
		return err.Error()
	}
	if words[2] == "" {
		r.Body = nil
	}
	r.Header.Set("X-Key", "kö")
	res, err := client.Do(r)
	if err != nil {
		return "error"
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	result := fmt.Sprintf("%d %s %+q", res.StatusCode, res.Header.Get("Content-Type"), body)
	if length := res.ContentLength; words[0] == http.MethodHead && length > 0 {
		result += fmt.Sprintf(" %d bytes", length)
	}
	if len(body) > 100 {
		result = fmt.Sprintf("%d %d bytes", res.StatusCode, len(body))
	}
	for _, value := range res.Header.Values("Set-Cookie") {
		result += " " + value
	}
	if err != nil {
		result += " error"
	}
	return result
}
