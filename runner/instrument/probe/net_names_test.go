//go:build unix

package probe

import (
	"strings"
	"testing"
)

// A name has the records of the table, and the lookup is reported.
func TestLookups(t *testing.T) {
	const zone = "dns a.example A 198.18.0.7\ndns a.example AAAA 2001:db8::7\ndns b.example CNAME a.example\n" +
		"dns a.example MX 20%20two.example\ndns a.example MX 10%20one.example\n" +
		"dns a.example TXT some%20text\ndns a.example NS ns.example\n" +
		"dns _ldap._tcp.a.example SRV 2%205%20443%20far.example\ndns _ldap._tcp.a.example SRV 1%205%20389%20near.example\n" +
		"dns 198.18.0.9 PTR nine.example\ndnsfail gone.example nxdomain\ndnsfail slow.example timeout\ndnsfail ill.example servfail\n"
	for _, c := range []struct{ kind, name, want, event string }{
		{"lookup", "A.example.", "[198.18.0.7 2001:db8::7]", "lookup host A.example. 198.18.0.7,2001:db8::7"},
		{"lookup", "b.example", "[198.18.0.7 2001:db8::7]", "lookup host b.example 198.18.0.7,2001:db8::7"},
		{"lookup ip6", "a.example", "[2001:db8::7]", "lookup ip6 a.example 2001:db8::7"},
		{"cname", "b.example", "a.example.", "lookup cname b.example a.example."},
		{"txt", "a.example", "[some text]", "lookup txt a.example some%20text"},
		{"mx", "a.example", "10 one.example.\n20 two.example.", "lookup mx a.example 20%20two.example,10%20one.example"},
		{"ns", "a.example", "ns.example.", "lookup ns a.example ns.example"},
		{
			"srv", "a.example", "{near.example. 389 1 5}\n{far.example. 443 2 5}",
			"lookup srv _ldap._tcp.a.example 2%205%20443%20far.example,1%205%20389%20near.example",
		},
		{"ptr", "198.18.0.9", "[nine.example.]", "lookup ptr 198.18.0.9 nine.example."},
		{"ptr", "198.18.0.7", "[a.example.]", "lookup ptr 198.18.0.7 a.example."},
		{"lookup error", "none.example", "true true false false lookup none.example: no such host", "lookup host none.example -"},
		{"lookup error", "gone.example", "true true false false lookup gone.example: no such host", "lookup host gone.example -"},
		{"lookup error", "slow.example", "true false true true lookup slow.example: i/o timeout", "lookup host slow.example -"},
		{"lookup error", "ill.example", "true false false true lookup ill.example: server misbehaving", "lookup host ill.example -"},
		{"own resolver", "a.example", "[198.18.0.7 2001:db8::7]", "lookup host a.example 198.18.0.7,2001:db8::7"},
	} {
		p := play(t, zone, c.kind, c.name)
		if got := p.output(); got != c.want {
			t.Errorf("%s %s: got %q, want %q", c.kind, c.name, got, c.want)
		}
		if got := strings.Join(p.eventsWith("lookup"), "\n"); got != c.event {
			t.Errorf("%s %s: told %q, want %q", c.kind, c.name, got, c.event)
		}
	}
}

// If unknown names resolve, each always has the same address of the requested family.
func TestUnknownNames(t *testing.T) {
	first := play(t, "unknown resolve\n", "lookup", "any.example").output()
	if again := play(t, "unknown resolve\n", "lookup", "ANY.example.").output(); again != first || !strings.HasPrefix(first, "[198.1") {
		t.Errorf("got %s, then %s", first, again)
	}
	if six := play(t, "unknown resolve\n", "lookup ip6", "any.example").output(); !strings.HasPrefix(six, "[fd00:736f:6e64:65:") {
		t.Errorf("got %s", six)
	}
}

// A name may have no records, only its synthetic address, or other records for each lookup.
func TestScriptsOfNames(t *testing.T) {
	own := play(t, "unknown resolve\n", "lookup", "a.example").output()
	play(t, "known a.example\n", "lookup", "a.example").want(own, "refused")
	play(t, "known a.example\n", "ptr", strings.Trim(own, "[]")).want("[a.example.]", "refused")
	play(
		t, "unknown resolve\ndns a.example NONE\n", "lookup", "a.example",
	).want("lookup a.example: no such host", "lookup", "lookup host a.example -")
	const steps = "dnsfail a.example timeout\nthen a.example\ndns a.example A 198.18.0.1\nthen a.example\ndns a.example A 198.18.0.2\n"
	play(t, steps, "lookup often", "a.example").want("lookup a.example: i/o timeout\n[198.18.0.1]\n[198.18.0.2]\n[198.18.0.2]", "refused")
	play(
		t, steps+"again a.example\n", "lookup often", "a.example",
	).want("lookup a.example: i/o timeout\n[198.18.0.1]\n[198.18.0.2]\nlookup a.example: i/o timeout", "refused")
}

// The name and interfaces of the machine are those of the table, or the default ones.
func TestMachineNameAndInterfaces(t *testing.T) {
	got := play(t, "hostname box\niface eth0 10.1.2.3/24\niface eth0 2001:db8::3/64\niface tun0 10.9.0.1/16\n", "here").output()
	for _, want := range []string{
		"box\n", "[127.0.0.1/8 ::1/128 10.1.2.3/24 2001:db8::3/64 10.9.0.1/16]\n", "3 tun0 [10.9.0.1/16]",
		"&{2 1500 eth0 02:00:00:00:00:02 up|broadcast|multicast|running}",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in %s", want, got)
		}
	}
	if got := play(t, "", "here").output(); !strings.Contains(got, "[127.0.0.1/8 ::1/128 198.19.255.254/15]\n") {
		t.Errorf("the usual interfaces: %s", got)
	}
}
