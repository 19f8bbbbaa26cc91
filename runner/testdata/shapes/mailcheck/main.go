// Mailcheck says whether a domain can get mail: it looks up who takes the mail, and the policy of the domain, and
// calls the first host that is public.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

var resolver net.Resolver

func main() {
	http.HandleFunc("GET /mail", mail)
	http.HandleFunc("GET /policy", policy)
	http.HandleFunc("GET /service", service)
	http.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}

func mail(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), time.Second)
	defer cancel()
	hosts, err := resolver.LookupMX(ctx, "shop.example")
	if err != nil || len(hosts) == 0 {
		answer(w, 404, "no host takes the mail")
		return
	}
	best := hosts[0]
	for _, h := range hosts[1:] {
		if h.Pref < best.Pref {
			best = h
		}
	}
	addresses, err := resolver.LookupIPAddr(ctx, strings.TrimSuffix(best.Host, "."))
	if err != nil {
		answer(w, 424, "the host has no address")
		return
	}
	var public []net.IPAddr
	for _, a := range addresses {
		switch {
		case a.IP.IsLoopback(), a.IP.IsPrivate():
		case a.IP.IsLinkLocalUnicast():
			answer(w, 403, "a link-local address")
			return
		default:
			public = append(public, a)
		}
	}
	if len(public) == 0 {
		answer(w, 403, "only private addresses")
		return
	}
	if len(public) > 1 && public[0].IP.To4() == nil {
		public[0], public[1] = public[1], public[0]
	}
	c, err := net.DialTimeout("tcp", net.JoinHostPort(public[0].String(), "25"), 300*time.Millisecond)
	if err != nil {
		answer(w, 502, "it cannot be reached")
		return
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(300 * time.Millisecond))
	line, _ := bufio.NewReader(c).ReadString('\n')
	if !strings.HasPrefix(line, "220 ") {
		answer(w, 502, "it does not greet")
		return
	}
	answer(w, 200, map[string]any{"host": best.Host, "spare": len(hosts) - 1, "addresses": len(public)})
}

func policy(w http.ResponseWriter, r *http.Request) {
	texts, err := resolver.LookupTXT(r.Context(), "shop.example")
	if err != nil {
		answer(w, 404, "no policy")
		return
	}
	var found []string
	for _, text := range texts {
		if rest, ok := strings.CutPrefix(text, "v=spf1 "); ok {
			found = append(found, rest)
		}
	}
	switch {
	case len(found) == 0:
		answer(w, 404, "no policy among the texts")
	case len(found) > 1:
		answer(w, 409, "several policies")
	case strings.HasSuffix(found[0], "-all"):
		answer(w, 200, "strict")
	default:
		answer(w, 200, "lax")
	}
}

func service(w http.ResponseWriter, r *http.Request) {
	_, all, err := resolver.LookupSRV(r.Context(), "api", "tcp", "shop.example")
	if err != nil || len(all) == 0 {
		answer(w, 404, "no service")
		return
	}
	for _, s := range all {
		if s.Port == 443 {
			answer(w, 200, "https://"+s.Target)
			return
		}
	}
	answer(w, 200, "http://"+all[0].Target)
}
