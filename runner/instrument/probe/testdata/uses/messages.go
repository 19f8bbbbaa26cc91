package main

import (
	"context"
	"net/smtp"

	"github.com/gorilla/websocket"
	"github.com/miekg/dns"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	health "google.golang.org/grpc/health/grpc_health_v1"
)

func init() {
	uses["grpc"] = func(ctx context.Context) (any, error) {
		c, err := grpc.NewClient("grpc.example:50051", grpc.WithTransportCredentials(insecure.NewCredentials()))
		if err != nil {
			return nil, err
		}
		defer c.Close()
		r, err := health.NewHealthClient(c).Check(ctx, &health.HealthCheckRequest{})
		return r.GetStatus(), err
	}
	uses["websocket"] = func(ctx context.Context) (any, error) {
		c, _, err := websocket.DefaultDialer.DialContext(ctx, "ws://web.example/ws", nil)
		if err != nil {
			return nil, err
		}
		defer c.Close()
		if err := c.WriteMessage(websocket.TextMessage, []byte("hello")); err != nil {
			return nil, err
		}
		_, said, err := c.ReadMessage()
		return string(said), err
	}
	uses["smtp"] = func(context.Context) (any, error) {
		return "sent", smtp.SendMail("mail.example:25", nil, "a@a.example", []string{"b@b.example"}, []byte("hello\r\n"))
	}
	uses["dns by udp"] = func(ctx context.Context) (any, error) { return ask(ctx, &dns.Client{}) }
	uses["dns by tcp"] = func(ctx context.Context) (any, error) { return ask(ctx, &dns.Client{Net: "tcp"}) }
}

// ask asks a certain DNS server for a name.
func ask(ctx context.Context, c *dns.Client) (any, error) {
	r, _, err := c.ExchangeContext(ctx, new(dns.Msg).SetQuestion("a.example.", dns.TypeA), "8.8.8.8:53")
	if err != nil {
		return nil, err
	}
	return r.Answer, nil
}
