package results

import (
	"fmt"
	"io"

	"sonde/runner/lab/mutate"
	"sonde/ui/words"
)

// Levels compares which mutants unit tests and other tests, such as those that start the service, notice.
type Levels struct {
	// Both, OnlyUnits, OnlyOthers and Neither are the IDs of mutants that were tried at both levels.
	Both       []string `json:"both"`
	OnlyUnits  []string `json:"only_units"`
	OnlyOthers []string `json:"only_others"`
	Neither    []string `json:"neither"`
	// Unknown is the number of mutants without a result of the other tests, or that these do not reach.
	Unknown int `json:"unknown"`
}

// CompareLevels compares the results of unit tests with those of other tests. A mutant that is equal to another one counts
// as that one.
func CompareLevels(units, others []mutate.Result) *Levels {
	byID := map[string]mutate.Result{}
	for _, r := range others {
		byID[r.ID] = r
	}
	byBinary := map[string]mutate.Result{}
	for _, r := range others {
		if r.Status.IsJudged() {
			byBinary[r.Binary] = r
		}
	}
	l := &Levels{Both: []string{}, OnlyUnits: []string{}, OnlyOthers: []string{}, Neither: []string{}}
	for _, r := range units {
		if !r.Status.IsJudged() {
			continue
		}
		other := byID[r.ID]
		if other.Status == mutate.Duplicate {
			other = byBinary[other.Binary]
		}
		switch noticed := other.Status.IsNoticed(); {
		case !other.Status.IsJudged():
			l.Unknown++
		case r.Status.IsNoticed() && noticed:
			l.Both = append(l.Both, r.ID)
		case r.Status.IsNoticed():
			l.OnlyUnits = append(l.OnlyUnits, r.ID)
		case noticed:
			l.OnlyOthers = append(l.OnlyOthers, r.ID)
		default:
			l.Neither = append(l.Neither, r.ID)
		}
	}
	return l
}

// printLevels writes how many mutants the tests of each level notice, and those that only one level notices.
func printLevels(w io.Writer, l *Levels, all []mutate.Result) error {
	if l == nil {
		return nil
	}
	fmt.Fprintf(w, "\n%s tried at both levels: %s killed at both, %s only by unit tests, %s only by the other tests, %s by neither\n",
		words.Plural(len(l.Both)+len(l.OnlyUnits)+len(l.OnlyOthers)+len(l.Neither), "mutant"), words.Count(len(l.Both)),
		words.Count(len(l.OnlyUnits)), words.Count(len(l.OnlyOthers)), words.Count(len(l.Neither)))
	if l.Unknown > 0 {
		fmt.Fprintf(w, "%s without a result of the other tests\n", words.Plural(l.Unknown, "mutant"))
	}
	for _, part := range []struct {
		head string
		ids  []string
	}{{"\nonly unit tests kill:\n", l.OnlyUnits}, {"\nonly the other tests kill:\n", l.OnlyOthers}} {
		wanted := map[string]bool{}
		for _, id := range part.ids {
			wanted[id] = true
		}
		if err := printChanges(w, part.head, all, func(r mutate.Result) bool { return wanted[r.ID] }); err != nil {
			return err
		}
	}
	return nil
}
