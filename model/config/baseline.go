package config

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"sonde/model"
)

// KnownFault is an entry of a baseline: a fault that is known, and does not make sonde ci fail.
type KnownFault struct {
	Operation model.OpID `json:"operation"`
	Oracle    string     `json:"oracle"`
	// Signature is what all wordings of the fault's message have in common; see model.FaultKey.
	Signature string `json:"signature"`
	FirstSeen string `json:"first_seen,omitempty"` // the date of a run, such as 2026-12-01
	Reason    string `json:"reason,omitempty"`     // why the fault is accepted, written by people
	Until     string `json:"until,omitempty"`      // the last date on which the fault counts as known, "" for no end
}

// NewKnownFault returns the entry of a fault that a run found on a day.
func NewKnownFault(f model.Fault, day time.Time) KnownFault {
	return KnownFault{
		Operation: model.OpID(strings.ToValidUTF8(string(f.Op), "")), Oracle: f.Oracle, Signature: f.Key().Message,
		FirstSeen: day.Format(time.DateOnly),
	}
}

// Key returns the key by which the fault is compared with those of a run.
func (k KnownFault) Key() model.FaultKey {
	return model.Fault{Op: k.Operation, Oracle: k.Oracle, Signature: k.Signature}.Key()
}

// Expired reports whether the fault counts again on a day.
func (k KnownFault) Expired(today time.Time) bool {
	return k.Until != "" && today.Format(time.DateOnly) > k.Until
}

// compare orders known faults by path, method, oracle and signature.
func (k KnownFault) compare(other KnownFault) int {
	method, path, _ := strings.Cut(string(k.Operation), " ")
	otherMethod, otherPath, _ := strings.Cut(string(other.Operation), " ")
	return cmp.Or(
		strings.Compare(path, otherPath), strings.Compare(method, otherMethod),
		strings.Compare(k.Oracle, other.Oracle), strings.Compare(k.Signature, other.Signature),
	)
}

// LoadBaseline reads a baseline. The error is one line that names the file.
func LoadBaseline(path string) ([]KnownFault, error) {
	text, err := BaselineText(path)
	if err != nil {
		return nil, err
	}
	known, err := ParseBaseline(text)
	if err != nil {
		return nil, fmt.Errorf("baseline %q: %w", filepath.ToSlash(path), err)
	}
	return known, nil
}

// BaselineText reads the text of a baseline, or at most one byte more than its maximum size.
func BaselineText(path string) ([]byte, error) {
	return contents("baseline", path, "write one with sonde baseline --update "+filepath.ToSlash(path)+" RUN")
}

// ParseBaseline parses the text of a baseline. The entries have the order of the text.
func ParseBaseline(text []byte) ([]KnownFault, error) {
	v, err := parse(text)
	if err != nil {
		return nil, err
	}
	d := baselineDecoder{decoder: &decoder{}, lines: map[model.FaultKey]int{}}
	d.decoder.object(v, "a baseline", fields{"faults": d.faults})
	return d.known, d.decoder.err
}

// baselineDecoder decodes a baseline.
type baselineDecoder struct {
	decoder *decoder
	known   []KnownFault
	lines   map[model.FaultKey]int // the line of each entry
}

func (r *baselineDecoder) faults(v *value) {
	if v.kind != isList {
		r.decoder.fail(v, "faults is a list of faults, not %s", v.what())
		return
	}
	for _, kid := range v.kids {
		r.fault(kid)
	}
}

func (r *baselineDecoder) fault(v *value) {
	var k KnownFault
	var operation string
	r.decoder.object(v, "a known fault", fields{
		"operation":  r.decoder.text(&operation),
		"oracle":     r.decoder.text(&k.Oracle),
		"signature":  r.decoder.text(&k.Signature),
		"first-seen": r.decoder.date(&k.FirstSeen),
		"reason":     r.decoder.text(&k.Reason),
		"until":      r.decoder.date(&k.Until),
	})
	k.Operation = model.OpID(operation)
	method, path, _ := strings.Cut(operation, " ")
	if method == "" || !strings.HasPrefix(path, "/") || k.Oracle == "" || !v.has("signature") {
		r.decoder.fail(v, "a known fault needs operation, such as GET /orders/{id}, oracle and signature")
		return
	}
	if first, twice := r.lines[k.Key()]; twice {
		r.decoder.fail(v, "this is the fault of line %d, too: remove one of them", first)
	}
	r.lines[k.Key()] = v.line
	r.known = append(r.known, k)
}

// date decodes a date.
func (d *decoder) date(to *string) decodeFunc {
	return func(v *value) {
		day, err := time.Parse(time.DateOnly, v.text)
		if v.kind != isText || err != nil {
			d.fail(v, "a date such as 2026-12-31 belongs here, not %s", v.what())
			return
		}
		*to = day.Format(time.DateOnly)
	}
}

// NewBaseline returns the text of a baseline with faults, sorted, each of them once.
func NewBaseline(title string, known []KnownFault) []byte {
	w := &writer{}
	w.line("# Known faults of %s, which do not make sonde ci fail.", orElse(strings.TrimRight(remark(title), "."), "this API"))
	w.line("# An entry may have reason: TEXT, and until: DATE, the last day on which the fault counts as known.")
	w.line("# sonde baseline --update adds faults, and keeps what is here, with its comments.")
	known = distinctFaults(known)
	if len(known) == 0 {
		w.line("faults: []")
		return []byte(w.String())
	}
	w.line("faults:")
	for _, k := range known {
		w.knownFault(k)
	}
	return []byte(w.String())
}

// distinctFaults returns the faults in order. Of several with the same key it returns the one that was seen first.
func distinctFaults(known []KnownFault) (all []KnownFault) {
	known = slices.Clone(known)
	slices.SortStableFunc(known, func(a, b KnownFault) int {
		return cmp.Or(a.compare(b), strings.Compare(a.FirstSeen, b.FirstSeen))
	})
	at := map[model.FaultKey]int{}
	for _, k := range known {
		i, twice := at[k.Key()]
		switch {
		case !twice:
			at[k.Key()] = len(all)
			all = append(all, k)
		case k.FirstSeen < all[i].FirstSeen:
			all[i].FirstSeen = k.FirstSeen
		}
	}
	return all
}

// knownFault writes an entry, without the keys that are for people if these are empty.
func (w *writer) knownFault(k KnownFault) {
	w.line("  - operation: %s", phrase(string(k.Operation)))
	w.line("    oracle: %s", phrase(k.Oracle))
	w.line("    signature: %s", phrase(k.Signature))
	for _, date := range [][2]string{{"first-seen", k.FirstSeen}, {"until", k.Until}} {
		if date[1] != "" {
			w.line("    %s: %s", date[0], date[1])
		}
	}
	if k.Reason != "" {
		w.line("    reason: %s", phrase(k.Reason))
	}
}

// plainPhrase matches texts of several words that YAML reads as texts without quotes, outside of lists and objects in
// one line.
var plainPhrase = regexp.MustCompile(`^[A-Za-z0-9_/]+( [A-Za-z0-9_/.{}()-]+)+$`)

// phrase returns a text as a YAML scalar for a line of its own, quoted if necessary.
func phrase(text string) string {
	if plainPhrase.MatchString(text) {
		return text
	}
	return scalar(text)
}

// BaselineChange is the result of UpdateBaseline.
type BaselineChange struct {
	Text           []byte
	Added, Removed []KnownFault
}

// UpdateBaseline adds the faults that a baseline lacks, each before the first entry that sorts after it. If prune is
// set, it removes the entries that are not among the found faults, with the comments directly above them. All other
// lines stay the same. If this is not possible, the error gives the reason in one line.
func UpdateBaseline(text []byte, found []KnownFault, prune bool) (BaselineChange, error) {
	c := BaselineChange{Text: text}
	known, err := ParseBaseline(text)
	if err != nil {
		return c, err
	}
	if prune {
		known, err = c.removeOthers(known, found)
		if err != nil {
			return c, err
		}
	}
	for _, k := range distinctFaults(found) {
		if slices.ContainsFunc(known, func(other KnownFault) bool { return other.Key() == k.Key() }) {
			continue
		}
		known, err = c.add(known, k)
		if err != nil {
			return c, err
		}
	}
	after, err := ParseBaseline(c.Text)
	if err != nil || !slices.Equal(after, known) {
		return c, errors.New("its faults cannot be changed in the form in which they are written: " +
			"write them one below the other, as sonde baseline does")
	}
	return c, nil
}

// removeOthers removes the entries that are not among the found faults, and returns the remaining ones.
func (c *BaselineChange) removeOthers(known, found []KnownFault) (rest []KnownFault, err error) {
	in := map[model.FaultKey]bool{}
	for _, k := range found {
		in[k.Key()] = true
	}
	rest = slices.Clone(known)
	for i := len(rest) - 1; i >= 0; i-- {
		if in[rest[i].Key()] {
			continue
		}
		e, err := entryOf(c.Text, "faults", i)
		if err != nil {
			return nil, err
		}
		for e.from > e.key+1 && isComment(e.lines[e.from-1]) {
			e.from--
		}
		c.Text = e.replace(e.from, e.to, "")
		c.Removed = append(c.Removed, rest[i])
		rest = slices.Delete(rest, i, i+1)
	}
	slices.Reverse(c.Removed)
	return rest, nil
}

func isComment(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "#") }

// add adds an entry before the first one that sorts after it, and returns all entries.
func (c *BaselineChange) add(known []KnownFault, k KnownFault) ([]KnownFault, error) {
	w := &writer{}
	w.knownFault(k)
	at := slices.IndexFunc(known, func(other KnownFault) bool { return k.compare(other) < 0 })
	if at < 0 {
		at = len(known)
	}
	text, err := insertFault(c.Text, w.String(), at)
	if err != nil {
		return nil, err
	}
	c.Text, c.Added = text, append(c.Added, k)
	return slices.Insert(slices.Clone(known), at, k), nil
}

// emptyFaults matches an empty list of faults in one line.
var emptyFaults = regexp.MustCompile(`(?m)^faults:[ \t]*\[[ \t]*\]`)

// insertFault inserts an entry at an index of the list of faults.
func insertFault(text []byte, entry string, index int) ([]byte, error) {
	if index == 0 {
		text = emptyFaults.ReplaceAll(text, []byte("faults:"))
		l, err := linesOf(text, "faults")
		if err != nil || l.key < 0 {
			return insertEntry(text, "faults", entry)
		}
		return l.replace(l.key+1, l.key+1, indented(entry, l.indent)), nil
	}
	e, err := entryOf(text, "faults", index-1)
	if err != nil {
		return nil, err
	}
	return e.replace(e.to, e.to, indented(entry, e.indent)), nil
}
