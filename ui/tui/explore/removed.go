package explore

import (
	"cmp"
	"slices"

	"sonde/analysis/specdiff"
	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/filter"
)

// addRemoved adds the removed operations of an older version of the spec to the tree. A removed operation is listed
// in its old folder, below the operation that was above it in the older version and still exists. If no operation
// above it exists, the removed operation comes first. Folders that have only removed operations come last.
func (t *tree) addRemoved(older *model.Spec, diff *specdiff.Diff) {
	t.gone = map[*model.Operation]bool{}
	index := map[string]int{}
	for i, f := range t.folders {
		index[f.name] = i
	}
	before := folders(older)
	kept := map[*model.Operation]bool{} // operations of the old folders that also exist in the new version
	for _, f := range before {
		if _, ok := index[f.name]; ok {
			for _, op := range f.ops {
				kept[op] = true
			}
		}
	}
	for _, f := range before {
		removed := removedFrom(f.ops, diff)
		i, ok := index[f.name]
		if !ok {
			removed = slices.DeleteFunc(removed, func(op *model.Operation) bool { return kept[op] })
		}
		switch {
		case len(removed) == 0:
			continue
		case ok:
			t.folders[i].removed, t.folders[i].rows = removed, placeRemoved(f.ops, t.folders[i].ops, diff)
		default:
			t.folders = append(t.folders, folder{name: f.name, removed: removed, rows: removed})
		}
		for _, op := range removed {
			t.gone[op] = true
		}
	}
}

// removedFrom returns those of the given operations of the older version that were removed.
func removedFrom(older []*model.Operation, diff *specdiff.Diff) []*model.Operation {
	var removed []*model.Operation
	for _, op := range older {
		if change, changed := diff.OfOld(op.ID); changed && change.Status == specdiff.StatusRemoved {
			removed = append(removed, op)
		}
	}
	return removed
}

// placeRemoved returns the rows of a folder: its operations in the new version (now), with the removed operations at
// their old places. older are the operations of the folder in the older version.
func placeRemoved(older, now []*model.Operation, diff *specdiff.Diff) []*model.Operation {
	has := map[model.OpID]bool{}
	for _, op := range now {
		has[op.ID] = true
	}
	after := map[model.OpID][]*model.Operation{} // removed operations, by the ID of the operation above them; "" for none
	var last model.OpID
	for _, op := range older {
		change, changed := diff.OfOld(op.ID)
		switch id := cmp.Or(change.New, op.ID); {
		case changed && change.Status == specdiff.StatusRemoved:
			after[last] = append(after[last], op)
		case has[id]:
			last = id
		}
	}
	rows := after[""]
	for _, op := range now {
		rows = append(append(rows, op), after[op.ID]...)
	}
	return rows
}

// removedOperations returns the removed operations of all folders, without duplicates.
func (t *tree) removedOperations() []*model.Operation {
	var all []*model.Operation
	seen := map[*model.Operation]bool{}
	for _, f := range t.folders {
		for _, op := range f.removed {
			if !seen[op] {
				seen[op] = true
				all = append(all, op)
			}
		}
	}
	return all
}

// addRemoved adds the operations that were removed since an older version of the spec to the list and to
// the filter. The cursor stays on its row.
func (p *treePane) addRemoved(older *model.Spec, diff *specdiff.Diff) {
	at := p.node()
	p.ops.addRemoved(older, diff)
	p.removed = nil
	if all := p.ops.removedOperations(); len(all) > 0 {
		p.removed = filter.NewIndex(&model.Spec{Operations: all})
	}
	p.sift()
	if at != nil && at.op == nil {
		p.rows.Go(slices.Index(p.ops.nodes, *at))
	}
}

// removedOperation returns the operation under the cursor if it was removed, otherwise nil.
func (p *treePane) removedOperation() *model.Operation {
	if n := p.node(); n != nil && n.removed {
		return n.op
	}
	return nil
}

// removedPage writes the page of a removed operation, as the older version describes it.
func removedPage(op *model.Operation, since *changes, b *pageWriter) {
	b.write(draw.TextLine(" "+draw.Clean(cmp.Or(op.Summary, op.Name, "no summary")), theme.Plain)...)
	if bare(op.Description) != bare(op.Summary) {
		b.prose(op.Description, 1, 3, theme.Dim, "about")
	}
	b.write()
	b.write(append(draw.TextLine(" Removed", theme.Strong),
		draw.Span{Text: "  since " + since.since() + ", which describes it so:", Style: theme.Dim})...)
	b.params(op.Params)
	b.body(op.Body)
	b.answers(op.Responses)
}
