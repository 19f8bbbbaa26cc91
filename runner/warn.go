package runner

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
	mostly     = 0.9
	leastCalls = 20
	// often is the share of answers that ask for fewer calls from which on a
	// person should know.
	often = 0.05
)

// warnings say what is hardly as anybody meant it, the most general first.
func (c *crew) warnings() []model.Warning {
	var all []model.Warning
	warn := func(kind model.WarningKind, format string, args ...any) {
		all = append(all, model.Warning{Kind: kind, Text: fmt.Sprintf(format, args...)})
	}
	if c.probeless {
		all = append(all, c.unattached())
	}
	all = append(append(all, c.undriven()...), c.escapes()...)
	total, forbidden, missing, good := c.book.shares()
	if total >= leastCalls && float64(forbidden) >= mostly*float64(total) {
		warn(model.WarnAuth, "%d%% of the answers are 401 or 403: %s", 100*forbidden/total, whoCalls(c.plan.Users))
	}
	for _, end := range c.ended {
		warn(model.WarnUser, "%s", end)
	}
	for _, name := range c.lost() {
		if slices.ContainsFunc(c.ended, func(end model.Ended) bool { return end.User == name }) {
			continue
		}
		warn(model.WarnLogin, "user %q could log in at first and then not any more: does a call lock the user out? a reset between tests mends that", name)
	}
	if n := c.pace.Refused(); n >= leastCalls && float64(n) >= often*float64(c.budget.calls) {
		warn(model.WarnRate, "the service asked for fewer calls %d times (429, or 503 with Retry-After): call it more slowly, such as with --rate 10", n)
	}
	if total >= leastCalls && float64(missing) >= mostly*float64(total) {
		warn(model.WarnPath, "%d%% of the answers are 404: is the base path right? %s", 100*missing/total, pathHint(c.plan.BaseURL, c.plan.Spec.Servers))
	}
	if total > 0 && good == 0 {
		warn(model.WarnNone, "not one of %d answers is 2xx%s", total, c.commonest())
	}
	return append(all, c.never()...)
}

// escapes say what the service did that its virtual network does not hold.
func (c *crew) escapes() (all []model.Warning) {
	for _, w := range c.callers {
		for _, text := range w.network.escapes() {
			if warning := (model.Warning{Kind: model.WarnNet, Text: text}); !slices.Contains(all, warning) {
				all = append(all, warning)
			}
		}
	}
	return all
}

// undriven says what was wrong with what the drivers told.
func (c *crew) undriven() (all []model.Warning) {
	if c.unseen != nil {
		all = append(all, c.unsighted())
	}
	for _, w := range c.callers {
		if w.driver == nil {
			continue
		}
		if odd := w.driver.Odd(); odd != "" {
			all = append(all, model.Warning{Kind: model.WarnDriver, Text: odd})
		}
	}
	return all
}

// shares counts the answers, and those that mean that one is not let in, that
// nothing is there, and that all is well.
func (b *book) shares() (total, forbidden, missing, good int) {
	for _, counts := range b.grid {
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

func whoCalls(users []model.User) string {
	if len(users) == 0 {
		return "no user is configured: use --header or --user, or write auth into sonde.yaml (sonde init begins one)"
	}
	var names []string
	for _, u := range users {
		names = append(names, u.Name)
	}
	return "are the credentials of " + strings.Join(names, ", ") + " right, and may they do this?"
}

// permission says what helps where users are refused: another one, but only where
// all of them were.
func (c *crew) permission(f *refusals) string {
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
	have, err := url.Parse(strings.Replace(base, ":"+model.PortHere, "", 1))
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

// commonest is the reason that came most often, over all operations.
func (c *crew) commonest() string {
	var most *reason
	for _, op := range c.plan.Spec.Operations {
		if f := c.book.reasons[op.ID]; f != nil {
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

// wayIn are the operations that log users in or make them, and did so with success.
func (c *crew) wayIn() map[model.OpID]bool {
	all := map[model.OpID]bool{}
	for _, w := range c.callers {
		for _, l := range w.service.Client().Worked() {
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

// never lists the operations that were never answered 2xx, not by log-ins either, the
// most called first.
func (c *crew) never() []model.Warning {
	ops := slices.Clone(c.plan.Spec.Operations)
	ops = slices.DeleteFunc(ops, func(op *model.Operation) bool { f := c.book.reasons[op.ID]; return f == nil || f.done })
	if len(ops) > 0 {
		well := c.wayIn()
		ops = slices.DeleteFunc(ops, func(op *model.Operation) bool { return well[op.ID] })
	}
	slices.SortStableFunc(ops, func(a, b *model.Operation) int { return c.book.reasons[b.ID].calls - c.book.reasons[a.ID].calls })
	var all []model.Warning
	for _, op := range ops {
		f := c.book.reasons[op.ID]
		if r := f.main(); r != nil {
			text := fmt.Sprintf("%s never answered 2xx; %d of %d times came %s: %s", op.ID, r.times, f.calls, r, c.wayOut(f, r.status))
			all = append(all, model.Warning{Kind: model.WarnNever, Op: op.ID, Text: text})
		}
	}
	return all
}

// wayOut says what helps against the most common status of an operation that never
// answered 2xx.
func (c *crew) wayOut(f *refusals, status int) string {
	switch {
	case forbidden(status):
		return c.permission(f)
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
