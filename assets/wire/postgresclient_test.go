package wire_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"

	"sonde/assets/wire"
	"sonde/assets/wire/testdata/wiretest"
)

// servePostgres answers a client until the client ends the connection. It then closes the channel ended.
func servePostgres(t *testing.T, c net.Conn, answers map[string]string, ended chan<- struct{}) {
	defer close(ended)
	defer c.Close()
	s := wire.NewPostgresSession(c, wiretest.Replies(answers))
	for {
		r, reply, err := s.Next()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				t.Errorf("got %v", err)
			}
			return
		}
		switch {
		case reply != nil:
		case answers[r.Text] != "":
			reply = s.Reply(answers[r.Text])
		default:
			reply = s.Refuse(r)
		}
		if _, err := c.Write(reply); err != nil {
			t.Errorf("the client does not read: %v", err)
			return
		}
	}
}

// postgresReplies describes the messages that a client gets until the host is ready.
func postgresReplies(t *testing.T, f *pgproto3.Frontend) string {
	t.Helper()
	var all []string
	for {
		m, err := f.Receive()
		if err != nil {
			t.Fatalf("after %q: %v", all, err)
		}
		text := strings.TrimPrefix(fmt.Sprintf("%T", m), "*pgproto3.")
		switch m := m.(type) {
		case *pgproto3.DataRow:
			for _, v := range m.Values {
				if v == nil {
					text += " null"
				} else {
					text += fmt.Sprintf(" %q", v)
				}
			}
		case *pgproto3.CommandComplete:
			text += " " + string(m.CommandTag)
		case *pgproto3.RowDescription:
			for _, c := range m.Fields {
				text += fmt.Sprintf(" %s %d %d", c.Name, c.DataTypeOID, c.Format)
			}
		case *pgproto3.ParameterDescription:
			text += fmt.Sprint(" ", m.ParameterOIDs)
		case *pgproto3.ErrorResponse:
			text += " " + m.Severity + " " + m.Code + " " + m.Message + " " + m.ConstraintName
		case *pgproto3.ReadyForQuery:
			return strings.Join(append(all, text+" "+string(m.TxStatus)), "\n")
		case *pgproto3.ParameterStatus:
			continue
		}
		all = append(all, text)
	}
}

// A client that uses another implementation of the protocol works with a session. It asks for TLS, logs in, sends
// simple and extended queries, gets errors, and ends the connection.
func TestPostgresClient(t *testing.T) {
	client, host := net.Pipe()
	defer client.Close()
	ended := make(chan struct{})
	go servePostgres(t, host, map[string]string{
		"SELECT 1":   `{"columns":[{"name":"a","type":23}],"rows":[["1"],[null]]}`,
		"q $1":       `{"parameters":[20],"columns":[{"name":"n","type":1700},{"name":"t"}],"rows":[["-1.50","x"]]}`,
		"INSERT":     `{"error":{"code":"23505","message":"it exists","constraint":"name_key"}}`,
		"UPDATE":     `{"tag":"UPDATE 3"}`,
		"several":    `[{"tag":"UPDATE 1"},{"error":{"code":"22012","message":"division by zero"}}]`,
		"not a stub": `{"rows":`,
	}, ended)
	f := pgproto3.NewFrontend(client, client)
	send := func(all ...pgproto3.FrontendMessage) {
		t.Helper()
		for _, m := range all {
			f.Send(m)
		}
		if err := f.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	send(&pgproto3.SSLRequest{})
	refusal := make([]byte, 1)
	if _, err := io.ReadFull(client, refusal); err != nil || !bytes.Equal(refusal, []byte("N")) {
		t.Fatalf("got %q, %v, want no TLS", refusal, err)
	}
	send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"user": "me"}})
	if got, want := postgresReplies(t, f), "AuthenticationOk\nBackendKeyData\nReadyForQuery I"; got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	query := func(text string) []pgproto3.FrontendMessage {
		return []pgproto3.FrontendMessage{&pgproto3.Query{String: text}}
	}
	for _, c := range []struct {
		name string
		sent []pgproto3.FrontendMessage
		want string
	}{
		{
			"simple query", query("SELECT 1"),
			"RowDescription a 23 0\nDataRow \"1\"\nDataRow null\nCommandComplete SELECT 2\nReadyForQuery I",
		},
		{"statement without rows", query("UPDATE"), "CommandComplete UPDATE 3\nReadyForQuery I"},
		{"set up", query("SET a = 1"), "CommandComplete SET\nReadyForQuery I"},
		{"empty query", query(" ; "), "EmptyQueryResponse\nReadyForQuery I"},
		{"error", query("INSERT"), "ErrorResponse ERROR 23505 it exists name_key\nReadyForQuery I"},
		{"several statements", query("several"), "CommandComplete UPDATE 1\nErrorResponse ERROR 22012 division by zero \nReadyForQuery I"},
		{"no stub", query("DELETE"), "ErrorResponse ERROR XX000 no stub answers DELETE \nReadyForQuery I"},
		{
			"bad stub", query("not a stub"),
			"ErrorResponse ERROR XX000 the stub's answer is not a reply of PostgreSQL: unexpected EOF \nReadyForQuery I",
		},
		{"prepared", []pgproto3.FrontendMessage{
			&pgproto3.Parse{Name: "s", Query: "q $1"}, &pgproto3.Describe{ObjectType: 'S', Name: "s"}, &pgproto3.Sync{},
		}, "ParseComplete\nParameterDescription [20]\nRowDescription n 1700 0 t 25 0\nReadyForQuery I"},
		{"executed with values in binary form", []pgproto3.FrontendMessage{
			&pgproto3.Bind{
				PreparedStatement: "s", ParameterFormatCodes: []int16{1}, Parameters: [][]byte{{0, 0, 0, 0, 0, 0, 0, 7}},
				ResultFormatCodes: []int16{1, 0},
			},
			&pgproto3.Describe{ObjectType: 'P'}, &pgproto3.Execute{}, &pgproto3.Sync{},
		}, "BindComplete\nRowDescription n 1700 1 t 25 0\n" +
			`DataRow "\x00\x02\x00\x00@\x00\x00\x02\x00\x01\x13\x88" "x"` + "\nCommandComplete SELECT 1\nReadyForQuery I"},
		{"closed", []pgproto3.FrontendMessage{
			&pgproto3.Close{ObjectType: 'S', Name: "s"}, &pgproto3.Bind{PreparedStatement: "s"}, &pgproto3.Execute{}, &pgproto3.Sync{},
		}, "CloseComplete\nErrorResponse ERROR 26000 the prepared statement does not exist \nReadyForQuery I"},
		{"transaction", query("BEGIN"), "CommandComplete BEGIN\nReadyForQuery T"},
		{"extended error in the transaction", []pgproto3.FrontendMessage{
			&pgproto3.Parse{Query: "INSERT"}, &pgproto3.Bind{}, &pgproto3.Execute{}, &pgproto3.Execute{}, &pgproto3.Sync{},
		}, "ParseComplete\nBindComplete\nErrorResponse ERROR 23505 it exists name_key\nReadyForQuery E"},
		{"a failed transaction is rolled back", query("COMMIT"), "CommandComplete ROLLBACK\nReadyForQuery I"},
	} {
		send(c.sent...)
		if got := postgresReplies(t, f); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	send(&pgproto3.Terminate{})
	<-ended
}
