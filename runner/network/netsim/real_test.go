//go:build unix

package netsim_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/network/netsim"
)

// program is testdata/client on a network.
type program struct {
	t  *testing.T
	n  *netsim.Network
	in io.Writer
	r  *bufio.Reader

	binary  string
	process *os.Process
}

// launch starts testdata/client with a network built in.
func launch(t *testing.T, n *netsim.Network) *program {
	t.Helper()
	path := binary(t, client)
	env, child, err := n.AttachProcess()
	if err != nil {
		t.Fatal(err)
	}
	defer child.Close()
	c := exec.Command(path)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Env, c.ExtraFiles, c.Stderr = append(os.Environ(), env...), []*os.File{child}, os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	p := &program{t: t, n: n, in: in, r: bufio.NewReader(out), process: c.Process}
	t.Cleanup(func() { in.Close(); end(c) })
	return p
}

// maxSilent bounds how long a program may take for one command.
const maxSilent = 30 * time.Second

// end waits until a program has ended. It kills a program that has not ended after maxSilent.
func end(c *exec.Cmd) {
	defer time.AfterFunc(maxSilent, func() { kill(c.Process) }).Stop()
	_ = c.Wait()
}

// kill kills a program and the keeper of its network.
func kill(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

// do makes the program execute a command in a test of its own. It returns the program's output and the
// contacts.
func (p *program) do(stubs []model.Stub, command ...string) (string, []model.Contact) {
	p.t.Helper()
	if err := p.n.BeginTest(stubs); err != nil {
		p.t.Fatal(err)
	}
	p.n.StartInward()
	p.n.BeginCall(0)
	text := p.ask(command...)
	p.n.EndCall()
	return text, p.n.EndTest()
}

// ask makes the program execute a command, and returns the output.
func (p *program) ask(command ...string) string {
	p.t.Helper()
	p.execute(command...)
	return p.output()
}

func (p *program) execute(command ...string) { fmt.Fprintln(p.in, strings.Join(command, "\t")) }

func (p *program) output() string {
	p.t.Helper()
	defer time.AfterFunc(maxSilent, func() { kill(p.process) }).Stop()
	line, err := p.r.ReadString('\n')
	if err != nil {
		p.t.Fatalf("it says nothing: %v", err)
	}
	text, err := strconv.Unquote(strings.TrimSpace(line))
	if err != nil {
		p.t.Fatal(err)
	}
	return text
}

// A Go program with a network built in can use all protocols.
func TestRealService(t *testing.T) {
	skipShort(t)
	n, err := netsim.New(netsim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	p := launch(t, n)
	ok := model.Answer{Body: `{"ok":true}`}
	line := func(s string) model.Answer { return model.Answer{Body: s + "\n"} }
	inward := func(p model.Protocol, all ...model.Answer) model.Stub {
		return model.Stub{Host: ":7000", Protocol: p, Inward: true, Answers: all}
	}
	for _, tt := range []struct {
		name     string
		stubs    []model.Stub
		command  []string
		want     string // the output or, after "…", only its end
		contacts []string
	}{
		{
			"http",
			[]model.Stub{web("a.example:80", ok)},
			[]string{"http", "GET", "http://a.example/x"},
			`HTTP/1.1 200 {"ok":true}`,
			[]string{
				`lookup dns a.example "host": answer`, `dial tcp a.example:80: connected`,
				`message http a.example:80 GET /x  by 0.0: 200`,
			},
		},
		{
			"kept connection",
			[]model.Stub{
				web("a.example:80", model.Answer{Status: 500}),
			},
			[]string{"http", "POST", "http://a.example/x", "b"},
			`HTTP/1.1 500 `,
			[]string{`message http a.example:80 POST /x b by 0.0: 500`},
		},
		{
			"no stub any more", nil,
			[]string{"http", "POST", "http://a.example/x", "b"},
			"…no such host",
			[]string{`lookup dns a.example "host": nxdomain`},
		},
		{
			"https, h2",
			[]model.Stub{web("a.example:443", ok)},
			[]string{"http", "GET", "https://a.example/"},
			`HTTP/2.0 200 {"ok":true}`,
			[]string{
				`lookup dns a.example "host": answer`, `dial tcp a.example:443: connected`,
				`message http a.example:443 GET /  by 0.0: 200`,
			},
		},
		{
			"h2c",
			[]model.Stub{web("b.example:80", ok)},
			[]string{"h2c", "http://b.example/"},
			`HTTP/2.0 200 {"ok":true}`,
			[]string{
				`lookup dns b.example "host": answer`, `dial tcp b.example:80: connected`,
				`message http b.example:80 GET /  by 0.0: 200`,
			},
		},
		{
			"wrong tls",
			[]model.Stub{
				web("c.example:443", model.Answer{Fault: model.NetWrongTLS}),
			},
			[]string{"http", "GET", "https://c.example/"},
			"…certificate is valid for someone-else.invalid, not c.example",
			[]string{
				`lookup dns c.example "host": answer`, `dial tcp c.example:443: connected`,
				`dial http c.example:443 by 0.0: wrong-tls`,
			},
		},
		{
			"refuse",
			[]model.Stub{
				web("d.example:80", model.Answer{Fault: model.NetRefuse}),
			},
			[]string{"http", "GET", "http://d.example/"},
			"…:80: connect: connection refused",
			[]string{`lookup dns d.example "host": answer`, `dial tcp d.example:80 by 0.0: refuse`},
		},
		{
			"reset",
			[]model.Stub{
				web("e.example:80", model.Answer{Fault: model.NetReset}),
			},
			[]string{"http", "GET", "http://e.example/"},
			"…connection reset by peer",
			[]string{
				`lookup dns e.example "host": answer`, `dial tcp e.example:80: connected`,
				`message http e.example:80 GET /  by 0.0: reset`,
			},
		},
		{
			"by address",
			[]model.Stub{web("10.1.2.3:80", ok)},
			[]string{"http", "GET", "http://10.1.2.3/"},
			`HTTP/1.1 200 {"ok":true}`,
			[]string{`dial tcp 10.1.2.3:80: connected`, `message http 10.1.2.3:80 GET /  by 0.0: 200`},
		},
		{
			"tcp",
			[]model.Stub{
				raw("m.example:25", line("220 hi"), line("250 ok")),
			},
			[]string{"talk", "m.example:25", "<|HELO|<|QUIT|<"},
			"…connection reset by peer",
			[]string{
				`lookup dns m.example "host": answer`, `dial tcp m.example:25: connected`,
				`message tcp m.example:25 by 0.0: answer`, `message tcp m.example:25 "HELO\n" by 0.1: answer`,
				`message tcp m.example:25 "QUIT\n": nothing`,
			},
		},
		{
			"a line that never comes",
			[]model.Stub{
				raw("w.example:43", line("one")),
			},
			[]string{"talk", "w.example:43", "q|<|<"},
			"…connection reset by peer",
			[]string{
				`lookup dns w.example "host": answer`, `dial tcp w.example:43: connected`,
				`message tcp w.example:43 "q\n" by 0.0: answer`,
			},
		},
		{
			"udp",
			[]model.Stub{
				{Host: "u.example:9", Protocol: model.UDP, Answers: []model.Answer{{Body: "pong"}}},
			},
			[]string{"udp", "u.example:9", "ping"},
			"pong",
			[]string{`lookup dns u.example "host": answer`, `message udp u.example:9 "ping" by 0.0: answer`},
		},
		{
			"udp, no answer",
			[]model.Stub{
				{Host: "u.example:9", Protocol: model.UDP, Answers: []model.Answer{{}}},
			},
			[]string{"udp", "u.example:9", "ping"},
			"…connection refused",
			[]string{`lookup dns u.example "host": answer`, `message udp u.example:9 "ping" by 0.0: nothing`},
		},
		{
			"udp, not waited for",
			[]model.Stub{
				{Host: "u.example:9", Protocol: model.UDP, Answers: []model.Answer{{}}},
			},
			[]string{"udp", "u.example:9", "ping", "only"},
			"",
			[]string{`lookup dns u.example "host": answer`, `message udp u.example:9 "ping" by 0.0: nothing`},
		},
		{"udp without a host", nil, []string{"udp", "10.9.9.9:9", "ping", "only"}, "", []string{`dial udp 10.9.9.9:9: refused`}},
		{
			"names",
			[]model.Stub{
				names("n.example", model.Answer{Records: []model.DNSRecord{is("A", "10.1.1.1"), is("AAAA", "2001:db8::1")}}),
			},
			[]string{"lookup", "n.example"},
			"10.1.1.1,2001:db8::1",
			[]string{`lookup dns n.example "host" by 0.0: answer`},
		},
		{
			"a server of names",
			[]model.Stub{
				names("n.example", model.Answer{Records: []model.DNSRecord{is("A", "10.1.1.1")}}),
			},
			[]string{"dns", "8.8.8.8:53", "n.example"},
			"10.1.1.1",
			[]string{`lookup dns n.example "a" by 0.0: answer`},
		},
		{
			"inward",
			[]model.Stub{
				inward(model.TCP, line("HAND_SHAKE"), line("more")),
			},
			[]string{"serve", ":7000", "<|hello|<"},
			"HAND_SHAKE\nmore\n",
			[]string{
				`use environment 7000/tcp "listen": works`, `listen tcp :7000: listens`, `message tcp :7000 by 0.0: answer`,
				`message tcp :7000 "hello\n" by 0.1: answer`,
			},
		},
		{
			"no caller", nil,
			[]string{"serve", ":7000", "<"},
			"…software caused connection abort",
			[]string{`use environment 7000/tcp "listen": works`, `listen tcp :7000: listens`},
		},
		{
			"a port in use",
			[]model.Stub{{Host: "*/tcp", Protocol: model.Environment, Answers: []model.Answer{{Fault: model.NetAddressInUse}}}},
			[]string{"serve", ":7000", "<"},
			"…address already in use",
			[]string{`use environment 7000/tcp "listen" by 0.0: address-in-use`},
		},
		{
			"inward udp",
			[]model.Stub{
				inward(model.UDP, model.Answer{Body: "one"}, model.Answer{Body: "two"}),
			},
			[]string{"packet", ":7000"},
			"…connection refused",
			[]string{
				`use environment 7000/udp "listen": works`, `listen udp :7000: listens`, `message udp :7000 by 0.0: answer`,
				`message udp :7000 by 0.1: answer`,
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p.t = t
			got, contacts := p.do(tt.stubs, tt.command...)
			if end, only := strings.CutPrefix(tt.want, "…"); got != tt.want && !(only && strings.HasSuffix(got, end)) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if got := strings.TrimSpace(contactText(contacts)); got != strings.Join(tt.contacts, "\n") {
				t.Errorf("got\n%s\nwant\n%s", got, strings.Join(tt.contacts, "\n"))
			}
		})
	}
}
