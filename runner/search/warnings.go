package search

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/route"
)

// A warning about answers usually needs a minimum share of the answers, and a minimum number of answers.
const (
	mostlyShare = 0.9
	minAnswers  = 20
	// throttledShare is the minimum share for the warning that the service asks for fewer calls: the number of
	// answers that ask for fewer calls, divided by the number of requests.
	throttledShare = 0.05
)

// warnings returns signs of a wrong configuration or set-up, the most general first.
func (t *testbed) warnings() []model.Warning {
	var all []model.Warning
	warn := func(kind model.WarningKind, format string, args ...any) {
		all = append(all, model.Warning{Kind: kind, Text: fmt.Sprintf(format, args...)})
	}
	if t.code.probesUnused {
		all = append(all, t.code.probesWarning())
	}
	all = append(append(append(all, t.driverWarnings()...), t.networkWarnings()...), t.resetWarnings()...)
	total, forbidden, missing, good := t.judge.stats.answerShares()
	if total >= minAnswers && float64(forbidden) >= mostlyShare*float64(total) {
		warn(model.WarnAccessDenied, "%d%% of the answers are 401 or 403: %s", 100*forbidden/total, usersAdvice(t.plan.Users))
	}
	for _, end := range t.judge.ended {
		warn(model.WarnUser, "%s", end)
	}
	for _, name := range t.lostUsers() {
		if slices.ContainsFunc(t.judge.ended, func(end model.EndedUser) bool { return end.User == name }) {
			continue
		}
		warn(
			model.WarnLogin,
			"user %q could log in at first and then not any more: does a call lock the user out? a reset between tests mends that",
			name,
		)
	}
	if n := t.pool.pace.RefusedCount(); n >= minAnswers && float64(n) >= throttledShare*float64(t.pool.requestsSent()) {
		warn(
			model.WarnRate,
			"the service asked for fewer calls %d times (429, or 503 with Retry-After): call it more slowly, such as with --rate 10",
			n,
		)
	}
	if total >= minAnswers && float64(missing) >= mostlyShare*float64(total) {
		warn(
			model.WarnPath, "%d%% of the answers are 404: is the base path right? %s", 100*missing/total,
			pathHint(t.plan.BaseURL, t.plan.Spec.Servers),
		)
	}
	if total > 0 && good == 0 {
		warn(model.WarnNo2xx, "not one of %d answers is 2xx%s", total, t.commonestReason())
	}
	return append(all, t.neverSucceeded()...)
}

// networkWarnings returns what the service did outside its virtual network.
func (t *testbed) networkWarnings() (all []model.Warning) {
	for _, w := range t.pool.workers {
		for _, text := range w.network.escapes() {
			if warning := (model.Warning{Kind: model.WarnNetwork, Text: text}); !slices.Contains(all, warning) {
				all = append(all, warning)
			}
		}
	}
	return all
}

// resetWarnings returns what the reset could not clean, each problem once.
func (t *testbed) resetWarnings() (all []model.Warning) {
	for _, w := range t.pool.workers {
		for _, problem := range w.cleaner.Problems() {
			warning := model.Warning{Kind: model.WarnReset, Text: "reset by clean: " + model.Printable(problem, 200)}
			if !slices.Contains(all, warning) {
				all = append(all, warning)
			}
		}
	}
	return all
}

// driverWarnings returns what was wrong with the answers of the drivers.
func (t *testbed) driverWarnings() (all []model.Warning) {
	if t.code.lostErr != nil {
		all = append(all, t.code.driverWarning())
	}
	for _, w := range t.pool.workers {
		if w.driver == nil {
			continue
		}
		if odd := w.driver.IgnoredSummary(); odd != "" {
			all = append(all, model.Warning{Kind: model.WarnDriver, Text: odd})
		}
	}
	return all
}

func usersAdvice(users []model.User) string {
	if len(users) == 0 {
		return "no user is configured: use --header or --user, or write auth into sonde.yaml (sonde init begins one)"
	}
	var names []string
	for _, u := range users {
		names = append(names, u.Name)
	}
	return "are the credentials of " + strings.Join(names, ", ") + " right, and may they do this?"
}

// permissionAdvice returns advice for an operation that refuses its users. It suggests another user only if all
// users of the plan were refused.
func (t *testbed) permissionAdvice(f *opRefusals) string {
	var untried []string
	for _, u := range t.plan.Users {
		if !slices.Contains(f.users, u.Name) {
			untried = append(untried, u.Name)
		}
	}
	if len(untried) > 0 {
		return "not refused as " + strings.Join(untried, ", ") + ": allow more calls"
	}
	return "configure a user with permission (sonde init, --header)"
}

// pathHint suggests another base path: that of a server in the spec, or no base path. If neither is possible, it
// says whom to ask. It returns "" if base is not a URL.
func pathHint(base string, servers []string) string {
	have, err := url.Parse(strings.Replace(base, ":"+model.PortPlaceholder, "", 1))
	if err != nil {
		return ""
	}
	own := strings.TrimRight(have.Path, "/")
	for _, s := range servers {
		if u, err := url.Parse(s); err == nil && strings.TrimRight(u.Path, "/") != own {
			have.Path = strings.TrimRight(u.Path, "/") + "/"
			return fmt.Sprintf("the spec names %s as well: try --url %s", s, have)
		}
	}
	if own != "" {
		have.Path = "/"
		return fmt.Sprintf("try it without %s: --url %s", own, have)
	}
	return "the spec names no other: ask the operator of the service, and add the path to --url"
}

// commonestReason returns the most common reason of all operations, as the end of a sentence, "" if there is none.
func (t *testbed) commonestReason() string {
	var most *refusalReason
	for _, op := range t.plan.Spec.Operations {
		if f := t.judge.stats.refusals[op.ID]; f != nil {
			if r := f.mostCommon(); r != nil && (most == nil || r.times > most.times) {
				most = r
			}
		}
	}
	if most == nil {
		return ""
	}
	return fmt.Sprintf(", most often %s", most)
}

// loginOperations returns the operations by which the client logged in or created users successfully.
func (t *testbed) loginOperations() map[model.OpID]bool {
	all := map[model.OpID]bool{}
	for _, w := range t.pool.workers {
		for _, l := range w.service.Client().WorkedLogins() {
			if t.router == nil {
				t.router = route.New(t.plan.Spec)
			}
			if m, ok := t.router.FindOperation(l.Method, l.Path); ok {
				all[m.Op.ID] = true
			}
		}
	}
	return all
}

// neverSucceeded returns a warning for each operation that answered, but never with a 2xx. An operation by which the
// client has logged in successfully gets no warning. The operations with the most answers come first.
func (t *testbed) neverSucceeded() []model.Warning {
	ops := slices.Clone(t.plan.Spec.Operations)
	ops = slices.DeleteFunc(ops, func(op *model.Operation) bool {
		f := t.judge.stats.refusals[op.ID]
		return f == nil || f.succeeded
	})
	if len(ops) > 0 {
		logins := t.loginOperations()
		ops = slices.DeleteFunc(ops, func(op *model.Operation) bool { return logins[op.ID] })
	}
	slices.SortStableFunc(ops, func(a, b *model.Operation) int {
		return t.judge.stats.refusals[b.ID].calls - t.judge.stats.refusals[a.ID].calls
	})
	var all []model.Warning
	for _, op := range ops {
		f := t.judge.stats.refusals[op.ID]
		if r := f.mostCommon(); r != nil {
			const format = "%s never answered 2xx; %d of %d answers were %s: %s"
			text := fmt.Sprintf(format, op.ID, r.times, f.calls, r, t.advice(op.ID, f, r.status))
			all = append(all, model.Warning{Kind: model.WarnNever2xx, Op: op.ID, Text: text})
		}
	}
	return all
}

// advice returns what the user can do about an operation that never answered 2xx. It depends on the most common status
// of the operation, and on the obstacles that the search has found.
func (t *testbed) advice(op model.OpID, f *opRefusals, status int) string {
	known := func(otherwise string) string {
		if t.obstacles != nil {
			if all := t.obstacles(op); len(all) > 0 {
				return strings.Join(all, "; ")
			}
		}
		return otherwise
	}
	switch {
	case isForbidden(status):
		return t.permissionAdvice(f)
	case status == 404 || status == 409 || status == 410:
		return known("start from data that it needs, or give an example in the spec")
	case status == 405 || status == 501:
		return "the service does not have it; exclude it in sonde.yaml"
	case status == 415:
		return "the service takes another media type: declare it in the spec"
	case status == 429:
		return "the service asks for fewer calls: use --rate"
	case status >= 500:
		return "see the service's log"
	case status/100 == 4:
		return known("give an example of its input in the spec")
	}
	return "is this what the service should do?"
}
