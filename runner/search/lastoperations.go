package search

import (
	"context"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// maxLastShare is the maximum share of the budget for last operations. A run that is limited only by time uses
// exactly this share.
const maxLastShare = 0.02

// lastChecks is the number of requests that are reserved for finding out whether the last tests have ended a user.
const lastChecks = 2 * (maxAcceptedReads + 1)

// withheldCalls is the number of requests that are reserved for each withheld test.
const withheldCalls = 2

// lastOperations returns the operations that come after all other tests of a run, because they may end a user for
// good. According to its path and name, such an operation does one of these:
//   - It ends the session of the caller.
//   - It replaces the credentials of the caller.
//   - It changes the settings of authentication.
//   - It deletes the caller.
//
// A run has such operations only if a user cannot be restored: the user has neither a log-in nor requests that create
// the user, and there is no reset.
func lastOperations(p model.Plan, resets bool) (all []model.OpID) {
	if resets || !hasFixedCredentials(p.Users) {
		return nil
	}
	for _, op := range p.Spec.Operations {
		if mayEndCaller(op) {
			all = append(all, op.ID)
		}
	}
	return all
}

func hasFixedCredentials(users []model.User) bool {
	for _, u := range users {
		if u.Login == nil && len(u.Creates) == 0 {
			return true
		}
	}
	return false
}

const (
	authWords    = `auth|authentication|jwt|token|oauth2?|oidc|saml|sso|ldap|mfa|2fa|otp|login|session|security`
	settingWords = `settings?|config|configuration|options|policy|preferences`
)

var (
	// replacesCredential matches the words for replacing or ending a credential, in either order.
	replacesCredential = regexp.MustCompile(`(?i)` +
		`(reset|rotate|regenerate|renew|revoke|invalidate|change)[-_/]?(my|own|api|access|auth)?[-_/]?` +
		`(token|key|secret|credential|passw)|` +
		`(token|key|secret|credential|password)s?[-_/](reset|rotate|regenerate|renew|revoke|invalidate|change)`)
	// isAuthSetting matches the words for the settings of authentication, in either order.
	isAuthSetting = regexp.MustCompile(
		`(?i)(` + authWords + `)s?[-_/](` + settingWords + `)|(` + settingWords + `)[-_/](` + authWords + `)`,
	)
	// isCaller matches a path that names the caller.
	isCaller = regexp.MustCompile(`(?i)/(me|self|myself|current|current[-_]?user|session)/?$`)
	// isCallersPassword matches the path of the caller's password.
	isCallersPassword = regexp.MustCompile(`(?i)/(me|self|myself|current|current[-_]?user|account|profile)/(password|credentials?)/?$`)
)

// mayEndCaller reports whether an operation may end the user that calls it; see lastOperations. It returns false if
// the path has a parameter: such an operation is about an element, which is most likely not the calling user.
func mayEndCaller(op *model.Operation) bool {
	if strings.Contains(op.Path, "{") {
		return false
	}
	words := op.Path + " " + op.Name
	switch {
	case model.IsSafeMethod(op.Method):
		return endsSession.MatchString(words)
	case op.Method == "DELETE":
		return endsSession.MatchString(words) || replacesCredential.MatchString(words) || isCaller.MatchString(op.Path)
	}
	return endsSession.MatchString(words) || replacesCredential.MatchString(words) || isAuthSetting.MatchString(words) ||
		isCallersPassword.MatchString(op.Path)
}

// lastShare returns the share of the budget for the tests of the last operations.
func (p *proposer) lastShare() float64 {
	calls := 0
	for _, ind := range p.tests.Fixed().Last(rand.New(rand.NewPCG(0, 0)), p.plan.Templates) {
		calls += ind.Len()
	}
	calls += withheldCalls * len(guardedOperations(p.plan, p.pool.resets))
	if n := p.plan.Limits.Calls; calls > 0 && n > 0 {
		return min(float64(calls+lastChecks)/float64(n), maxLastShare)
	}
	return maxLastShare * float64(boolToInt(calls > 0))
}

// runLastTests plays the withheld tests and the tests of the last operations with the rest of the budget. The run
// does not fail if these tests end a user.
func runLastTests(ctx context.Context, s *scheduler) {
	withheld := s.withheld.untilSuccess(s.judge.stats.refusals)
	if len(s.last) == 0 && len(withheld) == 0 {
		return
	}
	s.pool.budget.keepForLast(0)
	s.outOfBudget = false
	s.plan.OnDenied = model.ContinueWhenDenied
	s.pool.unguardAccounts()
	for _, op := range slices.Sorted(maps.Keys(withheld)) {
		if !s.proposer.tests.IsMuted(op) {
			s.proposer.search.Enqueue(withheld[op])
		}
	}
	for _, ind := range s.proposer.tests.Fixed().Last(s.proposer.chance, s.plan.Templates) {
		s.proposer.search.Enqueue(&trial{
			individual: ind, lineage: &model.TestLineage{Rule: model.FromInitialTemplate, Template: ind.Target()},
		})
	}
	s.explore(ctx, 1)
	s.withheld.removePlayed(withheld)
}
