// Carts is a service that keeps all of its data in Redis, for tests.
package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"
)

var db *redis.Client

func main() {
	db = redis.NewClient(&redis.Options{Addr: os.Args[2], PoolSize: 4, MinIdleConns: 2, DB: 1})
	if err := db.Ping(context.Background()).Err(); err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
	http.HandleFunc("GET /carts/{id}", cart)
	http.HandleFunc("DELETE /carts/{id}", empty)
	http.HandleFunc("POST /carts/{id}/items", add)
	http.HandleFunc("POST /carts/{id}/checkout", checkout)
	http.HandleFunc("GET /top", top)
	http.HandleFunc("POST /sessions", begin)
	http.HandleFunc("GET /sessions/{id}", session)
	go func() { log.Fatal(http.ListenAndServe(os.Args[1], nil)) }()
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM)
	<-ended // and main returns, so that the coverage of the process is written
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}

func failed(w http.ResponseWriter, err error) bool {
	if err != nil {
		reply(w, 500, map[string]string{"error": err.Error()})
	}
	return err != nil
}

func cart(w http.ResponseWriter, r *http.Request) {
	items, err := db.HGetAll(r.Context(), "cart:"+r.PathValue("id")).Result()
	switch {
	case failed(w, err):
	case len(items) == 0:
		reply(w, 404, map[string]string{"error": "the cart is empty"})
	default:
		reply(w, 200, items)
	}
}

func empty(w http.ResponseWriter, r *http.Request) {
	if !failed(w, db.Del(r.Context(), "cart:"+r.PathValue("id")).Err()) {
		w.WriteHeader(204)
	}
}

func add(w http.ResponseWriter, r *http.Request) {
	var item struct {
		Product string `json:"product"`
		Count   int64  `json:"count"`
	}
	if err := json.NewDecoder(r.Body).Decode(&item); err != nil || item.Product == "" || item.Count < 1 {
		reply(w, 400, map[string]string{"error": "it is not an item"})
		return
	}
	var count *redis.IntCmd
	_, err := db.Pipelined(r.Context(), func(p redis.Pipeliner) error {
		key := "cart:" + r.PathValue("id")
		count = p.HIncrBy(r.Context(), key, item.Product, item.Count)
		p.Expire(r.Context(), key, time.Hour)
		return nil
	})
	if !failed(w, err) {
		reply(w, 201, map[string]int64{"count": count.Val()})
	}
}

func checkout(w http.ResponseWriter, r *http.Request) {
	key := "cart:" + r.PathValue("id")
	items, err := db.HGetAll(r.Context(), key).Result()
	switch {
	case failed(w, err):
		return
	case len(items) == 0:
		reply(w, 409, map[string]string{"error": "the cart is empty"})
		return
	}
	order, err := db.Incr(r.Context(), "orders").Result()
	if failed(w, err) {
		return
	}
	placed, _ := json.Marshal(map[string]any{"items": items, "at": time.Now().UTC().Format(time.RFC3339)})
	_, err = db.TxPipelined(r.Context(), func(p redis.Pipeliner) error {
		p.Set(r.Context(), "order:"+strconv.FormatInt(order, 10), placed, 0)
		for product, count := range items {
			n, _ := strconv.ParseFloat(count, 64)
			p.ZIncrBy(r.Context(), "top", n, product)
		}
		p.Del(r.Context(), key)
		return nil
	})
	if !failed(w, err) {
		reply(w, 201, map[string]int64{"order": order})
	}
}

func top(w http.ResponseWriter, r *http.Request) {
	all, err := db.ZRevRangeWithScores(r.Context(), "top", 0, 2).Result()
	if !failed(w, err) {
		reply(w, 200, all)
	}
}

func begin(w http.ResponseWriter, r *http.Request) {
	id := make([]byte, 16)
	rand.Read(id)
	key := hex.EncodeToString(id)
	if !failed(w, db.Set(r.Context(), "session:"+key, "guest", time.Minute).Err()) {
		reply(w, 201, map[string]string{"id": key})
	}
}

func session(w http.ResponseWriter, r *http.Request) {
	user, err := db.Get(r.Context(), "session:"+r.PathValue("id")).Result()
	switch {
	case errors.Is(err, redis.Nil):
		reply(w, 404, map[string]string{"error": "there is no such session"})
	case !failed(w, err):
		reply(w, 200, map[string]string{"user": user})
	}
}
