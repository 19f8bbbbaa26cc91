package codec_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sonde/model"
	"sonde/model/codec"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func recordHeader() codec.RecordingHeader {
	return codec.RecordingHeader{
		Title: "Shop", Spec: "/shop.json", SpecHash: "ab", BaseURL: "http://127.0.0.1:1", Command: "sonde record",
		Service: &model.Service{Command: []string{"shop", "--pay", "http://127.0.0.1:9001"}},
		Users:   []model.User{{Name: "ann", Header: "Authorization", Env: "ANN"}},
		Rules:   []string{"email", "key:pin"},
	}
}

func record(t testing.TB, dir string) *codec.RecordingWriter {
	t.Helper()
	r, err := codec.CreateRecording(dir, recordHeader(), false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// write writes served requests with their outward calls, and outward calls without a request.
func write(t interface{ Fatal(...any) }, r *codec.RecordingWriter, rec model.Recording) {
	for _, s := range rec.Unattributed {
		if err := r.WriteOutwardCall(s); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range slices.Backward(rec.Served) {
		for _, out := range s.OutwardCalls {
			if err := r.WriteOutwardCall(out); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.WriteServed(s); err != nil {
			t.Fatal(err)
		}
	}
}

// same has the options for comparing a recording that was read with the recording that was written.
var same = cmp.Options{
	cmpopts.EquateApproxTime(0), cmp.Comparer(bytes.Equal),
	cmp.Comparer(func(a, b map[string][]string) bool { return maps.EqualFunc(a, b, slices.Equal) }),
	cmp.FilterValues(func(a, b []model.OutwardCall) bool { return len(a)+len(b) == 0 }, cmp.Ignore()),
	cmp.Comparer(func(a, b error) bool { return a == nil && b == nil || a != nil && b != nil && a.Error() == b.Error() }),
}

var startTime = time.Date(2026, 3, 1, 12, 0, 0, 17, time.UTC)

// aDay returns a recording of two requests. During the first, the service called two hosts. Other outward calls belong
// to no known request.
func aDay() model.Recording {
	at := func(ms int) time.Time { return startTime.Add(time.Duration(ms) * time.Millisecond) }
	ids := []string{strings.Repeat("a", 32), strings.Repeat("b", 32)}
	return model.Recording{
		Served: []model.ServedRequest{
			{ID: ids[0], User: "ann", Session: "s1", Exchange: model.Exchange{
				Base: "http://127.0.0.1:1", At: at(0), Took: time.Second,
				Request: model.Request{
					Op:     "POST /pay",
					Method: "POST",
					URL:    "/pay?x=\xff",
					Header: map[string][]string{"A": {"b\xe9", "<c>"}},
					Body:   []byte(`{"a":1}`),
				},
				Reply: model.Reply{Status: 201, Proto: "HTTP/1.1", Body: bytes.Repeat([]byte("x"), 100_000)},
			}, OutwardCalls: []model.OutwardCall{
				{
					ID:          "1",
					Host:        "127.0.0.1:9001",
					Name:        "pay:80",
					Protocol:    model.HTTP,
					TLS:         true,
					CauseID:     ids[0],
					Attribution: model.AttributedByTrace,
					Exchange: model.Exchange{
						At:      at(1),
						Request: model.Request{Method: "POST", URL: "/charge"},
						Reply: model.Reply{
							Status: 200, Body: []byte{0xff, 0}, Truncated: true, Trailer: map[string][]string{"A": {"1", "2"}},
						},
					},
				},
				{
					ID:          "2",
					Host:        "127.0.0.1:9002",
					Protocol:    model.TCP,
					CauseID:     ids[0],
					Attribution: model.AttributedBySerial,
					Exchange: model.Exchange{
						At:  at(2),
						Err: errors.New("reset"),
					},
					Messages: []model.MessagePair{
						{Request: []byte("SKU 1\n"), Answer: []byte("OK\x00\xff")},
						{Request: bytes.Repeat([]byte("y"), 70_000)},
					},
				},
			}},
			{ID: ids[1], Exchange: model.Exchange{At: at(5), Request: model.Request{Method: "GET", URL: "/"}, Err: errors.New("refused")}},
		},
		Unattributed: []model.OutwardCall{
			{
				ID:       "3",
				Host:     "127.0.0.1:9003",
				Protocol: model.UDP,
				Exchange: model.Exchange{At: at(3)},
				Messages: []model.MessagePair{{Request: []byte("up:1|c\n")}},
			},
			{
				ID:         "4",
				Host:       "127.0.0.1:9002",
				Protocol:   model.TCP,
				Connection: "c1",
				Exchange:   model.Exchange{At: at(4)},
				Messages:   []model.MessagePair{{Answer: []byte("READY\n")}},
			},
		},
	}
}

func TestRecordingComesBackAsItWas(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "rec")
	r := record(t, dir)
	want := aDay()
	write(t, r, want)
	ready := time.Date(2026, 11, 29, 12, 0, 0, 123456789, time.UTC)
	folder, err := r.CreateSnapshot("0a1b2c-0")
	if err != nil {
		t.Fatal(err)
	}
	gone := model.StateSnapshot{Name: "0a1b2c-1", At: ready}
	states := []model.StateSnapshot{{Name: "0a1b2c-0", At: ready}, gone, {Name: "../x", At: ready}}
	err = errors.Join(r.WriteWarning("a WebSocket was not recorded"), r.WriteReady(ready))
	for _, s := range states {
		err = errors.Join(err, r.WriteStateSnapshot(s))
	}
	if err != nil {
		t.Fatal(err)
	}
	// The writer is not closed, as in a process that was killed.
	got, err := codec.OpenRecording(dir)
	if err != nil {
		t.Fatal(err)
	}
	h := recordHeader()
	want.Title, want.Spec, want.SpecHash, want.BaseURL = h.Title, h.Spec, h.SpecHash, h.BaseURL
	want.Service, want.Users, want.Masks = h.Service, h.Users, h.Rules
	want.Ready, want.SnapshotFolder, want.StateSnapshots = ready, filepath.Dir(folder), states[:1]
	if len(got.Warnings) == 3 && strings.Contains(got.Warnings[1], `"0a1b2c-1" is gone`) && strings.Contains(got.Warnings[2], `"../x"`) {
		got.Warnings = got.Warnings[:1]
	}
	want.Warnings = []string{"a WebSocket was not recorded"}
	if diff := cmp.Diff(want, got, same); diff != "" {
		t.Error(diff)
	}
	if files, err := os.ReadDir(filepath.Join(dir, "bodies")); err != nil || len(files) != 2 {
		t.Errorf("files of bodies %v, %v", files, err)
	}
}

// TestRecordingRoundTrip checks that each recording that is written is read back unchanged.
func TestRecordingRoundTrip(t *testing.T) {
	bytesOf := rapid.OneOf(rapid.SliceOfN(rapid.Byte(), 0, 40), rapid.Map(
		rapid.String(), func(s string) []byte { return []byte(s) },
	), rapid.Custom(func(t *rapid.T) []byte {
		return bytes.Repeat([]byte{rapid.Byte().Draw(t, "byte")}, rapid.IntRange(65_530, 65_540).Draw(t, "many"))
	}))
	words := rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 10), func(b []byte) string { return string(b) })
	headers := rapid.MapOfN(rapid.StringMatching(`[A-Z][a-z-]{1,5}`), rapid.SliceOfN(words, 1, 2), 0, 3)
	dir := t.TempDir()
	r := record(t, dir)
	rapid.Check(t, func(t *rapid.T) {
		exchange := func(at int) model.Exchange {
			x := model.Exchange{At: startTime.Add(time.Duration(at)), Took: time.Duration(rapid.Int64Range(0, 1e12).Draw(t, "took"))}
			x.Request = model.Request{
				Method:    "PUT",
				URL:       words.Draw(t, "url"),
				Header:    headers.Draw(t, "header"),
				Body:      bytesOf.Draw(t, "body"),
				Truncated: rapid.Bool().Draw(t, "cut"),
			}
			if rapid.Bool().Draw(t, "answered") {
				x.Reply = model.Reply{
					Status: rapid.IntRange(100, 599).Draw(t, "status"),
					Header: headers.Draw(t, "header"),
					Body:   bytesOf.Draw(t, "body"),
				}
			} else {
				x.Err = errors.New("e" + words.Draw(t, "error"))
			}
			return x
		}
		var want model.Recording
		for i := range rapid.IntRange(0, 3).Draw(t, "served") {
			s := model.ServedRequest{ID: fmt.Sprint("id", i), Exchange: exchange(10 * i)}
			for k := range rapid.IntRange(0, 2).Draw(t, "sent") {
				out := model.OutwardCall{
					ID:          fmt.Sprint(i, k),
					Host:        "h:1",
					Protocol:    model.HTTP,
					CauseID:     s.ID,
					Attribution: model.AttributedByTrace,
					Exchange:    exchange(10*i + k),
				}
				out.Messages = append(out.Messages, model.MessagePair{Request: bytesOf.Draw(t, "words"), Answer: bytesOf.Draw(t, "answer")})
				s.OutwardCalls = append(s.OutwardCalls, out)
			}
			want.Served = append(want.Served, s)
		}
		if err := os.Truncate(filepath.Join(dir, codec.ExchangesFile), 0); err != nil {
			t.Fatal(err)
		}
		write(t, r, want)
		got, err := codec.OpenRecording(dir)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.Served, got.Served, same); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestRecordingCutAnywhere cuts a recording off at each byte. All complete lines before the cut must be
// read, with a warning about the loss.
func TestRecordingCutAnywhere(t *testing.T) {
	dir := t.TempDir()
	r := record(t, dir)
	for i := range 3 {
		if err := r.WriteServed(model.ServedRequest{
			ID:       fmt.Sprint("id", i),
			Exchange: model.Exchange{At: startTime, Request: model.Request{Method: "GET", URL: "/é"}, Reply: model.Reply{Status: 200}},
		}); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, codec.ExchangesFile)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		if err := os.WriteFile(file, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := codec.OpenRecording(dir)
		if err != nil {
			t.Fatalf("cut at %d: %v", n, err)
		}
		lines := bytes.Count(whole[:n], []byte("\n"))
		rest := n - (bytes.LastIndexByte(whole[:n], '\n') + 1)
		unended := whole[n] == '\n' // only the line break is missing
		wantServed, wantWarnings := lines, 0
		if unended {
			wantServed++
		} else if rest > 0 {
			wantWarnings = 1
		}
		if len(got.Served) != wantServed || len(got.Warnings) != wantWarnings {
			t.Fatalf("cut at %d: %d served, warnings %q; want %d and %d", n, len(got.Served), got.Warnings, wantServed, wantWarnings)
		}
		if wantWarnings > 0 && !strings.Contains(got.Warnings[0], fmt.Sprintf("%s:%d: ", codec.ExchangesFile, lines+1)) {
			t.Fatalf("cut at %d: warning %q names no line %d", n, got.Warnings[0], lines+1)
		}
	}
}

// TestRecordingSpoilt checks that an invalid line does not affect other lines.
func TestRecordingSpoilt(t *testing.T) {
	good := `{"served":{"id":"%s","request":{"method":"GET","url":"/"},"took":1}}`
	for _, c := range []struct{ name, line, want string }{
		{"no JSON", "\x00\xff", "cannot be read"},
		{"half of a line", `{"served":{"id":"x","requ`, "cannot be read"},
		{"another type", `{"served":7}`, "cannot be read"},
		{"nothing known", `{"later":{}}`, "says nothing"},
		{"no request", `{"served":{"id":"x"}}`, "no method"},
		{"no host", `{"sent":{"id":"x","protocol":"tcp"}}`, "no host"},
		{"HTTP without a request", `{"sent":{"id":"x","host":"h:1","protocol":"http"}}`, "no method"},
		{"an id twice", fmt.Sprintf(good, "first"), "there already"},
		{"too long a line", `{"note":"` + strings.Repeat("x", 17<<20) + `"}`, "longer than 16 MB"},
		{
			"a file elsewhere",
			`{"served":{"id":"x","request":{"method":"GET","url":"/","file":"../recording.json"}}}`,
			"is not in the recording",
		},
		{
			"a file that is gone",
			`{"served":{"id":"x","request":{"method":"GET","url":"/","file":"` + strings.Repeat("0", 64) + `"}}}`,
			"is gone",
		},
		{
			"a cause that is gone",
			`{"sent":{"id":"x","host":"h:1","protocol":"tcp","cause":"gone","how":"trace"}}`,
			"requests that are not there",
		},
		{"too deep", `{"served":` + strings.Repeat(`[`, 20_000), "cannot be read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			record(t, dir).Close()
			all := fmt.Sprintf(good, "first") + "\n\n" + c.line + "\n" + fmt.Sprintf(good, "last") + "\n"
			if err := os.WriteFile(filepath.Join(dir, codec.ExchangesFile), []byte(all), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := codec.OpenRecording(dir)
			if err != nil {
				t.Fatal(err)
			}
			has := func(id string) bool {
				return slices.ContainsFunc(got.Served, func(s model.ServedRequest) bool { return s.ID == id })
			}
			if !has("first") || !has("last") || len(got.Warnings) != 1 ||
				!strings.Contains(got.Warnings[0], c.want) || !strings.Contains(got.Warnings[0], codec.ExchangesFile+":") {
				t.Errorf("served %d, warnings %.300q", len(got.Served), got.Warnings)
			}
		})
	}
}

// If the file of a body has changed, the body is left out and the exchange remains.
func TestRecordingSpoiltBody(t *testing.T) {
	dir := t.TempDir()
	write(t, record(t, dir), aDay())
	files, err := filepath.Glob(filepath.Join(dir, "bodies", "*"))
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		if err := os.WriteFile(f, []byte("other"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := codec.OpenRecording(dir)
	if err != nil || len(got.Served) != 2 || len(got.Warnings) != 2 {
		t.Fatalf("%d served, warnings %q, %v", len(got.Served), got.Warnings, err)
	}
	first := got.Served[0]
	if !first.Reply.Truncated || first.Reply.Body != nil || first.OutwardCalls[1].Err == nil {
		t.Errorf("reply %+v, sent %+v", first.Reply, first.OutwardCalls[1])
	}
}

func TestOpenNoRecording(t *testing.T) {
	for _, c := range []struct{ name, header, want string }{
		{"none", "", "is not a recording"},
		{"no JSON", "{", "cannot be read: recording.json"},
		{"not Sonde's", "{}", "no recording that Sonde wrote"},
		{"newer", `{"version":2}`, "newer Sonde (format 2, this one reads up to 1)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if c.header != "" {
				if err := os.WriteFile(filepath.Join(dir, codec.RecordingFile), []byte(c.header), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := codec.OpenRecording(dir); err == nil || !strings.Contains(err.Error(), c.want) ||
				!strings.Contains(err.Error(), dir) {
				t.Errorf("error %v", err)
			}
		})
	}
	dir := t.TempDir()
	record(t, dir).Close()
	if err := os.Remove(filepath.Join(dir, codec.ExchangesFile)); err != nil {
		t.Fatal(err)
	}
	if got, err := codec.OpenRecording(dir); err != nil || len(got.Warnings) != 1 {
		t.Errorf("warnings %q, error %v", got.Warnings, err)
	}
}

func TestRecordWhereSomethingIs(t *testing.T) {
	other, taken := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "letter"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := codec.CreateRecording(other, recordHeader(), true); err == nil || !strings.Contains(err.Error(), "holds no recording") {
		t.Errorf("error %v", err)
	}
	r := record(t, taken)
	write(t, r, aDay())
	for _, force := range []bool{false, true} {
		if _, err := codec.CreateRecording(taken, recordHeader(), force); err == nil ||
			!strings.Contains(err.Error(), "another Sonde writes to the recording") {
			t.Errorf("force %t: error %v", force, err)
		}
	}
	r.Close()
	if _, err := codec.CreateRecording(taken, recordHeader(), false); err == nil ||
		!strings.Contains(err.Error(), "holds a recording: name another, or replace it with --force") {
		t.Errorf("error %v", err)
	}
	if again, err := codec.CreateRecording(taken, recordHeader(), true); err != nil {
		t.Error(err)
	} else {
		again.Close()
	}
	if got, err := codec.OpenRecording(taken); err != nil || len(got.Served) != 0 {
		t.Errorf("%d served, %v", len(got.Served), err)
	}
}

// Lines written by several goroutines at once are complete.
func TestRecordAtOnce(t *testing.T) {
	dir := t.TempDir()
	r := record(t, dir)
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			s := model.ServedRequest{
				ID:       fmt.Sprint(i),
				Exchange: model.Exchange{At: startTime, Request: model.Request{Method: "GET", Body: bytes.Repeat([]byte("x"), 70_000)}},
			}
			if err := r.WriteServed(s); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got, err := codec.OpenRecording(dir); err != nil || len(got.Served) != 200 || len(got.Warnings) != 0 {
		t.Errorf("%d served, warnings %q, %v", len(got.Served), got.Warnings, err)
	}
}

func TestRecordingOfAnotherSpec(t *testing.T) {
	rec := model.Recording{Title: "Shop", SpecHash: "ab"}
	if got := rec.SpecMismatch(&model.Spec{Hash: "ab"}); got != "" {
		t.Error(got)
	}
	if got := rec.SpecMismatch(&model.Spec{Hash: "cd", Title: "Shop 2"}); !strings.Contains(got, "another version of the spec") {
		t.Error(got)
	}
}
