package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestRun starts the server as its main does, calls it and stops it.
func TestRun(t *testing.T) {
	for _, tc := range []struct {
		name   string
		flags  []string
		status int
		fault  string
	}{
		{"as it is", nil, 500, ""},
		{"as sonde demo", []string{"demo"}, 500, ""},
		{"revealing", []string{"--reveal"}, 500, "F01"},
		{"healthy", []string{"--healthy", "--reveal"}, 200, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ctx, stop := context.WithCancel(context.Background())
			out, in := io.Pipe()
			code := make(chan int, 1)
			var complaints bytes.Buffer
			go func() {
				code <- run(ctx, append(tc.flags, "--addr", "127.0.0.1:0"), in, &complaints)
				in.Close()
			}()
			line, err := bufio.NewReader(out).ReadString('\n')
			if err != nil || !strings.HasPrefix(line, "http://127.0.0.1:") {
				t.Fatalf("got first line %q, %v", line, err)
			}
			res, err := http.Get(strings.TrimSpace(line) + "/products?offset=1")
			if err != nil {
				t.Fatal(err)
			}
			res.Body.Close()
			if got := res.Header.Get("X-Fault"); res.StatusCode != tc.status || got != tc.fault {
				t.Errorf("got %d, fault %q; want %d, %q", res.StatusCode, got, tc.status, tc.fault)
			}
			stop()
			if got := <-code; got != 0 || complaints.Len() > 0 {
				t.Errorf("got exit code %d, %s", got, &complaints)
			}
		})
	}
}

func TestWrongFlags(t *testing.T) {
	for _, tc := range []struct {
		name string
		args []string
		want string
	}{
		{"unknown", []string{"--reveel"}, "server: flag provided but not defined: -reveel, --help lists the flags\n"},
		{"argument", []string{"8080"}, "server: unexpected argument \"8080\", --help lists the flags\n"},
		{"address", []string{"--addr", "127.0.0.1:http:"}, "server: cannot listen on \"127.0.0.1:http:\": "},
		{"payments", []string{"--payments", "payments.example"}, "server: payments \"payments.example\" is not an http URL, "},
		{"stock", []string{"--stock", "stock.example"}, "server: stock \"stock.example\" is not an address, write it as host:port\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			code := run(context.Background(), tc.args, &stdout, &stderr)
			got := stderr.String()
			if code != 2 || !strings.HasPrefix(got, tc.want) || strings.Count(got, "\n") != 1 || stdout.Len() > 0 {
				t.Errorf("got exit code %d, %q and %q, want 2 and %q", code, got, &stdout, tc.want)
			}
		})
	}
}

func TestHelp(t *testing.T) {
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), []string{"--help"}, &stdout, &stderr)
	if code != 0 || stderr.Len() > 0 || !strings.Contains(stdout.String(), "-reveal") {
		t.Errorf("got exit code %d, %q and %q, want the flags", code, &stdout, &stderr)
	}
}
