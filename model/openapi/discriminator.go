package openapi

import (
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"sonde/model"
)

// mapping replaces the names and references in the mapping of a discriminator by references to parts. The discriminator
// is in the clean tree. If a schema does not exist, mapping lists a problem and leaves the entry out.
func (m *mender) mapping(discriminator *node, at *place) {
	named := discriminator.get("mapping")
	if named == nil {
		return
	}
	at = at.at("mapping")
	kept := objectNode(named.line)
	for i, value := range named.names() {
		kid := named.kids[i]
		if kid.kind != isText {
			m.add(at.at(value), kid, "the name of a schema belongs here, not %s; left out", kid.what())
			continue
		}
		if ref := m.schemaRef(textNode(mappedRef(kid.text), kid.line), at.at(value)); ref != nil {
			kept.push(value, ref)
		}
	}
	discriminator.set("mapping", kept)
}

// mappedRef returns the reference in a mapping. If name is only the name of a component, mappedRef returns the
// reference to this component.
func mappedRef(name string) string {
	if strings.ContainsAny(name, "/#") {
		return name
	}
	return "#/components/schemas/" + name
}

// discriminator3 converts a clean discriminator to the type of kin-openapi. It returns nil if the discriminator has no
// property.
func discriminator3(n *node) *openapi3.Discriminator {
	if n.str("propertyName") == "" {
		return nil
	}
	return &openapi3.Discriminator{
		PropertyName: n.str("propertyName"),
		Mapping:      mapped(n.get("mapping"), func(n *node) openapi3.MappingRef { return openapi3.MappingRef{Ref: n.str("$ref")} }),
	}
}

// xmlAt converts the xml section of a clean schema to the type of kin-openapi. It returns nil if there is no such
// section.
func xmlAt(n *node, key string) *openapi3.XML {
	x := n.get(key)
	if x == nil {
		return nil
	}
	return &openapi3.XML{
		Name: x.str("name"), Namespace: x.str("namespace"), Prefix: x.str("prefix"),
		Attribute: flagAt(x, "attribute"), Wrapped: flagAt(x, "wrapped"),
	}
}

// discriminator converts a discriminator to the model. It returns nil for nil.
func (c *converter) discriminator(from *openapi3.Discriminator) *model.Discriminator {
	if from == nil {
		return nil
	}
	to := &model.Discriminator{Property: from.PropertyName}
	for _, value := range slices.Sorted(maps.Keys(from.Mapping)) {
		ref := from.Mapping[value]
		to.Mapping = append(
			to.Mapping,
			model.DiscriminatorMapping{Value: value, Schema: c.schemaOrAny(&openapi3.SchemaRef{Ref: ref.Ref, Value: ref.Value})},
		)
	}
	return to
}

func xmlOf(from *openapi3.XML) *model.XML {
	if from == nil {
		return nil
	}
	return &model.XML{
		Name: from.Name, Namespace: from.Namespace, Prefix: from.Prefix,
		Attribute: from.Attribute, Wrapped: from.Wrapped,
	}
}
