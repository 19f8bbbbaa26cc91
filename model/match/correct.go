package match

import (
	"cmp"
	"strings"

	"sonde/model"
)

// correct applies corrections of values, made by the user or derived from traffic, in order. Each correction applies to
// the results of the previous ones. correct records which corrections of the user changed a value, and which of them
// match no value.
func (m *Matcher) correct(ops []*model.Operation, corrections []model.ValueCorrection) {
	for _, c := range corrections {
		var attr *attribute
		if c.Is != "" {
			attr = m.entities.attributeOf(c.Is)
		}
		fits := false
		for _, op := range ops {
			if !c.IsAbout(op) {
				continue
			}
			for i := range m.uses[op] {
				u := &m.uses[op][i]
				if u.ID == c.Value && (c.Field == "" || c.Field == u.Name || c.Field == u.Pointer) {
					if p := placeOf(op, *u); c.Evidence == "" {
						m.corrected[p] = append(m.corrected[p], AppliedCorrection{c, *u})
					}
					u.correct(c, attr)
					fits = true
				}
			}
		}
		if !fits && c.Evidence == "" {
			m.unfitting = append(m.unfitting, c)
		}
	}
}

// AppliedCorrection is a correction that changed a value. Before is a use of the value before the change.
type AppliedCorrection struct {
	model.ValueCorrection
	Before ValueUse
}

// usePlace is a place where an operation takes or emits a value.
type usePlace struct {
	op            *model.Operation
	out           bool
	in            model.Location
	name, pointer string
}

func placeOf(op *model.Operation, u ValueUse) usePlace {
	return usePlace{op, u.Out, u.In, u.Name, u.Pointer}
}

// CorrectionsOf returns the user's corrections that changed a use of a value by an operation, in the order of the
// configuration.
func (m *Matcher) CorrectionsOf(op *model.Operation, u ValueUse) []AppliedCorrection {
	return m.corrected[placeOf(op, u)]
}

// correct applies a correction to a use of a value. attr is the attribute to which the correction assigns the use. If
// attr is nil, the use keeps its identity and the grade of its evidence.
func (u *ValueUse) correct(c model.ValueCorrection, attr *attribute) {
	u.Why, u.isCorrected = cmp.Or(c.Evidence, "the configuration says so"), true
	if attr != nil {
		u.ID, u.attr, u.Evidence = c.Is, attr, EvidenceDeclared
	}
	if c.Kind == "" {
		return
	}
	u.Kind = c.Kind
	u.IsReference = u.Kind.Links() && u.Kind != KindCursor && (u.Kind != KindIdentifier || u.IsReference || u.In == model.InPath)
}

// attributeOf returns the attribute with an identity, such as "team.slug". If there is none, it returns a new one.
func (x *entities) attributeOf(id string) *attribute {
	entityName, name, _ := strings.Cut(id, ".")
	e := x.byName[strings.ReplaceAll(entityName, "-", "")]
	if e == nil {
		e = newEntity(entityName)
	}
	if a := e.attrs[plainName(name)]; a != nil {
		return a
	}
	return &attribute{entity: e, name: name, id: id}
}

// UnfittingCorrections returns the user's corrections that match no value, for example because a name is misspelled.
func (m *Matcher) UnfittingCorrections() []model.ValueCorrection { return m.unfitting }
