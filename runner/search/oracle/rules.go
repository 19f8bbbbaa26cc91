package oracle

import (
	"regexp"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/resource"
	"sonde/runner/search/listing"
)

// Finding is one violation of an oracle.
type Finding struct {
	Oracle   string
	Call     int    // the index of the call whose answer shows the violation
	Expected string // what the answer should have been
	Actual   string // what the answer was; safe to print
	// Signature distinguishes the faults of one operation and oracle. It contains the status if answers
	// with different statuses are different faults of the oracle.
	Signature string
	// Compared has the indexes of the earlier calls without which the answer would be no violation, such as the DELETE of
	// a resource that a GET finds later.
	Compared []int
}

// Rules are the oracles of a run. They find violations in the answers to tests. Rules must be used by one goroutine
// at a time.
type Rules struct {
	on     Switches
	ops    map[model.OpID]*operation
	owned  []ownedResource
	keys   []credentialPlace  // where the spec's credentials are sent
	valid  map[validBody]bool // a cache of bodies that match their schemas
	checks checker
	worded wordings // the error messages seen so far

	enforced bool // a call without credentials was refused

	security   bool // the run has security tests
	restricted restriction

	// resourcePlaces has the paths at which parameters name resources; see the function of this name.
	resourcePlaces map[string]bool

	firstPaths map[string]bool           // see rememberPaths
	keepsState bool                      // the service is not reset between tests
	patterns   map[string]*regexp.Regexp // pattern in a schema → its expression, for checking requests
}

// NewRules returns the rules of a plan. It returns an error if the plan names an unknown oracle.
func NewRules(p model.Plan) (*Rules, error) {
	on, err := ParseSwitches(p.Oracles)
	if err != nil {
		return nil, err
	}
	r := &Rules{
		on: on, ops: map[model.OpID]*operation{}, valid: map[validBody]bool{}, worded: wordings{},
		security: p.Security, restricted: newRestriction(p.Restricted),
		firstPaths: map[string]bool{}, patterns: map[string]*regexp.Regexp{},
	}
	tree := elements(p.Spec.Operations)
	for _, op := range p.Spec.Operations {
		r.ops[op.ID] = newOperation(op, tree[op], p.Spec.SecuritySchemes)
	}
	r.resourcePlaces = resourcePlaces(r.ops)
	for _, s := range p.Spec.SecuritySchemes {
		r.keys = append(r.keys, credentialPlace{s.In, s.Key})
	}
	for _, o := range p.Owners {
		r.owned = append(r.owned, newOwned(o))
	}
	return r, nil
}

// KeepState notes that the service is not reset between tests.
func (r *Rules) KeepState() { r.keepsState = true }

// Enabled reports whether an oracle is enabled.
func (r *Rules) Enabled(name string) bool { return r.on[name] }

// operation is an operation with derived properties.
type operation struct {
	*model.Operation
	segments []string          // segments of the path
	resource string            // the resource name for match.FindIDField
	element  string            // the path parameter that identifies the resource that the operation may create, or ""
	single   bool              // the path identifies one resource of a collection
	keys     []credentialPlace // where credentials are sent; nil if a call needs none
	statuses string            // description of the declared statuses
	known    map[string]bool   // names of the parameters and body fields
	secret   map[string]bool   // names of the properties of the body that are secrets by their schema; nil until they are needed
	listing  *listing.Listing  // nil if the operation does not list elements
}

func newOperation(op *model.Operation, element string, schemes []model.SecurityScheme) *operation {
	o := &operation{
		Operation: op,
		segments:  resource.Segments(op.Path),
		resource:  match.ResourceName(op.Path),
		element:   element,
		statuses:  statuses(op),
	}
	if n := len(o.segments); n > 0 {
		o.single = strings.HasPrefix(o.segments[n-1], "{")
	}
	o.keys = credentialPlaces(op, schemes)
	o.known = namesOf(op)
	if l, ok := listing.Of(op, element); ok {
		o.listing = l
	}
	return o
}

// elements returns, for each operation on a collection, the path parameter that identifies an element of the
// collection.
func elements(ops []*model.Operation) map[*model.Operation]string {
	names := map[*model.Operation]string{}
	for r := range resource.NewTree(ops).Subtree() {
		for _, op := range r.Operations {
			names[op] = r.Element()
		}
	}
	return names
}

// Findings returns the violations in the answers to a test, answer by answer, and then those of the oracles that
// compare several answers; see examineSequence. exchanges are those of the first calls of the test, and contacts
// are those of the service with other hosts during the test.
func (r *Rules) Findings(t model.Test, exchanges []model.Exchange, contacts ...model.Contact) []Finding {
	r.rememberPaths(t, exchanges)
	e := examination{rules: r, playedTest: playedTest{ops: r.ops, test: t, exchanges: exchanges, contacts: withResources(t, contacts)}}
	for i, x := range exchanges {
		if op := r.ops[t.Calls[i].Op]; op != nil && x.Err == nil && x.Reply.Status > 0 {
			e.examineAnswer(i, op)
			if r.security {
				securityExamination{&e}.examine(i, op)
			}
		}
		if len(contacts) > 0 {
			e.examineDependencies(i)
			if !e.lacksReply(i) {
				e.examineLeaks(i)
			}
		}
	}
	if len(exchanges) > 1 && !e.playsDatabase() {
		e.examineSequence()
	}
	return e.found
}

// playedTest is a test with the exchanges and contacts of one play.
type playedTest struct {
	ops       map[model.OpID]*operation
	test      model.Test
	exchanges []model.Exchange
	contacts  []model.Contact // contacts of the service with other hosts during the play
}

// examination collects the findings of one played test.
type examination struct {
	playedTest
	rules *Rules
	found []Finding
	lists map[int]*list // index of a call → list in its answer, nil if the answer is no list; only for answers that were read
}

// add adds a finding, unless its oracle is disabled.
func (e *examination) add(f Finding) {
	if e.rules.on[f.Oracle] {
		e.found = append(e.found, f)
	}
}

func (p *playedTest) op(i int) *operation { return p.ops[p.test.Calls[i].Op] }

// path returns the path of a call as it was sent, without the query.
func (p *playedTest) path(i int) string {
	path, _, _ := strings.Cut(p.exchanges[i].Request.URL, "?")
	return path
}

func (p *playedTest) ok(i int) bool { return p.exchanges[i].Reply.Status/100 == 2 }

// HTTP statuses that oracles refer to.
const (
	created        = 201
	accepted       = 202
	missingStatus  = 404
	goneStatus     = 410
	tooMany        = 429
	notImplemented = 501
	multiStatus    = 207
)
