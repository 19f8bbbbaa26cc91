// Parcels is a service with an HTTP API, which asks a host with gRPC about its parcels, for tests.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"example.com/orders/carrier"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

var hosts carrier.CarrierClient

func main() {
	conn, err := grpc.NewClient(
		os.Args[2],
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDisableServiceConfig(),
	)
	if err != nil {
		log.Fatal(err)
	}
	hosts = carrier.NewCarrierClient(conn)
	http.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
	http.HandleFunc("GET /parcels/{id}", track)
	http.HandleFunc("GET /parcels/{id}/events", events)
	http.HandleFunc("DELETE /parcels/{id}", cancel)
	http.HandleFunc("POST /quotes", quote)
	log.Fatal(http.ListenAndServe(os.Args[1], nil))
}

func outward(r *http.Request) (context.Context, context.CancelFunc) {
	return context.WithTimeout(r.Context(), 300*time.Millisecond)
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// refuse answers with an error of the carrier.
func refuse(w http.ResponseWriter, err error) {
	s := status.Convert(err)
	switch s.Code() {
	case codes.NotFound:
		reply(w, 404, "there is no such parcel")
	case codes.FailedPrecondition:
		if reason, ok := strings.CutPrefix(s.Message(), "state: "); ok {
			reply(w, 409, "the parcel is "+reason)
			return
		}
		reply(w, 409, "it is too late")
	case codes.PermissionDenied:
		reply(w, 403, "it is the parcel of another client")
	case codes.Unavailable, codes.DeadlineExceeded:
		reply(w, 503, "the carrier does not answer")
	default:
		reply(w, 502, "the carrier failed")
	}
}

func track(w http.ResponseWriter, r *http.Request) {
	ctx, done := outward(r)
	defer done()
	var header metadata.MD
	p, err := hosts.Track(ctx, &carrier.TrackRequest{Id: r.PathValue("id")}, grpc.Header(&header))
	if err != nil {
		refuse(w, err)
		return
	}
	view := map[string]any{"id": p.Id, "labels": len(p.Labels)}
	if region := header.Get("region"); len(region) == 1 && region[0] == "islands" {
		view["surcharge"] = true
	}
	switch p.State {
	case carrier.State_STATE_WAITING:
		view["state"] = "waiting"
	case carrier.State_STATE_ON_ITS_WAY:
		view["state"] = "on its way"
		if p.MinutesLate < -30 {
			view["note"] = "it comes early"
		} else if p.MinutesLate > 240 {
			view["note"] = "it comes late"
		}
	case carrier.State_STATE_DELIVERED:
		view["state"] = "delivered"
		view["payment"] = payment(p)
	case carrier.State_STATE_LOST:
		reply(w, 410, "it is lost")
		return
	default:
		reply(w, 502, "the carrier does not know")
		return
	}
	if p.Kilograms > 31.5 {
		view["heavy"] = true
	}
	if p.Labels["fragile"] == "yes" {
		view["care"] = "it is fragile"
	}
	if p.Promised != nil && p.Promised.AsTime().Before(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)) {
		view["promised"] = "long ago"
	}
	if len(p.Depots) > 1 && p.Depots[1] == 7001 {
		view["via"] = "the central depot"
	}
	if len(p.Seal) > 0 {
		view["sealed"] = true
	}
	reply(w, 200, view)
}

// payment describes how a parcel was paid.
func payment(p *carrier.Parcel) string {
	switch paid := p.Paid.(type) {
	case *carrier.Parcel_Voucher:
		if strings.HasPrefix(paid.Voucher, "GIFT-") {
			return "a gift"
		}
		return "by voucher"
	case *carrier.Parcel_Cash:
		if paid.Cash.GetCurrency() != "EUR" {
			return "in another currency"
		}
		if paid.Cash.GetUnits() >= 1000 {
			return "much cash"
		}
		return "cash"
	}
	return "unpaid"
}

func events(w http.ResponseWriter, r *http.Request) {
	ctx, done := outward(r)
	defer done()
	stream, err := hosts.Events(ctx, &carrier.TrackRequest{Id: r.PathValue("id")})
	if err != nil {
		refuse(w, err)
		return
	}
	var depots []string
	for {
		e, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil && len(depots) > 0 {
			reply(w, 206, depots)
			return
		}
		if err != nil {
			refuse(w, err)
			return
		}
		if e.State == carrier.State_STATE_LOST {
			reply(w, 410, depots)
			return
		}
		depots = append(depots, e.Depot)
	}
	switch {
	case len(depots) == 0:
		w.WriteHeader(204)
	case len(depots) > 2:
		reply(w, 200, map[string]any{"first": depots[0], "stops": len(depots)})
	default:
		reply(w, 200, depots)
	}
}

func cancel(w http.ResponseWriter, r *http.Request) {
	ctx, done := outward(r)
	defer done()
	c, err := hosts.Cancel(ctx, &carrier.TrackRequest{Id: r.PathValue("id")})
	switch {
	case status.Code(err) == codes.AlreadyExists:
		w.WriteHeader(204)
	case err != nil:
		refuse(w, err)
	case c.Refunded:
		reply(w, 200, "you get your money back")
	default:
		reply(w, 202, "we shall see")
	}
}

func quote(w http.ResponseWriter, r *http.Request) {
	var names []string
	if err := json.NewDecoder(r.Body).Decode(&names); err != nil || len(names) == 0 {
		reply(w, 400, "it is not a list of names")
		return
	}
	ctx, done := outward(r)
	defer done()
	stream, err := hosts.Quote(ctx)
	if err != nil {
		refuse(w, err)
		return
	}
	for _, name := range names {
		if err := stream.Send(&carrier.Item{Name: name}); err != nil {
			break // CloseAndRecv returns the reason
		}
	}
	price, err := stream.CloseAndRecv()
	if err != nil {
		refuse(w, err)
		return
	}
	if price.Units <= 0 {
		reply(w, 502, "the carrier gives no price")
		return
	}
	if price.Units > 5000 && price.Currency == "EUR" {
		reply(w, 402, "it is too expensive")
		return
	}
	reply(w, 200, map[string]any{"units": price.Units, "currency": price.Currency})
}
