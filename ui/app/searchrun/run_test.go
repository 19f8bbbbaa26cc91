package searchrun

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sonde/analysis"
	"sonde/analysis/distil"
	"sonde/model"
	"sonde/model/codec"
	"sonde/ui/app/service"

	"pgregory.net/rapid"
)

// The app's demo has a copy for each additional worker, which is served as long as the run lasts.
func TestStartRunInAppServesCopies(t *testing.T) {
	s, spec := demo(t, 40)
	s.Workers, s.Folder = 2, ""
	run, err := s.StartRunInApp(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	last := run.Wait()
	if n := len(run.Service.Copies); n != 1 || last.Summary.Calls == 0 || last.Summary.Calls > 40 {
		t.Fatalf("%d copies and %d calls, want a copy and at most 40 calls", n, last.Summary.Calls)
	}
	runs := filepath.Join(os.Getenv("XDG_CACHE_HOME"), "sonde", "runs")
	if got := filepath.Dir(run.Folder()); got != runs {
		t.Errorf("a run without a folder is in %q, want %q", got, runs)
	}
	deadline := time.Now().Add(10 * time.Second)
	for {
		c, err := net.Dial("tcp", strings.TrimPrefix(run.Service.Copies[0], "http://"))
		if err != nil {
			break // the copy has stopped
		}
		c.Close()
		if time.Now().After(deadline) {
			t.Fatal("the copy is still served after the run")
		}
	}
}

// A run that was changed is repeated from its folder, because the arguments do not include the change.
func TestCommandOfAChangedRun(t *testing.T) {
	s, spec := demo(t, 60)
	muted := model.Priority{Kind: model.PriorityMuted, Label: "GET /products", Ops: []model.OpID{"GET /products"}}
	s.Commands = []model.AppliedCommand{{Asked: 3, Command: model.Command{Priority: &muted}}}
	s.AllowHosts = []string{"h.example"}
	run, err := s.StartRun(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	run.Wait()
	if got, want := run.Command(), "sonde search --replay "+s.Folder+" --allow-host h.example"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The app resumes a run only on the same service. The demo may have another port.
func TestResumeInAppChecksTheService(t *testing.T) {
	s, spec := demo(t, 40)
	run, err := s.StartRun(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	run.Wait()
	s.Limits.Calls = 80
	other := s
	other.Service = service.Service{URL: "http://127.0.0.1:1"}
	err = other.ResumeInApp(s.Folder, spec)
	if want := "but the service here is http://127.0.0.1:1: resume it with sonde search --resume " + s.Folder; err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("another service: got %v, want %q", err, want)
	}
	s.Service.URL = "http://127.0.0.1:1"
	if err := s.ResumeInApp(s.Folder, spec); err != nil || s.Resume == nil {
		t.Errorf("the demo at another port: error %v, state %v", err, s.Resume)
	}
}

// The service and the driver of a run write their output to files in the run's folder. Their settings are
// copied before they are changed, because other runs share them.
func TestOutputGoesToTheFolder(t *testing.T) {
	own, logged := model.Service{Command: []string{"./x"}}, filepath.Join("run", "service.log")
	for name, c := range map[string]struct {
		plan            model.Plan
		service, driver string // the log files
	}{
		"a service":                   {plan: model.Plan{Service: &own}, service: logged},
		"a driver":                    {plan: model.Plan{Driver: &model.Driver{Run: &own}}, driver: logged},
		"a driver that runs already":  {plan: model.Plan{Driver: &model.Driver{}}},
		"a service that runs already": {},
	} {
		s := Settings{Folder: "run"}
		if err := s.log(&c.plan); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var got [2]string
		if c.plan.Service != nil {
			got[0] = c.plan.Service.Log
		}
		if c.plan.Driver != nil && c.plan.Driver.Run != nil {
			got[1] = c.plan.Driver.Run.Log
		}
		if want := [2]string{c.service, c.driver}; got != want || own.Log != "" {
			t.Errorf("%s: got the logs %q, want %q; the original has %q", name, got, want, own.Log)
		}
	}
}

// recording writes a recording of requests to a folder and returns the folder. Each request is the name of a user,
// which may be empty, a space, and a path. The service called another host for each request.
func recording(t *testing.T, requests ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "rec")
	w, err := codec.CreateRecording(dir, codec.RecordingHeader{BaseURL: "http://127.0.0.1:1"}, false)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	exchange := func(path string) model.Exchange {
		return model.Exchange{
			Base: "http://127.0.0.1:1", At: time.Now(), Request: model.Request{Method: "GET", URL: path},
			Reply: model.Reply{Status: 200, Header: map[string][]string{"Content-Type": {"application/json"}}, Body: []byte("[]")},
		}
	}
	for i, request := range requests {
		user, path, _ := strings.Cut(request, " ")
		id := strings.Repeat(strconv.Itoa(i), 32)
		if err := w.WriteOutwardCall(model.OutwardCall{
			ID: id, Host: "pay.example:80", Protocol: model.HTTP, CauseID: id, Attribution: model.AttributedByTrace,
			Exchange: exchange("/rates"),
		}); err != nil {
			t.Fatal(err)
		}
		if err := w.WriteServed(model.ServedRequest{ID: id, User: user, Exchange: exchange(path)}); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A search begins with the tests of a recording, if it has their users. The tests keep their stubs only in
// a virtual network.
func TestAddRecordedTests(t *testing.T) {
	_, spec := demo(t, 1)
	dir := recording(t, " /products", "eve /stores")
	for name, network := range map[string]service.Network{"the real network": {}, "a virtual network": {On: true}} {
		s := Settings{Directives: Directives{Recording: dir}, Network: network}
		left, err := s.AddRecordedTests(spec)
		if err != nil || left != 1 || len(s.recorded) != 1 || s.recorded[0].Calls[0].Op != "GET /products" {
			t.Fatalf("%s: got %+v, %d left out, error %v, want one of two", name, s.recorded, left, err)
		}
		if got := len(s.recorded[0].Stubs) > 0; got != network.On {
			t.Errorf("%s: has stubs: %t, want %t", name, got, network.On)
		}
	}
	resumed := Settings{Directives: Directives{Recording: dir}, Resume: new(model.ResumeState)}
	if left, err := resumed.AddRecordedTests(spec); left != 0 || err != nil || resumed.recorded != nil {
		t.Errorf("a resumed run begins with %+v, error %v, want nothing", resumed.recorded, err)
	}
}

// The shortest recorded tests come first, so that a small budget is not spent on the longest ones.
func TestShortRecordedTestsComeFirst(t *testing.T) {
	_, spec := demo(t, 1)
	dir := filepath.Join(t.TempDir(), "rec")
	w, err := codec.CreateRecording(dir, codec.RecordingHeader{BaseURL: "http://127.0.0.1:1"}, false)
	if err != nil {
		t.Fatal(err)
	}
	product := model.Reply{
		Status: 201, Header: map[string][]string{"Content-Type": {"application/json"}, "Location": {"/products/7"}},
		Body: []byte(`{"productId": 7}`),
	}
	for i, e := range []model.Exchange{
		{Request: model.Request{Method: "POST", URL: "/products"}, Reply: product},
		{Request: model.Request{Method: "GET", URL: "/products/7"}, Reply: model.Reply{Status: 200, Body: []byte("{}")}},
		{Request: model.Request{Method: "GET", URL: "/health"}, Reply: model.Reply{Status: 200, Body: []byte("{}")}},
	} {
		e.Base, e.At = "http://127.0.0.1:1", time.Now()
		if err := w.WriteServed(model.ServedRequest{ID: strings.Repeat(strconv.Itoa(i), 32), Exchange: e}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	s := Settings{Directives: Directives{Recording: dir}}
	if _, err := s.AddRecordedTests(spec); err != nil {
		t.Fatal(err)
	}
	var got []int
	for _, r := range s.recorded {
		got = append(got, len(r.Calls))
	}
	if want := []int{1, 1, 2}; !slices.Equal(got, want) {
		t.Errorf("got tests of %v calls, want %v", got, want)
	}
}

func TestAddRecordedTestsWithoutAny(t *testing.T) {
	_, spec := demo(t, 1)
	for want, dir := range map[string]string{
		"no test can be made of the 1 request in": recording(t, " /nowhere"),
		"--seed-from: ": filepath.Join(t.TempDir(), "nothing"),
	} {
		s := Settings{Directives: Directives{Recording: dir}}
		if _, err := s.AddRecordedTests(spec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// Distilled templates are short, and together they have all operations of distilled seqs.
func TestDistilledTemplates(t *testing.T) {
	_, spec := demo(t, 1)
	if got := (Settings{}).Plan(spec).Distilled; got != nil {
		t.Errorf("a sampling that does not use them has %d", len(got))
	}
	a := analysis.Analyze(spec, analysis.Options{})
	list, err := distil.ListSeqs(t.Context(), a.ValuesTable(), distil.Options{Rule: distil.RuleDC, Length: maxDistilled})
	if err != nil {
		t.Fatal(err)
	}
	all := Settings{Sampling: model.Sampling{Distilled: 0.1}}.distilled(a)
	if len(all) == 0 || len(all) >= len(list.Seqs) {
		t.Errorf("got %d templates of %d seqs, want fewer", len(all), len(list.Seqs))
	}
	seen := map[model.OpID]bool{}
	for _, template := range all {
		if n := len(template.Steps); n == 0 || n > maxDistilled {
			t.Errorf("a template has %d calls, want 1 to %d", n, maxDistilled)
		}
		for _, step := range template.Steps {
			seen[step.Op] = true
		}
	}
	for _, op := range slices.Concat(list.Seqs...) {
		if !seen[op] {
			t.Errorf("no template has %s", op)
		}
	}
}

// The arguments have all values of a sampling and a tuning that differ from the defaults.
func TestSamplingArgsAreReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		strategy := rapid.SampledFrom(model.Strategies()).Draw(t, "strategy")
		want, _ := strategy.Sampling()
		got := model.DefaultSampling()
		for _, flag := range model.SamplingFields {
			if rapid.Bool().Draw(t, "change "+flag.Name) {
				*flag.Value(&want) = rapid.Float64Range(0, 1).Draw(t, flag.Name)
			}
		}
		for pair := range slices.Chunk(samplingArgs(want), 2) {
			if pair[0] == "--strategy" {
				got, _ = model.Strategy(pair[1]).Sampling()
				continue
			}
			i := slices.IndexFunc(model.SamplingFields, func(f model.SamplingField) bool { return "--"+f.Name == pair[0] })
			value, err := strconv.ParseFloat(pair[1], 64)
			if i < 0 || err != nil {
				t.Fatalf("got the arguments %q, error %v", pair, err)
			}
			*model.SamplingFields[i].Value(&got) = value
		}
		if got != want {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
	sizes := model.DefaultSizes()
	sizes.Creations, sizes.UnitExponent = 5, 0
	if got := strings.Join(sizeArgs(sizes), " "); got != "--max-creations 5 --unit-exponent 0" {
		t.Errorf("got %q, want the sizes that differ", got)
	}
	if got := sizeArgs(model.Sizes{}); len(got) > 0 {
		t.Errorf("got %q for the default sizes", got)
	}
	tuning := model.DefaultTuning()
	tuning.Population, tuning.Mutations = 3, 4
	if got := strings.Join(knobArgs(tuning), " "); !strings.HasSuffix(got, " --population 3 --mutations 4") {
		t.Errorf("got %q, want the population and the mutations at the end", got)
	}
}
