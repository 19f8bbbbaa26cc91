package export

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sonde/model"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestGolden(t *testing.T) {
	for name, s := range map[string]Suite{
		"shop":    shop(),
		"least":   {Title: "Shop", Tests: []model.Test{refused()}},
		"hostile": hostile(),
		"started": startedGolden(),
		"network": networkGolden(),
		"talks":   talksGolden(),
		"local":   localGolden(),
		"mimics":  mimicsGolden(),
		"uploads": Uploads(),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := GoFile(s)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.WriteFile(path, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("the file differs from %s (look at it, then run with -update): -want +got\n%s", path, diff)
			}
		})
	}
}

// startedGolden returns a suite that starts its service and whose users log in in different ways.
func startedGolden() Suite {
	s := Suite{
		Title: "Vault", BaseURL: "http://127.0.0.1:{port}/v1", Users: keyholders("https://login.example"), Dir: "..",
		Service: &model.Service{
			Command: []string{"go", "run", ".", "--port", "{port}"}, Env: map[string]string{"DATABASE": "memory", "KEY": "${VAULT_KEY}"},
			Ready: model.ReadinessCheck{Path: "/health", Status: 200, Timeout: 1500 * time.Millisecond},
			Stop:  model.ShutdownOptions{Signal: "INT"},
		},
		Reset: &model.Reset{Method: "POST", Path: "/reset", Header: map[string]string{"X-Key": "${VAULT_KEY}"}},
	}
	for _, u := range s.Users {
		s.Tests = append(s.Tests, model.Test{ID: u.Name, Calls: []model.Call{{Op: "GET /keys", User: u.Name, Status: 200}}})
	}
	return s
}

// networkGolden returns a suite with a virtual network in which all hosts speak HTTP.
func networkGolden() Suite {
	approved := model.Answer{Body: `{"approved": true, "receipt": "r-17"}`}
	s := Suite{
		Title:   "Shop",
		BaseURL: "http://127.0.0.1:8080/v1",
		Dir:     "..",
		Reset:   &model.Reset{Method: "POST", Path: "/reset"},
		Build:   []string{"sonde", "build", "--net", "./cmd/shop"},
		Service: &model.Service{Command: []string{model.BinaryPlaceholder, "--addr", ":{port}"}, Port: 8080},
		Net: &model.VirtualNetwork{
			Allow: []string{"127.0.0.1:5432"}, Hostname: "shop-1", Interfaces: []string{"eth0 10.0.0.7/24"},
			Stubs: []model.Stub{
				{
					Host:     "auth.example:443",
					Protocol: model.HTTP,
					Match:    model.StubMatch{Method: "GET", Path: "/keys/{id}"},
					Answers:  []model.Answer{{Body: `{"keys":[]}`}},
				},
			},
		},
		Tests: []model.Test{pay("t1", 503, paying(model.Answer{Fault: model.NetReset})), one("t2", "GET /orders", 200)},
	}
	s.Tests = append(s.Tests, pay("t3", 201, model.Stub{
		Host: "payments.example:80", Protocol: model.HTTP,
		Match: model.StubMatch{
			Method: "POST",
			Path:   "/charge?dry=0",
			Query:  map[string]string{"a": "1"},
			Header: map[string]string{"X-Key": "k"},
			JSON:   `{"order": 17}`,
			Nth:    2,
		},
		Answers: []model.Answer{
			{
				Status: 200,
				Header: model.HeaderFields{"Content-Type": {"application/json"}, "Set-Cookie": {"a=1", "b=2"}},
				Body:   `{"approved":true,"receipt":{"number":"r-17","lines":[{"sku":"tent","price":1250},{"sku":"rope"}]}}`,
			},
			{Fault: model.NetCut, After: 10, Body: approved.Body},
			{Fault: model.NetStall, After: 10, Body: approved.Body},
			{Fault: model.NetTruncatedJSON, Body: approved.Body},
			{Fault: model.NetSlow, Latency: 200, Rate: 50, Body: "late"},
			{Status: 200, Trailer: model.NewHeaderField("Grpc-Status", "0"), Bytes: []byte("\xff\x00")},
			{Fault: model.NetMute},
			{Fault: model.NetWrongTLS},
			{Fault: model.NetExpiredTLS},
			{Fault: model.NetUntrustedTLS},
			{Fault: model.NetRefuse},
		},
		Else: &model.Answer{Status: 429},
	}))
	return s
}

// talksGolden returns a suite with a virtual network in which hosts speak protocols other than HTTP.
func talksGolden() Suite {
	s := networkGolden()
	s.Net, s.Service.Port, s.Reset = &model.VirtualNetwork{}, 0, nil
	s.Tests = []model.Test{one("t1", "GET /stock", 200,
		model.Stub{
			Host:     "stock.example:7000",
			Protocol: model.TCP,
			Answers:  []model.Answer{{Body: "hello\n"}, {Body: "17\n", Close: true}},
		},
		model.Stub{
			Host:     "whois.example:43",
			Protocol: model.TCP,
			Match:    model.StubMatch{Prefix: "tent", Regexp: "t$"},
			Repeat:   true,
			Answers:  []model.Answer{{Fault: model.NetRefuse}, {Fault: model.NetUnreachable}},
		},
		model.Stub{
			Host:     "metrics.example:8125",
			Protocol: model.UDP,
			Match:    model.StubMatch{Equals: "how"},
			Answers:  []model.Answer{{Body: "well"}},
		},
		model.Stub{Host: ":7000", Protocol: model.TCP, Inward: true, Answers: []model.Answer{{Body: "hi\n"}}},
		model.Stub{Host: ":7001", Protocol: model.UDP, Inward: true, Answers: []model.Answer{{Body: "a"}, {Body: "b"}}},
		answering("hostname", model.Environment, model.Answer{Body: "web-1"}),
		model.Stub{
			Host:     "*/tcp",
			Protocol: model.Environment,
			Answers:  []model.Answer{{Fault: model.NetAddressInUse}, {}},
			Else:     &model.Answer{Fault: model.NetPermissionDenied},
		},
		answering(
			"./data/*.json", model.Environment,
			model.Answer{Fault: model.NetNoSpace, After: 7}, model.Answer{Fault: model.NetIOError},
		),
		answering("/data/a", model.Environment, model.Answer{Fault: model.NetNoSuchFile}),
		model.Stub{
			Host:     "stock.example",
			Protocol: model.DNS,
			Answers: []model.Answer{
				{Records: []model.DNSRecord{{Type: "A", Value: "198.18.0.7"}, {Type: "MX", Value: "10 mail.example"}}},
				{Fault: model.NetNXDomain},
				{Fault: model.NetTimeout},
				{Fault: model.NetServFail},
			},
		},
	)}
	return s
}

// localGolden returns a suite whose hosts are servers of the tests.
func localGolden() Suite {
	s := networkGolden()
	s.Net, s.Local, s.Service.Port = nil, true, 0
	s.Service.Command = []string{"go", "run", "./cmd/shop", "--addr", ":{port}", "--payments=http://payments.example/charge"}
	s.Service.Env = map[string]string{"STOCK": "stock.example:7000"}
	s.Tests = []model.Test{
		pay("t1", 503, paying(model.Answer{Fault: model.NetReset})),
		one("t2", "GET /stock", 200, answering("stock.example:7000", model.TCP, model.Answer{Body: "17\n"})),
	}
	return s
}

// hostile returns a suite in which each text tries to end the literal, comment or name that contains it.
func hostile() Suite {
	evil := "*/ `\"\\\n\r\x00\u2028\u202e\ufeff\xff +build // {id} \x1b[2J"
	return Suite{
		Title: evil, BaseURL: evil, Command: evil,
		Reset: &model.Reset{Method: evil, Path: evil},
		Users: []model.User{{Name: evil, Header: evil, Env: evil}, {Name: "type", Header: "X", Public: evil}},
		Tests: []model.Test{
			{
				ID: evil, Flaky: evil,
				Calls: []model.Call{
					{
						Op: "POST /" + model.OpID(evil), User: evil, Status: 599,
						Args: []model.Arg{
							inPath("id", evil), inQuery(evil, evil),
							{In: model.InHeader, Name: "X-Evil", Value: evil},
							{In: model.InHeader, Name: evil, Value: "left out"},
							{In: model.InCookie, Name: evil, Value: evil},
						},
						Body: &model.Payload{Media: evil, Data: evil},
					},
					{
						Op: "POST /types/{id}", User: "type", Status: 201,
						Args: []model.Arg{inPath("id", "..")},
						Body: jsonBody("{\"a`b\":\"`\u202e\U000e0001\x7f*/\",\"bad\":1}"),
					},
				},
				Links: []model.Link{
					{From: 0, To: 1, Pointer: evil, In: model.InBody, Name: "/" + evil},
					{From: 0, To: 1, Header: evil, In: model.InQuery, Name: evil},
				},
				Checks: []model.Check{present(0, evil), equal(1, evil, "\"`\u2029\"")},
			},
			{
				ID:     "func",
				Calls:  []model.Call{{Op: "PATCH /函数/{型}", Status: 200}, {Op: "DELETE /func", Status: 200}},
				Checks: []model.Check{present(0, ""), present(1, "")},
			},
			{ID: "", Calls: []model.Call{{Op: "", Status: 1}}},
		},
	}
}
