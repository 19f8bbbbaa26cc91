package send

import (
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
)

// detailed returns the details of an exchange over TLS, whose certificate expires on 2027-01-10.
func detailed() *model.TransmissionDetails {
	return &model.TransmissionDetails{
		Timing: model.Timing{
			Lookup: 300 * time.Microsecond, Connect: 200 * time.Microsecond, Handshake: 3 * time.Millisecond,
			FirstByte: 12 * time.Millisecond, Body: 2 * time.Second,
		},
		TLS: &model.TLSFacts{
			Version: "TLS 1.3", Cipher: "TLS_AES_128_GCM_SHA256", Protocol: "h2", Subject: "CN=shop.example", Issuer: "CN=an authority",
			Names: []string{"shop.example", "127.0.0.1"}, Expires: time.Date(2027, 1, 10, 12, 0, 0, 0, time.UTC), Verified: true,
		},
		Size: model.ReplySizes{Header: 1312, Encoded: 80, Encoding: "gzip"},
	}
}

// texts returns the lines as one text, with one blank between two words.
func texts(lines []draw.Line) string {
	var all []string
	for _, l := range lines {
		all = append(all, l.Text())
	}
	return strings.Join(strings.Fields(strings.Join(all, " ")), " ")
}

func TestDetails(t *testing.T) {
	expires := detailed().TLS.Expires
	for _, c := range []struct {
		name   string
		change func(*model.TransmissionDetails)
		now    time.Time
		want   string
	}{
		{
			"a new connection", func(d *model.TransmissionDetails) { d.TLS = nil }, expires,
			"DNS 0.3 ms · connect 0.2 ms · TLS 3.0 ms · first byte 12 ms · body 2.0 s · header 1,312 bytes · gzip 80 bytes",
		},
		{
			"a reused connection",
			func(d *model.TransmissionDetails) {
				d.TLS, d.Timing, d.Size = nil, model.Timing{Reused: true, FirstByte: time.Second}, model.ReplySizes{Header: 1, Encoded: 7}
			},
			expires, "connection reused · first byte 1.0 s · header 1 byte",
		},
		{
			"TLS",
			func(d *model.TransmissionDetails) { d.Timing, d.Size.Encoding = model.Timing{Reused: true}, "" },
			expires.AddDate(0, -1, 0),
			"connection reused · header 1,312 bytes TLS 1.3 · TLS_AES_128_GCM_SHA256 · h2 certificate of CN=shop.example " +
				"(shop.example, 127.0.0.1) by CN=an authority · expires on 2027-01-10 · ✓ verified",
		},
		{"expires in 14 days", nil, expires.AddDate(0, 0, -14), "✗ expires on 2027-01-10, in 14 days"},
		{"expires in 15 days", nil, expires.AddDate(0, 0, -15), " · expires on 2027-01-10 · "},
		{"expired", nil, expires, "✗ expired on 2027-01-10"},
		{"not verified", func(d *model.TransmissionDetails) { d.TLS.Verified = false }, expires, "△ not verified (--insecure)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := detailed()
			if c.change != nil {
				c.change(d)
			}
			if got := texts(detailLines(model.Exchange{Details: d}, 60, c.now)); !strings.Contains(got, c.want) {
				t.Errorf("got %q,\nwant %q", got, c.want)
			}
		})
	}
}

// The texts of a service are bounded and clean, and a soon expiry is red.
func TestHostileDetails(t *testing.T) {
	d := detailed()
	d.TLS.Subject, d.TLS.Issuer = strings.Repeat("\x1b[2J\u202e長", 10_000), "\x1b]0;owned\x07"
	lines := detailLines(model.Exchange{Details: d}, 40, time.Time{})
	for _, l := range lines {
		if l.Width() > 40 || strings.ContainsAny(l.Text(), "\x1b\x07\u202e") {
			t.Errorf("%d cells: %q", l.Width(), l.Text())
		}
	}
	if len(lines) > 3*maxFactLines {
		t.Errorf("%d lines", len(lines))
	}
	if got := expiry(d.TLS.Expires, d.TLS.Expires.AddDate(0, 0, -3)).Style; got != theme.Bad {
		t.Errorf("style %v, want red", got)
	}
	if lines := detailLines(model.Exchange{}, 40, time.Time{}); lines != nil {
		t.Errorf("an exchange without details has %v", lines)
	}
}
