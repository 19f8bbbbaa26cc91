//go:build !windows

package gotest

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The table is what the service's network is told.
func TestTableOfNetwork(t *testing.T) {
	n := &virtualNetwork{allow: []string{"127.0.0.1:5432"}, hostname: "shop-1", interfaces: []string{"eth0 10.0.0.7/24"}, listens: 8080, port: 41000, ends: map[string]string{}}
	for _, end := range []string{"http a.example:80", "tcp b.example:25", "udp 198.18.0.9:53", "http c.example:80", "http d.example:443"} {
		n.ends[end] = "127.0.0.1:" + end[len(end)-2:]
	}
	n.reach = func(*stub) error { return nil }
	n.http("a.example:80", "", refuses(), replies(200, ""))
	n.http("a.example:80", "/x", replies(200, ""))
	n.tcp("b.example:25", isUnreachable())
	n.udp("198.18.0.9:53", says("x"))
	n.http("c.example:80", "", refuses(), timesOut(), again())
	n.tcp("c.example:80", says("x"))
	n.http("d.example:443", "", replies(200, ""))
	n.dns("d.example", records("A 198.18.1.1", "AAAA fd00::1", "TXT a b"), isUnknown(), timesOut(), again())
	n.dns("e.example", records())
	n.dns("f.example", isUnknown(), then(records("MX 10 g.example")))
	n.tcpTo(":7000", says("x"))
	got, err := n.table()
	want := `net 1
unknown resolve
bind tcp 8080 41000
allow tcp 127.0.0.1:5432
bind udp 8080 41000
allow udp 127.0.0.1:5432
hostname shop-1
iface eth0 10.0.0.7/24
route tcp 198.18.160.249:80 !ECONNREFUSED 127.0.0.1:80 watch
route tcp [fd00:736f:6e64:65:278d:a7d1:20d2:ac28]:80 !ECONNREFUSED 127.0.0.1:80 watch
route tcp 198.19.70.156:25 !ENETUNREACH
route tcp [fd00:736f:6e64:65:2ae4:9c79:1f2a:81e5]:25 !ENETUNREACH
route udp 198.18.0.9:53 127.0.0.1:53 watch
route tcp 198.19.62.156:80 !ECONNREFUSED !ETIMEDOUT again
route tcp [fd00:736f:6e64:65:93ab:3ed6:2b6c:574a]:80 !ECONNREFUSED !ETIMEDOUT again
route tcp 198.18.1.1:443 127.0.0.1:43 watch
route tcp [fd00::1]:443 127.0.0.1:43 watch
dns d.example A 198.18.1.1
dns d.example AAAA fd00::1
dns d.example TXT a%20b
then d.example
dnsfail d.example nxdomain
then d.example
dnsfail d.example timeout
again d.example
dns e.example NONE
dnsfail f.example nxdomain
then f.example
dns f.example MX 10%20g.example
watch tcp 7000
`
	if err != nil || got != want {
		t.Errorf("error %v, got\n%swant\n%s", err, got, want)
	}
}

// A service without the network says so in words that help.
func TestNetworkNeedsItsService(t *testing.T) {
	n := &virtualNetwork{dir: t.TempDir()}
	if err := n.reached(nil); err == nil || !strings.Contains(err.Error(), "SONDE_BASE_URL") {
		t.Errorf("got error %v", err)
	}
	t.Setenv("SONDE_BINARY", "")
	n.build = []string{"no-such-program", "build"}
	if err := n.compile("."); err == nil || !strings.Contains(err.Error(), `Build it by ["no-such-program" "build"], and set SONDE_BINARY`) {
		t.Errorf("got error %v", err)
	}
	t.Setenv("GOTEST_SITS", "")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run=^$")
	if err := n.attach(cmd, 1); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	cmd.ExtraFiles[0].Close()
	if err := n.push(); err == nil {
		t.Error("a service that ended took the table")
	}
}
