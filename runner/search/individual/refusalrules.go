package individual

import (
	"fmt"
	"math/rand/v2"
	"regexp"

	"sonde/model"
	"sonde/runner/search/gene"
	"sonde/runner/search/refusal"
)

// refusalRules keeps the rules about inputs that refusals stated, and follows them in new calls. The rules are
// guessed from the messages, so a call follows each rule only with some probability. The probability is lower once
// the operation has succeeded.
type refusalRules struct {
	chance float64 // probability of following a rule in calls that are not attempts
	reads  bool    // refusals are read
	byOp   map[model.OpID]*opRules
}

// opRules has the rules of one operation.
type opRules struct {
	rules     []inputRule // rules in the order in which they were read
	known     map[string]bool
	read      int // refusals that were read
	succeeded bool
}

// inputRule is a rule with the prototype of the values that it allows. The prototype is nil if the rule
// only says whether the input must be present.
type inputRule struct {
	refusal.Rule
	values gene.Gene
}

// Limits of what is read and kept for one operation.
const (
	maxRules        = 24
	maxReadRefusals = 200
	// succeededFactor reduces the probability of following a rule of an operation that has succeeded.
	succeededFactor = 0.25
)

func newRefusalRules(s model.Sampling) *refusalRules {
	return &refusalRules{chance: s.Refusals, reads: s.Refusals > 0 || s.Attempts > 0, byOp: map[model.OpID]*opRules{}}
}

// observe reads an answer to a call of an operation. It ignores refusals that are not about inputs but about the user,
// the method, a resource that does not exist, or too many calls.
func (l *refusalRules) observe(c *chromosome, reply model.Reply) {
	if !l.reads {
		return
	}
	op := l.byOp[c.op.ID]
	if op == nil {
		op = &opRules{known: map[string]bool{}}
		l.byOp[c.op.ID] = op
	}
	switch reply.Status {
	case 401, 403, 404, 405, 429:
		return
	}
	op.succeeded = op.succeeded || reply.Status/100 == 2
	if reply.Status < 400 || len(reply.Body) == 0 || op.read >= maxReadRefusals || len(op.rules) >= maxRules {
		return
	}
	op.read++
	names := c.inputNames()
	if len(names) == 0 {
		return
	}
	for _, r := range refusal.Read(reply.Body, names) {
		if key := r.Key(); !op.known[key] && len(op.rules) < maxRules {
			op.known[key] = true
			op.rules = append(op.rules, inputRule{r, valuesOf(r)})
		}
	}
}

// rulesOf returns what refusals of an operation said about inputs that they named.
func (l *refusalRules) rulesOf(op model.OpID) (all []refusal.Rule) {
	if known := l.byOp[op]; known != nil {
		for _, r := range known.rules {
			if r.Input != "" {
				all = append(all, r.Rule)
			}
		}
	}
	return all
}

// inputNames returns the names of the operation's parameters and of all properties of its body.
func (c *chromosome) inputNames() (names []string) {
	for _, p := range c.op.Params {
		names = append(names, p.Name)
	}
	if c.body != nil {
		seen := map[*model.Schema]bool{}
		names = appendPropertyNames(names, c.schema, seen)
	}
	return names
}

func appendPropertyNames(names []string, s *model.Schema, seen map[*model.Schema]bool) []string {
	if s == nil || seen[s] {
		return names
	}
	seen[s] = true
	for _, p := range s.Properties {
		names = appendPropertyNames(append(names, p.Name), p.Schema, seen)
	}
	names = appendPropertyNames(names, s.Items, seen)
	for _, parts := range [][]*model.Schema{s.AllOf, s.OneOf, s.AnyOf} {
		for _, part := range parts {
			names = appendPropertyNames(names, part, seen)
		}
	}
	return names
}

// valuesOf returns the prototype of the values that a rule allows. It returns nil if the rule only says whether the
// input must be present, or if the pattern of the rule is no regular expression of Go.
func valuesOf(r refusal.Rule) gene.Gene {
	s := &model.Schema{Type: "string", Format: r.Format, MaxLength: r.MaxLength}
	if r.MinLength != nil {
		s.MinLength = *r.MinLength
	}
	switch {
	case r.Unknown:
		return nil
	case len(r.Values) > 0:
		for _, v := range r.Values {
			s.Enum = append(s.Enum, v)
		}
	case r.Prefix != "":
		s.Pattern = "^" + regexp.QuoteMeta(r.Prefix) + afterPrefix(r)
		s.MinLength, s.MaxLength = 0, nil
	case r.Pattern != "":
		if _, err := regexp.Compile(r.Pattern); err != nil {
			return nil
		}
		s.Pattern = r.Pattern
	case r.Min != nil || r.Max != nil:
		s = &model.Schema{Type: "integer", Min: r.Min, Max: r.Max}
	case r.Format == "" && r.MinLength == nil && r.MaxLength == nil:
		return nil
	}
	return gene.New(s)
}

// afterPrefix returns a regular expression for the part of a value after its prefix. If the rule states no length,
// the part has the usual length of keys.
func afterPrefix(r refusal.Rule) string {
	least, most := 24, 24
	if r.MinLength != nil {
		least = max(0, *r.MinLength-len(r.Prefix))
		most = least
	}
	if r.MaxLength != nil {
		most = max(least, *r.MaxLength-len(r.Prefix))
	}
	return fmt.Sprintf("[A-Za-z0-9]{%d,%d}$", least, most)
}

// follow changes a new call so that it keeps the rules of its operation, each with the probability chance. The
// probability is smaller once the operation has succeeded.
func (l *refusalRules) follow(r *rand.Rand, c call, chance float64) {
	op := l.byOp[c.op.ID]
	if op == nil || chance <= 0 {
		return
	}
	if op.succeeded {
		chance *= succeededFactor
	}
	for _, rule := range op.rules {
		if r.Float64() < chance {
			rule.apply(r, c)
		}
	}
}

// apply changes one input of a call so that it keeps the rule: the input that the rule names, or a random one if the
// rule names none.
func (rule inputRule) apply(r *rand.Rand, c call) {
	if rule.Input == "" {
		names := c.inputNames()
		rule.Input = names[r.IntN(len(names))]
	}
	change := func(name string, g gene.Gene) {
		if name != rule.Input {
			return
		}
		gene.SetPresent(r, g, !rule.Unknown)
		if rule.values != nil {
			v := rule.values.Clone()
			v.Sample(r)
			gene.AssignText(g, gene.Text(v))
		}
	}
	for i, p := range c.op.Params {
		change(p.Name, c.genes[i])
	}
	if c.payload != nil {
		gene.EachProperty(c.payload, change)
	}
}
