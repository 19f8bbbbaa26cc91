// Queue is a service that puts orders into a queue of an AMQP broker, and takes them out again, for tests.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"

	amqp "github.com/rabbitmq/amqp091-go"
)

const queue = "orders"

var (
	mu      sync.Mutex // a channel is for one goroutine at a time
	channel *amqp.Channel
)

func main() {
	connection, err := amqp.Dial("amqp://guest:guest@" + os.Args[2] + "/")
	if err == nil {
		channel, err = connection.Channel()
	}
	if err == nil {
		err = channel.Confirm(false)
	}
	if err == nil {
		_, err = channel.QueueDeclare(queue, false, false, false, false, nil)
	}
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
	http.HandleFunc("POST /orders", put)
	http.HandleFunc("GET /orders/next", take)
	go func() { log.Fatal(http.ListenAndServe(os.Args[1], nil)) }()
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM)
	<-ended
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}

// put publishes an order, and waits until the broker confirms it.
func put(w http.ResponseWriter, r *http.Request) {
	var order struct {
		Item string `json:"item"`
	}
	if err := json.NewDecoder(r.Body).Decode(&order); err != nil || order.Item == "" {
		reply(w, 400, map[string]string{"error": "item is missing"})
		return
	}
	body, err := json.Marshal(order)
	if err != nil {
		reply(w, 400, map[string]string{"error": err.Error()})
		return
	}
	mu.Lock()
	defer mu.Unlock()
	confirmed, err := channel.PublishWithDeferredConfirm(
		"", queue, false, false, amqp.Publishing{ContentType: "application/json", Body: body},
	)
	if err != nil || !confirmed.Wait() {
		reply(w, 502, map[string]string{"error": "the broker has not confirmed the order"})
		return
	}
	reply(w, 202, order)
}

// take takes the next order out of the queue.
func take(w http.ResponseWriter, _ *http.Request) {
	mu.Lock()
	defer mu.Unlock()
	message, found, err := channel.Get(queue, true)
	switch {
	case err != nil:
		reply(w, 502, map[string]string{"error": err.Error()})
	case !found:
		reply(w, 404, map[string]string{"error": "the queue is empty"})
	default:
		reply(w, 200, json.RawMessage(message.Body))
	}
}
