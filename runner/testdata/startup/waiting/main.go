// Waiting is a service that asks a host again and again, until it is ready, and then for the version of a schema.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"
)

func main() {
	for !storeIsReady() {
		time.Sleep(100 * time.Millisecond)
	}
	version, err := schemaVersion()
	if err != nil || version < 3 {
		log.Fatalf("the store has schema %d: %v", version, err)
	}
	http.HandleFunc("GET /schema", func(w http.ResponseWriter, r *http.Request) {
		state := "current"
		if version < 7 {
			state = "old"
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"version": version, "state": state})
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

func storeIsReady() bool {
	res, err := http.Get("http://store.example/ready")
	if err != nil {
		return false
	}
	defer res.Body.Close()
	var state struct {
		Status string `json:"status"`
	}
	if err := json.NewDecoder(res.Body).Decode(&state); err != nil {
		return false
	}
	return state.Status == "up"
}

func schemaVersion() (int, error) {
	res, err := http.Head("http://store.example/schema")
	if err != nil {
		return 0, err
	}
	res.Body.Close()
	return strconv.Atoi(res.Header.Get("X-Schema-Version"))
}
