package dialogue_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"sonde/assets/wire/testdata/wiretest"
	"sonde/model"
	"sonde/runner/network/dialogue"
)

// my returns packets of MySQL. It has a short name, because the tests use it often.
var my = wiretest.MySQL

// Capabilities of clients and hosts. The last two are of MariaDB.
const (
	myUsual      = 1 | 1<<9 | 1<<15 | 1<<19 | 1<<21
	myCompresses = 1 << 5
	myTLS        = 1 << 11
	myNoEOF      = 1 << 24
	myNoColumns  = 1 << 25
	myAttributes = 1 << 27
	myMetadata   = 1 << 35
	myCache      = 1 << 36
)

// little returns a number as size bytes, the least significant byte first.
func little(n uint64, size int) (text string) {
	for range size {
		text += string([]byte{byte(n)})
		n >>= 8
	}
	return text
}

// myHello returns the first packet of a host with capabilities.
func myHello(c uint64) string {
	return my(0, "\x0a10.11.19-MariaDB\x00"+little(1, 4)+"saltsalt\x00"+little(c, 2)+"\x2d"+little(2, 2)+little(c>>16, 2)+"\x15"+
		strings.Repeat("\x00", 6)+little(c>>32, 4)+"saltsaltsalt\x00mysql_native_password\x00")
}

// myHelloBack returns the first packet of a client with capabilities.
func myHelloBack(c uint64) string {
	start := little(c, 4) + strings.Repeat("\x00", 24) + little(c>>32, 4)
	return my(1, start+"me\x00"+wiretest.MySQLValue("secret")+"mysql_native_password\x00")
}

// myLogIn returns a log-in in which both the host and the client have the capabilities c. The host asks for another
// authentication method than the one that the client tried first.
func myLogIn(c uint64) []step {
	asks := "<" + my(2, "\xfecaching_sha2_password\x00salt\x00")
	return []step{"<" + myHello(c), myHelloBack(c), asks, my(3, "secret"), "<" + my(4, "\x01\x03", myOK)}
}

const (
	myOK    = "\x00\x00\x00\x02\x00\x00\x00"
	myMore  = "\x00\x01\x05\x0a\x00\x00\x00"
	myEnd   = "\xfe\x00\x00\x02\x00"
	myError = "\xff\x26\x04#23000it exists"
)

var (
	myColumn = wiretest.MySQLColumn("id", 3)
	myRow    = wiretest.MySQLValue("7")
	myFirst  = "\x01\x00\x00\x00"
	// A prepared statement with one parameter, whose result has one column.
	myPrepare  = my(0, "\x16q ?")
	myPrepared = my(1, "\x00"+myFirst+"\x01\x00\x01\x00\x00\x00\x00", wiretest.MySQLColumn("?", 253), myEnd, myColumn, myEnd)
	myExecute  = my(0, "\x17"+myFirst+"\x00\x01\x00\x00\x00\x00\x01\x03\x00\x05\x00\x00\x00")
	myBinary   = "\x00\x00\x07\x00\x00\x00"
)

const (
	myResult = `{"columns":[{"name":"id","type":3,"charset":45,"length":11}],"rows":[["7"]]}`
	myFailed = `{"error":{"code":1062,"state":"23000","message":"it exists"}}`
)

// Queries of the text protocol and of the binary protocol are paired with their replies, no matter in which parts the
// data arrives.
func TestMySQLCalls(t *testing.T) {
	query := func(text string) string { return my(0, "\x03"+text) }
	one := `{"1":"5","query":"q ?"} ` + myResult
	for name, c := range map[string]struct {
		capabilities uint64
		steps        []step
		want         string
	}{
		"log-in": {myUsual, nil, ""},
		"query": {
			myUsual,
			[]step{query("SELECT 7"), "<" + my(1, "\x01", myColumn, myEnd, myRow, myEnd)},
			`5 {"1":"7","query":"SELECT ?"} ` + myResult,
		},
		"query without ends": {
			myUsual | myNoEOF,
			[]step{query("q"), "<" + my(1, "\x01", myColumn, myRow, "\xfe\x00\x00\x02\x00\x00\x00")},
			`5 {"query":"q"} ` + myResult,
		},
		"statements": {
			myUsual,
			[]step{query("q"), "<" + my(1, myMore, "\x01", myColumn, myEnd, myRow, "\xfe\x00\x00\x08\x00", myError)},
			`5 {"query":"q"} [{"affected":1,"id":5},` + myResult + `,` + myFailed + `]`,
		},
		"set up": {
			myUsual, []step{
				query("SET a = 1"), "<" + my(1, myOK), my(0, "\x0e"), "<" + my(1, myOK), my(0, "\x1f"), "<" + my(1, myOK),
				my(0, "\x09"), "<" + my(1, "Uptime"), my(0, "\x1b\x00\x00"), "<" + my(1, myEnd), my(0, "\x02d"), "<" + my(1, myError),
				query("SELECT @@a"), "<" + my(1, "\x01", myColumn, myEnd, myRow, myEnd),
			}, "",
		},
		"another user": {
			myUsual, []step{
				my(0, "\x11me\x00\x06secret"), "<" + my(1, "\xfenative\x00salt\x00"), my(2, "secret"), "<" + my(3, myOK),
				query("q"), "<" + my(1, myError),
			}, `9 {"query":"q"} ` + myFailed,
		},
		"prepared": {
			myUsual,
			[]step{myPrepare, "<" + myPrepared, myExecute, "<" + my(1, "\x01", myColumn, myEnd, myBinary, myEnd), my(0, "\x19"+myFirst)},
			"7 " + one,
		},
		"prepared, and columns are kept": {
			(myUsual | myCache) &^ 1,
			[]step{myPrepare, "<" + myPrepared, myExecute, "<" + my(1, "\x01\x00", myEnd, myBinary, myEnd)},
			"7 " + one,
		},
		"executed before the host replies": {
			myUsual, []step{
				myPrepare + strings.Replace(myExecute, myFirst, "\xff\xff\xff\xff", 1),
				"<" + myPrepared + my(1, "\x01", myColumn, myEnd, myBinary, myEnd),
			}, "5 " + one,
		},
		"executed with the types of before": {
			myUsual, []step{
				myPrepare, "<" + myPrepared, myExecute, "<" + my(1, myError),
				my(0, "\x17"+myFirst+"\x00\x01\x00\x00\x00\x00\x00\x06\x00\x00\x00"), "<" + my(1, myError),
				my(0, "\x17"+myFirst+"\x00\x01\x00\x00\x00\x01\x00"), "<" + my(1, myError),
			}, `7 {"1":"5","query":"q ?"} ` + myFailed + `,9 {"1":"6","query":"q ?"} ` + myFailed +
				`,11 {"1":null,"query":"q ?"} ` + myFailed,
		},
		"not prepared": {myUsual, []step{myPrepare, "<" + my(1, myError)}, `5 {"query":"q ?"} ` + myFailed},
		"attributes": {
			myUsual | myAttributes,
			[]step{my(0, "\x03\x01\x01\x00\x01\xfd\x00\x04name\x05valueq"), "<" + my(1, myError)},
			`5 {"query":"q"} ` + myFailed,
		},
		"attributes of a statement": {
			myUsual | myAttributes, []step{
				myPrepare, "<" + myPrepared,
				my(0, "\x17"+myFirst+"\x08\x01\x00\x00\x00\x02\x00\x01\x03\x00\x00\xfd\x00\x04name\x05\x00\x00\x00\x05value"),
				"<" + my(1, myError),
			}, `7 {"1":"5","query":"q ?"} ` + myFailed,
		},
		"metadata of MariaDB": {
			(myUsual | myMetadata) &^ 1,
			[]step{query("q"), "<" + my(1, "\x01", strings.Replace(myColumn, "\x02id\x00", "\x02id\x00\x00", 1), myEnd, myRow, myEnd)},
			`5 {"query":"q"} ` + myResult,
		},
		"no reply": {myUsual, []step{query("q"), my(0, "\x01")}, `5 {"query":"q"} `},
	} {
		for _, size := range []int{1, 3, 1000} {
			got, err := record(model.MySQL, append(myLogIn(c.capabilities), c.steps...), size)
			if strings.Join(got, ",") != c.want || err != nil {
				t.Errorf("%s in parts of %d bytes: got %s, %v, want %s", name, size, strings.Join(got, ","), err, c.want)
			}
		}
	}
}

// Recording stops when the connection becomes encrypted or compressed, and after a file, a cursor, or data that is
// not in the protocol.
func TestUnreadableMySQL(t *testing.T) {
	query, done := my(0, "\x03q"), "<"+my(1, myOK)
	after := func(steps ...step) []step { return append(append(myLogIn(myUsual), steps...), query, done) }
	for name, steps := range map[string][]step{
		"encryption": {
			"<" + myHello(myUsual|myTLS), my(1, little(myUsual|myTLS, 4)+strings.Repeat("\x00", 28)), "\x16\x03\x01", query, done,
		},
		"compression":      append(myLogIn(myUsual|myCompresses), query, done),
		"no columns":       append(myLogIn(myUsual|myNoColumns), query, done),
		"no greeting":      {my(0, "\x03q"), query, done},
		"another greeting": {"<" + my(0, "\x09x"), query, done},
		"a file":           after(query, "<"+my(1, "\xfbfile"), my(2, "content")),
		"a cursor":         after(query, "<"+my(1, "\x01", myColumn, "\xfe\x00\x00\x40\x00")),
		"rows by a cursor": after(my(0, "\x1c"+myFirst+"\x01\x00\x00\x00"), done),
		"replication":      after(my(0, "\x12")),
		"no statement":     after(myExecute),
		"too many columns": after(query, "<"+my(1, "\xfd\xff\xff\xff")),
		"a short row":      after(query, "<"+my(1, "\x01", myColumn, myEnd, "\x05a")),
		"a large packet":   after("\xff\xff\xff\x00"),
	} {
		if got, err := record(model.MySQL, steps, 1000); len(got) != 0 || !errors.Is(err, dialogue.ErrUnreadable) {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
}

func TestDetectGreeting(t *testing.T) {
	hello := myHello(myUsual)
	for data, want := range map[string]string{
		"": "more", hello[:1]: "more", hello[:5]: "more", hello[:6]: "mysql", hello: "mysql", "220 ready\r\n": "",
		"\x05\x00\x00\x00\x0a5": "",
		"\x50\x00\x00\x00\x0ax": "", "\x50\x02\x00\x00\x0a5": "", "\x20\x00\x00\x01": "", "\x50\x00\x00\x00\xff": "",
	} {
		p, more := dialogue.DetectGreeting([]byte(data))
		got := string(p)
		if more {
			got += "more"
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", data, got, want)
		}
	}
}

// Hostile data causes no panic, and passwords are not recorded.
func FuzzMySQL(f *testing.F) {
	f.Add(myPrepare, myPrepared, myExecute, my(1, "\x01", myColumn, myEnd, myBinary, myEnd))
	f.Add(my(0, "\x03q"), my(1, myMore, myError), my(0, "\x11me"), my(1, myOK))
	f.Fuzz(func(t *testing.T, client, host, then, last string) {
		for _, c := range []uint64{myUsual, myUsual | myNoEOF | myAttributes, (myUsual | myCache | myMetadata) &^ 1} {
			steps := append(myLogIn(c), client, "<"+host, then, "<"+last)
			calls, err := record(model.MySQL, steps, 1000)
			if strings.Contains(fmt.Sprint(calls), "secret") && !strings.Contains(client+host+then+last, "secret") {
				t.Errorf("the password is in %s, %v", calls, err)
			}
		}
	})
}
