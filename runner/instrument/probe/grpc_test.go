package probe

import (
	"fmt"
	"strings"
	"testing"

	"sonde/runner/instrument/probedata"

	"github.com/google/go-cmp/cmp"
)

// grpcModules are the module of a service, modules in place of the packages that generated clients of gRPC use,
// and a module with such a client.
const grpcModules = `-- go.mod --
module example.com/shop

go 1.24

require (
	example.com/api v0.0.0
	google.golang.org/grpc v0.0.0
	google.golang.org/protobuf v0.0.0
)

replace (
	example.com/api => ./api
	google.golang.org/grpc => ./grpc
	google.golang.org/protobuf => ./protobuf
)
-- grpc/go.mod --
module google.golang.org/grpc

go 1.24
-- grpc/grpc.go --
package grpc

import "context"

type ClientConnInterface interface {
	Invoke(ctx context.Context, method string, args, reply any) error
	NewStream(ctx context.Context, desc *StreamDesc, method string) (ClientStream, error)
}

type StreamDesc struct{}

type ClientStream interface {
	SendMsg(m any) error
	RecvMsg(m any) error
}

type ServerStreamingClient[Res any] interface {
	Recv() (*Res, error)
	ClientStream
}

type ClientStreamingClient[Req, Res any] interface {
	Send(*Req) error
	CloseAndRecv() (*Res, error)
	ClientStream
}
-- grpc/codes/codes.go --
package codes

type Code uint32

const (
	OK       Code = 0
	NotFound Code = 5
	Internal Code = 13
	Aborted  Code = 10
)
-- grpc/status/status.go --
package status

import "google.golang.org/grpc/codes"

func Code(err error) codes.Code { return codes.OK }

func Error(c codes.Code, text string) error { return nil }
-- grpc/metadata/metadata.go --
package metadata

type MD map[string][]string

func (m MD) Get(k string) []string { return m[k] }
-- protobuf/go.mod --
module google.golang.org/protobuf

go 1.24
-- protobuf/types/known/timestamppb/timestamp.pb.go --
package timestamppb

type Timestamp struct {
	Seconds int64 ¬protobuf:"varint,1,opt,name=seconds,proto3"¬
}
-- api/go.mod --
module example.com/api

go 1.24

require google.golang.org/grpc v0.0.0
-- api/depots.pb.go --
package api

import (
	"context"

	"google.golang.org/grpc"
)

type Request struct {
	Id string ¬protobuf:"bytes,1,opt,name=id,proto3"¬
}

type Depot struct {
	xxx_hidden_Name  *string   ¬protobuf:"bytes,1,opt,name=name"¬
	xxx_hidden_Sizes *[]*Size  ¬protobuf:"bytes,2,rep,name=sizes"¬
	xxx_hidden_What  isDepot_What ¬protobuf_oneof:"what"¬
}

type Size struct {
	Width float32 ¬protobuf:"fixed32,1,opt,name=width,proto3"¬
}

type isDepot_What interface{ isDepot_What() }

type depot_Owner struct {
	Owner string ¬protobuf:"bytes,5,opt,name=owner,oneof"¬
}

func (*depot_Owner) isDepot_What() {}

type Client struct{ cc grpc.ClientConnInterface }

func (c *Client) Find(ctx context.Context, in *Request) (*Depot, error) {
	out := new(Depot)
	return out, c.cc.Invoke(ctx, "/api.Depots/Find", in, out)
}
-- main.go --
package main

import (
	"context"
	"time"

	"example.com/api"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"
)

const Shop_List_FullMethodName = "/shop.v1.Shop/List"

type Kind int32

const (
	Kind_BOOK  Kind = 4
	Kind_OTHER Kind = 0
)

type Item struct {
	state   int
	Name    string                 ¬protobuf:"bytes,1,opt,name=item_name,json=itemName,proto3"¬
	Kind    Kind                   ¬protobuf:"varint,2,opt,name=kind,proto3,enum=shop.v1.Kind"¬
	Cents   int32                  ¬protobuf:"zigzag32,3,opt,name=cents,proto3"¬
	Weight  float64                ¬protobuf:"fixed64,4,opt,name=weight,proto3"¬
	Sizes   []uint32               ¬protobuf:"fixed32,5,rep,packed,name=sizes,proto3"¬
	Raw     []byte                 ¬protobuf:"bytes,6,opt,name=raw,proto3"¬
	Prices  map[string]*Price      ¬protobuf:"bytes,7,rep,name=prices" protobuf_key:"bytes,1,opt" protobuf_val:"bytes,2,opt"¬
	At      *timestamppb.Timestamp ¬protobuf:"bytes,8,opt,name=at,proto3"¬
	Sold    *bool                  ¬protobuf:"varint,9,opt,name=sold,proto3,oneof"¬
	Offer   isItem_Offer           ¬protobuf_oneof:"offer"¬
	Parts   []*Item                ¬protobuf:"bytes,12,rep,name=parts,proto3"¬
	Until   time.Time              ¬protobuf:"bytes,13,opt,name=until,proto3,stdtime"¬
}

type Price struct {
	Units int64 ¬protobuf:"varint,1,opt,name=units,proto3"¬
}

type isItem_Offer interface{ isItem_Offer() }

type Item_Text struct {
	Text string ¬protobuf:"bytes,10,opt,name=text,proto3,oneof"¬
}

type Item_Price struct {
	Price *Price ¬protobuf:"bytes,11,opt,name=price,proto3,oneof"¬
}

func (*Item_Text) isItem_Offer()  {}
func (*Item_Price) isItem_Offer() {}

type client struct{ cc grpc.ClientConnInterface }

func (c *client) Find(ctx context.Context, in *Item) (*Item, error) {
	out := new(Item)
	err := c.cc.Invoke(ctx, "/shop.v1.Shop/Find", in, out)
	return out, err
}

func (c *client) List(ctx context.Context, in *Item) (grpc.ServerStreamingClient[Price], error) {
	_, err := c.cc.NewStream(ctx, nil, Shop_List_FullMethodName)
	return nil, err
}

func (c *client) Put(ctx context.Context) (grpc.ClientStreamingClient[Item, Price], error) {
	_, err := c.cc.NewStream(ctx, nil, "/shop.v1.Shop/Put")
	return nil, err
}

func raw(ctx context.Context, cc grpc.ClientConnInterface) error {
	s, err := cc.NewStream(ctx, nil, "/shop.v1.Shop/Raw")
	if err != nil {
		return status.Error(codes.Internal, "it failed")
	}
	var p Price
	return s.RecvMsg(&p)
}

func main() {
	var c client
	var other api.Client
	_, err := c.Find(context.Background(), nil)
	if status.Code(err) == codes.NotFound {
		println(metadata.MD{}.Get("shelf"))
	}
	_ = map[codes.Code]int{codes.Aborted: 409}
	_, _ = other.Find(context.Background(), nil)
}
`

// messageText returns the shape of a message as one line.
func messageText(s probedata.Shape) string {
	text := s.Type
	if s.Format != "" {
		text += "/" + s.Format
	}
	if len(s.Enum) > 0 {
		text += fmt.Sprint(s.Enum)
	}
	if s.Items != nil {
		return "[" + messageText(*s.Items) + "]"
	}
	if s.Type != "object" {
		return text
	}
	var fields []string
	for _, f := range s.Fields {
		field := fmt.Sprintf("%d %s %s", f.Number, f.Name, messageText(f.Shape))
		if f.Wire != "" {
			field += " " + string(f.Wire)
		}
		if f.Oneof != "" {
			field += " of " + f.Oneof
		}
		fields = append(fields, field)
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

// The manifest has the gRPC methods for which there are clients, even in other modules, with the shapes of the
// replies. The shapes follow from calls in generated code, from the types of streams, and from the values into
// which messages are received.
func TestGRPCCalls(t *testing.T) {
	m := manifestOf(t, Options{Dir: module(t, strings.ReplaceAll(grpcModules, "¬", "`"))})
	var got []string
	for _, c := range m.Calls {
		text := c.Path + " " + messageText(c.Reply)
		if c.Stream {
			text += " stream"
		}
		got = append(got, text)
	}
	const item = "{1 item_name string, 2 kind integer/int32[0 4] varint, 3 cents integer/int32 zigzag, 4 weight number fixed64, " +
		"5 sizes [integer/uint32] fixed32, 6 raw string/byte, 7 prices [{1 key string, 2 value {1 units integer/int64 varint}}], " +
		"8 at string/date-time, 9 sold boolean varint, 11 price {1 units integer/int64 varint} of offer, 10 text string of offer, " +
		"12 parts ["
	want := []string{
		"/api.Depots/Find {1 name string, 2 sizes [{1 width number fixed32}], 5 owner string of what}",
		"/shop.v1.Shop/Find " + item,
		"/shop.v1.Shop/List {1 units integer/int64 varint} stream",
		"/shop.v1.Shop/Put {1 units integer/int64 varint}",
		"/shop.v1.Shop/Raw {1 units integer/int64 varint} stream",
	}
	if len(got) > 1 { // a message that contains itself ends at some depth
		if text := got[1]; strings.HasPrefix(text, want[1]+item[:20]) && strings.HasSuffix(text, "], 13 until string/date-time}") {
			got[1] = want[1]
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := fmt.Sprint(m.StatusCodes, m.Headers); got != "[5 10] [shelf]" {
		t.Errorf("codes and headers: %s", got)
	}
}

// Messages of Protocol Buffers that the source decodes without gRPC are documents. The source may decode them
// by a function of a library, by a function of the service that calls such a function, or by a generated
// method. Messages in requests to the service are not documents. Neither are the messages within a message.
func TestProtobufDocuments(t *testing.T) {
	dir := module(t, strings.ReplaceAll(`-- go.mod --
module example.com/shop

go 1.24

require google.golang.org/protobuf v0.0.0

replace google.golang.org/protobuf => ./protobuf
-- protobuf/go.mod --
module google.golang.org/protobuf

go 1.24
-- protobuf/proto/proto.go --
package proto

type Message any

func Unmarshal(b []byte, m Message) error { return nil }
-- main.go --
package main

import (
	"io"
	"net/http"

	"google.golang.org/protobuf/proto"
)

type Order struct {
	Id string ¬protobuf:"bytes,1,opt,name=id,proto3"¬
}

type Price struct {
	Units int64 ¬protobuf:"varint,1,opt,name=units,proto3"¬
}

type Parcel struct {
	Price *Price ¬protobuf:"bytes,3,opt,name=price,proto3"¬
}

func (p *Price) UnmarshalVT(data []byte) error { return nil }

func (p *Parcel) UnmarshalVT(data []byte) error { return p.Price.UnmarshalVT(data) }

type Event struct {
	Depot string ¬protobuf:"bytes,2,opt,name=depot,proto3"¬
}

func decode(data []byte, into proto.Message) error { return proto.Unmarshal(data, into) }

func serve(w http.ResponseWriter, r *http.Request) {
	data, _ := io.ReadAll(r.Body)
	var o Order
	_ = proto.Unmarshal(data, &o)
}

func main() {
	var p Parcel
	_ = p.UnmarshalVT(nil)
	e := &Event{}
	_ = decode(nil, e)
}
`, "¬", "`"))
	var got []string
	for _, d := range manifestOf(t, Options{Dir: dir}).Documents {
		got = append(got, string(d.Encoding)+" "+messageText(d.Shape))
	}
	want := []string{"protobuf {2 depot string}", "protobuf {3 price {1 units integer/int64 varint}}"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
