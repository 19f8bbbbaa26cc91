package oracle

import (
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/resource"
)

// Finding is one violation of an oracle.
type Finding struct {
	Oracle    string
	Call      int    // the index of the call that shows it
	Expected  string // what should have been answered
	Actual    string // what was answered; safe to print
	Signature string // distinguishes findings of the same operation and oracle
}

// Judge finds violations of oracles in the answers to tests. It is for one goroutine.
type Judge struct {
	on     Switches
	ops    map[model.OpID]*operation
	owned  []ownedResource
	keys   []credentialPlace  // where the spec's credentials are sent
	valid  map[validBody]bool // bodies that were found to be valid
	checks checker
	worded wordings

	enforced bool // a call without credentials was refused
}

// NewJudge returns the judge of a plan. It returns an error if the plan names an unknown oracle.
func NewJudge(p model.Plan) (*Judge, error) {
	on, err := ParseSwitches(p.Oracles)
	if err != nil {
		return nil, err
	}
	j := &Judge{on: on, ops: map[model.OpID]*operation{}, valid: map[validBody]bool{}, worded: wordings{}}
	tree := elements(p.Spec.Operations)
	for _, op := range p.Spec.Operations {
		j.ops[op.ID] = newOperation(op, tree[op], p.Spec.SecuritySchemes)
	}
	for _, s := range p.Spec.SecuritySchemes {
		j.keys = append(j.keys, credentialPlace{s.In, s.Key})
	}
	for _, o := range p.Owners {
		j.owned = append(j.owned, newOwned(o))
	}
	return j, nil
}

// Enabled reports whether an oracle is enabled.
func (j *Judge) Enabled(name string) bool { return j.on[name] }

// operation is an operation with properties that are derived once.
type operation struct {
	*model.Operation
	segments []string          // of the path
	resource string            // resource name for match.FindID
	element  string            // the parameter that identifies what the operation may create, "" for none
	single   bool              // the path identifies one resource of a collection
	keys     []credentialPlace // where credentials are sent
	statuses string            // description of the declared statuses
	known    map[string]bool   // names of its parameters and body fields
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
	o.keys = keysOf(op, schemes)
	o.known = namesOf(op)
	return o
}

// elements returns for each operation the path parameter that identifies an element of its collection.
func elements(ops []*model.Operation) map[*model.Operation]string {
	names := map[*model.Operation]string{}
	for r := range resource.NewTree(ops).Subtree() {
		for _, op := range r.Operations {
			names[op] = r.Element()
		}
	}
	return names
}

// JudgeTest returns the findings of a test: first those of each answer, then those of several answers
// together. Exchanges are those of the first calls of the test; contacts are those of the service with
// other hosts during the test.
func (j *Judge) JudgeTest(t model.Test, exchanges []model.Exchange, contacts ...model.Contact) []Finding {
	v := verdict{judge: j, playedTest: playedTest{ops: j.ops, test: t, exchanges: exchanges, contacts: contacts}}
	for i, x := range exchanges {
		if op := j.ops[t.Calls[i].Op]; op != nil && x.Err == nil && x.Reply.Status > 0 {
			v.judgeAnswer(i, op)
		}
		if len(contacts) > 0 {
			v.judgeDependencies(i)
			v.judgeLeaks(i)
		}
	}
	if len(exchanges) > 1 {
		v.judgeSequence()
	}
	return v.found
}

// playedTest is a test with the exchanges and contacts of one play.
type playedTest struct {
	ops       map[model.OpID]*operation
	test      model.Test
	exchanges []model.Exchange
	contacts  []model.Contact // of the service with other hosts meanwhile
}

// verdict collects the findings of one test.
type verdict struct {
	playedTest
	judge *Judge
	found []Finding
}

func (v *verdict) add(f Finding) {
	if v.judge.on[f.Oracle] {
		v.found = append(v.found, f)
	}
}

func (p *playedTest) op(i int) *operation { return p.ops[p.test.Calls[i].Op] }

// path returns the path of a call as it was sent.
func (p *playedTest) path(i int) string {
	path, _, _ := strings.Cut(p.exchanges[i].Request.URL, "?")
	return path
}

// ok reports whether a call was answered 2xx.
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
	unavailable    = 503
)
