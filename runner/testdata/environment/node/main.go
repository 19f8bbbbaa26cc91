// Node is a node of a cluster, whose machine decides what it does.
package main

import (
	"encoding/json"
	"errors"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"syscall"
)

func main() {
	http.HandleFunc("GET /role", role)
	http.HandleFunc("GET /addresses", addresses)
	http.HandleFunc("POST /console", console)
	http.HandleFunc("POST /console/{port}", consoleAt)
	http.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}

// role answers with the role of the node, which its name has.
func role(w http.ResponseWriter, r *http.Request) {
	name, err := os.Hostname()
	if err != nil {
		answer(w, 500, "no name")
		return
	}
	if name == "ledger-primary" {
		answer(w, 200, "primary")
		return
	}
	if number, ok := strings.CutPrefix(name, "ledger-replica-"); ok {
		n, err := strconv.Atoi(number)
		if err != nil {
			answer(w, 404, "no number")
			return
		}
		answer(w, 200, map[string]int{"replica": n})
		return
	}
	answer(w, 404, "no role")
}

// addresses answers with the addresses of all interfaces but those of containers.
func addresses(w http.ResponseWriter, r *http.Request) {
	interfaces, err := net.Interfaces()
	if err != nil {
		answer(w, 503, "no interfaces")
		return
	}
	all := map[string][]string{}
	for _, i := range interfaces {
		if i.Flags&net.FlagUp == 0 {
			all["down"] = append(all["down"], i.Name)
			continue
		}
		if strings.HasPrefix(i.Name, "docker") || i.Flags&net.FlagLoopback != 0 {
			continue
		}
		addrs, err := i.Addrs()
		if err != nil {
			answer(w, 500, "no addresses")
			return
		}
		for _, a := range addrs {
			ip := a.(*net.IPNet).IP
			kind := "public"
			if ip.IsLinkLocalUnicast() {
				kind = "local"
			} else if ip.IsPrivate() {
				kind = "private"
			} else if ip.To4() == nil {
				kind = "public6"
			}
			all[kind] = append(all[kind], ip.String())
		}
	}
	if len(all["public"])+len(all["public6"])+len(all["private"]) == 0 {
		answer(w, 404, all)
		return
	}
	answer(w, 200, all)
}

// console opens a console on a port, or on the next one.
func console(w http.ResponseWriter, r *http.Request) {
	l, err := net.Listen("tcp", "127.0.0.1:7000")
	if err != nil {
		l, err = net.Listen("tcp", "127.0.0.1:7001")
		if err != nil {
			answer(w, 409, "both are in use")
			return
		}
	}
	l.Close()
	answer(w, 201, l.Addr().String())
}

// consoleAt opens a console on the port that the request names.
func consoleAt(w http.ResponseWriter, r *http.Request) {
	port, err := strconv.Atoi(r.PathValue("port"))
	if err != nil || port < 1 || port > 65535 {
		answer(w, 400, "no port")
		return
	}
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if errors.Is(err, syscall.EADDRINUSE) {
		answer(w, 409, "in use")
		return
	}
	if errors.Is(err, os.ErrPermission) {
		answer(w, 403, "not permitted")
		return
	}
	if err != nil {
		answer(w, 500, "it failed")
		return
	}
	l.Close()
	answer(w, 201, port)
}
