// Command till is a service that takes orders. For an order it asks a stock feed by TCP, and a payment
// provider charges the order by HTTP. After its answer it reports by UDP what it did. The variable WRONG
// makes it behave wrongly in one respect.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

var (
	payments, stock, metrics *string
	wrong                    = os.Getenv("WRONG")
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "")
	payments = flag.String("payments", "http://payments.example", "")
	stock = flag.String("stock", "stock.example:7000", "")
	metrics = flag.String("metrics", cmp.Or(os.Getenv("METRICS"), "metrics.example:8125"), "")
	flag.Parse()
	http.HandleFunc("POST /orders", order)
	http.HandleFunc("POST /orders/{id}/payment", pay)
	http.HandleFunc("GET /about", func(w http.ResponseWriter, _ *http.Request) {
		switch wrong {
		case "about":
			charge("0", 1)
		case "stranger":
			http.Get("http://elsewhere.example")
		}
		w.Header().Set("Content-Disposition", `inline; filename="über.txt"`)
		w.Header().Set("Trailer", "X-Lines")
		fmt.Fprint(w, "a till\n")
		if wrong != "trailer" {
			w.Header().Set("X-Lines", "1")
		}
	})
	panic(http.ListenAndServe(*addr, nil))
}

func order(w http.ResponseWriter, r *http.Request) {
	level := feed("LEVEL tent\n")
	answer(w, map[string]any{"id": fmt.Sprint("o", rand.IntN(1e9)), "level": level})
	go tell("order:1|c")
}

func pay(w http.ResponseWriter, r *http.Request) {
	id, amount, sent := r.PathValue("id"), 25, 25
	switch wrong {
	case "answer":
		amount = 26
	case "parameter":
		sent = 30
	}
	if wrong == "swap" {
		receipt := charge(id, sent)
		feed("TAKE " + id + "\n")
		rates()
		done(w, id, receipt, amount)
		return
	}
	if wrong != "drop" {
		feed("TAKE " + id + "\n")
	}
	receipt := charge(id, sent)
	if wrong == "double" {
		charge(id, sent)
	}
	if wrong != "quiet" {
		rates()
	}
	done(w, id, receipt, amount)
}

func done(w http.ResponseWriter, id string, receipt any, amount int) {
	w.Header().Set("Location", "/orders/"+id+"/payment")
	answer(w, map[string]any{
		"order":   id,
		"receipt": receipt,
		"amount":  amount,
		"paidAt":  time.Now().Format(time.RFC3339Nano),
		"number":  rand.IntN(1e9),
	})
	go func() {
		time.Sleep(20 * time.Millisecond)
		if wrong != "silent" {
			tell("pay:1|c")
		}
		if wrong == "loud" {
			tell("pay:1|c")
		}
	}()
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(201)
	json.NewEncoder(w).Encode(v)
}

// charge asks the provider to charge an order. If the provider answers 503, it tries again.
func charge(id string, amount int) any {
	body, _ := json.Marshal(map[string]any{"order": id, "amount": amount, "nonce": rand.IntN(1e9)})
	for range 3 {
		res, err := http.Post(*payments+"/charges/"+id+"?dry=0", "application/json", bytes.NewReader(body))
		if err != nil {
			return err.Error()
		}
		var said struct{ Receipt string }
		json.NewDecoder(res.Body).Decode(&said)
		res.Body.Close()
		if res.StatusCode != 503 {
			return said.Receipt
		}
	}
	return nil
}

// rates asks for two exchange rates at the same time.
func rates() {
	var both sync.WaitGroup
	for _, name := range []string{"eur", "usd"} {
		both.Go(func() {
			if res, err := http.Get(*payments + "/rates/" + name); err == nil {
				io.Copy(io.Discard, res.Body)
				res.Body.Close()
			}
		})
	}
	both.Wait()
}

func feed(line string) string {
	c, err := net.Dial("tcp", *stock)
	if err != nil {
		return err.Error()
	}
	defer c.Close()
	fmt.Fprint(c, line)
	said, _ := bufio.NewReader(c).ReadString('\n')
	return said
}

func tell(text string) {
	if u, err := net.Dial("udp", *metrics); err == nil {
		fmt.Fprint(u, text)
		u.Close()
	}
}
