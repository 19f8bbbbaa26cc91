// Many is a service that needs three hosts before it listens, and asks a fourth one that it can do without: a vault for a token
// and then for a secret, a licence server by TCP, settings, and switches.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

type service struct {
	secret   string
	edition  string
	mode     string
	switches map[string]bool
}

func main() {
	var s service
	steps := []struct {
		name string
		run  func() error
	}{{"vault", s.unlock}, {"licence", s.license}, {"settings", s.configure}}
	for _, step := range steps {
		if err := step.run(); err != nil {
			log.Fatalf("%s: %v", step.name, err)
		}
	}
	s.readSwitches()
	http.HandleFunc("GET /about", s.about)
	http.HandleFunc("GET /reports", s.reports)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

func call(method, url, token string, body, into any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req, err := http.NewRequest(method, url, bytes.NewReader(data))
	if err != nil {
		return err
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode/100 != 2 {
		return errors.New(res.Status)
	}
	return json.NewDecoder(res.Body).Decode(into)
}

func (s *service) unlock() error {
	var login struct {
		Auth struct {
			Token string `json:"client_token"`
		} `json:"auth"`
	}
	if err := call("POST", "http://vault.example/v1/auth/login", "", map[string]string{"role": "many"}, &login); err != nil {
		return err
	}
	if login.Auth.Token == "" {
		return errors.New("no token")
	}
	var secret struct {
		Data map[string]string `json:"data"`
	}
	if err := call("GET", "http://vault.example/v1/secret/many", login.Auth.Token, nil, &secret); err != nil {
		return err
	}
	s.secret = secret.Data["signing_key"]
	if len(s.secret) < 4 {
		return errors.New("the signing key is too short")
	}
	return nil
}

func (s *service) license() error {
	c, err := net.DialTimeout("tcp", "licence.example:7443", time.Second)
	if err != nil {
		return err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Second))
	fmt.Fprintf(c, "CHECK many\r\n")
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		return err
	}
	words := strings.Fields(line)
	if len(words) < 2 || words[0] != "VALID" {
		return fmt.Errorf("no licence: %q", line)
	}
	switch words[1] {
	case "free", "pro":
		s.edition = words[1]
	default:
		return fmt.Errorf("unknown edition %q", words[1])
	}
	return nil
}

func (s *service) configure() error {
	var settings struct {
		Mode string `json:"mode"`
	}
	if err := call("GET", "http://settings.example/many", s.secret, nil, &settings); err != nil {
		return err
	}
	s.mode = settings.Mode
	if s.mode != "live" && s.mode != "test" {
		return fmt.Errorf("unknown mode %q", s.mode)
	}
	return nil
}

// readSwitches leaves all switches off if the host does not answer.
func (s *service) readSwitches() {
	if err := call("GET", "http://switches.example/all", "", nil, &s.switches); err != nil {
		log.Print("switches: ", err)
	}
}

func (s *service) about(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"edition": s.edition, "mode": s.mode})
}

func (s *service) reports(w http.ResponseWriter, r *http.Request) {
	if s.edition == "free" {
		http.Error(w, "needs the edition pro", http.StatusPaymentRequired)
		return
	}
	rows := []string{"sales"}
	if s.switches["forecast"] {
		rows = append(rows, "forecast")
	}
	if s.mode == "test" {
		rows = nil
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"rows": rows})
}
