package codec

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sync"

	"sonde/model"
)

// Limits on the data about the executed code of the service in a recording.
const (
	maxTargets      = 1 << 20  // maximum number of code targets
	maxCoveredBytes = 32 << 20 // maximum length of all sets of targets as they are written, in bytes
	maxCoveredRoom  = 64 << 20 // maximum length of all sets of targets in memory, in bytes
)

// codeLine describes the code targets of the service. Statements has the number of statements of each target, as a
// sequence of uvarints.
type codeLine struct {
	Statements []byte `json:"statements"`
}

// coveredLine is a set of code targets. Set is the number of the set, from 1; requests refer to the set by this
// number. Targets encodes the set as runs of successive targets. Each run is a pair of uvarints: the number of
// targets between the previous run and this one, and the length of the run.
type coveredLine struct {
	Set     int    `json:"set"`
	Targets []byte `json:"targets"`
}

// setNumbers numbers the sets of targets of a recording, so that equal sets are written once.
type setNumbers struct {
	mu      sync.Mutex
	numbers map[string]int // the number by which requests refer to a set, by the encoded set
	bytes   int            // length of all encoded sets
	full    bool           // a set was left out because of maxCoveredBytes, and a warning was written
}

// WriteCode appends the number of statements of each code target of the service. More than maxTargets targets are an
// error. WriteCode must be called before the first request is written.
func (r *RecordingWriter) WriteCode(statements []int) error {
	if len(statements) > maxTargets {
		return fmt.Errorf("the service has %d statements and branches, more than the %d of which a recording can say which ran",
			len(statements), maxTargets)
	}
	var data []byte
	for _, n := range statements {
		data = binary.AppendUvarint(data, uint64(max(n, 0)))
	}
	return r.append(func(w *lineWriter) {
		w.begin("code")
		w.base64("statements", data)
		w.end()
	})
}

// numberOf returns the number of a set, and appends the set to the recording if it is new. It returns 0 if the set is
// nil, or if it is new and all sets would be longer than maxCoveredBytes. The first time that a set is too much,
// numberOf writes a warning.
func (r *RecordingWriter) numberOf(set model.TargetSet) (int, error) {
	if set == nil {
		return 0, nil
	}
	data := encodeTargets(set)
	r.sets.mu.Lock()
	defer r.sets.mu.Unlock()
	if n, ok := r.sets.numbers[string(data)]; ok {
		return n, nil
	}
	if r.sets.bytes += len(data); r.sets.bytes > maxCoveredBytes {
		if r.sets.full {
			return 0, nil
		}
		r.sets.full = true
		return 0, r.WriteWarning("the service runs other code at too many requests: the code of further requests is not kept, " +
			"and their tests are chosen by shape and trait")
	}
	n := len(r.sets.numbers) + 1
	err := r.append(func(w *lineWriter) {
		w.begin("covered")
		w.number("set", int64(n))
		w.base64("targets", data)
		w.end()
	})
	if err != nil {
		return 0, err
	}
	if r.sets.numbers == nil {
		r.sets.numbers = map[string]int{}
	}
	r.sets.numbers[string(data)] = n
	return n, nil
}

// encodeTargets encodes a set in the form of coveredLine.Targets.
func encodeTargets(set model.TargetSet) (data []byte) {
	run, upTo := 0, 0 // the length of the current run, and the target after it
	for t := range set.All() {
		if run == 0 || t != upTo {
			if run > 0 {
				data = binary.AppendUvarint(data, uint64(run))
			}
			data, run = binary.AppendUvarint(data, uint64(t-upTo)), 0
		}
		run, upTo = run+1, t+1
	}
	if run > 0 {
		data = binary.AppendUvarint(data, uint64(run))
	}
	return data
}

// errCode is the error for a line about code that does not have the form that Sonde writes.
var errCode = errors.New("it does not name code targets of the service")

// decodeTargets decodes coveredLine.Targets. An invalid encoding, or a target that is not below limit, is an error.
func decodeTargets(data []byte, limit int) (model.TargetSet, error) {
	set := model.TargetSet{}
	for at := 0; len(data) > 0; {
		gap, n := binary.Uvarint(data)
		if n <= 0 {
			return nil, errCode
		}
		length, m := binary.Uvarint(data[n:])
		if m <= 0 || gap > uint64(limit-at) || length == 0 || length > uint64(limit-at)-gap {
			return nil, errCode
		}
		at += int(gap)
		for range length {
			set.Add(at)
			at++
		}
		data = data[n+m:]
	}
	return set, nil
}

// code reads the number of statements of each code target.
func (r *recordReader) code(l *codeLine) {
	if len(l.Statements) > binary.MaxVarintLen32*maxTargets || r.rec.CodeStatements != nil {
		r.warn("%v: it is left out", errCode)
		return
	}
	counts := []int{}
	for data := l.Statements; len(data) > 0; {
		v, n := binary.Uvarint(data)
		if n <= 0 || v > math.MaxInt32 || len(counts) == maxTargets {
			r.warn("%v: it is left out", errCode)
			return
		}
		counts = append(counts, int(v))
		data = data[n:]
	}
	r.rec.CodeStatements = counts
}

// covered reads a set of code targets.
func (r *recordReader) covered(l *coveredLine) {
	if r.setRoom < 0 {
		return
	}
	set, err := decodeTargets(l.Targets, len(r.rec.CodeStatements))
	if err != nil {
		r.warn("%v: it is left out", err)
		return
	}
	if r.setRoom -= 8 * len(set); r.setRoom < 0 {
		r.warn("the sets of code targets are too large to be read with all others: this one and the next ones are left out")
		return
	}
	r.sets[l.Set] = set
}
