package search_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// pantry is a service with state: names must be unique, ids count up, lists grow, the number of slots is limited,
// and some answers depend on what exists.
type pantry struct {
	mu       sync.Mutex
	items    map[int]map[string]any
	orders   map[int]map[string]any
	tags     map[string]string
	accounts map[string]string
	last     int
	slots    int
	visits   int
	mux      *http.ServeMux
}

func newPantry() *pantry {
	p := &pantry{
		items:    map[int]map[string]any{},
		orders:   map[int]map[string]any{},
		tags:     map[string]string{},
		accounts: map[string]string{},
		mux:      http.NewServeMux(),
	}
	for pattern, handle := range map[string]http.HandlerFunc{
		"GET /items": p.listItems, "POST /items": p.makeItem, "GET /items/{id}": p.readItem, "DELETE /items/{id}": p.dropItem,
		"PUT /tags/{tag}": p.putTag, "GET /tags/{tag}": p.readTag, "DELETE /tags/{tag}": p.dropTag,
		"POST /accounts": p.register, "POST /login": p.login, "POST /slots": p.takeSlot,
		"POST /orders": p.order, "GET /orders/{id}": p.readOrder, "GET /stats": p.stats, "GET /inbox": p.inbox, "GET /report": p.report,
	} {
		p.mux.HandleFunc(pattern, handle)
	}
	return p
}

func (p *pantry) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mux.ServeHTTP(w, r)
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	if v == nil {
		w.WriteHeader(status)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}

func wrong(w http.ResponseWriter, status int, text string) {
	writeJSON(w, status, map[string]string{"error": text})
}

func (p *pantry) listItems(w http.ResponseWriter, _ *http.Request) {
	all := []map[string]any{}
	for _, id := range slices.Sorted(maps.Keys(p.items)) {
		all = append(all, p.items[id])
	}
	writeJSON(w, 200, map[string]any{"total": len(all), "items": all})
}

func (p *pantry) makeItem(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Name   *string
		Amount *int
	}
	if json.NewDecoder(r.Body).Decode(&body) != nil || body.Name == nil || *body.Name == "" ||
		len(*body.Name) > 60 || body.Amount == nil || *body.Amount < 0 || *body.Amount > 50 {
		wrong(w, 400, "a name and an amount up to 50")
		return
	}
	if *body.Amount == 13 {
		http.Error(w, "unlucky", 500)
		return
	}
	for _, item := range p.items {
		if item["name"] == *body.Name {
			wrong(w, 409, "there is an item of that name")
			return
		}
	}
	p.last++
	p.items[p.last] = map[string]any{"id": p.last, "name": *body.Name, "amount": *body.Amount, "made": time.Now().Format(time.RFC3339Nano)}
	w.Header().Set("Location", fmt.Sprint("/items/", p.last))
	writeJSON(w, 201, p.items[p.last])
}

func number(r *http.Request) int {
	n, err := strconv.Atoi(r.PathValue("id"))
	if err != nil {
		return -1
	}
	return n
}

func (p *pantry) readItem(w http.ResponseWriter, r *http.Request) {
	if item, ok := p.items[number(r)]; ok {
		writeJSON(w, 200, item)
		return
	}
	wrong(w, 404, "no such item")
}

func (p *pantry) dropItem(w http.ResponseWriter, r *http.Request) {
	if _, ok := p.items[number(r)]; !ok {
		wrong(w, 404, "no such item")
		return
	}
	delete(p.items, number(r))
	w.WriteHeader(204)
}

func (p *pantry) putTag(w http.ResponseWriter, r *http.Request) {
	var body struct{ Colour string }
	if json.NewDecoder(r.Body).Decode(&body) != nil || !slices.Contains([]string{"red", "green"}, body.Colour) {
		wrong(w, 400, "red or green")
		return
	}
	status := 201
	if _, ok := p.tags[r.PathValue("tag")]; ok {
		status = 200
	}
	p.tags[r.PathValue("tag")] = body.Colour
	writeJSON(w, status, body)
}

func (p *pantry) readTag(w http.ResponseWriter, r *http.Request) {
	if colour, ok := p.tags[r.PathValue("tag")]; ok {
		writeJSON(w, 200, map[string]string{"colour": colour})
		return
	}
	wrong(w, 404, "no such tag")
}

func (p *pantry) dropTag(w http.ResponseWriter, r *http.Request) {
	if _, ok := p.tags[r.PathValue("tag")]; !ok {
		wrong(w, 404, "no such tag")
		return
	}
	delete(p.tags, r.PathValue("tag"))
	w.WriteHeader(204)
}

func (p *pantry) account(w http.ResponseWriter, r *http.Request) (email, password string, ok bool) {
	var body struct{ Email, Password string }
	if json.NewDecoder(r.Body).Decode(&body) != nil || !strings.Contains(body.Email, "@") || len(body.Password) < 3 {
		wrong(w, 400, "an email and a password")
		return "", "", false
	}
	return body.Email, body.Password, true
}

func (p *pantry) register(w http.ResponseWriter, r *http.Request) {
	email, password, ok := p.account(w, r)
	if !ok {
		return
	}
	if _, taken := p.accounts[email]; taken {
		wrong(w, 409, "taken")
		return
	}
	p.accounts[email] = password
	writeJSON(w, 201, map[string]string{"email": email})
}

func (p *pantry) login(w http.ResponseWriter, r *http.Request) {
	email, password, ok := p.account(w, r)
	if !ok {
		return
	}
	if p.accounts[email] != password {
		wrong(w, 401, "not in")
		return
	}
	writeJSON(w, 200, map[string]string{"welcome": email})
}

func (p *pantry) takeSlot(w http.ResponseWriter, _ *http.Request) {
	if p.slots >= 20 {
		wrong(w, 409, "there is none left")
		return
	}
	p.slots++
	writeJSON(w, 201, map[string]int{"slot": p.slots})
}

func (p *pantry) order(w http.ResponseWriter, r *http.Request) {
	var body struct{ ItemID, Amount *int }
	if json.NewDecoder(r.Body).Decode(&body) != nil || body.ItemID == nil || body.Amount == nil || *body.Amount < 1 || *body.Amount > 9 {
		wrong(w, 400, "an item and an amount")
		return
	}
	if _, ok := p.items[*body.ItemID]; !ok {
		wrong(w, 422, "no such item")
		return
	}
	p.last++
	p.orders[p.last] = map[string]any{"id": p.last, "itemId": *body.ItemID, "amount": *body.Amount}
	w.Header().Set("Location", fmt.Sprint("/orders/", p.last))
	writeJSON(w, 201, p.orders[p.last])
}

func (p *pantry) readOrder(w http.ResponseWriter, r *http.Request) {
	if order, ok := p.orders[number(r)]; ok {
		writeJSON(w, 200, order)
		return
	}
	wrong(w, 404, "no such order")
}

func (p *pantry) stats(w http.ResponseWriter, _ *http.Request) {
	p.visits++
	all := map[string]any{"items": len(p.items), "visits": p.visits}
	if len(p.items) > 0 {
		all["oldest"] = p.items[slices.Min(slices.Collect(maps.Keys(p.items)))]
	}
	writeJSON(w, 200, all)
}

func (p *pantry) inbox(w http.ResponseWriter, _ *http.Request) {
	if len(p.orders) == 0 {
		w.WriteHeader(204)
		return
	}
	writeJSON(w, 200, map[string]int{"orders": len(p.orders)})
}

// report fails if there are many items.
func (p *pantry) report(w http.ResponseWriter, _ *http.Request) {
	if len(p.items) > 3 {
		http.Error(w, "too much to report", 500)
		return
	}
	writeJSON(w, 200, map[string]bool{"well": true})
}
