package producer

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/pointer"
)

// Consumer is an input of an operation that may need a value from an answer.
type Consumer struct {
	In   model.Location
	Name string // name of the input, as in a link: a JSON pointer for a field of a body
	// Kind is the identity of the value by package match, "" if it has none.
	Kind string
	// Required reports whether the operation cannot be called without the input.
	Required bool
	// IsReference reports whether the input identifies something according to the spec.
	IsReference bool

	op         model.OpID
	schema     *model.Schema
	field      string         // plain name of the input; see match.EntityName
	entity     string         // plain name of the entity that the input identifies, judging by its name
	collection []string       // segments before the parameter; only for a parameter of the path
	path       []string       // segments of the operation's path
	pattern    *regexp.Regexp // pattern of the schema, nil for none

	ranked []rankedProducer // the most likely producers of those that were seen, the most likely first
	seen   int              // producers that were seen
}

// consumers returns the inputs of an operation that may need values from answers. The parameters of the path come
// first, from the end of the path, because the last one identifies the element and the others identify its parents.
// Then come other required inputs, and then optional inputs.
//
// Inputs that are not references count only if they are texts or integers in the query, in a header, or at the first
// level of the body.
func consumers(op *model.Operation, uses []match.ValueUse) []*Consumer {
	path := segments(op.Path)
	var all []*Consumer
	seen := map[string]bool{}
	for _, u := range uses {
		name := cmp.Or(u.Pointer, u.Name)
		key := string(u.In) + " " + name
		if u.Out || seen[key] || u.Kind == match.KindCredential || u.In == model.InCookie || strings.Contains(name, "*") {
			continue
		}
		s := u.Schema()
		if u.In != model.InPath && !u.IsReference && !(mayIdentify(s) && strings.Count(name, "/") <= 1) {
			continue
		}
		seen[key] = true
		c := &Consumer{
			op: op.ID, In: u.In, Name: name, Kind: u.ID, Required: u.Required || u.In == model.InPath,
			IsReference: u.IsReference || u.In == model.InPath, schema: s, path: path, field: match.EntityName(u.Name),
		}
		c.entity = strings.Join(match.EntityNouns(pointer.LastToken(u.Name)), "")
		if s != nil && s.Pattern != "" {
			c.pattern, _ = regexp.Compile(s.Pattern) // nil for a pattern that is not Go's
		}
		if u.In == model.InPath {
			i := slices.IndexFunc(path, func(segment string) bool { return strings.Contains(segment, "{"+u.Name+"}") })
			c.collection = path[:max(0, i)]
		}
		all = append(all, c)
	}
	slices.SortStableFunc(all, func(a, b *Consumer) int { return cmp.Compare(a.order(), b.order()) })
	return all
}

// mayIdentify reports whether values of a schema can identify something.
func mayIdentify(s *model.Schema) bool {
	return s != nil && (s.Type == "string" || s.Type == "integer") && len(s.Enum) == 0 && s.Const == nil
}

// order returns the rank of a consumer among those of its operation. Consumers with smaller ranks get their values
// first.
func (c *Consumer) order() int {
	switch {
	case c.In == model.InPath:
		return -len(c.collection)
	case c.IsReference && c.Required:
		return 1
	case c.Required:
		return 2
	}
	return 3
}

// Consumers returns the inputs of an operation that may need values from answers, in the order in which they should
// get values.
func (x *Index) Consumers(op model.OpID) []*Consumer {
	if o := x.ops[op]; o != nil {
		return o.consumers
	}
	return nil
}

// Candidate is a producer for a consumer.
type Candidate struct {
	Place
	Value string // value that was last seen at the producer
	// Score is larger if the producer is more likely. It is always greater than 0.
	Score float64
}

// IsInteger reports whether the spec says that the value is an integer.
func (c *Consumer) IsInteger() bool { return c.schema != nil && c.schema.Type == "integer" }

// IsUUID reports whether the spec says that the value is a UUID.
func (c *Consumer) IsUUID() bool { return c.schema != nil && c.schema.Format == "uuid" }

// maxRanked is the number of producers that are kept for one consumer.
const maxRanked = 16

// Candidates returns the producers that a consumer may use, the most likely first, at most maxRanked.
func (x *Index) Candidates(c *Consumer) []Candidate {
	for _, p := range x.producers[c.seen:] {
		if p.Op == c.op || !c.accepts(p.value) {
			continue
		}
		if score := c.score(p); score > 0 {
			c.rank(rankedProducer{p, score})
		}
	}
	c.seen = len(x.producers)
	all := make([]Candidate, 0, len(c.ranked))
	for _, r := range c.ranked {
		if c.accepts(r.value) {
			all = append(all, Candidate{Place: r.Place, Value: r.value, Score: r.score})
		}
	}
	return all
}

// rankedProducer is a producer with its score for a consumer.
type rankedProducer struct {
	*producer
	score float64
}

// rank inserts a producer after those with the same score, and drops the last one if there are too many.
func (c *Consumer) rank(r rankedProducer) {
	at, _ := slices.BinarySearchFunc(c.ranked, r, func(a, b rankedProducer) int {
		if a.score >= b.score {
			return -1
		}
		return 1
	})
	if at == maxRanked {
		return
	}
	c.ranked = slices.Insert(c.ranked, at, r)
	c.ranked = c.ranked[:min(len(c.ranked), maxRanked)]
}

// LikelyScore is the lowest score at which a producer is likely because of its name, and not only because of its
// place.
const LikelyScore = scoreName

// The parts of a score.
const (
	scoreKind       = 60 // according to the spec, the producer and the consumer are the same value
	scoreCollection = 40 // the answer is of the collection to which the element in the path belongs
	scoreName       = 25 // producer and consumer have the same name, or the consumer is named after the entity that the producer identifies
	scoreIDWord     = 5  // the name of the field is usual for identifiers
	scoreSegment    = 3  // the first segments of both paths are equal: this for each of them
	depthPenalty    = 3  // subtracted for each object around the field
	otherPenalty    = 10 // the name of the field is not usual for identifiers, and is not that of the consumer
)

// score returns how likely it is that a consumer takes the value of a producer.
func (c *Consumer) score(p *producer) float64 {
	score := -depthPenalty * p.depth
	isSame := p.field == c.field && c.field != "id"
	switch {
	case c.Kind != "" && c.Kind == p.kind:
		score += scoreKind
	case isSame:
		score += scoreName
	case p.named && slices.Contains(p.nouns, c.entity):
		score += scoreName
	case !p.named:
		score -= otherPenalty
	}
	if p.named {
		score += scoreIDWord
	}
	if c.In == model.InPath && (p.named || isSame) && samePath(c.collection, p.path) {
		score += scoreCollection
	}
	for i := range min(len(c.path), len(p.path)) {
		if !sameSegment(c.path[i], p.path[i]) {
			break
		}
		score += scoreSegment
	}
	return float64(score)
}

func samePath(a, b []string) bool { return slices.EqualFunc(a, b, sameSegment) }

// sameSegment reports whether two segments of paths are equal, or both parameters.
func sameSegment(a, b string) bool { return a == b || a[0] == '{' && b[0] == '{' }

// uuid is the form of a UUID.
var uuid = regexp.MustCompile(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

// accepts reports whether the consumer's schema allows a value. It returns false for kinds of values that identify
// nothing, such as booleans and dates.
func (c *Consumer) accepts(value string) bool {
	s := c.schema
	if s == nil {
		return true
	}
	switch s.Type {
	case "integer":
		_, err := strconv.ParseInt(value, 10, 64)
		return err == nil
	case "number":
		_, err := strconv.ParseFloat(value, 64)
		return err == nil
	case "boolean", "object":
		return false
	}
	switch s.Format {
	case "uuid":
		return uuid.MatchString(value)
	case "date", "date-time", "time", "email", "ipv4", "ipv6":
		return false
	}
	if s.MaxLength != nil && len(value) > *s.MaxLength || len(value) < s.MinLength {
		return false
	}
	return c.pattern == nil || c.pattern.MatchString(value)
}
