// Orders is a service with an HTTP API, which keeps its data in a host with gRPC, for tests.
package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"example.com/orders/stock"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

var warehouse stock.StockClient

func main() {
	secure := insecure.NewCredentials()
	if slices.Contains(os.Args, "tls") {
		secure = credentials.NewTLS(nil)
	}
	conn, err := grpc.NewClient(
		os.Args[2],
		grpc.WithTransportCredentials(secure),
		grpc.WithDisableServiceConfig(), // it is a TXT record, which a recorded service asks a real resolver for
	)
	if err != nil {
		log.Fatal(err)
	}
	warehouse = stock.NewStockClient(conn)
	http.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
	http.HandleFunc("POST /deliveries", receive)
	http.HandleFunc("GET /items", list)
	http.HandleFunc("GET /items/{sku}", find)
	http.HandleFunc("POST /orders", order)
	http.HandleFunc("DELETE /orders/{id}", cancel)
	go func() { log.Fatal(http.ListenAndServe(os.Args[1], nil)) }()
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM)
	<-ended // and main returns, so that the coverage of the process is written
}

// outward returns the context of a call to the warehouse.
func outward(r *http.Request) (context.Context, context.CancelFunc) {
	ctx := metadata.AppendToOutgoingContext(r.Context(), "caller", "orders")
	if slices.Contains(os.Args, "traced") {
		ctx = metadata.AppendToOutgoingContext(ctx, "traceparent", r.Header.Get("Traceparent"))
	}
	return context.WithTimeout(ctx, 5*time.Second)
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}

// failed answers with an error of the warehouse, and reports whether there is one.
func failed(w http.ResponseWriter, err error) bool {
	if err == nil {
		return false
	}
	s := status.Convert(err)
	said := map[string]any{"code": s.Code().String(), "error": s.Message()}
	for _, detail := range s.Details() {
		switch d := detail.(type) {
		case *errdetails.ResourceInfo:
			said["missing"] = d.ResourceType + " " + d.ResourceName
		case *errdetails.PreconditionFailure:
			said["why"] = d.Violations[0].Subject + ": " + d.Violations[0].Description
		}
	}
	code := map[codes.Code]int{codes.NotFound: 404, codes.FailedPrecondition: 409, codes.OutOfRange: 400}[s.Code()]
	if code == 0 {
		code = 500
	}
	reply(w, code, said)
	return true
}

func find(w http.ResponseWriter, r *http.Request) {
	ctx, done := outward(r)
	defer done()
	var header, trailer metadata.MD
	item, err := warehouse.Find(ctx, &stock.FindRequest{Sku: r.PathValue("sku")}, grpc.Header(&header), grpc.Trailer(&trailer))
	if !failed(w, err) {
		reply(w, 200, map[string]any{"item": item, "shelf": header.Get("shelf"), "seen": trailer.Get("seen")})
	}
}

func list(w http.ResponseWriter, r *http.Request) {
	ctx, done := outward(r)
	defer done()
	stream, err := warehouse.List(ctx, &stock.ListRequest{Prefix: r.FormValue("prefix"), Most: 3})
	if failed(w, err) {
		return
	}
	all := []string{}
	for {
		item, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			reply(w, 200, all)
			return
		} else if failed(w, err) {
			return
		}
		all = append(all, item.Sku)
	}
}

func receive(w http.ResponseWriter, r *http.Request) {
	var items []*stock.Item
	if err := json.NewDecoder(r.Body).Decode(&items); err != nil || len(items) == 0 {
		reply(w, 400, map[string]string{"error": "it is not a list of items"})
		return
	}
	ctx, done := outward(r)
	defer done()
	stream, err := warehouse.Receive(ctx)
	if failed(w, err) {
		return
	}
	for _, item := range items {
		if err := stream.Send(item); err != nil {
			break // CloseAndRecv returns the reason
		}
	}
	receipt, err := stream.CloseAndRecv()
	if !failed(w, err) {
		reply(w, 201, map[string]any{"items": receipt.Items, "count": receipt.Count})
	}
}

func order(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		SKU   string `json:"sku"`
		Count int64  `json:"count"`
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || asked.SKU == "" || asked.Count < 1 {
		reply(w, 400, map[string]string{"error": "it is not an order"})
		return
	}
	key := make([]byte, 16)
	rand.Read(key)
	ctx, done := outward(r)
	defer done()
	reserved, err := warehouse.Reserve(ctx, &stock.ReserveRequest{Key: hex.EncodeToString(key), Sku: asked.SKU, Count: asked.Count})
	if !failed(w, err) {
		reply(w, 201, map[string]any{"id": reserved.Id, "units": reserved.Total.GetUnits(), "cents": reserved.Total.GetCents()})
	}
}

func cancel(w http.ResponseWriter, r *http.Request) {
	ctx, done := outward(r)
	defer done()
	if _, err := warehouse.Release(ctx, &stock.ReleaseRequest{Id: r.PathValue("id")}); !failed(w, err) {
		w.WriteHeader(204)
	}
}
