// Warehouse is a host with a gRPC service, which keeps its data in memory, for tests.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"os"
	"slices"
	"strings"
	"sync"

	"example.com/orders/stock"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

func main() {
	l, err := net.Listen("tcp", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	s := grpc.NewServer()
	stock.RegisterStockServer(s, &warehouse{items: map[string]*stock.Item{}, reserved: map[string]*stock.ReserveRequest{}})
	log.Fatal(s.Serve(l))
}

type warehouse struct {
	stock.UnimplementedStockServer

	mu       sync.Mutex
	items    map[string]*stock.Item
	reserved map[string]*stock.ReserveRequest
	last     int
}

func (w *warehouse) Find(ctx context.Context, r *stock.FindRequest) (*stock.Item, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	item := w.items[r.Sku]
	if item == nil {
		return nil, unknown("item", r.Sku)
	}
	grpc.SetHeader(ctx, metadata.Pairs("shelf", "left", "shelf", "top"))
	grpc.SetTrailer(ctx, metadata.Pairs("seen", "1", "seen", "2"))
	return item, nil
}

// unknown returns an error with details.
func unknown(kind, name string) error {
	s, err := status.New(codes.NotFound, "there is no "+kind+" “"+name+"”").WithDetails(
		&errdetails.ResourceInfo{ResourceType: kind, ResourceName: name, Owner: "warehouse"},
	)
	if err != nil {
		return err
	}
	return s.Err()
}

func (w *warehouse) List(r *stock.ListRequest, out grpc.ServerStreamingServer[stock.Item]) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	sent := uint32(0)
	for _, sku := range slices.Sorted(maps.Keys(w.items)) {
		if !strings.HasPrefix(sku, r.Prefix) {
			continue
		}
		if sent == r.Most {
			return status.Error(codes.OutOfRange, "there are more items")
		}
		if err := out.Send(w.items[sku]); err != nil {
			return err
		}
		sent++
	}
	return nil
}

func (w *warehouse) Receive(in grpc.ClientStreamingServer[stock.Item, stock.Receipt]) error {
	receipt := &stock.Receipt{}
	for {
		item, err := in.Recv()
		if errors.Is(err, io.EOF) {
			return in.SendAndClose(receipt)
		} else if err != nil {
			return err
		}
		w.mu.Lock()
		w.items[item.Sku] = item
		w.mu.Unlock()
		receipt.Items, receipt.Count = receipt.Items+1, receipt.Count+item.Count
	}
}

func (w *warehouse) Reserve(_ context.Context, r *stock.ReserveRequest) (*stock.Reservation, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	item := w.items[r.Sku]
	switch {
	case item == nil:
		return nil, unknown("item", r.Sku)
	case item.Count < r.Count:
		s, err := status.New(codes.FailedPrecondition, "too few").WithDetails(&errdetails.PreconditionFailure{
			Violations: []*errdetails.PreconditionFailure_Violation{{
				Type: "COUNT", Subject: r.Sku, Description: fmt.Sprintf("%d are left", item.Count),
			}},
		})
		if err != nil {
			return nil, err
		}
		return nil, s.Err()
	}
	item.Count -= r.Count
	w.last++
	id := fmt.Sprintf("reservation-%06d", w.last)
	w.reserved[id] = r
	return &stock.Reservation{
		Id: id, Total: &stock.Price{Units: item.GetPrice().GetUnits() * r.Count, Cents: -5, Currency: item.GetPrice().GetCurrency()},
	}, nil
}

func (w *warehouse) Release(_ context.Context, r *stock.ReleaseRequest) (*stock.Released, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	reserved := w.reserved[r.Id]
	if reserved == nil {
		return nil, unknown("reservation", r.Id)
	}
	delete(w.reserved, r.Id)
	w.items[reserved.Sku].Count += reserved.Count
	return &stock.Released{}, nil
}
