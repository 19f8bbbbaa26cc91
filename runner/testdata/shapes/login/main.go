// Login exchanges codes for tokens at a host that answers with form values, as some OAuth servers do.
package main

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
)

func main() {
	http.HandleFunc("POST /sessions", session)
	http.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

func session(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Code string `json:"code"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in.Code == "" {
		http.Error(w, "no code", http.StatusBadRequest)
		return
	}
	res, err := http.PostForm("http://oauth.example/token", url.Values{"code": {in.Code}})
	if err != nil {
		http.Error(w, "the login is not reachable", http.StatusBadGateway)
		return
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		http.Error(w, "the login ended early", http.StatusBadGateway)
		return
	}
	values, err := url.ParseQuery(string(text))
	if err != nil {
		http.Error(w, "the login cannot be read", http.StatusBadGateway)
		return
	}
	if reason := values.Get("error"); reason != "" {
		switch reason {
		case "bad_verification_code", "expired":
			http.Error(w, "the code is not valid", http.StatusUnauthorized)
		case "slow_down":
			http.Error(w, "too many", http.StatusTooManyRequests)
		default:
			http.Error(w, "refused", http.StatusForbidden)
		}
		return
	}
	token := values.Get("access_token")
	if token == "" {
		http.Error(w, "no token", http.StatusBadGateway)
		return
	}
	seconds := 3600
	if values.Has("expires_in") {
		if seconds, err = strconv.Atoi(values.Get("expires_in")); err != nil || seconds <= 0 {
			http.Error(w, "the token has expired", http.StatusBadGateway)
			return
		}
	}
	role := "guest"
	for _, scope := range strings.Split(values.Get("scope"), ",") {
		if scope == "repo" {
			role = "writer"
		}
		if scope == "admin:org" {
			role = "owner"
			break
		}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusCreated)
	json.NewEncoder(w).Encode(map[string]any{"role": role, "seconds": seconds})
}
