package search_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"sonde/model"
	"sonde/runner/search"
)

// club is a service whose members can leave. It refuses users who have left.
type club struct {
	mu      sync.Mutex
	members map[string]bool
	left    int // number of times that a member left
	revives bool
	ends    string // another request that removes a member
	locks   string // the request after which all log-ins are refused
	locked  bool
}

func (s *club) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := r.Header.Get("X-Key")
	switch r.Method + " " + r.URL.Path {
	case "POST /reset":
		if s.revives {
			s.members = map[string]bool{"ann": true, "bob": true}
		}
		return
	case "POST /join":
		if s.members[r.Header.Get("X-Name")] {
			w.WriteHeader(http.StatusConflict)
		}
		s.members[r.Header.Get("X-Name")] = true
		return
	case "POST /login":
		if s.locked || !s.members["ann"] || r.Header.Get("X-Pass") == "" {
			w.WriteHeader(http.StatusUnauthorized)
		}
		w.Header().Set("X-Token", "ann")
		return
	case "GET /health":
		return
	}
	if !s.members[key] {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	switch r.Method + " " + r.URL.Path {
	case "POST /talks":
		w.WriteHeader(http.StatusCreated)
	case "POST /members/me/goodbye":
		s.left++
		delete(s.members, key)
	case s.locks:
		s.locked = true
	case s.ends:
		delete(s.members, key)
	case "POST /elevate":
		s.left++
		if s.left > 1 { // several users must have left
			w.WriteHeader(http.StatusUnauthorized)
		}
	}
}

func clubPlan(t *testing.T, s *club, ops ...string) model.Plan {
	t.Helper()
	s.members = map[string]bool{"ann": true, "bob": true}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	p := model.Plan{
		Spec: &model.Spec{Source: "club"}, BaseURL: server.URL, Tuning: model.DefaultTuning(), Limits: model.Limits{Calls: 500}, Seed: 1,
		Users: []model.User{{Name: "ann", Header: "X-Key", Public: "ann"}},
	}
	for _, id := range append(ops, "GET /health", "GET /talks", "POST /talks") {
		method, path, _ := strings.Cut(id, " ")
		op := &model.Operation{ID: model.OpID(id), Method: method, Path: path}
		p.Spec.Operations = append(p.Spec.Operations, op)
		p.Templates = append(p.Templates, model.Template{Weight: 1, Steps: []model.TemplateStep{{Op: op.ID, Min: 1, Max: 1}}})
	}
	return p
}

const goodbye = "POST /members/me/goodbye"

func userWarnings(s model.Snapshot) (all []string) {
	for _, w := range s.Summary.Warnings {
		if w.Kind == model.WarnUser || w.Kind == model.WarnLogin {
			all = append(all, w.Text)
		}
	}
	return all
}

// If a call of a run ends the only user of the run, the run stops and names the call.
func TestRunEndsItsUser(t *testing.T) {
	p := clubPlan(t, &club{}, goodbye)
	s := start(t, p, search.Sink{}).Wait()
	denied, ok := errors.AsType[*search.DeniedError](s.Err)
	if !ok || denied.Ended == nil || denied.Ended.EndedBy != goodbye || denied.Ended.User != "ann" || denied.Ended.Likely {
		t.Fatalf("error %v, want that %s ended ann", s.Err, goodbye)
	}
	if s.Summary.Calls > 300 {
		t.Errorf("the run sent %d calls", s.Summary.Calls)
	}
	if want := `POST /members/me/goodbye ended the user "ann": `; !strings.HasPrefix(s.Err.Error(), want) {
		t.Errorf("error %q", s.Err)
	}
	if got := userWarnings(s); len(got) > 0 {
		t.Errorf("it is said twice: %q", got)
	}
}

// annLogsIn is ann with a log-in that the spec does not declare.
var annLogsIn = model.User{Name: "ann", Login: &model.Login{
	Method: "POST", Path: "/login", Headers: []model.Credential{{In: model.InHeader, Name: "X-Pass", Value: "tulip"}},
	Token: &model.LoginToken{Header: "X-Token", In: model.InHeader, Name: "X-Key", Template: "{token}"},
}}

// There is no warning about a log-in that users use, even if no test has called it successfully.
func TestLoginThatWorksIsNotWarnedOf(t *testing.T) {
	for _, logsIn := range []bool{true, false} {
		p := clubPlan(t, &club{}, "POST /login")
		if logsIn {
			p.Users = []model.User{annLogsIn}
		}
		s := start(t, p, search.Sink{}).Wait()
		warned := slices.ContainsFunc(s.Summary.Warnings, func(w model.Warning) bool { return w.Op == "POST /login" })
		if s.Err != nil || warned == logsIn || s.Grid["POST /login"][200] > 0 {
			t.Errorf("with log-in %t: error %v, warnings %v, answers %v", logsIn, s.Err, s.Summary.Warnings, s.Grid)
		}
	}
}

// If the only user of a run can no longer log in after a call, the run stops and names the call.
func TestRunEndsUserWhoLogsIn(t *testing.T) {
	p := clubPlan(t, &club{}, goodbye)
	p.Users = []model.User{annLogsIn}
	s := start(t, p, search.Sink{}).Wait()
	denied, ok := errors.AsType[*search.DeniedError](s.Err)
	if !ok || denied.Ended == nil || denied.Ended.EndedBy != goodbye || s.Summary.Calls > 300 {
		t.Fatalf("error %v after %d calls, want that %s ended ann", s.Err, s.Summary.Calls, goodbye)
	}
}

// A user who can no longer log in continues with the credentials of an earlier log-in. The run names the call that
// has locked the user out. It marks the tests with this call, because later tests could not log in.
func TestRunLocksItsUserOut(t *testing.T) {
	const renames = "PUT /members/me"
	p := clubPlan(t, &club{locks: renames}, renames)
	p.Users = []model.User{annLogsIn}
	s := start(t, p, search.Sink{}).Wait()
	if got := userWarnings(s); s.Err != nil || s.Summary.Calls < 450 || len(got) != 1 ||
		!strings.HasPrefix(got[0], renames+` ended the log-in of the user "ann"`) {
		t.Errorf("after %d calls: error %v, warnings %q", s.Summary.Calls, s.Err, got)
	}
	marked := 0
	for _, test := range s.Tests {
		has := slices.ContainsFunc(test.Calls, func(c model.Call) bool { return c.Op == renames && c.Status/100 == 2 })
		if want := `PUT /members/me keeps the user "ann" from logging in`; has != (test.EarlierState == want) {
			t.Errorf("test %s of %v: %q", test.ID, test.Calls, test.EarlierState)
		}
		if has {
			marked++
		}
	}
	if marked == 0 {
		t.Error("no test has the call")
	}
}

// A run with --keep-going warns once and continues.
func TestRunThatEndsItsUserKeepsGoing(t *testing.T) {
	p := clubPlan(t, &club{}, goodbye)
	p.OnDenied = model.ContinueWhenDenied
	s := start(t, p, search.Sink{}).Wait()
	if s.Err != nil || s.Summary.Calls != p.Limits.Calls || len(userWarnings(s)) != 1 {
		t.Errorf("ended after %d calls with error %v and warnings %q", s.Summary.Calls, s.Err, userWarnings(s))
	}
}

// An invoker ends with an error if a seq has ended its last user, or if nearly all calls are refused.
func TestInvokeEndsWhereUsersAreRefused(t *testing.T) {
	for _, member := range []bool{true, false} {
		service := &club{}
		p := clubPlan(t, service, goodbye)
		if !member {
			delete(service.members, "ann")
		}
		v := invoker(t, p, 1)
		var err error
		for i := 0; err == nil && i < 100; i++ {
			for _, op := range []model.OpID{"GET /talks", "GET /talks", "GET /talks", goodbye, "POST /talks"} {
				_, err = v.Invoke(t.Context(), model.Seq{op})
				if err != nil {
					break
				}
			}
		}
		denied, _ := errors.AsType[*search.DeniedError](err)
		if denied == nil || (denied.Ended != nil) != member {
			t.Errorf("member %t: error %v", member, err)
		}
	}
}

// With PauseWhenDenied, a run that has ended its user pauses. It continues after Resume, because the user may have
// restored the account.
func TestRunThatEndsItsUserPauses(t *testing.T) {
	service := &club{}
	p := clubPlan(t, service, goodbye)
	p.OnDenied = model.PauseWhenDenied
	run := start(t, p, search.Sink{})
	t.Cleanup(run.Stop)
	until(t, func() bool { return run.Snapshot().Phase == model.PhasePaused })
	if s := run.Snapshot(); s.Denied == nil || s.Denied.Ended == nil || s.Err != nil {
		t.Errorf("paused with denied %v and error %v", s.Denied, s.Err)
	}
	service.mu.Lock()
	service.members["ann"] = true
	service.mu.Unlock()
	run.Resume()
	s := run.Wait()
	if s.Err != nil || s.Denied != nil || s.Summary.Calls != p.Limits.Calls || len(userWarnings(s)) != 1 {
		t.Errorf("ended after %d calls with error %v and warnings %q", s.Summary.Calls, s.Err, userWarnings(s))
	}
	if service.left != 1 || s.Grid["GET /talks"][200] < s.Grid["GET /talks"][401] {
		t.Errorf("ann left %d times; answers %v", service.left, s.Grid)
	}
}

// A user who can be created again is restored, and the request that ended the user is not sent again.
func TestEndedUserIsBroughtBack(t *testing.T) {
	service := &club{}
	p := clubPlan(t, service, goodbye)
	p.Users[0].Creates = []model.Login{
		{Method: "POST", Path: "/join", Headers: []model.Credential{{In: model.InHeader, Name: "X-Name", Value: "ann"}}},
	}
	s := start(t, p, search.Sink{}).Wait()
	if s.Err != nil || s.Summary.Calls != p.Limits.Calls {
		t.Fatalf("ended after %d calls with error %v", s.Summary.Calls, s.Err)
	}
	if service.left != 1 || !service.members["ann"] {
		t.Errorf("ann left %d times and is a member: %t", service.left, service.members["ann"])
	}
	if got := userWarnings(s); len(got) != 1 || !strings.Contains(got[0], "which was restored") {
		t.Errorf("warnings %q", got)
	}
	if s.Summary.Unanswered > 0 || s.Summary.Faults > 0 {
		t.Errorf("%d calls count as unanswered, %d faults", s.Summary.Unanswered, s.Summary.Faults)
	}
	if refused, good := s.Grid["GET /talks"][401], s.Grid["GET /talks"][200]; refused > good {
		t.Errorf("GET /talks answered 401 %d times and 200 %d times", refused, good)
	}
}

// If a reset restores the users before each test, a call that ends a user does not affect the run. If the reset does
// not restore the users, the run stops.
func TestEndedUserAndResets(t *testing.T) {
	for _, revives := range []bool{true, false} {
		service := &club{revives: revives}
		p := clubPlan(t, service, goodbye)
		p.Reset = &model.Reset{Method: "POST", Path: "/reset"}
		s := start(t, p, search.Sink{}).Wait()
		denied, _ := errors.AsType[*search.DeniedError](s.Err)
		switch {
		case revives && (s.Err != nil || len(userWarnings(s)) > 0 || service.left < 2):
			t.Errorf("error %v, warnings %q; ann left %d times", s.Err, userWarnings(s), service.left)
		case !revives && (denied == nil || denied.Ended == nil || denied.Ended.EndedBy != goodbye):
			t.Errorf("error %v, want that %s ended ann", s.Err, goodbye)
		}
	}
}

// An operation that refuses a user for another reason does not end the user.
func TestRefusalOfOneOperationEndsNoUser(t *testing.T) {
	p := clubPlan(t, &club{}, "POST /elevate")
	s := start(t, p, search.Sink{}).Wait()
	if s.Err != nil || len(userWarnings(s)) > 0 || s.Grid["POST /elevate"][401] == 0 {
		t.Errorf("error %v, warnings %q, answers %v", s.Err, userWarnings(s), s.Grid)
	}
}

// If it is not certain which call ended a user, the call is reported as likely. A credential that expires just after
// something was created looks the same.
func TestEndedUserIsBlamedWithCare(t *testing.T) {
	for _, tt := range []struct{ op, request, want string }{
		{"POST /users", "POST /users", `POST /users most likely ended the user "ann": `},
		{"PUT /users/{id}", "PUT /users/1", `PUT /users/{id} (sent as PUT /users/1) ended the user "ann": `},
		{"POST /session/end", "POST /session/end", `POST /session/end ended the user "ann": `},
		{"PUT /settings", "PUT /settings", `PUT /settings most likely ended the user "ann": `},
	} {
		s := &club{ends: tt.request}
		p := clubPlan(t, s, tt.op)
		op := p.Spec.Operations[0]
		if strings.Contains(op.Path, "{id}") {
			op.Params = []model.Parameter{
				{Name: "id", In: model.InPath, Required: true, Schema: &model.Schema{Type: "integer", Enum: []any{1}}},
			}
		}
		got := start(t, p, search.Sink{}).Wait()
		if got.Err == nil || !strings.HasPrefix(got.Err.Error(), tt.want) {
			t.Errorf("got  %v\nwant %s", got.Err, tt.want)
		}
	}
}

// The search continues with the remaining users until no user remains.
func TestSearchGoesOnAsAnotherUser(t *testing.T) {
	p := clubPlan(t, &club{}, goodbye)
	p.Users = append(p.Users, model.User{Name: "bob", Header: "X-Key", Public: "bob"})
	s := start(t, p, search.Sink{}).Wait()
	denied, _ := errors.AsType[*search.DeniedError](s.Err)
	if s.Err != nil && (denied == nil || denied.Ended == nil) {
		t.Fatalf("error %v", s.Err)
	}
	i := slices.IndexFunc(s.Log, func(l model.LogEntry) bool {
		n, ok := l.Event.(model.Note)
		return ok && strings.Contains(n.Text, goodbye+" ended the user")
	})
	if i < 0 || s.Log[i].Call == s.Summary.Calls {
		t.Errorf("nothing came after the first user was ended: log %v", s.Log)
	}
}
