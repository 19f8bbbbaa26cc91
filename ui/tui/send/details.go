package send

import (
	"fmt"
	"strings"
	"time"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// expiresSoon is how long before its end a certificate is marked.
const expiresSoon = 14 * 24 * time.Hour

// detailLines draws how an exchange was transmitted: its times, its sizes and, for TLS, the connection and the certificate.
// It draws nothing for an exchange without details. now is the current time.
func detailLines(x model.Exchange, width int, now time.Time) (lines []draw.Line) {
	d := x.Details
	if d == nil {
		return nil
	}
	facts := []draw.Line{draw.TextLine(timingText(d.Timing)+" · "+sizesText(d.Size), theme.Dim)}
	if d.TLS != nil {
		facts = append(facts, connectionLine(d.TLS), certificateLine(d.TLS, now))
	}
	for _, fact := range facts {
		for _, l := range fact.Wrap(max(1, width-2), maxFactLines) {
			lines = append(lines, draw.Line{}.At(1, l...))
		}
	}
	return lines
}

// maxFactLines is the maximum number of lines of one fact, because a service chooses the names in its certificate.
const maxFactLines = 4

// timingText describes the parts of an exchange in their order. It leaves out those that did not take place.
func timingText(t model.Timing) string {
	var parts []string
	if t.Reused {
		parts = append(parts, "connection reused")
	}
	for _, p := range []struct {
		name string
		took time.Duration
	}{{"DNS", t.Lookup}, {"connect", t.Connect}, {"TLS", t.Handshake}, {"first byte", t.FirstByte}, {"body", t.Body}} {
		if p.took > 0 {
			parts = append(parts, p.name+" "+durationText(p.took))
		}
	}
	return strings.Join(parts, " · ")
}

// sizesText describes the size of the header, and that of the body before it was decoded if it was decoded.
func sizesText(s model.ReplySizes) string {
	text := "header " + words.Plural(int(s.Header), "byte")
	if s.Encoding != "" {
		text += " · " + draw.Clean(s.Encoding) + " " + words.Plural(int(s.Encoded), "byte")
	}
	return text
}

func connectionLine(f *model.TLSFacts) draw.Line {
	text := f.Version + " · " + f.Cipher
	if f.Protocol != "" {
		text += " · " + draw.Clean(f.Protocol)
	}
	return draw.TextLine(text, theme.Dim)
}

// certificateLine draws whose certificate the service has, who issued it, when it expires, and whether it was verified.
func certificateLine(f *model.TLSFacts, now time.Time) draw.Line {
	line := draw.Line{
		{Text: "certificate of ", Style: theme.Dim},
		{Text: subjectText(f), Style: theme.Plain},
		{Text: " by ", Style: theme.Dim},
		{Text: draw.Clean(f.Issuer), Style: theme.Plain},
		{Text: " · ", Style: theme.Dim},
		expiry(f.Expires, now),
		{Text: " · ", Style: theme.Dim},
	}
	if f.Verified {
		return append(line, draw.Span{Text: theme.Ok + " verified", Style: theme.Good})
	}
	return append(line, draw.Span{Text: theme.Refused + " not verified (--insecure)", Style: theme.Warn})
}

// subjectText returns the subject of a certificate and the hosts for which it is valid.
func subjectText(f *model.TLSFacts) string {
	text := draw.Clean(f.Subject)
	if len(f.Names) > 0 {
		text += " (" + draw.Clean(strings.Join(f.Names, ", ")) + ")"
	}
	return strings.TrimSpace(text)
}

// expiry draws the date at which a certificate expires. The date of a certificate that expires soon is marked.
func expiry(at, now time.Time) draw.Span {
	date := at.UTC().Format(time.DateOnly)
	switch left := at.Sub(now); {
	case left <= 0:
		return draw.Span{Text: theme.Failed + " expired on " + date, Style: theme.Bad}
	case left <= expiresSoon:
		days := words.Plural(int(left/(24*time.Hour)), "day")
		return draw.Span{Text: fmt.Sprintf("%s expires on %s, in %s", theme.Failed, date, days), Style: theme.Bad}
	}
	return draw.Span{Text: "expires on " + date, Style: theme.Dim}
}
