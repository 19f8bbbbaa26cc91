package search

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/route"
)

// What makes a warning: a share of the answers, of at least so many.
const (
	mostlyShare = 0.9
	minAnswers  = 20
	// throttledShare is the share of answers that ask for fewer calls from which on a
	// person should know.
	throttledShare = 0.05
)

// warnings say what is hardly as anybody meant it, the most general first.
func (c *testbed) warnings() []model.Warning {
	var all []model.Warning
	warn := func(kind model.WarningKind, format string, args ...any) {
		all = append(all, model.Warning{Kind: kind, Text: fmt.Sprintf(format, args...)})
	}
	if c.code.unprobed {
		all = append(all, c.code.probesWarning())
	}
	all = append(append(all, c.driverWarnings()...), c.networkWarnings()...)
	total, forbidden, missing, good := c.judge.stats.answerShares()
	if total >= minAnswers && float64(forbidden) >= mostlyShare*float64(total) {
		warn(model.WarnAuth, "%d%% of the answers are 401 or 403: %s", 100*forbidden/total, usersAdvice(c.plan.Users))
	}
	for _, end := range c.judge.ended {
		warn(model.WarnUser, "%s", end)
	}
	for _, name := range c.lostUsers() {
		if slices.ContainsFunc(c.judge.ended, func(end model.EndedUser) bool { return end.User == name }) {
			continue
		}
		warn(
			model.WarnLogin,
			"user %q could log in at first and then not any more: does a call lock the user out? a reset between tests mends that",
			name,
		)
	}
	if n := c.pool.pace.RefusedCount(); n >= minAnswers && float64(n) >= throttledShare*float64(c.pool.budget.calls) {
		warn(
			model.WarnRate,
			"the service asked for fewer calls %d times (429, or 503 with Retry-After): call it more slowly, such as with --rate 10",
			n,
		)
	}
	if total >= minAnswers && float64(missing) >= mostlyShare*float64(total) {
		warn(
			model.WarnPath, "%d%% of the answers are 404: is the base path right? %s", 100*missing/total,
			pathHint(c.plan.BaseURL, c.plan.Spec.Servers),
		)
	}
	if total > 0 && good == 0 {
		warn(model.WarnNone, "not one of %d answers is 2xx%s", total, c.commonestReason())
	}
	return append(all, c.neverSucceeded()...)
}

// networkWarnings say what the service did that its virtual network does not hold.
func (c *testbed) networkWarnings() (all []model.Warning) {
	for _, w := range c.pool.workers {
		for _, text := range w.network.escapes() {
			if warning := (model.Warning{Kind: model.WarnNet, Text: text}); !slices.Contains(all, warning) {
				all = append(all, warning)
			}
		}
	}
	return all
}

// driverWarnings says what was wrong with what the drivers told.
func (c *testbed) driverWarnings() (all []model.Warning) {
	if c.code.lostErr != nil {
		all = append(all, c.code.driverWarning())
	}
	for _, w := range c.pool.workers {
		if w.driver == nil {
			continue
		}
		if odd := w.driver.IgnoredSummary(); odd != "" {
			all = append(all, model.Warning{Kind: model.WarnDriver, Text: odd})
		}
	}
	return all
}

// answerShares counts the answers, and those that mean that one is not let in, that
// nothing is there, and that all is well.
func (b *statistics) answerShares() (total, forbidden, missing, good int) {
	for _, counts := range b.counts {
		for status, n := range counts {
			total += n
			switch {
			case status == 401 || status == 403:
				forbidden += n
			case status == 404:
				missing += n
			case status/100 == 2:
				good += n
			}
		}
	}
	return total, forbidden, missing, good
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

// permissionAdvice says what helps where users are refused: another one, but only where
// all of them were.
func (c *testbed) permissionAdvice(f *refusals) string {
	var untried []string
	for _, u := range c.plan.Users {
		if !slices.Contains(f.users, u.Name) {
			untried = append(untried, u.Name)
		}
	}
	if len(untried) > 0 {
		return "not refused as " + strings.Join(untried, ", ") + ": allow more calls"
	}
	return "configure a user with permission (sonde init, --header)"
}

// pathHint says which other base paths the spec allows for.
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
	return "the spec names no other: ask whoever runs the service, and put the path behind --url"
}

// commonestReason is the reason that came most often, over all operations.
func (c *testbed) commonestReason() string {
	var most *reason
	for _, op := range c.plan.Spec.Operations {
		if f := c.judge.stats.reasons[op.ID]; f != nil {
			if r := f.main(); r != nil && (most == nil || r.times > most.times) {
				most = r
			}
		}
	}
	if most == nil {
		return ""
	}
	return fmt.Sprintf(", most often comes %s", most)
}

// loginOperations are the operations that log users in or make them, and did so with success.
func (c *testbed) loginOperations() map[model.OpID]bool {
	all := map[model.OpID]bool{}
	for _, w := range c.pool.workers {
		for _, l := range w.service.Client().WorkedLogins() {
			if c.router == nil {
				c.router = route.New(c.plan.Spec)
			}
			if m, ok := c.router.Find(l.Method, l.Path); ok {
				all[m.Op.ID] = true
			}
		}
	}
	return all
}

// neverSucceeded lists the operations that were never answered 2xx, not by log-ins either, the
// most called first.
func (c *testbed) neverSucceeded() []model.Warning {
	ops := slices.Clone(c.plan.Spec.Operations)
	ops = slices.DeleteFunc(ops, func(op *model.Operation) bool { f := c.judge.stats.reasons[op.ID]; return f == nil || f.done })
	if len(ops) > 0 {
		well := c.loginOperations()
		ops = slices.DeleteFunc(ops, func(op *model.Operation) bool { return well[op.ID] })
	}
	slices.SortStableFunc(ops, func(a, b *model.Operation) int {
		return c.judge.stats.reasons[b.ID].calls - c.judge.stats.reasons[a.ID].calls
	})
	var all []model.Warning
	for _, op := range ops {
		f := c.judge.stats.reasons[op.ID]
		if r := f.main(); r != nil {
			text := fmt.Sprintf("%s never answered 2xx; %d of %d times came %s: %s", op.ID, r.times, f.calls, r, c.advice(f, r.status))
			all = append(all, model.Warning{Kind: model.WarnNever, Op: op.ID, Text: text})
		}
	}
	return all
}

// advice says what helps against the most common status of an operation that never
// answered 2xx.
func (c *testbed) advice(f *refusals, status int) string {
	switch {
	case isForbidden(status):
		return c.permissionAdvice(f)
	case status == 404 || status == 409 || status == 410:
		return "begin with data that it needs, or give an example in the spec"
	case status == 405 || status == 501:
		return "the service does not have it; exclude it in sonde.yaml"
	case status == 429:
		return "the service wants fewer calls: say --rate"
	case status >= 500:
		return "see the service's log"
	case status/100 == 4:
		return "give an example of what it takes in the spec"
	}
	return "is this what the service should do?"
}
