package app

import (
	"errors"
	"io"
	"io/fs"
	"net/http"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/model/codec"
	"sonde/ui/app/service"
	"sonde/ui/app/usecase"
)

// asks sends a request through a recorder.
func asks(t *testing.T, r usecase.Recorder, path string) {
	t.Helper()
	resp, err := http.Get("http://" + r.Snapshot().In[0].Addr + path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		t.Fatal(err)
	}
}

// The app records the demo and shows its traffic. The recording on disk has the same traffic.
func TestRecordFromTheApp(t *testing.T) {
	w, url := demoWorkspace(t)
	dir := filepath.Join(t.TempDir(), "rec")
	how := usecase.RecordSettings{In: []usecase.ProxyRoute{{Addr: "127.0.0.1:0", URL: url}}, Folder: dir}
	r, err := w.recorder.start(t.Context(), how)
	if err != nil {
		t.Fatal(err)
	}
	asks(t, r, "/products?limit=1")
	asks(t, r, "/nowhere")
	for r.Snapshot().Seen < 2 {
		time.Sleep(time.Millisecond)
	}
	live := r.Snapshot()
	if live.Done || live.Served[0].Request.Op != "GET /products" || live.Served[1].Request.Op != "" ||
		live.Bytes == 0 || live.Rate == 0 || live.Title == "" {
		t.Errorf("it shows %+v", live)
	}
	if err := r.Stop(); err != nil || !r.Snapshot().Done {
		t.Errorf("stopped with %v", err)
	}
	rec, err := openRecording(t.Context(), dir)
	if err != nil || len(rec.Served) != 2 || rec.Spec != service.DemoSource {
		t.Errorf("on disk are %d requests of %q, error %v", len(rec.Served), rec.Spec, err)
	}
	if want := "sonde record --demo --in 127.0.0.1:0=" + url + " -o " + dir; r.Command() != want {
		t.Errorf("the command is %q, want %q", r.Command(), want)
	}
	if _, err := w.recorder.start(t.Context(), how); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second time: %v", err)
	}
	how.Force = true
	r, err = w.recorder.start(t.Context(), how)
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
	if !r.Snapshot().Done {
		t.Error("it still records after Close")
	}
}

// The app records functions of a service that it builds. The list of them, and the number of invocations, are those of the
// recording on disk.
func TestRecordFunctionsFromTheApp(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("it builds the demo")
	}
	w, _ := demoWorkspace(t)
	dir := filepath.Join(t.TempDir(), "rec")
	r, err := w.recorder.start(t.Context(), usecase.RecordSettings{Build: true, Units: true, Folder: dir})
	if err != nil {
		t.Fatal(err)
	}
	asks(t, r, "/products?limit=1")
	asks(t, r, "/nowhere")
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	all, err := recordedFunctions(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	invocations := 0
	for _, f := range all {
		invocations += f.Invocations
	}
	at := slices.IndexFunc(all, func(f usecase.RecordedFunction) bool { return f.Name == "reply.write" })
	if at < 0 || all[at].Invocations == 0 || all[at].Sites[0].Target != "w" || all[at].Sites[0].Calls == 0 {
		t.Errorf("got %+v", all)
	}
	if n := r.Snapshot().Invocations; n != invocations {
		t.Errorf("the app shows %d invocations, the recording has %d", n, invocations)
	}
	if want := "sonde record --demo --net --units -o " + dir; r.Command() != want {
		t.Errorf("the command is %q, want %q", r.Command(), want)
	}
}

// The masks and limits of the form have the same effect as the flags of the command.
func TestRecordSomeFromTheApp(t *testing.T) {
	w, url := demoWorkspace(t)
	dir := filepath.Join(t.TempDir(), "rec")
	how := usecase.RecordSettings{
		In:     []usecase.ProxyRoute{{Addr: "127.0.0.1:0", URL: url}},
		Folder: dir,
		Masks:  []string{"key:limit"},
		First:  1,
	}
	r, err := w.recorder.start(t.Context(), how)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		asks(t, r, "/products?limit=17")
	}
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	rec, err := codec.OpenRecording(dir)
	if err != nil || len(rec.Served) != 1 || strings.Contains(rec.Served[0].Request.URL, "17") ||
		!strings.HasPrefix(rec.Served[0].Request.URL, "/products?limit=") {
		t.Errorf("kept %+v, %v", rec.Served, err)
	}
	if want := " --mask key:limit --first 1 -o " + dir; !strings.HasSuffix(r.Command(), want) {
		t.Errorf("the command is %q, want %q", r.Command(), want)
	}
	how.Folder, how.Masks = dir+"2", []string{"sku"}
	if _, err := w.recorder.start(t.Context(), how); err == nil || !strings.HasPrefix(err.Error(), `masks: "sku" is not a mask`) {
		t.Errorf("error %v", err)
	}
}

// A recording that cannot be started leaves no folder behind.
func TestRecordFromTheAppFails(t *testing.T) {
	w, url := demoWorkspace(t)
	dir := t.TempDir()
	for name, how := range map[string]usecase.RecordSettings{
		"no service":      {In: []usecase.ProxyRoute{{Addr: "127.0.0.1:0", URL: "http://127.0.0.1:1"}}},
		"no address":      {In: []usecase.ProxyRoute{{Addr: "0.0.0.0:0", URL: url}}},
		"no scheme":       {Out: []usecase.ProxyRoute{{Addr: "127.0.0.1:0", URL: "gopher://x"}}},
		"another machine": {In: []usecase.ProxyRoute{{Addr: "127.0.0.1:0", URL: "http://shop.example"}}},
	} {
		how.Folder = filepath.Join(dir, name)
		if r, err := w.recorder.start(t.Context(), how); err == nil {
			t.Errorf("%s: began %+v", name, r.Snapshot())
		}
		if _, err := codec.OpenRecording(how.Folder); err == nil {
			t.Errorf("%s: there is a recording", name)
		}
	}
}

// noSink is a sink that discards everything.
type noSink struct{}

func (noSink) WriteServed(model.ServedRequest) error { return nil }

func (noSink) WriteOutwardCall(model.OutwardCall) error { return nil }

func (noSink) WriteReady(time.Time) error { return nil }

func (noSink) WriteStateSnapshot(model.StateSnapshot) error { return nil }

func (noSink) WriteWarning(string) error { return nil }

// A call is added to its request, whichever of them is recorded first. Traffic that was already returned
// does not change.
func TestTape(t *testing.T) {
	tape := newTape(noSink{}, "", "")
	at := time.Now()
	sent := func(cause string, after time.Duration) model.OutwardCall {
		return model.OutwardCall{
			CauseID:  cause,
			Exchange: model.Exchange{At: at.Add(after), Request: model.Request{Body: make([]byte, 3*maxShownBody)}},
		}
	}
	_ = tape.WriteOutwardCall(sent("a", 2))
	if n := len(tape.traffic().Served); n != 0 {
		t.Errorf("%d requests", n)
	}
	_ = tape.WriteServed(model.ServedRequest{ID: "a", Exchange: model.Exchange{At: at}})
	first := tape.traffic()
	_ = tape.WriteOutwardCall(sent("a", 1))
	_ = tape.WriteOutwardCall(sent("", 0))
	_ = tape.WriteWarning("lost")
	then := tape.traffic()
	if len(first.Served[0].OutwardCalls) != 1 || len(first.Unattributed)+len(first.Warnings) != 0 {
		t.Errorf("earlier traffic has changed: %+v", first.Recording)
	}
	got := then.Served[0].OutwardCalls
	if len(got) != 2 || !got[0].At.Before(got[1].At) || len(then.Unattributed) != 1 || len(then.Warnings) != 1 {
		t.Errorf("it has %d calls, %d strays, %q", len(got), len(then.Unattributed), then.Warnings)
	}
	if b := got[0].Request; len(b.Body) != maxShownBody || !b.Truncated || then.Bytes != 9*maxShownBody {
		t.Errorf("a body of %d bytes is kept, of %d in all", len(b.Body), then.Bytes)
	}
}

// The form gives the same options as its command.
func TestRecordFlagsOfTheForm(t *testing.T) {
	w, _ := demoWorkspace(t)
	out := []usecase.ProxyRoute{{Addr: "payments.example:80", URL: "http://127.0.0.1:7001"}}
	for want, how := range map[string]usecase.RecordSettings{
		"sonde record --demo --in 127.0.0.1:8000=http://127.0.0.1:1 --serial -o rec": {
			In:     []usecase.ProxyRoute{{Addr: "127.0.0.1:8000", URL: "http://127.0.0.1:1"}},
			Serial: true,
			Folder: "rec",
		},
		"sonde record --demo --out payments.example:80=http://127.0.0.1:7001 --net -o 'a recording'": {
			In:     out,
			Out:    out,
			Build:  true,
			Folder: "a recording",
		},
		"sonde record --demo --net --units -o rec": {Build: true, Units: true, Folder: "rec"},
		"sonde record --demo --in 127.0.0.1:8000=http://127.0.0.1:1 -o rec": { // only a built service records functions
			In:     []usecase.ProxyRoute{{Addr: "127.0.0.1:8000", URL: "http://127.0.0.1:1"}},
			Units:  true,
			Folder: "rec",
		},
	} {
		f, _, err := recordOptions(w.session, how)
		if err != nil || recordCommand(f) != want || how.Build != (f.Service.StartCommand != nil) {
			t.Errorf("got %q, error %v, want %q", recordCommand(f), err, want)
		}
	}
}
