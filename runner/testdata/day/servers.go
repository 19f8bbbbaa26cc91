package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// outside has the addresses of the services that the shop calls.
type outside struct{ payments, stock, metrics string }

// serve runs the three services until the context ends, and then prints the counters.
func (o outside) serve(ctx context.Context, seed uint64) error {
	for _, addr := range []string{o.payments, o.stock, o.metrics} {
		if err := onlyHere(addr); err != nil {
			return err
		}
	}
	payments, err := net.Listen("tcp", o.payments)
	if err != nil {
		return err
	}
	stock, err := net.Listen("tcp", o.stock)
	if err != nil {
		return err
	}
	metrics, err := net.ListenPacket("udp", o.metrics)
	if err != nil {
		return err
	}
	fmt.Printf("payments http://%s/charge\nstock %s\nmetrics %s\n", payments.Addr(), stock.Addr(), metrics.LocalAddr())
	p := &provider{chance: rand.New(rand.NewPCG(seed, 0))}
	go http.Serve(payments, p)
	go feed(stock)
	counts := counters{n: map[string]int{}}
	go counts.listen(metrics)
	<-ctx.Done()
	counts.tell()
	return nil
}

// provider charges cards. It declines tokens that end in 0002, and answers 500 for tokens that end in
// 0119.
type provider struct {
	mu     sync.Mutex
	chance *rand.Rand
}

type charge struct {
	OrderID     int    `json:"orderId"`
	AmountCents int    `json:"amountCents"`
	CardToken   string `json:"cardToken"`
}

func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var c charge
	err := json.NewDecoder(r.Body).Decode(&c)
	switch {
	case r.Method != http.MethodPost || r.URL.Path != "/charge":
		http.NotFound(w, r)
	case err != nil || c.OrderID == 0 || c.CardToken == "":
		http.Error(w, `{"error":"give orderId, amountCents and cardToken"}`, http.StatusBadRequest)
	case strings.HasSuffix(c.CardToken, "0119"):
		http.Error(w, `{"error":"out of order"}`, http.StatusInternalServerError)
	default:
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(p.decide(c))
	}
}

// decide returns the answer to a charge after a random delay.
func (p *provider) decide(c charge) map[string]any {
	p.mu.Lock()
	number, takes := p.chance.IntN(1e6), p.chance.IntN(20)
	p.mu.Unlock()
	time.Sleep(time.Duration(1+takes) * time.Millisecond)
	if strings.HasSuffix(c.CardToken, "0002") {
		return map[string]any{"approved": false, "reason": "card declined"}
	}
	return map[string]any{"approved": true, "receipt": fmt.Sprintf("R-%06d", number)}
}

// feed answers a line on each connection with the stock of a product.
func feed(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer conn.Close()
			conn.SetDeadline(time.Now().Add(10 * time.Second))
			if line, err := bufio.NewReader(conn).ReadString('\n'); err == nil {
				fmt.Fprintln(conn, stockOf(strings.TrimSpace(line)))
			}
		}()
	}
}

// stockOf returns the answer to a line such as "SKU TENT-0001". It does not know any ropes.
func stockOf(line string) string {
	sku, ok := strings.CutPrefix(line, "SKU ")
	switch {
	case !ok:
		return "WHAT"
	case strings.HasPrefix(sku, "ROPE"):
		return "NO"
	}
	h := fnv.New32a()
	h.Write([]byte(sku))
	return fmt.Sprintf("OK %d", h.Sum32()%400)
}

// counters counts the datagrams of each statsd counter.
type counters struct {
	mu sync.Mutex
	n  map[string]int
}

func (c *counters) listen(conn net.PacketConn) {
	buffer := make([]byte, 1500)
	for {
		n, _, err := conn.ReadFrom(buffer)
		if err != nil {
			return
		}
		name, _, _ := strings.Cut(string(buffer[:n]), ":")
		c.mu.Lock()
		c.n[name]++
		c.mu.Unlock()
	}
}

func (c *counters) tell() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(c.n)) {
		fmt.Printf("%s %d\n", name, c.n[name])
	}
}
