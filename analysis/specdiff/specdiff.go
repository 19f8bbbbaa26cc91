// Package specdiff compares two versions of a spec. It finds:
//   - operations that were added, removed, moved, renamed or changed
//   - changes that may break clients
//   - values with other emitters or takers
//   - changes of value-sharing groups and clusters
//
// The package itself finds which operations of the two versions are the same. The library oasdiff then compares their
// contracts (parameters, bodies, responses). The rules of oasdiff, and a few rules of this package, decide which
// changes break a client. The package reads no files and calls no service.
package specdiff

import (
	"sonde/analysis"
	"sonde/model"
)

// Diff has the changes from an old version of a spec to a new one. It is read-only.
type Diff struct {
	// Operations are the operations that differ between the versions. First come the operations of the new version,
	// in its order, then the removed operations, in the order of the old version.
	Operations []Operation
	// Same is the number of unchanged operations.
	Same int
	// ContractError is the reason why contracts could not be compared, nil if they were compared. If it is set, only
	// changes of paths and of the serialization of parameters were found.
	ContractError error
	// Values are the values whose emitters or takers have changed.
	Values []ValueChange
	// Feeders are the inputs that lost their last feeder or got their first feeder.
	Feeders []FeederChange
	// Groups and Clusters are the changes of value-sharing groups and of clusters.
	Groups, Clusters []SetChange

	byNew, byOld map[model.OpID]int // index into Operations
}

// Status is the kind of change of an operation.
type Status string

// The statuses of an operation in the comparison of two versions of a spec.
const (
	StatusAdded   Status = "added"
	StatusRemoved Status = "removed"
	// StatusRenamed is the status of an operation whose path differs only in the names of parameters.
	StatusRenamed Status = "renamed"
	// StatusMoved is the status of an operation with the same operationId and method, but another path.
	StatusMoved   Status = "moved"
	StatusChanged Status = "changed"
)

// Statuses has all statuses, in the order in which reports count them.
var Statuses = []Status{StatusAdded, StatusRemoved, StatusMoved, StatusRenamed, StatusChanged}

// Operation is an operation that differs between the versions.
type Operation struct {
	Status Status
	// Old and New are the IDs of the operation in the two versions, "" if a version does not have the operation.
	Old, New model.OpID
	// Changes are the changes of the operation's contract, breaking changes first. Added and removed operations have
	// none.
	Changes []Change
}

// ID returns the ID of the operation in the new version. For a removed operation it returns the ID in the old
// version.
func (o Operation) ID() model.OpID {
	if o.New == "" {
		return o.Old
	}
	return o.New
}

// Breaking reports whether the operation has changed in a way that may make a client of the old version fail.
func (o Operation) Breaking() bool {
	return o.Status == StatusRemoved || o.Status == StatusMoved || len(o.Changes) > 0 && o.Changes[0].Breaking
}

// Compare compares two versions of a spec. If it cannot compare their contracts, the result has a ContractError.
func Compare(older, newer *analysis.Analysis) *Diff {
	p := pairOperations(older.Operations, newer.Operations)
	changes, err := compareContracts(p.all)
	d := &Diff{ContractError: err, byNew: map[model.OpID]int{}, byOld: map[model.OpID]int{}}
	for _, op := range newer.Operations {
		d.addNew(p, op, changes)
	}
	for _, op := range older.Operations {
		if _, ok := p.toNew[op.ID]; !ok {
			d.add(Operation{Status: StatusRemoved, Old: op.ID})
		}
	}
	v := compareValues(p, older, newer)
	d.Values, d.Feeders = v.changes(), v.feeders()
	d.Groups = compareSets(p, groupSets(older), groupSets(newer))
	d.Clusters = compareSets(p, clusterSets(older), clusterSets(newer))
	return d
}

// addNew adds an operation of the new version, unless it is unchanged.
func (d *Diff) addNew(p *pairing, op *model.Operation, changes map[model.OpID][]Change) {
	i, ok := p.ofNew[op.ID]
	if !ok {
		d.add(Operation{Status: StatusAdded, New: op.ID})
		return
	}
	one := Operation{Status: p.all[i].status, Old: p.all[i].older.ID, New: op.ID, Changes: changes[op.ID]}
	if one.Status == StatusChanged && len(one.Changes) == 0 {
		d.Same++
		return
	}
	d.add(one)
}

func (d *Diff) add(op Operation) {
	if op.New != "" {
		d.byNew[op.New] = len(d.Operations)
	}
	if op.Old != "" {
		d.byOld[op.Old] = len(d.Operations)
	}
	d.Operations = append(d.Operations, op)
}

// OfNew returns the change of an operation of the new version. It returns false if the operation is
// unchanged.
func (d *Diff) OfNew(op model.OpID) (Operation, bool) { return d.find(d.byNew, op) }

// OfOld returns the change of an operation of the old version. It returns false if the operation is unchanged.
func (d *Diff) OfOld(op model.OpID) (Operation, bool) { return d.find(d.byOld, op) }

func (d *Diff) find(by map[model.OpID]int, op model.OpID) (Operation, bool) {
	i, ok := by[op]
	if !ok {
		return Operation{}, false
	}
	return d.Operations[i], true
}

// Breaking reports whether any operation has a breaking change.
func (d *Diff) Breaking() bool {
	for _, op := range d.Operations {
		if op.Breaking() {
			return true
		}
	}
	return false
}
